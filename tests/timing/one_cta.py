"""Launches of the kernels of one_cta.cu, each compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SOURCE = Path(__file__).resolve().parent / "one_cta.cu"
#: Words of `in` and `out`.
WORDS = 4096
Words = NDArray[np.uint32]
#: What a kernel writes first to `out`, by `in`, turns and threads.
Oracle = Callable[[Words, int, int], Words]


@dataclass(frozen=True)
class Launch:
    """One launch: of a kernel, with so many turns and warps."""

    kernel: str
    turns: int
    warps: int

    def __call__(self, device: Any, text: str) -> Words:
        """Launch, compare, and return the cycles of each warp.

        Raises:
            AssertionError: the result is not that of NumPy.
        """
        given = np.random.default_rng(11).integers(0, 1 << 32, WORDS, np.uint32)
        given = given % WORDS if self.kernel == "pursuit" else given
        out, clocks = device.zeros(WORDS, np.uint32), device.zeros(2 * self.warps, np.int64)
        arguments = device.array(given), out, np.int32(self.turns), clocks
        device.load(text)[self.kernel](1, 32 * self.warps, arguments)
        expected = ORACLES[self.kernel](given, self.turns, 32 * self.warps)
        found = out.get()[: len(expected)]
        if self.kernel in ROUNDED:
            np.testing.assert_allclose(found.view(np.float32), expected.view(np.float32), 1e-4)
        else:
            np.testing.assert_array_equal(found, expected)
        return np.diff(clocks.get().reshape(-1, 2))[:, 0]


def _hash(given: Words, turns: int, threads: int) -> Words:
    x = given.reshape(4, 1024)[:, :threads].copy()
    for _ in range(turns):
        x ^= x >> 16
        x *= np.uint32(0x85EBCA6B)
        x ^= x >> 13
        x *= np.uint32(0xC2B2AE35)
    return x[0]


def _polynomial(given: Words, turns: int, threads: int, constant: float) -> Words:
    x, y = (given[:threads] % 64) / 64.0, np.zeros(threads)
    for _ in range(turns):
        y = y * x + constant
    return y.astype(np.float32).view(np.uint32)


def _pipes(given: Words, turns: int, threads: int) -> Words:
    u, v = given[:threads].copy(), given[:threads] | 1
    for _ in range(turns):
        u = u * 5 + 1
        v ^= u
    return u ^ v


def _tree(given: Words, turns: int, threads: int) -> Words:
    total = sum(int(given[:threads].sum(dtype=np.uint64)) + n * threads for n in range(turns))
    return np.full(threads, total & 0xFFFFFFFF, np.uint32)


def _scan(given: Words, turns: int, threads: int) -> Words:
    x = given[:threads].copy()
    for _ in range(turns):
        x = np.cumsum(x, dtype=np.uint32)
    return x


def _transpose(given: Words, turns: int, threads: int) -> Words:
    tile = given[:1024].reshape(32, 32)
    for _ in range(turns):
        tile = tile.T + np.uint32(1)
    return tile.ravel()


def _collatz(given: Words, turns: int, threads: int) -> Words:
    x, steps = given[:threads].astype(np.int64) % 97 + 1, np.zeros(threads, np.uint32)
    for _ in range(turns):
        steps += x != 1
        x = np.where(x == 1, 1, np.where(x & 1, 3 * x + 1, x // 2))
    return steps


def _histogram(given: Words, turns: int, threads: int) -> Words:
    found = np.zeros(16, np.uint32)
    for n in range(turns):
        found += np.bincount(given[:threads] >> n & 15, minlength=16).astype(np.uint32)
    return found


def _relay(given: Words, turns: int, threads: int) -> Words:
    word = int(given[0])
    for _ in range(turns):
        for warp in range(threads // 32):
            word = word * 3 + warp & 0xFFFFFFFF
    return np.array([word], np.uint32)


def _products(given: Words, columns: int, depth: int) -> Words:
    a = (given[: 64 * depth] & 1).reshape(64, depth)
    b = np.where(given[: columns * depth] & 2, 1, 2).reshape(columns, depth)
    return (a @ b.T).astype(np.uint32)


def _product(given: Words, turns: int, threads: int) -> Words:
    rows = min(threads // 32, 4) * 16
    return (turns * _products(given, 64, 64)[:rows]).ravel()


def _warpgroups(given: Words, turns: int, threads: int) -> Words:
    return (4 * turns * _products(given, 32, 16)).ravel()


def _tiles(given: Words, turns: int, threads: int) -> Words:
    sums = np.zeros(threads, np.uint32)
    for n in range(turns):
        for i in range(4):
            sums += given[n % 4 * 1024 + (np.arange(threads) + i * 256) % 1024]
    return sums


def _pursuit(given: Words, turns: int, threads: int) -> Words:
    at = np.arange(threads, dtype=np.uint32)
    for _ in range(turns):
        at = given[at] % WORDS
    return at


ORACLES: dict[str, Oracle] = {
    "hash": _hash,
    "chain": lambda given, turns, threads: _polynomial(given, turns, threads, 0.5),
    "doubles": lambda given, turns, threads: _polynomial(given, turns, threads, 0.5),
    "pipes": _pipes,
    "tree": _tree,
    "scan": _scan,
    "transpose_32": _transpose,
    "transpose_33": _transpose,
    "bitonic": lambda given, turns, threads: np.sort(given[: 2 * threads]),
    "histogram": _histogram,
    "collatz": _collatz,
    "relay": _relay,
    "product": _product,
    "warpgroups": _warpgroups,
    "staged": _tiles,
    "ring": _tiles,
    "pursuit": _pursuit,
}
#: Kernels of floats.
ROUNDED = ("chain", "doubles")
#: Turns and warps of each kernel.
_SIZES: dict[str, tuple[int, tuple[int, ...]]] = {
    "hash": (64, (1, 4, 8, 16, 32)),
    "chain": (256, (1, 4, 16, 32)),
    "doubles": (64, (1, 4, 8)),
    "pipes": (128, (1, 4, 16)),
    "tree": (8, (4, 8, 32)),
    "scan": (8, (4, 8, 32)),
    "transpose_32": (8, (8,)),
    "transpose_33": (8, (8,)),
    "bitonic": (1, (4, 16, 32)),
    "histogram": (16, (1, 8)),
    "collatz": (100, (1, 8)),
    "relay": (16, (2, 8, 32)),
    "product": (16, (1, 4, 8)),
    "warpgroups": (16, (4, 8)),
    "staged": (32, (8,)),
    "ring": (32, (4, 8)),
    "pursuit": (32, (1, 8)),
}
LAUNCHES = tuple(
    Launch(kernel, turns, warps) for kernel, (turns, each) in _SIZES.items() for warps in each
)
