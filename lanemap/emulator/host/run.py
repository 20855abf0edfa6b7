"""One pass over all clusters of a launch; a `Run` holds all state that changes meanwhile."""

from __future__ import annotations

import ctypes
import functools
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.host.cluster import ClusterMemory, Place, Start
from lanemap.emulator.host.code import code_of
from lanemap.emulator.host.deadlock import DeadlockReport
from lanemap.emulator.host.device import Device
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.heap import Heap
from lanemap.emulator.host.interruption import interruptible
from lanemap.emulator.host.launch_history import OUT_OF_MEMORY, LaunchHistory
from lanemap.emulator.host.multiprocessors import Multiprocessors
from lanemap.emulator.host.observers import EventBuffer, Watched, watch_of
from lanemap.emulator.host.rooms import RunRooms
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.host.threads import LEAST_SECONDS, OwnLaunch, SideBySide, Worker
from lanemap.emulator.host.work import Work
from lanemap.emulator.runtime import abi, layout
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.emulator.codegen.program import Program
    from lanemap.emulator.host.counts import Counts
    from lanemap.emulator.host.sentences import Teller
    from lanemap.emulator.host.tally import Tally

#: Sweeps over the clusters that run before the next one begins although something changed.
_TURNS = 64
#: Releases that are kept apart for each cluster, and the words that those of a launch aim at.
_LEAST_RELEASES, _MOST_RELEASES, _RELEASE_WORDS = 4, 64, 1 << 22
#: Instructions of a wave after which the first cluster of a launch has told how long it takes.
_FIRST_LOOK = 4096
#: A part of a launch: yields True where it can be stepped, and returns how it ended.
Pass = Generator[bool, None, abi.Run]


def lane_order(program: Program, settings: Settings) -> abi.LaneOrders:
    """Which waves' lanes are held to be in order with each other."""
    if not program.lanes_part:
        return abi.LaneOrders.IN_ORDER
    return abi.LaneOrders.ALWAYS if settings.strict else abi.LaneOrders.AFTER_PARTING


class ImpreciseError(Exception):
    """The launch met undefined bits, so it must start again with precise code."""


