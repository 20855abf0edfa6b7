"""Launches: compiled code, groups one after the other, hazards as exceptions or reports."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lanemap.emulator.codegen.compiler import Unit, native, units
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.host.group import GroupMemory, Initial, Place, Shape, Size
from lanemap.emulator.host.hazards import Hazard, describe
from lanemap.emulator.host.interruption import interruptible
from lanemap.emulator.host.memory import GlobalMemory
from lanemap.emulator.host.stuck import Stuck
from lanemap.emulator.host.tensor import Multiprocessors
from lanemap.emulator.runtime import layout
from lanemap.errors import UserError

#: Instructions that one wave may execute before it counts as endless: a second's worth or more.
DEFAULT_LIMIT = int(os.environ.get("LANEMAP_INSTRUCTION_LIMIT", 20_000_000))
_HAZARDS = 256
_ORIGINS = 1 << 16
#: Sweeps over the groups that run before the next one begins although something changed.
_TURNS = 64
#: Releases that are kept apart for each group, and the words that those of a launch aim at.
_LEAST_RELEASES, _MOST_RELEASES, _RELEASE_WORDS = 4, 64, 1 << 22
_GROUPS = (1 << layout.GROUP_BITS) - 1  # a stamp's bits for the group


class Entry(Protocol):
    """What a front end gives for one kernel."""

    name: str

    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory that the text declares."""

    @property
    def private_bytes(self) -> int:
        """Bytes of private memory of each lane."""

    @property
    def program(self) -> Program:
        """The compiled form's source; made at the first launch."""

    def initial(self, place: Place) -> Initial:
        """The registers that are defined when a wave begins."""

    def parameter_block(self, arguments: bytes, grid: Size, block: Size,
                        shared_bytes: int) -> bytes:
        """The parameter (kernarg) segment for a launch."""

    @property
    def multiprocessors(self) -> int:
        """How many SMs (compute units) the target's GPU has."""

    def resident(self, waves: int, shared_bytes: int) -> tuple[int, str]:
        """How many CTAs of that size a GPU of the target runs at once, and which GPU that is."""


@dataclass
class Work:
    """One launch: what to run, where."""

    entry: Entry
    shape: Shape
    parameters: int
    shared_bytes: int


class _Imprecise(Exception):
    """The launch met undefined bits and must begin again with precise code."""


