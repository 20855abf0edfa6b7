"""Counters of a pass in the runtime's layout (runtime/events.h), and their totals."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.host.counts import (
    Counts,
    Executed,
    InstructionCount,
    Place,
    Traffic,
    WaitCount,
    space_of,
)
from lanemap.emulator.host.observers import NativeObserver, Observer, reason_of, watch_of
from lanemap.emulator.runtime import abi, events_abi
from lanemap.emulator.runtime.abi import Direction
from lanemap.emulator.runtime.events_abi import DIRECTIONS, REASONS, SPACES
from lanemap.model.banks import BankRule

if TYPE_CHECKING:
    from lanemap.emulator.codegen.operation import Operation
    from lanemap.emulator.codegen.program import Program

_TRAFFIC = [field[0] for field in events_abi.Traffic._fields_]


class Tally:
    """The counters of one worker, and the event buffer of the observers."""

    def __init__(
        self, program: Program, banks: tuple[BankRule, ...], observers: tuple[Observer, ...]
    ) -> None:
        """Count from zero, if an observer asks for counts.

        `banks` are the rules that accesses of shared memory are judged by.
        """
        blocks, operations = len(program.block_sizes), sum(program.block_sizes)
        self._program, self._banks = program, banks
        self.blocks = np.zeros(blocks, np.uint64)
        self.block_lanes = np.zeros(blocks, np.uint64)
        self.lanes = np.zeros(operations, np.int64)
        self.products = np.zeros(operations, np.uint64)
        self.traffic = np.zeros((operations, SPACES, DIRECTIONS, len(_TRAFFIC)), np.uint64)
        self.waits, self.turns = np.zeros((2, REASONS), np.uint64)
        self._rules = (events_abi.BankRule * max(len(banks), 1))(*map(_rule, banks))
        #: The same for the runtime.
        self.events = e = events_abi.Events()
        for name in ("blocks", "block_lanes", "lanes", "traffic", "products", "waits", "turns"):
            setattr(e.tally, name, getattr(self, name).ctypes.data)
        e.rules, e.rule_count = ctypes.addressof(self._rules), len(banks)
        e.issued = abi.NO_OPERATION
        told = [
            events_abi.Observer(
                watch=each.watch.events, observe=each.function, context=each.context
            )
            for each in observers
            if isinstance(each, NativeObserver)
        ]
        if Watch.COUNT in watch_of(observers):
            tally = ctypes.addressof(e) + events_abi.Events.tally.offset
            told.append(
                events_abi.Observer(
                    watch=Watch.ACCESS | Watch.WAIT,
                    observe=native().address("lm_count"),
                    context=tally,
                )
            )
        self._observers = (events_abi.Observer * max(len(told), 1))(*told)
        e.observers, e.observer_count = ctypes.addressof(self._observers), len(told)

    def add(self, other: Tally) -> None:
        """Add another worker's counters."""
        for name in ("blocks", "block_lanes", "lanes", "traffic", "products", "waits", "turns"):
            mine: NDArray[np.uint64] = getattr(self, name)
            mine += getattr(other, name)

    def counts(self) -> Counts:
        """Return the counts of one launch."""
        found: dict[tuple[int, str], InstructionCount] = {}
        for block in self._program.blocks:
            for number, operation in enumerate(block.operations, block.first):
                if self.blocks[block.index]:
                    key = operation.line, operation.text
                    found[key] = self._counted(found.get(key), block.index, number, operation)
        return Counts(
            1,
            [one for one in found.values() if one.kind],
            list(self._waits()),
            list(self._used_rules()),
        )

    def _counted(
        self, before: InstructionCount | None, block: int, number: int, operation: Operation
    ) -> InstructionCount:
        """An instruction with one more of its operations."""
        program, waves = self._program, int(self.blocks[block])
        if before is None:
            before = InstructionCount(
                program.name, program.file, operation.line, operation.text, "", Executed(), 0, {}
            )
        lanes = int(self.block_lanes[block]) + int(self.lanes[number])
        executed = Executed(waves, 0 if operation.uniform else lanes)
        traffic = dict(before.traffic)
        for place, one in self._traffic(number, operation.kind):
            traffic[place] = traffic.get(place, Traffic()) + one
        return replace(
            before,
            kind=before.kind or operation.kind,
            traffic=traffic,
            executed=before.executed + executed if operation.kind else before.executed,
            products=before.products + waves * operation.products + int(self.products[number]),
        )

    def _traffic(self, number: int, kind: str) -> Iterator[tuple[Place, Traffic]]:
        for space, direction in zip(*np.nonzero(self.traffic[number, :, :, 0]), strict=True):
            name = space_of(int(space), kind, self._program.wording)
            place = name, Direction(int(direction)).name.lower()
            yield place, Traffic(*map(int, self.traffic[number, space, direction]))

    def _waits(self) -> Iterator[WaitCount]:
        """Return waits by the name of their object; several numbers may share one."""
        found: dict[str, list[int]] = {}
        for reason in map(int, np.flatnonzero(self.waits)):
            counts = found.setdefault(reason_of(self._program, reason), [0, 0])
            counts[0] += int(self.waits[reason])
            counts[1] += int(self.turns[reason])
        for name, (waits, turns) in found.items():
            yield WaitCount(name, waits, turns)

    def _used_rules(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """The bank rules of all forms, if any access was judged."""
        if self.traffic[..., _TRAFFIC.index("judged")].any():
            for rule in self._banks:
                yield rule.form, rule.evidence, rule.citations


def _rule(rule: BankRule) -> events_abi.BankRule:
    """A bank rule for the runtime."""
    direction = Direction[rule.direction.upper()]
    lanes = [sum(1 << lane for lane in phase) for phase in rule.phases]
    joining = sum(1 << mask for mask in rule.joining)
    least, most = rule.sizes
    result = events_abi.BankRule(
        direction=direction,
        least=least,
        most=most,
        element_bits=rule.element_bits,
        banks=rule.banks,
        phases=len(lanes),
        idle=rule.idle,
        joining=joining,
    )
    result.lanes[: len(lanes)] = lanes
    return result
