"""Autotuning and benchmarks without a clock: configurations are compared by the work they do.

The emulator has no time to give, and its own speed says nothing about a GPU's. So what Triton would
time runs once: autotuning ranks by what that run counted (docs/counting.md), and a benchmark gets
NaN, which no arithmetic turns into a figure.
"""

from __future__ import annotations

import contextlib
import copy
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lanemap.check.findings import Tuned, Tuning
from lanemap.check.launch import Emulated
from lanemap.targets import Target

if TYPE_CHECKING:
    from lanemap.devices.emulator import Counts

# What an SM does in a clock: warp instructions that four schedulers issue, and passes of 128 bytes
# of shared memory (CUDA C++ Programming Guide, Compute Capability 9.0). One sector of 32 bytes from
# global memory lies between what memory delivers to each SM (18 and 27 bytes, all misses) and what
# caches do; autotuning needs no more than proportions.
_INSTRUCTIONS_A_CLOCK, _PASSES_A_CLOCK, _SECTORS_A_CLOCK = 4, 1, 1

_NO_TIME = (
    "{} ran what it was given once and returned NaN: the emulator has no clock, and its own speed "
    "says nothing about a GPU's"
)
_FIRST_SIZE = (
    "perf_report ran each line of {} at its first size only, and drew nothing: the emulator has no "
    "clock"
)


class Benchmarks:
    """What runs in place of Triton's timing."""

    def __init__(self, emulated: Emulated, target: Target) -> None:
        """Count the launches of a device, as work of a GPU."""
        self._emulated, self._target, self.findings = emulated, target, emulated.findings

    # -- autotuning --------------------------------------------------------------------------------
    def count(self, call: Callable[[], Any]) -> tuple[dict[str, int], float]:
        """Run what launches a kernel; return what it counted, and that as one number to rank by."""
        emulated = self._emulated
        with emulated.device.alone():
            before = len(emulated.ctas)
            with emulated.device.count() as counts:
                call()
            ctas = emulated.ctas[before:]
        return amounts(counts, sum(ctas)), self._weigh(counts, ctas)

    def _weigh(self, counts: Counts, ctas: list[int]) -> float:
        """Return the clocks that the units of an SM would be busy for, summed: a rank, no time.

        It leaves out all that overlaps or waits. It is the work of the SM with the most CTAs, so a
        grid that leaves SMs idle ranks behind one that does not.
        """
        target, traffic = self._target, counts.traffic()
        busy = (
            counts.executed.waves / _INSTRUCTIONS_A_CLOCK
            + sum(one.passes for one in traffic.values()) / _PASSES_A_CLOCK
            + sum(one.sectors for one in traffic.values()) / _SECTORS_A_CLOCK
            + counts.matrix_flops / target.matrix_flops_a_clock
        )
        most = sum(math.ceil(each / target.gpu.multiprocessors) for each in ctas)
        return busy * most / max(sum(ctas), 1)

    # -- benchmarks --------------------------------------------------------------------------------
    def untimed(self, name: str) -> Callable[..., Any]:
        """Return what stands for one of Triton's do_bench functions, `name`."""

        def run(
            fn: Callable[[], Any],
            *_: Any,
            quantiles: Any = None,
            return_mode: str = "mean",
            **__: Any,
        ) -> Any:
            fn()
            self.findings.say_once(_NO_TIME.format(name))
            if quantiles is not None and len(quantiles) > 1:
                return [math.nan] * len(quantiles)
            return [math.nan] if quantiles is None and return_mode == "all" else math.nan

        return run

    def report(
        self,
        mark: Any,
        show_plots: bool = False,
        print_data: bool = False,
        save_path: str = "",
        return_df: bool = False,
        **given: Any,
    ) -> Any:
        """Run each line of a perf_report once, at its first size; it stands for `Mark.run`."""
        several = isinstance(mark.benchmarks, (list, tuple))
        frames = []
        for bench in mark.benchmarks if several else [mark.benchmarks]:
            first = copy.copy(bench)
            first.x_vals, first.plot_name = list(bench.x_vals)[:1], ""
            if return_df:
                frames.append(mark._run(first, "", False, False, **given))
            else:
                _run_lines(mark.fn, first, given)
            self.findings.say_once(_FIRST_SIZE.format(bench.plot_name or "a benchmark"))
        return (frames if several else frames[0]) if return_df else None


