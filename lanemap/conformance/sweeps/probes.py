"""Every probe on every target of it, on the emulator: its row is the stored one."""

from __future__ import annotations

from lanemap.paths import find
from lanemap.probing.probe import chosen
from lanemap.probing.run import run_probe
from lanemap.records.files import record_path, row_text
from lanemap.sweeping.sweep import Found, Sweep, each


def items() -> list[str]:
    """Every probe on every target, such as `tr8/gfx950`."""
    return [f"{each.name}/{each.target}" for each in chosen(())]


def _one(item: str) -> Found:
    name, _, target = item.rpartition("/")
    report = run_probe(name, target, "emulator")
    stored = record_path(report.record, find("results"))
    wrong = "" if report.agrees else "it disagrees with the model, or cannot explain what it saw"
    if not stored.is_file() or stored.read_text() != row_text(report.record):
        wrong = wrong or f"its row is not {stored.parent.parent.name}/emulator/{stored.name}"
    return Found(item, wrong, {"variants": len(report.parts)})


SWEEP = Sweep(
    "every probe on the emulator, against its stored row",
    each(_one),
    items,
)
