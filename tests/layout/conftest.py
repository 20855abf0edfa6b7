"""CUTLASS's published layouts of the tensor-memory loads, as layout maps."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.layout import LayoutMap, Space

DATA = Path(__file__).parent / "data" / "cutlass_sm100_tmem_load.json"
LANE_BITS = 2**21


@dataclass(frozen=True)
class Atom:
    """One atom: its PTX shape and the four tuples of its two CuTe layouts."""

    name: str
    ptx: str
    half_split: int | None
    register_shape: Any
    register_stride: Any
    tmem_shape: Any
    tmem_stride: Any

    @property
    def layout(self) -> LayoutMap:
        """register[thread 32, register, bit 32] from tmem[lane 128, column 512, bit 32]."""
        threads, values = self.register_shape
        thread = unfold(threads, self.register_stride[0])
        value = unfold(values, self.register_stride[1])
        address = unfold(self.tmem_shape, self.tmem_stride)[thread[:, None] + value[None, :]]
        registers = value.size // 32
        register_space = Space("register", (("thread", 32), ("register", registers), ("bit", 32)))
        tmem = Space("tmem", (("lane", 128), ("column", 512), ("bit", 32)))
        cells = address // LANE_BITS * (512 * 32) + address % LANE_BITS
        return LayoutMap(register_space, tmem, cells.reshape(-1))


def unfold(shape: Any, stride: Any) -> np.ndarray:
    """The values of a nested shape:stride in CuTe's order, the first mode the fastest."""
    if isinstance(shape, int):
        return np.arange(shape, dtype=np.int64) * stride
    values = np.zeros(1, dtype=np.int64)
    for part, step in zip(shape, stride, strict=True):
        values = (values[None, :] + unfold(part, step)[:, None]).reshape(-1)
    return values


def read_atoms() -> list[Atom]:
    return [Atom(*row) for row in json.loads(DATA.read_text())["atoms"]]


@dataclass(frozen=True)
class PublishedVariant:
    """What the planner asks of a variant: its name and its map."""

    name: str
    map: LayoutMap


@pytest.fixture(scope="session")
def cutlass_atoms() -> list[Atom]:
    return read_atoms()


@pytest.fixture(scope="session")
def cutlass_variants(cutlass_atoms: list[Atom]) -> list[PublishedVariant]:
    """All 74 loads and, since stores have the same maps, all 74 stores."""
    found = []
    for atom in cutlass_atoms:
        load = atom.layout
        found.append(PublishedVariant(f"tcgen05.ld.{atom.ptx}", load))
        store = atom.ptx.replace(".pack::16b", ".unpack::16b")
        found.append(PublishedVariant(f"tcgen05.st.{store}", load.inverse()))
    return found


@pytest.fixture(scope="session")
def unfolded() -> Callable[[Any, Any], np.ndarray]:
    """`unfold`, for tests that have shapes and strides of their own."""
    return unfold
