"""Counts of what launches did: instructions, accesses, bank conflicts, matrix products, waits.

Counts measure work, not time: they say what a GPU would have to do, not how long it would take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from lanemap.emulator.codegen.wording import Wording
from lanemap.emulator.runtime import abi

#: What an access is called by: the space that it went to, and "load", "store" or "atomic".
Place = tuple[str, str]


@dataclass(frozen=True)
class Executed:
    """Executions of instructions.

    Attributes:
        waves: By waves: what profilers call instructions executed.
        lanes: The lanes that were on, summed: thread instructions. Those of instructions that
            execute once for the wave are none.
    """

    waves: int = 0
    lanes: int = 0

    def __add__(self, other: Executed) -> Executed:
        return Executed(self.waves + other.waves, self.lanes + other.lanes)


@dataclass(frozen=True)
class Traffic:
    """Accesses of one space in one direction.

    Attributes:
        accesses: Number of accesses of waves.
        bytes: Those that lanes asked for, however many of them the same ones.
        sectors: Aligned 32 bytes of global memory that each access touches, summed.
        lines: Aligned 128 bytes, likewise.
        judged: Accesses of shared memory whose form has a bank rule (lanemap/model/banks.py).
        passes: Passes of the judged ones, which Nsight Compute calls wavefronts.
        least: Passes without conflicts.
    """

    accesses: int = 0
    bytes: int = 0
    sectors: int = 0
    lines: int = 0
    judged: int = 0
    passes: int = 0
    least: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def conflicts(self) -> int:
        """Passes that bank conflicts cost."""
        return self.passes - self.least


#: Spaces that a class of instructions names, though their bytes lie in global memory.
_NAMED_SPACES = frozenset({"parameter", "constant", "scalar"})


def space_of(space: int, kind: str, wording: Wording) -> str:
    """The name of a space (abi.Space) in an access by an instruction of a class."""
    name, named = abi.Space(space).name.lower(), kind.partition(" ")[0]
    if space == abi.Space.ENGINE:
        return wording.engine_memory.partition(" ")[0]
    return named if name == "global" and named in _NAMED_SPACES else name


def opcode_of(text: str) -> str:
    """The opcode of an instruction with its modifiers, without the guard before it."""
    words = text.replace(";", " ").split()
    return next((word for word in words if not word.startswith("@")), "")


@dataclass(frozen=True)
class InstructionCount:
    """One instruction of a source text.

    Attributes:
        kernel, file, line, text: Where it stands, and what it says.
        kind: Its class.
        products: Multiplications (with as many additions) of a matrix instruction, all in all.
        traffic: Its accesses, by space and direction.
    """

    kernel: str
    file: str
    line: int
    text: str
    kind: str
    executed: Executed
    products: int
    traffic: dict[Place, Traffic]

    @property
    def source(self) -> str:
        """The source line, as "kernel.cu:12"; the line in the text if there is none."""
        return self.text.partition(" // ")[2] or f"{Path(self.file).name}:{self.line}"

    @property
    def opcode(self) -> str:
        """The opcode with its modifiers."""
        return opcode_of(self.text)


@dataclass(frozen=True)
class WaitCount:
    """Waits of waves for one thing.

    Attributes:
        reason: In the words of the instruction set.
        waits: How often a wave stopped for it, or met a wait while operations that it waits for
            were outstanding.
        turns: Turns of such waves that the emulator's scheduler passed over meanwhile. A turn is no
            time.
    """

    reason: str
    waits: int
    turns: int


@dataclass
class Counts:
    """Counts of the launches of a subscription.

    Attributes:
        launches: Number of launches that ended.
        instructions: By kernel, in the order of its text; only those that executed.
        waits: The waits that happened.
        rules: The bank rules by which accesses of shared memory were judged, with their evidence.
    """

    launches: int = 0
    instructions: list[InstructionCount] = field(default_factory=list)
    waits: list[WaitCount] = field(default_factory=list)
    rules: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        """Add what other launches did."""
        merged: dict[tuple[str, str, int, str, str], InstructionCount] = {}
        for one in (*self.instructions, *other.instructions):
            key = one.kernel, one.file, one.line, one.text, one.kind
            before = merged.get(key)
            merged[key] = (
                one
                if before is None
                else InstructionCount(
                    *key,
                    before.executed + one.executed,
                    before.products + one.products,
                    _merged(before.traffic, one.traffic),
                )
            )
        self.instructions = list(merged.values())
        waits: dict[str, WaitCount] = {}
        for wait in (*self.waits, *other.waits):
            so_far = waits.get(wait.reason, WaitCount(wait.reason, 0, 0))
            waits[wait.reason] = WaitCount(
                wait.reason, so_far.waits + wait.waits, so_far.turns + wait.turns
            )
        self.waits = list(waits.values())
        self.rules = list(dict.fromkeys((*self.rules, *other.rules)))
        self.launches += other.launches

    @property
    def executed(self) -> Executed:
        """All instructions."""
        return sum((one.executed for one in self.instructions), Executed())

    def by_kind(self) -> dict[str, Executed]:
        """Executions by class, most first."""
        return _most_first(self._grouped(lambda one: one.kind))

    def by_opcode(self) -> dict[str, Executed]:
        """Executions by opcode with modifiers, most first."""
        return _most_first(self._grouped(lambda one: one.opcode))

    def by_line(self) -> dict[str, Executed]:
        """Executions by line of the source, as "kernel.cu:12", most first."""
        return _most_first(self._grouped(lambda one: one.source))

    def _grouped(self, key: Callable[[InstructionCount], str]) -> dict[str, Executed]:
        found: dict[str, Executed] = {}
        for one in self.instructions:
            found[key(one)] = found.get(key(one), Executed()) + one.executed
        return found

    def traffic(self) -> dict[Place, Traffic]:
        """Accesses by space and direction.

        Spaces are those of abi.Space in lower case (cluster: shared memory of another CTA), and
        what a class of instructions names besides: parameter, constant, scalar.
        """
        total: dict[Place, Traffic] = {}
        for one in self.instructions:
            total = _merged(total, one.traffic)
        return dict(sorted(total.items()))

    def bytes(self, space: str, direction: str) -> int:
        """Bytes that lanes asked for."""
        return self.traffic().get((space, direction), Traffic()).bytes

    @property
    def matrix_instructions(self) -> int:
        """Matrix instructions that waves executed."""
        return sum(one.executed.waves for one in self.instructions if one.products)

    @property
    def matrix_flops(self) -> int:
        """Operations of matrix instructions: two for each product of elements."""
        return 2 * sum(one.products for one in self.instructions)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "launches": self.launches,
            "executed": vars(self.executed),
            "by_kind": {kind: vars(one) for kind, one in self.by_kind().items()},
            "matrix": {"instructions": self.matrix_instructions, "flops": self.matrix_flops},
            "traffic": _traffic_rows(self.traffic()),
            "waits": [vars(wait) for wait in self.waits],
            "bank_rules": [
                {"form": form, "evidence": evidence, "citations": list(citations)}
                for form, evidence, citations in self.rules
            ],
            "instructions": [
                {
                    "kernel": one.kernel,
                    "file": one.file,
                    "line": one.line,
                    "text": one.text,
                    "source": one.source,
                    "opcode": one.opcode,
                    "kind": one.kind,
                    **vars(one.executed),
                    "flops": 2 * one.products,
                    "traffic": _traffic_rows(one.traffic),
                }
                for one in self.instructions
            ],
        }


def _merged(one: dict[Place, Traffic], other: dict[Place, Traffic]) -> dict[Place, Traffic]:
    result = dict(one)
    for place, traffic in other.items():
        result[place] = result.get(place, Traffic()) + traffic
    return result


def _most_first(found: dict[str, Executed]) -> dict[str, Executed]:
    return dict(sorted(found.items(), key=lambda item: -item[1].waves))


def _traffic_rows(traffic: dict[Place, Traffic]) -> list[dict[str, Any]]:
    """Rows without what does not apply: sectors are global memory's, passes shared memory's."""
    rows = []
    for (space, direction), one in traffic.items():
        row: dict[str, Any] = {
            "space": space,
            "direction": direction,
            "accesses": one.accesses,
            "bytes": one.bytes,
        }
        if space == "global":
            row |= {"sectors": one.sectors, "lines": one.lines}
        if one.judged:
            row |= {"judged": one.judged, "passes": one.passes, "conflicts": one.conflicts}
        rows.append(row)
    return rows
