"""Grouped products on the emulator, of integers.

Rows that belong to no group are undefined, so that a kernel which reads or writes them is noticed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lanemap
from lanemap.benching.arrays import Operand, steps
from lanemap.benching.find import host
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.gemm.scales import scales_on
from lanemap.benching.gemm.tiling import Tiling

#: What C has before: no sum of the tests' small integers.
BEFORE = 77


def kernel_for(target: str) -> Any:
    """The kernel for a target."""
    (found,) = [each for each in host("grouped_gemm").KERNELS if each.target == target]
    return found


def integers(problem: Any, sizes: list[int]) -> tuple[Any, Any, Any, Any, list[Any]]:
    """A, B, C by NumPy's integers, which rows of C belong to a group, and scales of A and B.

    The scales are powers of two, each beside others; without them there are none.
    """
    p, rng = problem, np.random.default_rng(3)
    outer = (p.groups,) if p.masked else ()
    a = rng.integers(-2, 3, (*outer, p.rows, p.k))
    b = rng.integers(-2, 3, (p.groups, p.n, p.k))
    c = np.full((*outer, p.rows, p.n), BEFORE, float)
    of_a = of_b = np.ones(1)
    blocks, scales = -(-p.k // 128), list[Any]()
    if p.scaled:
        shapes = (*outer, p.rows, blocks), (p.groups, -(-p.n // 128), blocks)
        scales = [(2.0 ** rng.integers(-1, 2, shape)).astype(np.float32) for shape in shapes]
        of_a = scales[0].repeat(128, -1)[..., : p.k]
        of_b = scales[1].repeat(128, -1)[..., : p.k].repeat(128, -2)[:, : p.n]
    exact_a, exact_b = a * of_a, b * of_b
    used = np.zeros(c.shape[:-1], bool)
    first = 0
    for group, size in enumerate(sizes):
        size = max(0, min(size, p.rows - first))
        where: Any = (group, slice(size)) if p.masked else slice(first, first + size)
        c[where] = exact_a[where] @ exact_b[group].T
        used[where] = True
        first += 0 if p.masked else size
    kind = TYPES[p.element].dtype
    return a.astype(kind), b.astype(kind), c.astype(TYPES[p.output].dtype), used, scales


def launched(
    text: str,
    target: str,
    problem: Any,
    tiling: Tiling,
    sizes: list[int],
    strict: bool = True,
    multiprocessors: int = 2,
) -> tuple[Any, Any, Any]:
    """C by a text on so few SMs, C as it must be, and where it is written as it must be."""
    device: Any = lanemap.open_device(target, device="emulator", strict=strict)
    a, b, expected, used, given = integers(problem, sizes)
    c = np.full(expected.shape, BEFORE, expected.dtype)
    arrays = [device.adopt(each, name=name) for each, name in ((a, "A"), (b, "B"), (c, "C"))]
    arrays[0].define(np.broadcast_to(used[..., None], a.shape))
    arrays[2].define(np.zeros(c.shape, bool))
    kernel = kernel_for(target)
    of = [type_of_matrices()(Operand(there, steps(each)[-2]),
                             steps(each)[0] if each.ndim == 3 else 0)
          for there, each in zip(arrays, (a, b, c), strict=True)]  # fmt: skip
    there = device.array(np.array(sizes, np.int32), name="sizes")
    module = device.load(text)
    scales: Any = None
    if given:
        on_device = [device.adopt(each, name="scales") for each in given]
        on_device[0].define(np.broadcast_to(used[..., None], given[0].shape))
        scales = tuple(scales_on(device, *pair) for pair in zip(given, ("a", "b"), strict=True))
    count = multiprocessors
    kernel.launch(device, module, problem, tiling, *of, there, count, None, scales).run()
    assert list(device.hazards) == []
    return c, expected, ~arrays[2].undefined_elements() == used[..., None]


def type_of_matrices() -> Any:
    """The class of operands: the kernel's modules have names only once it is imported."""
    import importlib

    host("grouped_gemm")
    return importlib.import_module("lanemap_kernels.grouped_gemm.kernel").Matrices


def problem_of(*sizes: Any, **more: Any) -> Any:
    """A `Problem` of the kernel."""
    return host("grouped_gemm").Problem(*sizes, **more)
