"""Where a compiler's fault begins and ends: what the rows of `compiler_faults` say, by release."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lanemap.errors import UserError

RIGHT, WRONG, REFUSED = "right", "wrong", "refused"


@dataclass(frozen=True)
class History:
    """What releases of one compiler make of the programs of one fault.

    Attributes:
        name: The fault; docs/found.md has it as an anchor.
        promise: What the manual says.
        evidence: "silicon" or "emulator".
        target: What the programs were compiled for.
        states: RIGHT, WRONG or REFUSED, by compiler (oldest first) and option. WRONG is one wrong
            program of several; REFUSED, that none was compiled.
    """

    name: str
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


def histories(rows: Iterable[Any]) -> dict[str, History]:
    """The history of each fault, by name, from records of the kind `compiler_faults`."""
    found = {}
    for row in rows:
        for fault in row.findings["faults"]:
            found[fault["name"]] = History(
                fault["name"], fault["promise"], row.evidence, row.target, _states(fault)
            )
    return found


def named(name: str, known: Mapping[str, History]) -> History:
    """The history of one fault.

    Raises:
        UserError: there is no such fault.
    """
    if name not in known:
        raise UserError(
            f"{name!r} is no fault that several releases were asked about; "
            f"these are: {', '.join(sorted(known))}"
        )
    return known[name]


def _states(fault: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    seen: dict[tuple[str, str], list[str]] = {}
    for program in fault["programs"]:
        if not program["cure"]:
            for outcome in program["outcomes"]:
                option = outcome["options"].partition(" ")[0]
                seen.setdefault((outcome["compiler"], option), []).append(_state(outcome))
    found: dict[str, dict[str, str]] = {}
    for compiler, option in sorted(seen, key=lambda each: (_numbers(each[0]), each)):
        states = seen[compiler, option]
        worst = WRONG if WRONG in states else RIGHT if RIGHT in states else REFUSED
        found.setdefault(compiler, {})[option] = worst
    return found


def _state(outcome: Mapping[str, Any]) -> str:
    if "refused" in outcome:
        return REFUSED
    return RIGHT if outcome.get("as promised") else WRONG


def _numbers(compiler: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", compiler)]
