"""CuTe layouts as tables, by the tensor-layouts package (not by lanemap)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from tensor_layouts import Layout, size

from lanemap.layout import LayoutMap

Table = npt.NDArray[np.int64]


def table(shape: Any, stride: Any) -> Table:
    """Value of a layout of two modes at every (first, second) coordinate."""
    layout = Layout(shape, stride)
    first = size(Layout(shape[0], stride[0]))
    return np.array([layout(i) for i in range(size(layout))]).reshape(-1, first).T


def of(layout: Any) -> Table:
    """The table of a layout that the package brings."""
    return table(layout.shape, layout.stride)


def elements(layout: LayoutMap, bits: int) -> dict[str, Table]:
    """Source coordinates of each element of each thread, [threads, elements].

    Asserts that the bits of an element stay together.
    """
    threads = 1
    for name, count in layout.destination.axes:
        threads *= count if name in ("warp", "lane") else 1
    flat = layout.table.reshape(threads, -1, bits)
    assert np.array_equal(flat, flat[:, :, :1] + np.arange(bits))
    return {name: np.asarray(v) for name, v in layout.source.coords(flat[:, :, 0]).items()}


def evaluate(shape: Any, stride: Any, index: Table) -> Table:
    """A layout at linear coordinates, colexicographic, for layouts too large to go through."""
    if isinstance(shape, int):
        return index * int(stride)
    total: Table = np.zeros_like(index)
    for part, step in zip(shape, stride, strict=True):
        count = int(np.prod(_leaves(part)))
        total = total + evaluate(part, step, index % count)
        index = index // count
    return total


def _leaves(shape: Any) -> list[int]:
    return [shape] if isinstance(shape, int) else [leaf for part in shape for leaf in _leaves(part)]
