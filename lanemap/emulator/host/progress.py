"""Progress of a launch."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.host.run import Run
from lanemap.emulator.host.work import Work


@dataclass(frozen=True)
class Progress:
    """A moment of a launch.

    Attributes:
        kernel: The kernel's name.
        launch: The number of the launch on its device, from 1.
        cta_name: The target's term for a CTA.
        done: CTAs that have ended.
        total: CTAs of the launch.
        compiling: Whether the launch waits for code.
        cta: The number of a CTA that runs; None if none has begun.
        file: The kernel's text.
        line: A line of the text near which that CTA is; 0 if none has begun.
        places: The source lines that it stands for, innermost first.
    """

    kernel: str
    launch: int
    cta_name: str
    done: int
    total: int
    compiling: bool
    cta: int | None = None
    file: str = ""
    line: int = 0
    places: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        """`kernel, launch 3: 17 of 512 CTAs done, compiling`."""
        done = f"{self.done} of {self.total} {self.cta_name}s done"
        return f"{self.kernel}, launch {self.launch}: {done}{', compiling' * self.compiling}"

    def where(self, place: str = "") -> str:
        """`kernel, launch 3, CTA 17 of 512 near kernel.s:20`; `place` instead of the last."""
        text = f"{self.kernel}, launch {self.launch}"
        if self.cta is None:
            return f"{text}, compiling"
        near = place or f"{self.file}:{self.line}"
        return f"{text}, {self.cta_name} {self.cta} of {self.total} near {near}"


def progress_of(run: Run | None, work: Work, launch: int) -> Progress:
    """Return the progress of a pass; None is one that has not begun.

    Another thread than that of the launch may ask.
    """
    program, shape = work.entry.program, work.shape
    words, total = program.wording, shape.clusters * shape.ctas
    at = None if run is None else run.at
    if run is None or at is None:
        return Progress(work.entry.name, launch, words.cta, 0, total, True)
    cluster = at.cluster.number - run.first_cluster
    wave = at.waves[at.cluster.current]
    operations = program.blocks[wave.block].operations
    line = operations[0].line if operations else 0
    return Progress(
        work.entry.name,
        launch,
        words.cta,
        max(run.begun - run.running, 0) * shape.ctas,
        total,
        run.compiling,
        shape.number(cluster, wave.member)[0],
        program.file,
        line,
        program.places(line) if line else (),
    )