def _run_lines(fn: Callable[..., Any], bench: Any, given: Mapping[str, Any]) -> None:
    for size in bench.x_vals:
        sizes = size if isinstance(size, (list, tuple)) else [size] * len(bench.x_names)
        for line in bench.line_vals:
            fn(
                **dict(zip(bench.x_names, sizes, strict=True)),
                **{bench.line_arg: line},
                **bench.args,
                **given,
            )


def amounts(counts: Counts, ctas: int) -> dict[str, int]:
    """Return what a configuration did, in the terms of docs/counting.md."""
    traffic = counts.traffic()
    return {
        "ctas": ctas,
        "warp instructions": counts.executed.waves,
        "matrix flops": counts.matrix_flops,
        "global sectors": sum(one.sectors for one in traffic.values()),
        "shared passes": sum(one.passes for one in traffic.values()),
        "bank conflicts": sum(one.conflicts for one in traffic.values()),
    }


class _Tuner:
    """What stands for the methods of Triton's Autotuner."""

    def __init__(self, benchmarks: Benchmarks, cls: Any) -> None:
        self.benchmarks, self._run, self._bench = benchmarks, cls.run, cls._bench
        self._of_thread = threading.local()

    def bench(self, tuner: Any, *arguments: Any, config: Any, **given: Any) -> Any:
        """Run one configuration once; `do_bench` is whoever would time it."""
        done: dict[str, int] = {}
        weight = math.inf

        def compare(call: Callable[[], Any], quantiles: Any = (), **_: Any) -> list[float]:
            nonlocal done, weight
            done, weight = self.benchmarks.count(call)
            return [weight] * 3

        tuner.__dict__["do_bench"] = compare
        found = self._bench(tuner, *arguments, config=config, **given)
        # Triton writes what is not set as well.
        parts = [part for part in str(config).split(", ") if not part.endswith(": None")]
        self._of_thread.tried.append((", ".join(parts), done, weight))
        return found

    def run(self, tuner: Any, *arguments: Any, **given: Any) -> Any:
        """Tune where Triton would, and launch the best configuration."""
        tuner.cache_results = False  # a rank must not be found by a run on a GPU
        tried: list[tuple[str, dict[str, int], float]] = []
        outer = getattr(self._of_thread, "tried", None)
        self._of_thread.tried = tried
        try:
            return self._run(tuner, *arguments, **given)
        finally:
            self._of_thread.tried = outer
            if tried:
                # Triton calls these milliseconds.
                tuner.configs_timings = dict.fromkeys(tuner.configs, [math.nan] * 3)
                named = dict(zip(tuner.arg_names, arguments, strict=False)) | given
                key = ", ".join(f"{name}={named[name]}" for name in tuner.keys if name in named)
                self.benchmarks.findings.tuned(Tuning(tuner.base_fn.__name__, key, ranked(tried)))


def ranked(tried: list[tuple[str, dict[str, int], float]]) -> list[Tuned]:
    """Number configurations by their weight, in the order in which they were tried."""
    order = sorted((weight, at) for at, (_, _, weight) in enumerate(tried) if weight < math.inf)
    ranks = {at: rank for rank, (_, at) in enumerate(order, 1)}
    return [Tuned(config, done, ranks.get(at, 0)) for at, (config, done, _) in enumerate(tried)]


@contextlib.contextmanager
def without_clock(benchmarks: Benchmarks) -> Iterator[None]:
    """Let Triton count where it would time, while the context lasts."""
    import triton.testing
    from triton.runtime.autotuner import Autotuner

    tuner = _Tuner(benchmarks, Autotuner)
    new: list[tuple[Any, str, Any]] = [
        (Autotuner, "run", lambda self, *a, **k: tuner.run(self, *a, **k)),
        (Autotuner, "_bench", lambda self, *a, **k: tuner.bench(self, *a, **k)),
        (triton.testing.Mark, "run", lambda self, *a, **k: benchmarks.report(self, *a, **k)),
    ]
    for name in ("do_bench", "do_bench_cudagraph", "do_bench_proton"):
        if hasattr(triton.testing, name):
            new.append((triton.testing, name, benchmarks.untimed(name)))
    old = [(holder, name, getattr(holder, name)) for holder, name, _ in new]
    try:
        for holder, name, value in new:
            setattr(holder, name, value)
        yield
    finally:
        for holder, name, value in old:
            setattr(holder, name, value)
