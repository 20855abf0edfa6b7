"""The choice of a tile by timing: those that should be fastest take turns on the GPU."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from statistics import median
from typing import Any

from lanemap.benching.arrays import Operand
from lanemap.benching.gemm.choice import ranked
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import ALIGNMENT, TYPES, Problem
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.launch import compile_ahead, loaded, multiprocessors
from lanemap.errors import UserError

#: Launches of a turn, those before it that are not timed, and turns of which the median counts.
_LAUNCHES, _LEAD, _TURNS = 12, 4, 3
#: What was timed, by kernel, problem, how its operands lie, and device.
_FASTEST: dict[tuple[str, Problem, tuple[bool, bool], int], Tiling] = {}


def tile_for(kernel: Any, problem: Problem, device: Any, tries: int) -> Any:
    """Return the tile of a product: of `tries` tiles the fastest one on the device.

    It is kept for the process, and is what new plans without tries take from then on.

    Args:
        kernel: A kernel of products.
        problem: The product; a bias and an activation do not count.
        device: Where it is computed.
        tries: How many tiles are timed; with 1 the estimate chooses.

    Raises:
        UserError: nothing can be timed here, or it is no number of tiles.
    """
    if tries < 1:
        raise UserError(f"tries is {tries}; it must be at least 1")
    plain = Problem(*(getattr(problem, each.name) for each in fields(Problem)))
    key = kernel.name, plain, problem.transposed, id(device)
    if tries > 1:
        if not isinstance(kernel, GemmKernel) or not hasattr(device, "burst"):
            raise UserError(
                f"tries is {tries}, but {kernel.name} times tiles on a GPU of sm_90a alone; leave "
                "it out"
            )
        _FASTEST[key] = _fastest(kernel, plain, problem, device, tries)
    count = multiprocessors(device)
    return _FASTEST.get(key) or kernel.choose(problem, count)


def _fastest(
    kernel: GemmKernel, plain: Problem, problem: Problem, device: Any, tries: int
) -> Tiling:
    """Time tiles that can compute `problem` with memory of their own, and return the fastest."""
    count = multiprocessors(device)
    tiles = ranked(problem, count, kernel.possible(problem, count))[:tries]
    compile_ahead([partial(kernel.ptx, plain, each) for each in tiles], kernel.target)
    a, b, c = (
        _matrix(device, *each)
        for each in (
            (plain.m, plain.k, plain.element),
            (plain.n, plain.k, plain.element),
            (plain.m, plain.n, plain.output),
        )
    )
    bursts = []
    for tile in tiles:
        module = loaded(device, kernel.ptx(plain, tile))
        launch = kernel.launch(device, module, plain, tile, a, b, c, count)
        bursts.append(device.burst([launch.enqueue()]))
    times: list[list[float]] = [[] for _ in tiles]
    for _ in range(_TURNS):
        for burst, found in zip(bursts, times, strict=True):
            found.append(burst.run(_LAUNCHES, lead=_LEAD)[0])
    return tiles[min(range(len(tiles)), key=lambda i: median(times[i]))]


def _matrix(device: Any, rows: int, columns: int, kind: str) -> Operand:
    """Return a matrix of any numbers whose rows TMA reaches."""
    item = TYPES[kind].bytes
    row_bytes = -(-columns * item // ALIGNMENT) * ALIGNMENT
    return Operand(device.empty((rows, row_bytes // item), TYPES[kind].dtype), row_bytes)
