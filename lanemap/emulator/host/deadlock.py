"""Exceptions for launches that never end: which waves wait, and for what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lanemap.emulator.codegen.wording import Apart, quote_opcode, quote_text
from lanemap.emulator.host.cluster import ClusterMemory, Shape
from lanemap.emulator.host.hazards import Facts, Hazard, lanes_text, who_text
from lanemap.emulator.runtime import abi

if TYPE_CHECKING:
    from lanemap.emulator.codegen.operation import Operation
    from lanemap.emulator.codegen.program import Program

_NAMED = 8  # clusters that the report of an endless wait names


class DeadlockReport:
    """Makes the deadlock and endless-loop hazards of one launch."""

    def __init__(self, program: Program, launch: abi.Launch, shape: Shape) -> None:
        """Report on a launch of the given shape."""
        self._program, self._launch, self._shape = program, launch, shape
        self._words = program.wording

    def deadlock(self, memory: ClusterMemory) -> Hazard:
        """Return the hazard for a cluster in which no wave can go on."""
        parted = [(wave, apart) for wave in memory.waves if (apart := self._words.apart(wave))]
        waiting = self._waiting(memory)
        # What whole waves wait for explains why lanes of others do not come.
        cause = [pair for pair in waiting if pair[0].barrier > abi.MAX_BARRIERS]
        if parted and not cause:
            return self._parted(memory, *parted[0])
        at_barriers = [pair for pair in waiting if pair[0].barrier <= abi.MAX_BARRIERS]
        return self._deadlock(memory, [*cause, *at_barriers], f"no {self._words.wave} can go on")

    def endless(self, memory: ClusterMemory, current: int) -> Hazard:
        """Return the hazard for a wave that exceeded its instruction or access limit."""
        wave = memory.waves[current]
        operation = self._loop(wave)
        waiting = self._waiting(memory)
        done = f"{self._launch.limit} instructions"
        bound = "LANEMAP_INSTRUCTION_LIMIT raises the bound"
        if wave.executed <= self._launch.limit:
            done = f"{(1 << abi.SEQUENCE_BITS) // 2} accesses of memory"
            bound = "no more can be numbered"
        if waiting:
            return self._deadlock(
                memory,
                waiting,
                f"{self._name(memory, wave)} still loops at line {operation.line} after {done}",
            )
        sentence = (
            f"{self._name(memory, wave)} executed more than {done} and still loops here ({bound})"
        )
        return self._hazard("endless-loop", sentence, memory, wave, operation)

    def all_poll(self, residents: list[ClusterMemory], begun: int, gpu: str) -> Hazard:
        """Return the hazard for running clusters that all poll; `begun` have begun on `gpu`."""
        shape, named = self._shape, []
        for memory in residents:
            first = next((w for w in memory.waves if w.status == abi.Run.ON), None)
            if first is not None:
                named.append((memory, first, self._loop(first)))
        who = [
            f"{self._full_name(memory, wave)} at line {operation.line}"
            for memory, wave, operation in named[:_NAMED]
        ]
        if len(named) > _NAMED:
            who.append(f"{len(named) - _NAMED} more")
        why = f"nothing has changed for {self._launch.idle} instructions"
        if begun < shape.clusters:
            waiting = f"{(shape.clusters - begun) * shape.ctas} {self._words.cta}s"
            why += (
                f"; {waiting} have not begun, because no more than "
                f"{len(residents) * shape.ctas} run at once on {gpu}"
            )
        memory, wave, operation = named[0]
        wait = "wait in loops" if len(who) > 1 else "waits in a loop"
        return self._hazard(
            "endless-loop",
            f"{', '.join(who)} {wait} for others, and {why}",
            memory,
            wave,
            operation,
        )

    def _parted(self, memory: ClusterMemory, wave: abi.Wave, apart: Sequence[Apart]) -> Hazard:
        """Return the hazard for lanes of one wave that wait at different places."""
        places = [
            (
                lanes.mask,
                self._program.blocks[lanes.block].operations[0]
                if lanes.begins
                else self._before(lanes.block),
            )
            for lanes in apart
        ]
        full, brief = (
            f"lanes of {self._name(memory, wave)} wait for lanes that do not come: "
            + "; ".join(
                f"{lanes_text(mask)} at line {at.line} ({quote(at)})" for mask, at in places
            )
            for quote in (quote_text, quote_opcode)
        )
        return self._hazard("deadlock", full, memory, wave, places[0][1], brief)

    def _waiting(self, memory: ClusterMemory) -> list[tuple[abi.Wave, Operation]]:
        """Return the waves that wait at a barrier, each with the operation it waits at."""
        return [(w, self._awaited(w)) for w in memory.waves if w.status == abi.Run.BARRIER]

    def _awaited(self, wave: abi.Wave) -> Operation:
        """Return the operation a wave waits at: the first of its block, or the last before it.

        A barrier that says itself who executes it (`late`) is the last of the wave's block.
        """
        operations: list[Operation] = self._program.blocks[wave.block].operations
        if wave.barrier > abi.MAX_BARRIERS:  # what the front end waits for
            return operations[0]
        return operations[-1] if operations[-1].late else self._before(wave.block)

    def _before(self, block: int) -> Operation:
        """Return the operation that ends a predecessor of `block`."""
        before = next(b for b in self._program.blocks if block in b.successors and b.operations)
        return before.operations[-1]

    def _loop(self, wave: abi.Wave) -> Operation:
        """Return the branch of the loop that a wave is in."""
        operations: list[Operation] = self._program.blocks[wave.block].operations
        return operations[-1]

    def _deadlock(
        self, memory: ClusterMemory, waiting: list[tuple[abi.Wave, Operation]], why: str
    ) -> Hazard:
        """Return a deadlock hazard at the barrier where the first waiting wave is."""
        who = "; ".join(
            f"{self._name(memory, wave)} waits at line {at.line} for {self._words.awaited(wave)}"
            for wave, at in waiting
        )
        return self._hazard("deadlock", f"{who}, and {why}", memory, *waiting[0])

    def _number(self, memory: ClusterMemory) -> int:
        """Return the number of the cluster in the launch."""
        return int(memory.cluster.number - self._launch.first_group)

    def _name(self, memory: ClusterMemory, wave: abi.Wave) -> str:
        """`wave 1`, preceded by its CTA if clusters have more than one."""
        if self._shape.ctas == 1:
            return f"{self._words.wave} {wave.index}"
        return self._full_name(memory, wave)

    def _full_name(self, memory: ClusterMemory, wave: abi.Wave) -> str:
        return who_text(self._program, self._shape, self._number(memory), wave.member)

    def _hazard(
        self,
        kind: str,
        sentence: str,
        memory: ClusterMemory,
        wave: abi.Wave,
        operation: Operation,
        brief: str = "",
    ) -> Hazard:
        cta, number = self._shape.number(self._number(memory), wave.member)
        facts = Facts(brief or sentence, kind, self._program.places(operation.line))
        return Hazard(
            kind,
            sentence,
            file=self._program.file,
            line=operation.line,
            instruction=operation.text,
            cta=cta,
            wave=number,
            facts=facts,
        )
