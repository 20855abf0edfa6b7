"""What tests of fmha for sm_100a share: a launch of any text on so many SMs of the emulator."""

from __future__ import annotations

from typing import Any

import numpy as np

import lanemap
from lanemap.benching.arrays import Operand, adopted
from lanemap.benching.attention.blackwell import BlackwellAttention, BlackwellTiling
from lanemap.benching.attention.kernel import Arrays
from lanemap.benching.attention.problem import Problem
from tests.kernels.attention import TYPES

KERNEL = BlackwellAttention()


def launched(
    text: str,
    problem: Problem,
    tiling: BlackwellTiling,
    arrays: Any,
    scale: float,
    *,
    strict: bool = True,
    multiprocessors: int = 148,
    counts: list[Any] | None = None,
    descales: Any = None,
) -> tuple[Any, Any]:
    """O and log_sum_exp of a text, of which nothing is defined before; appends to `counts`.

    The scales of FP8 are 1 unless they are given for Q, K and V: (3, batch x heads of K and V).
    """
    device: Any = lanemap.open_device("sm_100a", device="emulator", strict=strict)
    rows = problem.queries if problem.lengths else (problem.batch, problem.queries)
    o = np.full(arrays[0].shape, np.nan, TYPES[problem.output])
    shape = (problem.heads, rows) if problem.lengths else (rows[0], problem.heads, rows[1])
    log_sum = np.full(shape, np.nan, np.float32)

    def matrix(array: Any, name: str, fresh: bool = False) -> Any:
        return adopted(device, array.reshape(-1, array.shape[-1]), name, fresh)

    operands = [matrix(each, name) for each, name in zip(arrays, "qkv", strict=True)]
    results = matrix(o, "o", True), matrix(log_sum, "log_sum_exp", True)
    scales: tuple[Operand, ...] = ()
    if problem.element_bytes == 1:
        ones = np.ones((3, problem.batch * problem.kv_heads), np.float32)
        given = ones if descales is None else descales
        scales = tuple(Operand(device.array(each), 4) for each in given)
    launch = KERNEL.launch(
        device,
        device.load(text),
        problem,
        tiling,
        Arrays(*operands, *results, scales),
        scale,
        multiprocessors,
        1,
    )
    if counts is None:
        launch.run()
    else:
        with device.count() as counted:
            launch.run()
        counts.append(counted)
    return o, log_sum


def computed(
    problem: Problem,
    arrays: Any,
    tiling: BlackwellTiling | None = None,
    scale: float | None = None,
    **options: Any,
) -> tuple[Any, Any]:
    """O and log_sum_exp of the kernel as it is."""
    tiling = tiling or KERNEL.choose(problem)
    text = KERNEL.ptx(problem, tiling)
    scale = problem.head_dim**-0.5 if scale is None else scale
    return launched(text, problem, tiling, arrays, scale, **options)
