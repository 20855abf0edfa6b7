"""Run clusters of a launch in parallel: each thread runs one cluster after the other.

The result must not depend on the order of clusters. So the program's clusters must be independent,
and each must end by itself. Anything else (a hazard, undefined bits, a limit, a wait for other
clusters, a host call) stops all threads. The launch is then undone and run again in order. Only
that run reports hazards, so reports do not depend on the number of threads.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.host.cluster import ClusterMemory
from lanemap.emulator.host.code import Code, RunsLeft
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

#: Seconds that a launch has left, below which threads cost more than they bring.
LEAST_SECONDS = 0.002
#: Threads of a launch at most, unless LANEMAP_THREADS asks for more.
_MOST_THREADS = 16


class DisturbedError(Exception):
    """The launch must be undone and run again in order."""


def usable_cores() -> int:
    """Return how many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def wanted_threads() -> int:
    """How many threads a launch may use: LANEMAP_THREADS, else as many as there are cores.

    That is those that this process may use, and at most 16.

    Raises:
        UserError: LANEMAP_THREADS is no positive number.
    """
    text = os.environ.get("LANEMAP_THREADS")
    if text is None:
        return min(usable_cores(), _MOST_THREADS)
    if not text.isascii() or not text.isdigit() or not int(text):
        raise UserError(
            f"LANEMAP_THREADS is {text!r}; set it to how many threads may run a launch, at least 1"
        )
    return int(text)


@dataclass
class Worker:
    """State of one thread: the launch with its own counters, and memory for a cluster."""

    launch: abi.Launch
    memory: ClusterMemory
    runs_left: RunsLeft


class OwnLaunch:
    """Copy of a launch for one more worker, with its own counters and records."""

    def __init__(self, launch: abi.Launch, runs_left: RunsLeft, number: int) -> None:
        """Share everything else with `launch`, which is that of worker 0."""
        #: The runtime's structure.
        self.launch = own = abi.Launch()
        ctypes.memmove(ctypes.addressof(own), ctypes.addressof(launch), ctypes.sizeof(launch))
        self._hazards = abi.HazardRecord()
        own.hazards, own.hazard_count = ctypes.addressof(self._hazards), 0
        own.hazard_capacity = 1
        #: What its clusters met that is only noted, by number.
        self.notes = (abi.HazardRecord * abi.MOST_NOTES)()
        own.notes = ctypes.addressof(self.notes)
        new = abi.Launch.pool, abi.Launch.chunks, abi.Launch.times, abi.Launch.lane_orders
        for made in new:
            ctypes.memset(ctypes.addressof(own) + made.offset, 0, made.size)
        #: How often this worker executes each block before its unit is compiled again.
        self.runs_left = runs_left.copy()
        own.runs_left = self.runs_left.ctypes.data
        own.worker = number
        own.changes = own.idle = own.idle_changes = own.interrupted = 0


class SideBySide:
    """Threads that run the remaining clusters of a launch."""

    def __init__(self, workers: Sequence[Worker], code: Code) -> None:
        """`workers` share the number of the next cluster; the first one is the caller's."""
        self._workers, self._code = workers, code
        self._disturbed = False
        self._errors: list[BaseException] = []

    def run(self) -> None:
        """Run to the end.

        Raises:
            DisturbedError: something was met that only a run in order may judge.
        """
        for worker in self._workers:
            worker.launch.report = 0  # a hazard stops the worker
        first, *others = self._workers
        threads = [
            threading.Thread(target=self._work, args=(worker,), name="lanemap worker")
            for worker in others
        ]
        for thread in threads:
            thread.start()
        try:
            self._go_on(first)
            for thread in threads:
                thread.join()
        except BaseException:
            self._stop()
            raise
        finally:
            for thread in threads:
                thread.join()
        if self._errors:
            raise self._errors[0]
        if self._disturbed:
            raise DisturbedError

    def _work(self, worker: Worker) -> None:
        """Body of a thread; the caller raises its exceptions."""
        try:
            self._go_on(worker)
        except BaseException as error:
            self._errors.append(error)
            self._stop()

    def _go_on(self, worker: Worker) -> None:
        """Run clusters until none is left or a worker was disturbed."""
        run, cluster, changes = native().run_clusters, worker.memory.cluster, 0
        while not self._disturbed:
            status = run(worker.memory.address)
            if status == abi.Run.END:
                return
            if status == abi.Run.COMPILE:
                self._code.compile(worker.memory.waves[cluster.current].block, worker.runs_left)
            elif status == abi.Run.YIELD and worker.launch.changes != changes:
                changes = worker.launch.changes
            elif status == abi.Run.INTERRUPTED:
                worker.launch.interrupted = 0  # Python runs the signal's handler, or all stop
            else:
                self._stop()

    def _stop(self) -> None:
        """Let every worker return from the runtime."""
        self._disturbed = True
        for worker in self._workers:
            worker.launch.interrupted = 1
