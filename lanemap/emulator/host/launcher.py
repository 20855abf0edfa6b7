"""Launches: arguments, clusters one after the other, hazards as exceptions or reports."""

from __future__ import annotations

import sys
from dataclasses import replace

from lanemap.emulator.codegen.wording import quote_opcode
from lanemap.emulator.host.cluster import Shape, Size
from lanemap.emulator.host.device import Device
from lanemap.emulator.host.hazards import Facts, Hazard
from lanemap.emulator.host.launch_history import LaunchHistory
from lanemap.emulator.host.managed import Arena
from lanemap.emulator.host.memory import Allocation, GlobalMemory
from lanemap.emulator.host.observers import watch_of
from lanemap.emulator.host.origins import Origins
from lanemap.emulator.host.printing import PrintError
from lanemap.emulator.host.progress import Progress, progress_of
from lanemap.emulator.host.run import ImpreciseError, Run
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.host.threads import DisturbedError, wanted_threads
from lanemap.emulator.host.work import Entry, Work
from lanemap.emulator.runtime import abi, layout
from lanemap.errors import UserError

#: Fast code, precise code, and what races may ask for; the last pass reports every race at once.
_MOST_PASSES = 6


class Launcher:
    """Executes launches on one global memory and keeps the hazards that they met.

    Where settings ask for reports, hazards are collected in `reported`; notes always are.
    """

    def __init__(self, settings: Settings | None = None, arena: Arena | None = None) -> None:
        self.memory = GlobalMemory(arena)
        self.reported: list[Hazard] = []
        self._notes: dict[tuple[str, str, str], Hazard] = {}
        #: Where Ctrl-C ended a launch last.
        self.stopped: Progress | None = None
        self._launches = 0
        self._work: Work | None = None
        self._run: Run | None = None
        self._device = Device(self.memory, Origins(self.memory.describe), settings or Settings())

    @property
    def settings(self) -> Settings:
        """Settings of later launches."""
        return self._device.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._device.settings = settings

    @property
    def notes(self) -> list[Hazard]:
        """The notes: one for each reason and kernel, with the number of times it was met."""
        return list(self._notes.values())

    def _keep_notes(self, run: Run, work: Work) -> None:
        for note in run.notes():
            known = self._notes.setdefault((work.entry.name, note.file, note.note), note)
            if known is not note:
                known.count += note.count

    # -- launching -------------------------------------------------------------------------------
    def launch(
        self,
        entry: Entry,
        grid: Size,
        block: Size,
        arguments: bytes,
        shared_bytes: int,
        cluster: Size = (1, 1, 1),
        pace: int = 0,
    ) -> None:
        """Run a kernel to its end; `pace` as `Run` has it.

        Raises:
            Hazard: unless hazards are reported; deadlock and endless loops always.
            UserError: the launch is larger than what the emulator can follow.
        """
        printing = self._begin_printing(entry)
        data = entry.parameter_block(arguments, grid, block, shared_bytes)
        parameters = self.memory.allocate(max(len(data), 4), True, "the parameters", True)
        self.memory.write(parameters.base, data.ljust(max(len(data), 4), b"\0"))
        shape = Shape(grid, cluster, block, entry.program.lanes)
        work = Work(entry, shape, parameters.base, entry.shared_bytes + shared_bytes, data)
        self._launches, self._work = self._launches + 1, work
        try:
            self._run_passes(work, pace)
        finally:
            self._work = self._run = None
            self.memory.free(parameters.base)
            if printing is not None:
                self._end_printing(entry, printing)

    def _begin_printing(self, entry: Entry) -> Allocation | None:
        """Make the buffer that a kernel prints to, if it prints to one."""
        if entry.printing is None:
            return None
        buffer = self.memory.allocate(
            entry.printing.size, name="the buffer of printf", private=True
        )
        self.memory.zero(buffer.base, buffer.size)
        self.memory.write(buffer.base, entry.printing.header())
        entry.print_buffer = buffer.base
        return buffer

    def _end_printing(self, entry: Entry, buffer: Allocation) -> None:
        """Print what a launch wrote to its buffer."""
        data = self.memory.read(buffer.base, buffer.size)
        self.memory.free(buffer.base)
        try:
            if entry.printing is not None:
                sys.stdout.write(entry.printing.text(data))
        except PrintError as error:
            raise UserError(f"{entry.name}: {error}") from None

    @property
    def progress(self) -> Progress | None:
        """How far the launch is that runs now; None if none does. Any thread may ask."""
        work, run = self._work, self._run
        return None if work is None else progress_of(run, work, self._launches)

    def _run_passes(self, work: Work, pace: int) -> None:
        """Run fast code, then precise code if fast code cannot give the full report.

        Fast code runs on threads first, where clusters may; what these cannot judge, it runs again
        in order. Precise code may meet a race whose load came first; then it runs again, with what
        it learned. What a kernel printed, what is reported of it and what is counted is that of the
        last pass.
        """
        observers = self.settings.observers
        watch = watch_of(observers)
        in_order = pace or bool(watch.events)
        spread = wanted_threads() if work.entry.program.independent and not in_order else 1
        passes = [(False, 1), *[(True, 1)] * (_MOST_PASSES - 1)]
        if spread > 1:
            passes.insert(0, (False, spread))
        history = LaunchHistory(self._device.pool)
        try:
            for number, (precise, threads) in enumerate(passes, 1):
                last = number == len(passes)
                self._run = None
                run = Run(self._device, work, history, precise, last, pace, threads)
                self._run = run
                try:
                    run.run()
                    again = precise and history.again() and not last
                except DisturbedError:
                    again, work.entry.program.independent = True, False  # so it will be next time
                except ImpreciseError:
                    again = not precise or history.again()
                except Hazard:
                    sys.stdout.write("".join(run.printed))
                    self.reported += run.met()
                    self._keep_notes(run, work)
                    raise
                except KeyboardInterrupt:
                    self.stopped = self.progress
                    sys.stdout.write("".join(run.printed))
                    self.reported += run.met()
                    raise
                except BaseException:
                    sys.stdout.write("".join(run.printed))
                    raise
                finally:
                    run.close()
                if not again:
                    sys.stdout.write("".join(run.printed))
                    self.reported += run.reported
                    self._keep_notes(run, work)
                    if watch:
                        counts = run.counts()
                        for each in observers:
                            each.end(counts)
                    return
                history.undo()
                run.heap.undo()
            raise RuntimeError(f"{work.entry.name} asks for precise code again and again")
        finally:
            if self._run is not None:
                self._run.heap.keep()
            history.close()
            if precise:
                self.memory.forget_bits()

    # -- what the host reads ---------------------------------------------------------------------
    def check_defined(self, address: int, size: int) -> None:
        """Hazard if undefined bytes would be handed to the host (reported or raised)."""
        if not size:
            return
        allocation = self.memory.at(address, size)
        start = address - allocation.base
        contents = allocation.contents
        if contents.all_defined(start, size):
            return
        bad = contents.undefined_bytes(start, size).nonzero()[0]
        first = int(bad[0])
        number = 0 if contents.origin is None else int(contents.origin[start + first])
        hazard = self._handed_over(len(bad), size, allocation, start + first, number)
        if not self._device.report:
            raise hazard
        self.reported.append(hazard)

    def _handed_over(
        self, count: int, size: int, allocation: Allocation, byte: int, number: int
    ) -> Hazard:
        """Return the hazard for undefined bytes the host reads, at the store that left them."""
        sentence = (
            f"{count} of {size} bytes that the host reads are undefined, the first is "
            f"byte {byte} of {allocation.title}"
        )
        origins = self._device.origins
        found = origins.find(number)
        facts = Facts(
            cause="undefined bytes are handed to the host",
            array=allocation.called,
            space=layout.SPACE_NAMES[abi.Space.GLOBAL],
            byte=byte,
        )
        if found is None:
            return Hazard("undefined", f"{sentence}; nothing has written it", facts=facts)
        origin, program, shape = found
        operation = program.operation(origin.instruction)
        cta, wave = shape.number(origin.group, origin.wave)
        facts = replace(
            facts,
            brief=sentence + origins.describe(number, quote_opcode),
            places=program.places(operation.line),
            raced=origins.raced(number),
        )
        return Hazard(
            "undefined",
            f"{sentence}{origins.describe(number)}",
            file=program.file,
            line=operation.line,
            instruction=operation.text,
            cta=cta,
            wave=wave,
            lane=origin.lane,
            lanes=1 << origin.lane,
            facts=facts,
        )
