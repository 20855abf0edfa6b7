"""The table of docs/found.md: which releases of its compiler have each fault."""

from __future__ import annotations

from lanemap.conformance.faults.history import WRONG, History, histories
from lanemap.records.lookup import of_kind
from tools.figures.kernels import RESULTS


def releases(_: str) -> str:
    """A line for each program: the releases that are wrong at each option, of those asked."""
    lines = ["| fault | program | releases asked | wrong in | evidence |", "|---|---|---|---|---|"]
    for each in histories(of_kind("compiler_faults", RESULTS)):
        names = list(each.states)
        asked = f"{len(names)}: {names[0]} to {names[-1].partition(' ')[2]}"
        wrong: dict[str, list[str]] = {}
        for option in each.options:
            wrong.setdefault(_wrong(each, option), []).append(f"`{option}`")
        said = "; ".join(f"{', '.join(options)}: {where}" for where, options in wrong.items())
        lines.append(
            f"| [{each.fault}]({_link(each)}) | {each.program} | {asked} | {said} | "
            f"{each.evidence}, {each.target} |"
        )
    return "\n".join([*lines, ""])


def _link(each: History) -> str:
    """From docs/found.md."""
    here, _, anchor = each.page.partition("#")
    return f"#{anchor}" if here == "docs/found.md" else f"../{here}"


def _wrong(each: History, option: str) -> str:
    runs = [
        first.split()[1] if first == last else f"{first.split()[1]} to {last.split()[1]}"
        for state, first, last in each.ranges(option)
        if state == WRONG
    ]
    return ", ".join(runs) or "none"
