"""The table of docs/found.md: which releases of its compiler have each fault."""

from __future__ import annotations

from lanemap.conformance.faults.history import WRONG, histories
from lanemap.records.lookup import of_kind
from tools.figures.kernels import RESULTS


def releases(_: str) -> str:
    """A line for each fault and option: the releases that are wrong, of those that were asked."""
    lines = [
        "| fault | option | compilers asked | wrong in | evidence |",
        "|---|---|---|---|---|",
    ]
    for each in histories(of_kind("compiler_faults", RESULTS)).values():
        names = list(each.states)
        asked = f"{names[0]} to {names[-1].partition(' ')[2]}"
        for option in each.options:
            wrong = [
                first.split()[1] if first == last else f"{first.split()[1]} to {last.split()[1]}"
                for state, first, last in each.ranges(option)
                if state == WRONG
            ]
            lines.append(
                f"| [{each.name}](#{each.name}) | `{option}` | {len(names)}: {asked} | "
                f"{', '.join(wrong) or 'none'} | {each.evidence}, {each.target} |"
            )
    return "\n".join([*lines, ""])