class Run:
    """One pass over all clusters of a launch.

    `step` goes on until the runtime needs the host, or for `pace` turns of waves; what comes out
    does not depend on how a launch is cut into steps.
    """

    def __init__(
        self,
        device: Device,
        work: Work,
        history: LaunchHistory,
        precise: bool,
        at_once: bool = False,
        pace: int = 0,
        threads: int = 1,
    ) -> None:
        """Prepare a pass.

        Args:
            device: What earlier launches left.
            work: What to run.
            history: State that the passes of this launch share.
            precise: Whether undefined bits are followed.
            at_once: Whether every race is a hazard, whatever its value decides.
            pace: The number of waves' turns in a step, 0 for no bound.
            threads: How many may run clusters side by side; more than one only where the
                program's clusters are independent.
        """
        self._device, self._work, self._precise = device, work, precise
        self._history, self._at_once = history, at_once or device.settings.strict
        self._threads = threads if work.shape.clusters > 1 else 1
        self._seconds = 0.0  # within the runtime
        self._others: list[OwnLaunch] = []
        self._program = work.entry.program
        observers = device.settings.observers
        watch = watch_of(observers)
        self._native = native()
        self._code = code_of(self._program, precise, watch)
        kinds = 1 + max(abi.Hazard)
        operations = len(self._code.segments)
        self._hazards = (abi.HazardRecord * (kinds * operations if device.report else 1))()
        self._notes = (abi.HazardRecord * abi.MOST_NOTES)()
        self._next = ctypes.c_uint64(0)
        self._multiprocessors = self._processors()
        first_origin = device.origins.begin(self._program, work.shape) if precise else 0
        initial = [work.entry.initial(place) for place in self._places()]
        self._start = Start(self._program, work.shape, initial, first_origin)
        self._rooms = RunRooms(device.rooms, work, self._start, precise)
        self._launch = self._describe_launch(pace)
        self._tallies: list[Tally] = []
        self._events: EventBuffer | None = None
        if watch:
            events = self._tally(self._launch).events
            if watch.events:
                watched = Watched(self._program, work.shape, work.shared_bytes, device.memory)
                self._events = EventBuffer(observers, watched, events)
        for each in observers:
            each.begin()
        self._deadlocks = DeadlockReport(self._program, self._launch, work.shape)
        self._residents: list[ClusterMemory] = []
        #: What the kernel printed.
        self.printed: list[str] = []
        #: Hazards, once the launch has ended, where they are reported.
        self.reported: list[Hazard] = []
        #: The cluster that runs, or ran last.
        self.at: ClusterMemory | None = None
        self._steps = self._schedule()

    def _processors(self) -> Multiprocessors:
        """The multiprocessors of the GPU, without CTAs."""
        count = self._device.settings.multiprocessors or self._work.entry.multiprocessors
        return Multiprocessors(count, self._program.wording.multiprocessor)

    def _places(self) -> Iterator[Place]:
        """The CTAs of a cluster."""
        work, shape, shared = self._work, self._work.shape, self._work.shared_bytes
        for rank in range(shape.ctas):
            yield Place(shape.grid, shape.block, work.parameters, shared, shape.cluster, rank)

    def _describe_launch(self, pace: int) -> abi.Launch:
        """The launch for the runtime."""
        device, program, shape = self._device, self._program, self._work.shape
        launch = abi.Launch()
        self.heap = Heap(device.memory, launch, self._precise, program.allocates)
        launch.strict, launch.at_once = int(device.settings.strict), int(self._at_once)
        launch.lanes_part = int(program.lanes_part)
        launch.lane_order = lane_order(program, device.settings)
        self._history.give(launch, self._precise)
        launch.hazards, launch.hazard_capacity = ctypes.addressof(self._hazards), len(self._hazards)
        launch.notes = ctypes.addressof(self._notes)
        launch.blocks = self._code.blocks.ctypes.data
        launch.bytecode = self._code.bytecode.ctypes.data
        launch.runs_left = self._code.runs_left.ctypes.data
        launch.segments = self._code.segments.ctypes.data
        launch.tables = ctypes.addressof(self._code.tables)
        launch.first_group = device.take_clusters(shape.clusters)
        launch.limit, launch.report, launch.pace = device.settings.limit, int(device.report), pace
        launch.lanes, launch.precise = program.lanes, int(self._precise)
        launch.synchronous = int(program.synchronous_memory)
        for happening, function in program.front_end.items():
            setattr(launch.front_end, happening, self._native.address(function))
        launch.next, launch.clusters = ctypes.addressof(self._next), shape.clusters
        launch.cluster[:] = shape.cluster
        launch.grid[:] = [g // c for g, c in zip(shape.grid, shape.cluster, strict=True)]
        placed = self._start.placed
        launch.placed, launch.placed_count = placed.ctypes.data, len(placed)
        launch.start_bytes = program.start_bytes
        width = members = shape.ctas * shape.waves
        if program.releases:
            slots = layout.barrier_slots(program.clocks, shape.ctas)
            width = layout.released_words(members, program.clocks, slots)
        depth = _RELEASE_WORDS // (shape.clusters * (1 + width))
        launch.release_depth = min(max(depth, _LEAST_RELEASES), _MOST_RELEASES)
        launch.release_words = 1 + launch.release_depth * (1 + width)
        self._releases = np.zeros(shape.clusters * launch.release_words, np.uint64)
        launch.releases = self._releases.ctypes.data
        launch.release_time = device.release_time
        if self._precise:
            device.origins.give(launch)
        return launch

    # -- counting --------------------------------------------------------------------------------
    def _tally(self, launch: abi.Launch) -> Tally:
        """Counters for a worker."""
        from lanemap.emulator.host.tally import Tally

        settings = self._device.settings
        banks = settings.banks or self._program.banks
        tally = Tally(self._program, banks, settings.observers)
        launch.events = ctypes.addressof(tally.events)
        self._tallies.append(tally)
        return tally

    def counts(self) -> Counts:
        """Counts of the pass, if it is watched; only after the pass has ended."""
        first, *others = self._tallies
        while others:
            first.add(others.pop())
        self._tallies = [first]
        return first.counts()

    # -- going on --------------------------------------------------------------------------------
    def run(self) -> None:
        """Run all clusters to the end."""
        with interruptible(self._launch):
            while self.step():
                pass

    def step(self) -> bool:
        """Run until the runtime returns; return False once every cluster has ended.

        Raises:
            Hazard: the launch met one, unless hazards are reported; deadlock, endless loops.
            ImpreciseError: the launch must begin again with precise code.
            DisturbedError: it must begin again on one thread.
        """
        try:
            return next(self._steps, False)
        finally:
            self._keep()

    def _keep(self) -> None:
        """Store in the device the state that later launches continue from."""
        self._device.release_time = self._launch.release_time
        if self._precise:
            self._device.origins.count = self._launch.origin_count

    @property
    def first_cluster(self) -> int:
        """The number of the launch's first cluster among those of the device."""
        return int(self._launch.first_group)

    @property
    def begun(self) -> int:
        """How many clusters have begun."""
        return min(self._next.value, self._work.shape.clusters)

    @property
    def running(self) -> int:
        """How many clusters run side by side or in turn."""
        return max(len(self._residents), 1 + len(self._others))

    @property
    def compiling(self) -> bool:
        """Whether the launch waits for code."""
        return self._code.compiling

    def close(self) -> None:
        """Free what the runtime allocated; cluster memory is freed with the run."""
        for launch in (self._launch, *(other.launch for other in self._others)):
            self._native.function("lm_free_nodes")(ctypes.addressof(launch))
            self._native.function("lm_free_lane_orders")(ctypes.addressof(launch))
        self._native.function("lm_free_times")(ctypes.addressof(self._launch))

    def _schedule(self) -> Iterator[bool]:
        """Run clusters one after the other; start the next early if the running ones wait for it.

        The order in which clusters take turns depends on nothing but what they do.
        """
        total, most = self._work.shape.clusters, self._most_residents()
        if (chosen := self._device.settings.clusters) is not None:
            shape = self._work.shape
            yield from self._only(chosen(self._program.name, shape.grid, shape.cluster))
        ahead = turns = 0
        while self._residents or self._next.value < total:
            if not self._residents:
                memory = self._make_room()
                if self._threads > 1:
                    status = yield from self._first(memory)
                else:
                    status = yield from self._go_on(memory, self._native.run_clusters)
                self._threads = 1
                if status == abi.Run.END:
                    self._leave(memory)
                    continue
                self._residents.append(memory)
                changes, ended, ahead, turns = memory.cluster.first_changes, 0, 1, 0
            else:
                for _ in range(min(ahead, total - self._next.value, most - len(self._residents))):
                    self._begin(self._make_room())
                changes = self._launch.changes
                ended = yield from self._sweep()
            turns += 1
            if ended:
                ahead = turns = 0
            elif self._launch.changes == changes or turns > _TURNS:
                if self._next.value >= total or len(self._residents) >= most:
                    self._check_deadlock()
                ahead, turns = max(2 * ahead, 1), 0
        if self._events is not None:
            self._events.drain()
        self._collect()
        self._rooms.end()

    def _only(self, clusters: Iterable[int]) -> Iterator[bool]:
        """Run some clusters, one after the other; one that waits for others waits forever."""
        for number in clusters:
            self._next.value = number
            self._begin(self._make_room())
            turns = 0
            while self._residents:
                changes = self._launch.changes
                ended, turns = (yield from self._sweep()), turns + 1
                if not ended and (self._launch.changes == changes or turns > _TURNS):
                    self._check_deadlock()
        self._next.value = self._work.shape.clusters

    def _first(self, memory: ClusterMemory) -> Pass:
        """Run the first cluster long enough to decide whether threads pay off for the others.

        Then it goes on beside them; RUN_END if all have ended, or it alone.
        """
        launch, total, limit = self._launch, self._work.shape.clusters, self._launch.limit
        known = self._program.cluster_seconds
        if known and known * total >= LEAST_SECONDS:
            self._spread(memory, min(self._threads, total))
            return abi.Run.END
        launch.clusters, look = 1, _FIRST_LOOK
        try:
            while True:
                launch.limit = min(look, limit)
                status = yield from self._go_on(memory, self._native.run_clusters)
                launch.limit, launch.clusters = limit, total
                left = total - self._next.value
                plain = not self.printed and not launch.hazard_count
                if status != abi.Run.YIELD and plain and self._seconds * left >= LEAST_SECONDS:
                    self._program.cluster_seconds = self._seconds
                    self._spread(memory, min(self._threads, left + (status == abi.Run.LIMIT)))
                    return abi.Run.END
                if status != abi.Run.LIMIT:
                    return status
                launch.clusters, look = 1, 4 * look
        finally:
            launch.limit, launch.clusters = limit, total

    def _spread(self, memory: ClusterMemory, threads: int) -> None:
        """Run the remaining clusters on threads; `memory` may hold a cluster that has begun."""
        launch, runs_left = self._launch, self._code.runs_left
        self._others = [OwnLaunch(launch, runs_left, number) for number in range(1, threads)]
        for other in self._others if self._tallies else ():
            self._tally(other.launch)
        workers = [Worker(launch, memory, runs_left)]
        for each in self._others:
            workers.append(Worker(each.launch, self._rooms.take(each.launch), each.runs_left))
        apart = [self._processors() for _ in self._others]  # none waits for room on another's
        for worker, processors in zip(workers[1:], apart, strict=True):
            worker.memory.enter(processors)
        self._history.share_among(threads)
        SideBySide(workers, self._code).run()
        self._rooms.give(*(worker.memory for worker in workers[1:]))
        self._history.share_among(1)
        launch.report = int(self._device.report)

    def _leave(self, memory: ClusterMemory) -> None:
        """Note that a cluster has ended and its memory can be reused."""
        memory.leave(self._multiprocessors)
        self._rooms.give(memory)

    def _sweep(self) -> Generator[bool, None, int]:
        """Give every running cluster one turn; return how many ended."""
        running = []
        for memory in self._residents:
            status = yield from self._go_on(memory, self._native.run_group)
            if status == abi.Run.END:
                self._leave(memory)
            else:
                running.append(memory)
        ended, self._residents = len(self._residents) - len(running), running
        return ended

    def _go_on(self, memory: ClusterMemory, function: Callable[[int], int]) -> Pass:
        """Call the runtime until all has ended or only polls, or until _first must decide."""
        launch, self.at = self._launch, memory
        while True:
            begin = time.perf_counter()
            status = function(memory.address)
            self._seconds += time.perf_counter() - begin
            looked = status == abi.Run.LIMIT and launch.limit < self._device.settings.limit
            if looked or status in (abi.Run.END, abi.Run.YIELD):
                return abi.Run(status)
            if status != abi.Run.PAUSE:
                self._serve(memory, status)
            yield True

    def _make_room(self) -> ClusterMemory:
        """Return memory for a cluster, reused from an ended one if possible."""
        memory = self._rooms.take(self._launch)
        memory.enter(self._multiprocessors)
        return memory

    def _begin(self, memory: ClusterMemory) -> None:
        """Begin the next cluster beside others."""
        self._native.begin(memory.address, self._next.value)
        self._next.value += 1
        self._residents.append(memory)

    def _most_residents(self) -> int:
        """How many clusters a GPU runs at once."""
        return max(self._resident()[0] // self._work.shape.ctas, 1)

    def _resident(self) -> tuple[int, str]:
        return self._work.entry.resident(self._work.shape.waves, self._work.shared_bytes)

    def _check_deadlock(self) -> None:
        """Raise if the running clusters wait forever: no other can begin and nothing changes."""
        waves = (wave for memory in self._residents for wave in memory.waves)
        if not any(wave.status == abi.Run.ON for wave in waves):
            raise self._deadlocks.deadlock(self._residents[0])
        if self._launch.idle > self._launch.limit:
            raise self._deadlocks.all_poll(self._residents, self._next.value, self._resident()[1])

    def _serve(self, memory: ClusterMemory, status: int) -> None:
        """Handle the reason for which the runtime returned."""
        wave = memory.waves[memory.cluster.current]
        if status == abi.Run.COMPILE:
            self._code.compile(wave.block, self._code.runs_left)
        elif status == abi.Run.HAZARD:
            self._stop(wave)
        elif status == abi.Run.LIMIT:
            raise self._deadlocks.endless(memory, memory.cluster.current)
        elif status == abi.Run.DEADLOCK:
            raise self._deadlocks.deadlock(memory)
        elif status == abi.Run.INTERRUPTED:
            self._launch.interrupted = 0  # Python runs the signal's handler before it goes on
            if self._events is not None:
                self._events.drain()
        elif status == abi.Run.HOST:
            self._call_host(wave)
        else:
            raise RuntimeError(f"status {status} of {self._program.name}")

    def _call_host(self, wave: abi.Wave) -> None:
        operation = self._program.operation(wave.host_instruction)
        if operation.host is None:
            raise RuntimeError(f"`{operation.text}` has no host function")
        if (text := operation.host(wave, self.heap)) is not None:
            self.printed.append(text)
        if wave.stop:  # at a hazard of what it loaded
            self._stop(wave)

    # -- hazards ---------------------------------------------------------------------------------
    @functools.cached_property
    def _teller(self) -> Teller:
        from lanemap.emulator.host.sentences import Teller

        device, work, names = self._device, self._work, self._work.entry.parameters
        return Teller(
            self._program, work.shape, device.memory, device.origins, names, work.arguments
        )

    def _stop(self, wave: abi.Wave) -> None:
        """Raise the hazard that stopped a wave."""
        if wave.stop == abi.Stop.IMPRECISE:
            raise ImpreciseError
        if wave.stop == abi.Stop.MEMORY:
            raise UserError(OUT_OF_MEMORY)
        record = self._hazards[0]
        if record.kind == abi.Hazard.UNDEFINED and not self._precise:
            raise ImpreciseError
        self._keep()
        raise self._teller.hazard(record)

    def met(self) -> list[Hazard]:
        """Return the hazards before the one that stopped the launch, in report mode.

        Fast code cannot tell those about undefined bits.
        """
        hidden = () if self._precise else (abi.Hazard.UNDEFINED,)
        return [self._teller.hazard(each) for each in self._records() if each.kind not in hidden]

    def notes(self) -> list[Hazard]:
        """Return the notes so far: each as the first cluster met it, with how often all did."""
        found = []
        for records in zip(self._notes, *(other.notes for other in self._others), strict=True):
            met = [record for record in records if record.count]
            if met:
                found.append(self._teller.hazard(min(met, key=lambda record: record.group)))
                found[-1].count = sum(record.count for record in met)
        return found

    def _records(self) -> list[abi.HazardRecord]:
        return list(self._hazards[: self._launch.hazard_count]) if self._device.report else []

    def _collect(self) -> None:
        """Collect the hazards of the whole launch, in report mode."""
        records = self._records()
        if not self._precise and any(r.kind == abi.Hazard.UNDEFINED for r in records):
            raise ImpreciseError
        self._keep()
        self.reported = [self._teller.hazard(record) for record in records]
