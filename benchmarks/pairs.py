"""Measure one list of cases in two checkouts of lanemap, side by side in one run.

A script lists its cases and calls `main`. `--before PATH` names another checkout: each checkout
then has a process of its own that imports lanemap from there, and the two take turns sample by
sample, so that a machine that slows down slows both. Each process has an object cache of its own
and launches everything once before it counts. Without `--before` only this checkout is measured.

One core: each process is bound to one, LANEMAP_THREADS is 1, and times are processor time, so that
others who share the machine hardly count. Cases of threads take the time of the clock instead, with
LANEMAP_THREADS 1 and 2 in processes of their own; their figure is how many times faster two are.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machine import describe

HERE = Path(__file__).resolve().parent
#: Seconds of work that are divided by this for `--quick`.
QUICK = 64
UNITS = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1.0}

Clock = Callable[[], float]
#: Takes a sample: the figure in seconds.
Sampler = Callable[[], float]


@dataclass(frozen=True)
class Case:
    """One figure.

    Attributes:
        name: what is measured; names of a script are all different.
        unit: a time (ns, us, ms, s), or GB/s where `size_bytes` is what goes by in the time.
        asked: what the figure should be, in `unit`; None where nothing is asked.
        prepare: gets a divisor of the work (1, or QUICK) and the clock; makes device, kernels and
            data and returns the sampler, which also checks what the kernels computed.
        size_bytes: of a rate.
        threads: the figure is the time of one thread over that of two, and `unit` is "x".
    """

    name: str
    unit: str
    asked: float | None
    prepare: Callable[[int, Clock], Sampler]
    size_bytes: int = 0
    threads: bool = False

    @property
    def more_is_better(self) -> bool:
        """True of rates, False of times."""
        return self.unit not in UNITS

    def figure(self, seconds: float) -> float:
        """A sample in the case's unit."""
        if self.size_bytes:
            return self.size_bytes / seconds / 1e9
        return seconds * UNITS[self.unit]


def timed(clock: Clock, work: Callable[[], Any]) -> float:
    """Seconds that something takes."""
    start = clock()
    work()
    return clock() - start


def doubled(
    clock: Clock, less: Callable[[], Any], more: Callable[[], Any], difference: int
) -> Sampler:
    """The seconds of one of the repetitions that `more` has beyond `less`."""
    return lambda: (timed(clock, more) - timed(clock, less)) / difference


class Unsupported(Exception):
    """A checkout cannot do what a case measures."""


class Side:
    """A process that measures in one checkout when it is told to."""

    def __init__(self, checkout: Path, cache: str, threads: int, bound: bool, quick: bool) -> None:
        environment = os.environ | {
            "PYTHONPATH": str(checkout),
            "LANEMAP_CACHE": cache,
            "LANEMAP_THREADS": str(threads),
            # Some loops are longer than what the emulator takes for endless.
            "LANEMAP_INSTRUCTION_LIMIT": str(10**10),
        }
        command = [sys.executable, sys.argv[0], "--child", str(checkout)]
        command += ["--quick"] * quick + ["--bound"] * bound
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, message: str) -> Any:
        """Tell the process something and wait for its answer.

        Raises:
            Unsupported: the checkout cannot do it; the reason.
            RuntimeError: the process ended; its own words are on stderr.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(message + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the measuring process ended at {message!r}")
        answer = json.loads(line)
        if "unsupported" in answer:
            raise Unsupported(answer["unsupported"])
        return answer["value"]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@contextmanager
def opened(checkout: Path, cache: str, threads: int, bound: bool, quick: bool) -> Iterator[Side]:
    """A side that ends with the block."""
    side = Side(checkout, cache, threads, bound, quick)
    try:
        yield side
    finally:
        side.close()


def serve(cases: Mapping[str, Case], checkout: Path, quick: bool) -> int:
    """Be a side: a case's name prepares it, an empty line takes a sample."""
    import lanemap

    found = Path(lanemap.__file__).resolve().parent.parent
    if found != checkout:
        raise RuntimeError(f"lanemap comes from {found}, not from {checkout}")
    sampler: Sampler | None = None
    for line in sys.stdin:
        name = line.strip()
        try:
            if name:
                sampler = None  # gives the arrays of the case before back
                case = cases[name]
                if case.threads and not _has_threads(checkout):
                    raise Unsupported("knows no LANEMAP_THREADS")
                clock = time.perf_counter if case.threads else time.process_time
                sampler = case.prepare(QUICK if quick else 1, clock)
            assert sampler is not None
            answer = {"value": sampler()}
        except Unsupported as error:
            answer = {"unsupported": str(error)}
        print(json.dumps(answer), flush=True)
    return 0


