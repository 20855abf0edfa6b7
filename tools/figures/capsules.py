"""What waits for a GPU that nobody has run lanemap on, and how large its capsule is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lanemap.benching.find import all_benchmarks
from lanemap.conformance.capsules import sums
from lanemap.conformance.capsules.entries import entries
from lanemap.model.banks import rules_of
from lanemap.records.files import read_records
from lanemap.records.schema import Record
from lanemap.targets import TARGETS
from lanemap.timing.find import find_probes
from tools.figures.words import RESULTS, ROOT

#: What `benchmarks/capsules.py` measured.
SIZES = ROOT / "benchmarks" / "capsules.jsonl"


@dataclass(frozen=True)
class Question:
    """What one row of a GPU would settle.

    Attributes:
        row: Name of the row.
        asks: The question.
        waits: What rests on the emulator or on an assumption until then.
    """

    row: str
    asks: str
    waits: str


@cache
def _stored() -> list[Record]:
    return read_records(RESULTS)


@cache
def open_questions() -> dict[str, list[Question]]:
    """Return what waits, by target; targets for which nothing does are left out."""
    stored = _stored()
    found = {name: [*_maps(name, stored), *_others(name, stored)] for name in TARGETS}
    return {name: each for name, each in found.items() if each}


def _verified(target: str, stored: list[Record]) -> set[str]:
    """Return the rows that a GPU of a target has, and that need no second card."""
    return {
        each.probe
        for each in stored
        if each.target == target and each.evidence == "silicon" and not each.unconfirmed
    }


def _maps(target: str, stored: list[Record]) -> Iterator[Question]:
    known = _verified(target, stored)
    for row in stored:
        if row.target != target or row.evidence != "emulator" or row.probe in known:
            continue
        if "question" not in row.findings:
            continue
        count = len(row.observations) or len(row.findings.get("variants", {})) or 1
        what = "map" if row.observations else "form"
        waits = f"{count} {what}{'s' * (count > 1)} that only the emulator shows"
        yield Question(row.probe, row.findings["question"], waits)


def _others(target: str, stored: list[Record]) -> Iterator[Question]:
    """What no row of the emulator asks: cycles, sums, banks."""
    known = _verified(target, stored)
    mapped = any(each.target == target and each.evidence == "emulator" for each in stored)
    if not mapped:
        return
    for name, probe in find_probes().items():
        if target in probe.targets and f"timing_{name}" not in known:
            yield Question(f"timing_{name}", "How many cycles?", "no cycles of this GPU are known")
    for benchmark in all_benchmarks(target):
        if benchmark.kernel not in known:
            asks = "Is its result right, and how long does it take?"
            yield Question(f"kernel_{benchmark.kernel}", asks, "checked on the emulator alone")
    rules = [each for each in rules_of(target) if each.evidence in ("published", "assumed")]
    if rules and not {"smem_banks", "lds_banks"} & known:
        forms = f"{len(rules)} rules of banks that are published or assumed"
        yield Question("banks", "How many passes does an access take?", forms)
    for family in sums.FAMILIES.values():
        if target in family.targets and "tensor_cores" not in known:
            asks = f"How does {family.instruction} add, bit for bit?"
            count = sum(1 for _ in family.texts(target))
            yield Question(family.name, asks, f"{count} kinds as published or assumed")
    if "tensor_cores" not in known and TARGETS[target].kept_bits:
        kept = ", ".join(
            f"{bits} bits of {size}-byte elements"
            for size, bits in sorted(TARGETS[target].kept_bits.items())
        )
        yield Question(
            "tensor_cores", "How do the newest matrix instructions add?", f"as published: {kept}"
        )


def questions(target: str) -> str:
    """Return what one target's GPU would settle, as a table."""
    held = {each.name for each in entries(target)}
    together: dict[tuple[str, str, str], list[str]] = {}
    for each in open_questions().get(target, []):
        key = each.asks, each.waits, "yes" if each.row in held else "no"
        together.setdefault(key, []).append(f"`{each.row}`")
    lines = [f"| {', '.join(rows)} | {' | '.join(key)} |" for key, rows in together.items()]
    head = "| row | question | until then | capsule |\n|---|---|---|---|"
    return "\n".join([head, *lines]) + "\n"


def open_by_gpu(_: str) -> str:
    """Return how much waits for each GPU, as a table."""
    rows = [
        "| GPU | capsule | questions | maps that only the emulator shows |",
        "|---|---|---|---|",
    ]
    for target, found in open_questions().items():
        names = {each.row for each in found}
        maps = sum(
            len(each.observations)
            for each in _stored()
            if each.target == target and each.evidence == "emulator" and each.probe in names
        )
        products = ", ".join(TARGETS[target].products)
        rows.append(f"| {products} | `{target}` | {len(found)} | {maps} |")
    return "\n".join(rows) + "\n"


def sizes(_: str) -> str:
    """Return how large the capsules are that were built last, as a table."""
    rows = [json.loads(line) for line in SIZES.read_text().splitlines()]
    last = {each["target"]: each for each in rows}
    lines = [
        f"| `{name}` | {len(each['entries'])} | {each['bytes'] / 1e6:.1f} "
        f"| {each['seconds']:.0f} | {each['machine']['processor']} | {each['machine']['load']} |"
        for name, each in sorted(last.items())
    ]
    head = "| target | entries | MB | seconds to build | processor | load |\n" + "|---" * 6 + "|"
    return "\n".join([head, *lines]) + "\n"
