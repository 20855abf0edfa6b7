"""Where a compiler's fault begins and ends: what the rows of `compiler_faults` say, by release."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lanemap.errors import UserError
from lanemap.records.schema import Record

#: OTHER: something is wrong that is not the fault which the program shows.
RIGHT, WRONG, REFUSED, OTHER = "right", "wrong", "refused", "another fault"
#: The row of what releases of Triton make of the museum's scripts.
MUSEUM_BY_RELEASE = "museum_by_release"


@dataclass(frozen=True)
class History:
    """What releases of one compiler make of one program.

    Attributes:
        fault: The fault that it shows.
        page: Where it is described: an anchor of docs/found.md, or a file of the museum.
        program: The program's name.
        promise: What the manual says; of the museum's, the cause.
        evidence: "silicon" or "emulator".
        target: What it was compiled for, but by releases that do not know the target.
        states: RIGHT, WRONG, REFUSED or OTHER, by compiler (oldest first) and option.
    """

    fault: str
    page: str
    program: str
    promise: str
    evidence: str
    target: str
    states: Mapping[str, Mapping[str, str]]

    @property
    def options(self) -> list[str]:
        """The options of all compilers."""
        return sorted({option for each in self.states.values() for option in each})

    def ranges(self, option: str) -> list[tuple[str, str, str]]:
        """State, first and last release of each run of releases with one state."""
        known = [(name, each[option]) for name, each in self.states.items() if option in each]
        found = []
        for state, run in groupby(known, key=lambda each: each[1]):
            names = [name for name, _ in run]
            found.append((state, names[0], names[-1]))
        return found


def histories(rows: Iterable[Record]) -> list[History]:
    """The history of each program that shows a fault, from records of kind `compiler_faults`.

    Raises:
        UserError: there are no records.
    """
    rows = list(rows)
    if not rows:
        raise UserError(
            "no row here says what releases of compilers make; lanemap's results/ has them"
        )
    return [
        History(
            fault["name"],
            _page(row, fault["name"]),
            program["name"],
            fault["promise"],
            row.evidence,
            row.target,
            _states(program["outcomes"]),
        )
        for row in rows
        for fault in row.findings["faults"]
        for program in fault["programs"]
        if not program["cure"]
    ]


def _page(row: Record, fault: str) -> str:
    return f"museum/{fault}.py" if row.probe == MUSEUM_BY_RELEASE else f"docs/found.md#{fault}"


def of_fault(name: str, known: Iterable[History]) -> list[History]:
    """The histories of one fault's programs.

    Raises:
        UserError: there is no such fault.
    """
    known = list(known)
    found = [each for each in known if each.fault == name]
    if not found:
        faults = ", ".join(sorted({each.fault for each in known}))
        raise UserError(
            f"{name!r} is no fault that several releases were asked about; these are: {faults}"
        )
    return found


def _states(outcomes: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for outcome in sorted(outcomes, key=lambda each: (_numbers(each["compiler"]), each["options"])):
        option = outcome["options"].partition(" ")[0]
        found.setdefault(outcome["compiler"], {})[option] = _state(outcome)
    return found


def _state(outcome: Mapping[str, Any]) -> str:
    if "refused" in outcome:
        return REFUSED
    if "other" in outcome:
        return OTHER
    return RIGHT if outcome.get("as promised") else WRONG


def _numbers(compiler: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", compiler)]