def _has_threads(checkout: Path) -> bool:
    """Whether a checkout reads the variable: one that ignores it would seem to gain nothing."""
    sources = (checkout / "lanemap").rglob("*.py")
    return any("LANEMAP_THREADS" in source.read_text() for source in sources)


def measure(case: Case, sides: Mapping[str, Sequence[Side]], samples: int) -> dict[str, Any]:
    """A row: for each checkout the figures' median, least, greatest; how many times faster."""
    row: dict[str, Any] = {"case": case.name, "unit": case.unit, "asked": case.asked}
    figures: dict[str, list[float]] = {}
    for label, processes in sides.items():
        try:
            for side in processes:
                side.ask(case.name)  # compiles, and warms up
            figures[label] = []
        except Unsupported as error:
            row[label] = {"unsupported": str(error)}
    for _ in range(samples):
        for label, found in figures.items():
            seconds = [side.ask("") for side in sides[label]]
            found.append(seconds[0] / seconds[1] if case.threads else case.figure(seconds[0]))
    for label, found in figures.items():
        row[label] = {
            "median": statistics.median(found),
            "least": min(found),
            "greatest": max(found),
            "samples": len(found),
        }
    if len(figures) == 2:
        ratio = row["before"]["median"] / row["after"]["median"]
        row["times_better"] = 1 / ratio if case.more_is_better else ratio
    return row


def measure_all(cases: Sequence[Case], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The rows of all cases, one by one."""
    checkouts = {"after": HERE.parent}
    if options.before:
        checkouts = {"before": options.before.resolve(), **checkouts}
    with ExitStack() as stack:
        caches = {label: stack.enter_context(tempfile.TemporaryDirectory()) for label in checkouts}

        def start(threads: Sequence[int], bound: bool) -> dict[str, list[Side]]:
            return {
                label: [
                    stack.enter_context(
                        opened(checkout, caches[label], count, bound, options.quick)
                    )
                    for count in threads
                ]
                for label, checkout in checkouts.items()
            }

        single = [case for case in cases if not case.threads]
        if single:
            sides = start((1,), bound=True)
            for case in single:
                yield measure(case, sides, options.samples)
        threaded = [case for case in cases if case.threads]
        if threaded:
            sides = start((1, 2), bound=False)
            for case in threaded:
                yield measure(case, sides, options.samples)


def _cell(found: dict[str, Any] | None) -> str:
    if found is None:
        return f"{'':>28}"
    if "unsupported" in found:
        return f"{'not supported':>28}"
    return f"{_number(found['median']):>10}" + "".join(
        f"{_number(found[key]):>9}" for key in ("least", "greatest")
    )


def _number(figure: float) -> str:
    """Four digits, never an exponent above one."""
    return f"{figure:.0f}" if abs(figure) >= 1000 else f"{figure:.4g}"


def show(row: dict[str, Any]) -> None:
    """Print a row."""
    asked = "-" if row["asked"] is None else f"{row['asked']:g}"
    better = f"{row['times_better']:9.3g}" if "times_better" in row else f"{'-':>9}"
    cells = "".join(_cell(row.get(label)) for label in ("before", "after"))
    print(f"{row['case']:48} {row['unit']:5}{asked:>7}{cells}{better}", flush=True)


def main(description: str, cases: Sequence[Case]) -> int:
    """Measure what the command line asks for, or be one of the measuring processes."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="another checkout, to be measured beside this")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="little work: every row, no figure")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--bound", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        if options.bound:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        return serve({case.name: case for case in cases}, options.child, options.quick)
    chosen = [case for case in cases if options.only in case.name]
    if not chosen:
        names = ", ".join(case.name for case in cases)
        parser.error(f"no case's name holds {options.only!r}; there are {names}")
    machine = describe()
    rows = []
    if not options.json:
        print(", ".join(f"{key} {value}" for key, value in machine.items()))
        print(f"hazards on, objects in the cache; median, least, greatest of {options.samples}")
        heads = "".join(f"{head:>10}{'least':>9}{'most':>9}" for head in ("before", "after"))
        print(f"{'case':48} {'unit':5}{'asked':>7}{heads}{'better':>9}")
    for row in measure_all(chosen, options):
        rows.append(row)
        if not options.json:
            show(row)
    if options.json:
        print(json.dumps({"machine": machine, "quick": options.quick, "rows": rows}, indent=1))
    return 0
