"""Counts of launches as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanemap.cli.output import console, numbers
from lanemap.cli.tables import Table

if TYPE_CHECKING:
    from lanemap.devices.emulator import Counts, InstructionCount

#: Instructions that the table of the busiest ones shows.
SHOWN = 12
#: Characters of an instruction that a table shows.
TEXT = 56


def show_counts(counts: Counts, wave: str) -> None:
    """Print what was counted: by class, by memory, conflicts, the busiest instructions, waits.

    `wave` is what the target calls one.
    """
    out = console()
    for made in (
        _kinds(counts, wave),
        _traffic(counts),
        _conflicts(counts),
        _busiest(counts, wave),
        _waits(counts),
    ):
        if made is not None:
            out.print(made)
            out.print()
    if counts.matrix_instructions:
        out.print(
            f"{counts.matrix_instructions:,} matrix instructions, "
            f"{counts.matrix_flops:,} floating-point or integer operations\n"
        )
    if counts.rules:
        used = sorted({evidence for _, evidence, _ in counts.rules})
        out.print(
            f"bank conflicts by rules that are {' and '.join(used)}, not measured here; see "
            "docs/counting.md\n"
        )


def _per(total: int, count: int) -> str:
    return f"{total / count:,.1f}" if count and total else ""


def _kinds(counts: Counts, wave: str) -> Table:
    total = counts.executed
    rows = [
        [
            kind,
            f"{one.waves:,}",
            f"{100 * one.waves / max(total.waves, 1):.1f} %",
            f"{one.lanes:,}",
            _per(one.lanes, one.waves),
        ]
        for kind, one in [*counts.by_kind().items(), ("all", total)]
    ]
    columns = ("class", f"{wave} instructions", "share", "thread instructions", "lanes on")
    return numbers(columns, rows, "Instructions")


def _traffic(counts: Counts) -> Table | None:
    rows = []
    for (space, direction), one in counts.traffic().items():
        is_global = space == "global"
        rows.append(
            [
                f"{space} {direction}",
                f"{one.accesses:,}",
                f"{one.bytes:,}",
                _per(one.bytes, one.accesses),
                _per(one.sectors, one.accesses) if is_global else "",
                _per(one.lines, one.accesses) if is_global else "",
                f"{one.passes:,}" if one.judged else "",
                f"{one.conflicts:,}" if one.judged else "",
            ]
        )
    columns = ("access", "accesses", "bytes", "bytes each", "32 B sectors each",
               "128 B lines each", "bank passes", "conflicts")  # fmt: skip
    return numbers(columns, rows, "Memory") if rows else None


def _conflicts(counts: Counts) -> Table | None:
    """The instructions with conflicts, most first."""
    found = []
    for one in counts.instructions:
        judged = [each for each in one.traffic.values() if each.conflicts]
        if judged:
            found.append((one, sum(judged[1:], judged[0])))
    found.sort(key=lambda pair: -pair[1].conflicts)
    rows = [
        [
            _short(one),
            one.source,
            f"{each.accesses:,}",
            _per(each.passes, each.judged),
            _per(each.least, each.judged),
            f"{each.conflicts:,}",
        ]
        for one, each in found[:SHOWN]
    ]
    columns = (
        "instruction", "source", "accesses", "passes each", "without conflicts", "conflicts"
    )  # fmt: skip
    return numbers(columns, rows, "Bank conflicts", texts=2) if rows else None


def _busiest(counts: Counts, wave: str) -> Table:
    """The instructions that executed most."""
    found = sorted(counts.instructions, key=lambda one: -one.executed.waves)[:SHOWN]
    rows = [
        [
            _short(one),
            one.source,
            one.kind,
            f"{one.executed.waves:,}",
            _per(one.executed.lanes, one.executed.waves),
        ]
        for one in found
    ]
    columns = ("instruction", "source", "class", f"{wave} instructions", "lanes on")
    return numbers(columns, rows, "Most executed", texts=3)


def _waits(counts: Counts) -> Table | None:
    rows = [[wait.reason, f"{wait.waits:,}", f"{wait.turns:,}"] for wait in counts.waits]
    columns = ("waits for", "waits", "scheduler turns passed")
    return numbers(columns, rows, "Waits") if rows else None


def _short(one: InstructionCount) -> str:
    text = one.text.partition(" // ")[0]
    return text if len(text) <= TEXT else f"{text[: TEXT - 2]}.."
