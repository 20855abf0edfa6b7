"""What tests of fp8_gemm share: operands, and launches of a text."""

from __future__ import annotations

from typing import Any

import numpy as np

import lanemap
from lanemap.benching.arrays import adopted
from lanemap.benching.find import host
from lanemap.benching.gemm.benchmark import INTEGERS
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.gemm.scaled import Operands
from lanemap.benching.gemm.scales import Scales
from lanemap.benching.gemm.tiling import Tiling
from lanemap_kernels.fp8_gemm.benchmark import Problem, operands
from lanemap_kernels.fp8_gemm.kernel import ScaledKernel

#: What C has before: no sum of the tests' small integers.
BEFORE = 77


def kernel_of(target: str) -> ScaledKernel:
    """The kernel for a target."""
    found: ScaledKernel = next(each for each in host("fp8_gemm").KERNELS if each.target == target)
    return found


def problem_of(m: int, n: int, k: int, output: str = "bfloat16") -> Problem:
    """A product of FP8 matrices."""
    return Problem(m, n, k, output=output)


def exact(problem: Problem) -> tuple[Operands, Any]:
    """Operands whose sums every accumulation keeps exactly, and C by NumPy.

    Elements are -2 to 2, scales 1/2, 1 and 2, so that a scale at a wrong place is seen.
    """
    given = operands(problem, INTEGERS)
    m, n, k = problem.m, problem.n, problem.k
    of_a = given.a_scales.repeat(128, 1)[:, :k].astype(float)
    of_b = given.b_scales.repeat(128, 1)[:, :k].repeat(128, 0)[:n].astype(float)
    c = (given.a.astype(float) * of_a) @ (given.b.astype(float) * of_b).T
    assert c.shape == (m, n)
    return given, c.astype(TYPES[problem.output].dtype)


def computed_with(
    text: str,
    target: str,
    problem: Problem,
    tiling: Tiling,
    given: Operands,
    *,
    strict: bool = False,
    multiprocessors: int = 132,
) -> Any:
    """C of a text on so many SMs; no element of C is defined before."""
    device: Any = lanemap.open_device(target, device="emulator", strict=strict)
    c = np.full((problem.m, problem.n), BEFORE, TYPES[problem.output].dtype)
    in_a, in_b = adopted(device, given.a, "A"), adopted(device, given.b, "B")
    scales = [
        Scales(device.adopt(array, name=name), (array.shape[1], 1))
        for name, array in (("a_scales", given.a_scales), ("b_scales", given.b_scales))
    ]
    kernel_of(target).launch(
        device, device.load(text), problem, tiling, in_a, in_b, adopted(device, c, "C", True),
        multiprocessors, None, (scales[0], scales[1]),
    ).run()  # fmt: skip
    return c
