"""The arrays of a GEMV, as users have them and as they lie in memory."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.benching.arrays import is_tensor, require_arrays, require_output
from lanemap.benching.gemm.problem import type_name
from lanemap.errors import UserError

from .problem import (
    ATOM_COLUMNS,
    ATOM_ROWS,
    BLOCK,
    Problem,
)

#: From (M, columns, L) to the order of memory, in which L comes first and columns last.
_MATRIX = (2, 0, 1)
#: From (32, 4, rest of M, 4, rest of K, L) to (L, rest of M, rest of K, 32, 4, 4).
_ATOMS = (5, 2, 4, 0, 1, 3)


@dataclass(frozen=True)
class Arrays:
    """The operands in the order of memory: bytes, and c of fp16.

    Attributes:
        a: (L, M, K / 2).
        scales_a: (L, M, K / 16), or (L, tiles of M, tiles of K, 32, 4, 4).
        b: (L, rows, K / 2), of which the first row counts.
        scales_b: As `scales_a`, of b's rows.
        c: (L, M, 1).
    """

    a: Any
    scales_a: Any
    b: Any
    scales_b: Any
    c: Any


def seen(c: Any) -> Any:
    """Return a result, (L, M, 1), as users see it: (M, 1, L)."""
    return _moved(c, (1, 2, 0))


def arrays_of(a: Any, b: Any, sfa: Any, sfb: Any, c: Any, impl: str) -> tuple[Problem, Arrays]:
    """Return the problem of a user's arrays, and the arrays; no c if none is given.

    Raises:
        UserError: they do not fit each other, or no kernel can compute the problem.
    """
    require_arrays(a=a, b=b, sfa=sfa, sfb=sfb)
    if len(a.shape) != 3:
        raise UserError(f"a has shape {tuple(a.shape)}; it must be (M, K / 2, L)")
    m, half, batches = (int(size) for size in a.shape)
    atoms = len(sfa.shape) == len(_ATOMS)
    problem = Problem(m, 2 * half, batches, impl, "atoms" if atoms else "plain")
    if len(b.shape) != 3 or tuple(b.shape[1:]) != (half, batches) or b.shape[0] < 1:
        raise UserError(
            f"b has shape {tuple(b.shape)}; to match a it must be (1, {half}, {batches})"
        )
    _check_scales("sfa", sfa, m, problem)
    _check_scales("sfb", sfb, int(b.shape[0]), problem)
    order = _ATOMS if atoms else _MATRIX
    if c is not None:
        require_output("c", c)
        if tuple(c.shape) != (m, 1, batches) or type_name(c) != "float16":
            raise UserError(
                f"c is {tuple(c.shape)} of {c.dtype}; it must be {(m, 1, batches)} of float16"
            )
    arrays = Arrays(
        _bytes("a", a, _MATRIX),
        _bytes("sfa", sfa, order),
        _bytes("b", b, _MATRIX),
        _bytes("sfb", sfb, order),
        None if c is None else _ordered("c", c, _MATRIX),
    )
    return problem, arrays


def _check_scales(name: str, scales: Any, rows: int, problem: Problem) -> None:
    shape, batches = tuple(int(size) for size in scales.shape), problem.batches
    plain = (rows, problem.k // BLOCK, batches)
    tiles = -(-rows // ATOM_ROWS), problem.atom_columns
    atoms = (32, ATOM_ROWS // 32, tiles[0], ATOM_COLUMNS, tiles[1], batches)
    if problem.scales == "atoms" and shape != atoms:
        raise UserError(f"{name} has shape {shape}; in 128x4 atoms it must be {atoms}")
    if problem.scales == "plain" and shape != plain:
        raise UserError(f"{name} has shape {shape}; it must be {plain}, or {atoms} of 128x4 atoms")


def _moved(array: Any, order: tuple[int, ...]) -> Any:
    return array.permute(order) if is_tensor(array) else array.transpose(order)


def _ordered(name: str, array: Any, order: tuple[int, ...]) -> Any:
    moved = _moved(array, order)
    contiguous = moved.is_contiguous() if is_tensor(array) else moved.flags.c_contiguous
    if not contiguous:
        raise UserError(f"{name} must be contiguous along K, then rows, then L")
    return moved


def _bytes(name: str, array: Any, order: tuple[int, ...]) -> Any:
    """Return an array of one-byte elements as bytes in the order of memory."""
    tensor = is_tensor(array)
    item = int(array.element_size() if tensor else array.itemsize)
    if item != 1:
        raise UserError(f"{name} is of {array.dtype}; its elements must have one byte")
    return _ordered(name, array, order).view(sys.modules["torch"].uint8 if tensor else np.uint8)
