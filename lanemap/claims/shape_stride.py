"""Evaluating CuTe layouts as their owners write them: nested shape and stride.

Conventions are those of CuTe (NVIDIA/cutlass, media/docs/cpp/cute/01_layout.md): a coordinate runs
through a mode's sub-modes colexicographically, the first the fastest.
"""

from __future__ import annotations

from typing import Any

# An integer, or a tuple (a list, out of JSON) of such.
Nested = Any


def size(shape: Nested) -> int:
    """The number of coordinates of a shape."""
    if isinstance(shape, int):
        return shape
    product = 1
    for each in shape:
        product *= size(each)
    return product


def evaluate(shape: Nested, stride: Nested, coordinate: Any) -> Any:
    """The value of a layout at a one-dimensional coordinate (an integer or an array).

    The last mode is not bounded, as in CuTe.
    """
    if isinstance(shape, int):
        return coordinate * stride
    total: Any = 0
    for position, (mode, steps) in enumerate(zip(shape, stride, strict=True)):
        last = position == len(shape) - 1
        within = coordinate if last else coordinate % size(mode)
        total = total + evaluate(mode, steps, within)
        coordinate = coordinate // size(mode)
    return total
