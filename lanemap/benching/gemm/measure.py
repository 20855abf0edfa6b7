"""Times a product on an NVIDIA GPU, taking turns with cuBLASLt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.product import loaded, multiprocessors
from lanemap.benching.gemm.reference import wrong
from lanemap.benching.gemm.tiling import Tiling, choose
from lanemap.devices.cublaslt import WORKSPACE_BYTES, Product
from lanemap.records.hashes import source_hash

#: Rows of C that are compared with float64, spread over all.
_CHECKED_ROWS = 48
#: The part of a turn that goes before what is timed: clocks follow the power that a kernel draws.
_LEAD = 0.5


@dataclass(frozen=True)
class Effort:
    """How long to measure.

    Attributes:
        rounds: Turns of each side.
        seconds: Of the timed part of a turn.
    """

    rounds: int = 12
    seconds: float = 0.2


def inputs(problem: Problem, seed: int, integers: bool) -> tuple[Any, Any]:
    """Return A and B on the host: N(0, 1), or integers from -2 to 2."""
    rng = np.random.default_rng(seed)
    kind = TYPES[problem.element].dtype

    def matrix(rows: int) -> npt.NDArray[Any]:
        if integers:
            return rng.integers(-2, 3, (rows, problem.k), np.int8).astype(kind)
        return rng.standard_normal((rows, problem.k), np.float32).astype(kind)

    return matrix(problem.m), matrix(problem.n)


class Bench:
    """One product on a GPU: its operands, the kernel's launch and the library's."""

    def __init__(
        self, kernel: GemmKernel, device: Any, problem: Problem, tiling: Tiling | None = None
    ) -> None:
        """Make the operands and compile the kernel.

        Raises:
            UserError: the library has no algorithm, or the kernel cannot be compiled.
            MissingEnvironment: the library is not here.
        """
        count = multiprocessors(device)
        self.problem, self.tiling = problem, tiling or choose(problem, count)
        self.device = device
        self.text = kernel.ptx(problem, self.tiling)
        self.host = inputs(problem, problem.m + 3 * problem.n + 7 * problem.k, False)
        self.a, self.b = (device.array(each) for each in self.host)
        output = TYPES[problem.output]
        self.c = device.empty((problem.m, problem.n), output.dtype)
        self.theirs = device.empty((problem.m, problem.n), output.dtype)
        element = TYPES[problem.element].bytes
        row, width = problem.k * element, problem.n * output.bytes
        self.launch = kernel.launch(
            device, loaded(device, self.text), problem, self.tiling, Operand(self.a, row),
            Operand(self.b, row), Operand(self.c, width), count,
        )  # fmt: skip

    def check(self) -> dict[str, Any]:
        """Run once on both inputs; return what of the row's correctness fields is seen.

        C is filled with NaN before, so that an element that was not written is wrong.
        """
        problem = self.problem
        rows = np.unique(np.linspace(0, problem.m - 1, _CHECKED_ROWS).astype(np.int64))
        a, b = self.host
        whole = self._computed()
        outside, used = wrong(problem, a[rows], b, whole[rows])
        outside += int(np.isnan(whole.astype(np.float32)).sum())
        integers = inputs(problem, 1, True)
        self.a.set(integers[0])
        self.b.set(integers[1])
        exact = integers[0][rows].astype(np.float32) @ integers[1].astype(np.float32).T
        seen = self._computed()[rows]
        self.a.set(a)
        self.b.set(b)
        return {
            "rows_checked": len(rows),
            "outside": outside,
            "used": round(used, 6),
            "exact": bool((seen == exact.astype(seen.dtype)).all()),
        }

    def _computed(self) -> npt.NDArray[Any]:
        self.c.set(np.full(self.c.shape, np.nan, self.c.dtype))
        self.launch.run()
        return np.asarray(self.c.get())

    def times(self, effort: Effort) -> dict[str, Any]:
        """Return the row's fields of both sides, each turn's lead-in left out."""
        given = self.launch
        enqueue = given.kernel.prepare(
            given.grid, given.block, given.arguments, given.shared_bytes, given.cluster
        )
        workspace = self.device.empty(WORKSPACE_BYTES, np.uint8)
        fast = self.problem.accumulation == "fast"
        library = Product(self.a, self.b, self.theirs, workspace, fast)
        bursts = [self.device.burst(each) for each in (enqueue, library.enqueue)]
        guess = max(burst.run(3)[0] for burst in bursts)
        launches = max(1, math.ceil(effort.seconds * 1000 / guess))
        turns: list[list[tuple[float, Mapping[str, Any]]]] = [[], []]
        for _ in range(effort.rounds):
            for burst, seen in zip(bursts, turns, strict=True):
                burst.run(max(1, round(launches * _LEAD)))
                seen.append(burst.run(launches))
        ours, theirs = (_side(seen) for seen in turns)
        return {
            "launches": launches,
            "kernel": ours,
            "library": theirs,
            "ratio": round(theirs["median"] / ours["median"], 4),
            "tflops": round(self.problem.flops / ours["median"] / 1e6, 1),
        }

    def row(self, effort: Effort) -> dict[str, Any]:
        """Return the product's part of a row of kind `kernel_times`."""
        tile = {name: int(value) for name, value in asdict(self.tiling).items()}
        return {
            **asdict(self.problem), "tile": tile, "ptx": source_hash(self.text),
            **self.check(), **self.times(effort),
        }  # fmt: skip


def _side(turns: list[tuple[float, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return one side's times and states as the schema has them."""
    clocks = [state["sm_clock_mhz"] for _, state in turns if "sm_clock_mhz" in state]
    power = [state["power_milliwatt"] for _, state in turns if "power_milliwatt" in state]
    reasons = {state["throttle_reasons"] for _, state in turns if "throttle_reasons" in state}
    times = [round(1000 * milliseconds, 3) for milliseconds, _ in turns]
    return {
        "microseconds": times,
        "median": round(median(times), 3),
        "sm_clock_mhz": float(median(clocks)) if clocks else None,
        "watt": round(median(power) / 1000, 1) if power else None,
        "throttle_reasons": sorted(reasons),
    }