class Machine:
    """Executes launches over one global memory and keeps what hazards it met.

    `hazards` is "raise" (the first one becomes an exception, and memory stays as the faulty launch
    left it) or "report" (they are collected in `reported`).
    """

    def __init__(self, hazards: str = "raise", limit: int | None = None) -> None:
        self.memory = GlobalMemory()
        self.reported: list[Hazard] = []
        self.limit = DEFAULT_LIMIT if limit is None else limit
        #: SMs that CTAs are spread over; None for as many as the target's GPU has.
        self.multiprocessors: int | None = None
        self._report = hazards == "report"
        self._groups = 1
        self._release_time = 0
        self._origins = (layout.Origin * _ORIGINS)()
        self._origin_count = 1
        self._origin_programs: list[tuple[int, Program, Shape]] = []

    # -- launching -------------------------------------------------------------------------------
    def launch(self, entry: Entry, grid: Size, block: Size, arguments: bytes,
               shared_bytes: int, cluster: Size = (1, 1, 1)) -> None:
        """Run a kernel to its end.

        Raises:
            Hazard: unless hazards are reported; deadlock and endless loops always.
            UserError: the launch is larger than what the emulator can follow.
        """
        data = entry.parameter_block(arguments, grid, block, shared_bytes)
        parameters = self.memory.allocate(max(len(data), 4), True, "the parameters")
        self.memory.write(parameters.base, data.ljust(max(len(data), 4), b"\0"))
        shape = Shape(grid, cluster, block, entry.program.lanes)
        work = Work(entry, shape, parameters.base, entry.shared_bytes + shared_bytes)
        before = self.memory.snapshot()
        try:
            try:
                self._run(work, False)
            except _Imprecise:
                self.memory.restore(before)
                self._run(work, True)
        finally:
            self.memory.free(parameters.base)

    def _run(self, work: Work, precise: bool) -> None:
        """Run once; what the kernel printed appears at the end, unless it has to run again."""
        run = _Run(self, work, precise)
        try:
            run.run()
        except _Imprecise:
            run.printed.clear()
            raise
        finally:
            sys.stdout.write("".join(run.printed))

    def take_groups(self, count: int) -> int:
        """The first of `count` group numbers that no earlier launch had.

        Raises:
            UserError: no launch may have so many.
        """
        if count >= _GROUPS:
            raise UserError(f"the grid has {count} CTAs (or clusters of them); the emulator "
                            f"follows at most {_GROUPS - 1} of one launch")
        if self._groups + count > _GROUPS:
            self.memory.forget_order()
            self._groups = 1
        first = self._groups
        self._groups += count
        return first

    # -- origins ---------------------------------------------------------------------------------
    def describe_origin(self, number: int) -> str:
        """`; they come from ..` for an origin's number, "" for none."""
        if not 0 < number < self._origin_count:
            return ""
        origin, program, shape = self._origin(number)
        if origin.kind == layout.ORIGIN_STORE:
            return self.describe_origin(origin.address)
        if origin.kind == layout.ORIGIN_REGISTER:
            name = list(program.slots)[origin.address].name
            return f"; they come from register {name}, which nothing had written"
        operation = program.operation(origin.instruction)
        space = layout.SPACE_NAMES[origin.space]
        where = program.wording.place(origin.space, origin.address)
        if origin.space == layout.SPACE_GLOBAL:
            where = self.memory.describe(origin.address)
        if origin.kind == layout.ORIGIN_LEFT:
            return (f"; they come from {space}, {where}, which line {operation.line} "
                    f"(`{operation.text}`) left undefined")
        wave = f"{program.wording.wave} {shape.number(origin.group, origin.wave)[1]}"
        return (f"; they come from {space}, {where}, which nothing had written when lane "
                f"{origin.lane} of {wave} read it at line {operation.line} (`{operation.text}`)")

    def _origin(self, number: int) -> tuple[layout.Origin, Program, Shape]:
        """An origin's record, and the program and launch whose operations and waves it numbers."""
        _, program, shape = next(made for made in reversed(self._origin_programs)
                                 if made[0] <= number)
        return self._origins[number], program, shape

    def register_origins(self, program: Program, shape: Shape) -> int:
        """Number the registers of a program as origins; the number of the first slot's."""
        first = self._origin_count
        self._origin_programs.append((first, program, shape))
        for index in range(min(len(program.slots), _ORIGINS - first - 1)):
            self._origins[first + index].kind = layout.ORIGIN_REGISTER
            self._origins[first + index].address = index
            self._origin_count += 1
        return first

    def check_defined(self, address: int, size: int) -> None:
        """Hazard if undefined bytes would be handed to the host (reported or raised)."""
        if not size:
            return
        allocation = self.memory.at(address, size)
        start = address - allocation.base
        undefined = allocation.undefined[start:start + size]
        bad = undefined.nonzero()[0]
        if not len(bad):
            return
        first = int(bad[0])
        number = 0 if allocation.origin is None else int(allocation.origin[(start + first) // 4])
        hazard = self._handed_over(len(bad), size, self.memory.describe(address + first), number)
        if not self._report:
            raise hazard
        self.reported.append(hazard)

    def _handed_over(self, count: int, size: int, first: str, number: int) -> Hazard:
        """The hazard of undefined bytes that the host reads; at the store that left the first."""
        sentence = (f"{count} of {size} bytes that the host reads are undefined, the first is "
                    f"{first}")
        if not 0 < number < self._origin_count:
            return Hazard("undefined", f"{sentence}; nothing has written it")
        origin, program, shape = self._origin(number)
        operation = program.operation(origin.instruction)
        group, wave = shape.number(origin.group, origin.wave)
        return Hazard("undefined", f"{sentence}{self.describe_origin(number)}", file=program.file,
                      line=operation.line, instruction=operation.text, group=group, wave=wave,
                      lane=origin.lane, lanes=1 << origin.lane)


class _Run:
    """One pass over all groups of a launch."""

    def __init__(self, machine: Machine, work: Work, precise: bool) -> None:
        self.machine, self.work, self.precise = machine, work, precise
        self.program = work.entry.program
        self.native = native()
        self._units = units(self.program)
        self._unit_of = {b: n for n, blocks in enumerate(self._units) for b in blocks}
        count = len(self.program.blocks)
        self._blocks = (ctypes.c_void_p * count)(*[self.native.uncompiled] * count)
        self._hazards = (layout.HazardRecord * _HAZARDS)()
        self._segments: dict[int, list[int]] = {}
        self._keep: list[object] = []
        self.printed: list[str] = []
        self._multiprocessors = Multiprocessors(
            machine.multiprocessors or work.entry.multiprocessors)
        self._first_origin = machine.register_origins(self.program, work.shape) if precise else 0
        self.launch = self._launch()
        self._stuck = Stuck(self.program, self.launch, work.shape)

    def _launch(self) -> layout.Launch:
        machine, program = self.machine, self.program
        regions = machine.memory.regions(self.precise)
        tables = (ctypes.c_void_p * max(len(program.tables), 1))(
            *[table.ctypes.data for table in program.tables])
        self._keep += [regions, tables]
        launch = layout.Launch()
        launch.regions, launch.region_count = ctypes.addressof(regions), len(machine.memory)
        launch.hazards, launch.hazard_capacity = ctypes.addressof(self._hazards), _HAZARDS
        launch.blocks, launch.tables = ctypes.addressof(self._blocks), ctypes.addressof(tables)
        launch.first_group = machine.take_groups(self.work.shape.clusters)
        launch.limit, launch.report = machine.limit, int(machine._report)
        launch.lanes, launch.precise = program.lanes, int(self.precise)
        launch.synchronous = int(program.synchronous_memory)
        launch.shared_aperture, launch.private_aperture = SHARED_APERTURE, PRIVATE_APERTURE
        members = self.work.shape.ctas * self.work.shape.waves
        depth = _RELEASE_WORDS // (self.work.shape.clusters * (1 + members))
        launch.release_depth = min(max(depth, _LEAST_RELEASES), _MOST_RELEASES)
        launch.release_words = 1 + launch.release_depth * (1 + members)
        releases = np.zeros(self.work.shape.clusters * launch.release_words, np.uint64)
        self._keep.append(releases)
        launch.releases = releases.ctypes.data
        launch.release_time = machine._release_time
        if self.precise:
            launch.origins = ctypes.addressof(machine._origins)
            launch.origin_count, launch.origin_capacity = machine._origin_count, _ORIGINS
        return launch

    def run(self) -> None:
        """Run every group."""
        self._add_segments()
        try:
            with interruptible(self.launch):
                self._run_groups()
        finally:
            self.machine._release_time = self.launch.release_time
            if self.precise:
                self.machine._origin_count = self.launch.origin_count
        self._collect()

    def _run_groups(self) -> None:
        """One group after the other; the next begins early if those that run wait for it.

        The order in which groups take turns depends on nothing but what they do.
        """
        total, most = self.work.shape.clusters, self._most_residents()
        begun, ahead, turns = 0, 1, 0
        residents: list[GroupMemory] = []
        spare: list[GroupMemory] = []
        while residents or begun < total:
            for number in range(begun, min(begun + ahead, total, begun + most - len(residents))):
                residents.append(self._begin(number, spare))
                begun += 1
            changes = self.launch.changes
            running: list[GroupMemory] = []
            for memory in residents:
                if self._run_group(memory):
                    memory.end(self._multiprocessors)
                    spare.append(memory)
                else:
                    running.append(memory)
            ended, residents = len(residents) - len(running), running
            turns += 1
            if ended:
                ahead, turns = int(not residents), 0
            elif self.launch.changes == changes or turns > _TURNS:
                full = begun == total or len(residents) >= most
                if full and not any(w.status == layout.RUN_ON for m in residents for w in m.waves):
                    raise self._stuck.deadlock(residents[0])
                if full and self.launch.idle > self.launch.limit:
                    raise self._stuck.all_poll(residents, begun, self._resident()[1])
                ahead, turns = max(2 * ahead, 1), 0

    def _most_residents(self) -> int:
        """How many groups a GPU runs at once."""
        return max(self._resident()[0] // self.work.shape.ctas, 1)

    def _resident(self) -> tuple[int, str]:
        return self.work.entry.resident(self.work.shape.waves, self.work.shared_bytes)

    def _begin(self, number: int, spare: list[GroupMemory]) -> GroupMemory:
        """Make a group ready, in the memory of one that ended if there is one."""
        work = self.work
        memory = spare.pop() if spare else GroupMemory(
            self.program, work.shape, work.shared_bytes, work.entry.private_bytes,
            self._first_origin)
        initial = [work.entry.initial(place) for place in self._places(number)]
        memory.begin(self.launch.first_group + number, self.launch, initial,
                     self._multiprocessors)
        return memory

    def _places(self, number: int) -> Iterator[Place]:
        """The waves of a cluster, CTA by CTA."""
        work, shape = self.work, self.work.shape
        for rank in range(shape.ctas):
            cta = shape.cta(number, rank)
            for wave in range(shape.waves):
                yield Place(wave, cta, shape.grid, shape.block, work.parameters,
                            work.shared_bytes, shape.cluster, rank)

    def _run_group(self, memory: GroupMemory) -> bool:
        """Run a group until it ends (True) or can do nothing but poll (False)."""
        group = memory.group
        while True:
            status = self.native.run_group(ctypes.addressof(group))
            if status in (layout.RUN_END, layout.RUN_YIELD):
                return bool(status == layout.RUN_END)
            wave = memory.waves[group.current]
            if status == layout.RUN_COMPILE:
                self._compile(wave.block)
            elif status == layout.RUN_HAZARD:
                self._stop(wave)
            elif status == layout.RUN_LIMIT:
                raise self._stuck.endless(memory, group.current)
            elif status == layout.RUN_DEADLOCK:
                raise self._stuck.deadlock(memory)
            elif status == layout.RUN_INTERRUPTED:
                self.launch.interrupted = 0  # Python runs the signal's handler before it goes on
            elif status == layout.RUN_HOST:
                self._host(wave)
            else:
                raise RuntimeError(f"status {status} of {self.program.name}")

    def _host(self, wave: layout.Wave) -> None:
        operation = self.program.operation(wave.host_instruction)
        if operation.host is None:
            raise RuntimeError(f"`{operation.text}` has no host function")
        text = operation.host(wave)
        if text is not None:
            self.printed.append(text)

    # -- code ------------------------------------------------------------------------------------
    def _compile(self, block: int) -> None:
        unit = self.native.unit(self.program, self._unit_of[block], self.precise)
        for number, address in unit.blocks.items():
            self._blocks[number] = address
        self._add_segments(unit)

    def _add_segments(self, unit: Unit | None = None) -> None:
        """Give the runtime the table of segments, as (word, mask) pairs of tracked registers."""
        if unit is not None:
            self._segments.update(unit.segments)
        count = sum(len(block.operations) for block in self.program.blocks) + 1
        table = (layout.Segment * count)()
        words: list[layout.SegmentWord] = []
        for at, registers in self._segments.items():
            masks: dict[int, int] = {}
            for register in registers:
                masks[register // 64] = masks.get(register // 64, 0) | 1 << register % 64
            table[at].first, table[at].count = len(words), len(masks)
            words += [layout.SegmentWord(word, mask) for word, mask in masks.items()]
        packed = (layout.SegmentWord * max(len(words), 1))(*words)
        self._keep += [table, packed]
        self.launch.segments = ctypes.addressof(table)
        self.launch.segment_words = ctypes.addressof(packed)

    # -- hazards ---------------------------------------------------------------------------------
    def _describe(self, record: layout.HazardRecord) -> Hazard:
        return describe(self.program, record, self.work.shape, self.machine.describe_origin,
                        self.machine.memory.describe)

    def _stop(self, wave: layout.Wave) -> None:
        if wave.stop == layout.STOP_IMPRECISE:
            raise _Imprecise
        record = self._hazards[0]
        if record.kind == layout.HAZARD_UNDEFINED and not self.precise:
            raise _Imprecise
        if self.precise:
            self.machine._origin_count = self.launch.origin_count
        raise self._describe(record)

    def _collect(self) -> None:
        """In report mode: what the whole launch met."""
        records = self._hazards[:self.launch.hazard_count]
        if not self.precise and any(r.kind == layout.HAZARD_UNDEFINED for r in records):
            raise _Imprecise
        self.machine.reported += [self._describe(record) for record in records]


#: High 32 bits of generic addresses of shared and private memory.
SHARED_APERTURE, PRIVATE_APERTURE = 0x0001_0000, 0x0002_0000
