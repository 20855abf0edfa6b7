"""A device of a few lines for tests: it runs the chunk-read kernels' contract in NumPy.

It takes the arguments as the kernels take them (addresses, LDS images, output, threads) and moves
bits by a rule of its own, so that probes are tested against rules that no emulator holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# (wave's 64 addresses) -> memory bit of every (lane, register bit), shape (64, bits)
Rule = Callable[[np.ndarray, int], np.ndarray]


@dataclass
class Buffer:
    data: np.ndarray

    def get(self) -> np.ndarray:
        return self.data.copy()


@dataclass
class StandIn:
    rule: Rule
    name = "emulator"
    evidence = "emulator"
    hazards = ()

    def array(self, data: np.ndarray) -> Buffer:
        return Buffer(np.array(data))

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Buffer:
        return Buffer(np.zeros(shape, dtype))

    def load(self, source: str) -> StandIn:
        return self

    def __getitem__(self, entry: str) -> Callable[..., None]:
        return self._launch

    def _launch(self, grid: Any, block: Any, args: list[Any], **_: Any) -> None:
        addresses, images, output, threads = args
        bits = np.unpackbits(images.data, axis=1, bitorder="little")
        passes, _, registers = output.data.shape
        assert grid == (passes, 1, 1) and block == (int(threads), 1, 1)
        for wave in range(int(threads) // 64):
            own = slice(64 * wave, 64 * wave + 64)
            where = self.rule(addresses.data[own].astype(np.int64), registers * 32)
            moved = bits[:, where.reshape(-1) % bits.shape[1]].reshape(passes, 64, registers, 32)
            octets = np.packbits(moved, axis=-1, bitorder="little")
            output.data[:, own] = octets.view("<u4")[..., 0]


def chunk_rule(lane: np.ndarray, offset: np.ndarray, cell_bits: int) -> Rule:
    """mem[addr[lane] + offset] for every (lane, cell); offset counted in cells."""

    def rule(addresses: np.ndarray, bits: int) -> np.ndarray:
        first = 8 * addresses[lane] + cell_bits * offset
        return (first[..., None] + np.arange(cell_bits)).reshape(64, bits)

    return rule


def grid(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """The lane and the cell of every register cell, each of shape (64, cells)."""
    return np.meshgrid(np.arange(64), np.arange(cells), indexing="ij")
