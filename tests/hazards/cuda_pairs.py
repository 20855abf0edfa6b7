"""CUDA kernels whose CTAs work together, and faults of them.

A file of `cuda/` is one kernel, correct as it is; each fault is a macro that its `#if` lines know.
The comment at a line's end names the faults that a report may find there: of a race either access.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.emulator.ptx.cuda import ptx

FOLDER = Path(__file__).resolve().parent / "cuda"
Words = NDArray[np.uint32]
#: Launches the kernel on a device and gives what it stored and what it should have.
Trial = Callable[[Any, Any], tuple[Words, Words]]


@dataclass(frozen=True)
class Work:
    """One kernel: how it is launched and checked, its faults with the hazard's kind and a word.

    `strict` names those that are reported under strict alone, because a vendor's sample has them.
    """

    trials: dict[str, Trial]
    faults: dict[str, tuple[str, str]] = field(default_factory=dict)
    strict: tuple[str, ...] = ()


def text(name: str, fault: str = "", target: str = "sm_90a") -> str:
    """The PTX of a kernel, with a fault if one is named."""
    define = f"#define {fault} 1\n" if fault else ""
    head = (FOLDER / "cluster.h").read_text() if name.startswith("cluster") else ""
    body = (FOLDER / f"{name}.cu").read_text()
    return ptx(f'{define}{head}#line 1 "{name}.cu"\n{body}', name=f"{name}.cu", target=target)


def marked(name: str, fault: str) -> set[int]:
    """The lines of the kernel's file whose comment names the fault."""
    lines = (FOLDER / f"{name}.cu").read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if re.search(rf"//.*\b{fault}\b", line)}


def numbers(count: int, below: int = 1 << 16) -> Words:
    """Words that repeat in every run."""
    return np.random.default_rng(count).integers(0, below, count, np.uint32)


def grid_barrier(ctas: int) -> Trial:
    """Two shifts of what the threads wrote."""

    def trial(device: Any, kernel: Any) -> tuple[Words, Words]:
        n = ctas * 64
        a, b, arrived = (device.zeros(size, np.uint32) for size in (n, n, 1))
        kernel(ctas, 64, (a, b, arrived))
        me = np.arange(n, dtype=np.uint32)
        shifted = np.roll(3 * me + 1, -64)
        return a.get(), 2 * np.roll(shifted, -5 * 64)

    return trial


def last_block(device: Any, kernel: Any) -> tuple[Words, Words]:
    """The sum of a vector."""
    values = numbers(10_000)
    parts, done, out = device.empty(9, np.uint32), *(device.zeros(1, np.uint32) for _ in range(2))
    kernel(9, 256, (device.array(values), np.uint32(len(values)), parts, done, out))
    return out.get(), np.array([values.sum(dtype=np.uint32)])


def reset_ticket(device: Any, kernel: Any) -> tuple[Words, Words]:
    """The sum of two launches, and the ticket after them."""
    parts, (ticket, out) = device.empty(5, np.uint32), (device.zeros(1, np.uint32) for _ in "ab")
    for _ in range(2):
        kernel(5, 1, (parts, ticket, out))
    return np.concatenate([out.get(), ticket.get()]), np.array([2 * (1 + 4 + 7 + 10 + 13), 0])


def relaxed_ticket(device: Any, kernel: Any) -> tuple[Words, Words]:
    """The last number drawn, what the ticket held then, and the ticket in the end."""
    ticket, out = device.zeros(1, np.uint32), device.zeros(2, np.uint32)
    kernel(5, 1, (ticket, out))
    return np.concatenate([out.get(), ticket.get()]), np.array([4, 5, 0])


def reuse_flag(device: Any, kernel: Any) -> tuple[Words, Words]:
    """The value that was handed over, and the flag."""
    data, flag, out = (device.zeros(1, np.uint32) for _ in range(3))
    kernel(2, 1, (data, flag, out))
    return np.concatenate([out.get(), flag.get()]), np.array([17, 2])


def look_back(backwards: bool) -> Trial:
    """The running sum of a vector."""

    def trial(device: Any, kernel: Any) -> tuple[Words, Words]:
        tiles = 13
        values = numbers(tiles * 128)
        out, sums, prefixes = (device.empty(n, np.uint32) for n in (tiles * 128, tiles, tiles))
        states = device.zeros(tiles, np.uint32)
        kernel(
            tiles, 128, (device.array(values), out, sums, prefixes, states, np.uint32(backwards))
        )
        return out.get(), np.cumsum(values, dtype=np.uint32)

    return trial


def split_k(device: Any, kernel: Any) -> tuple[Words, Words]:
    """A product of matrices."""
    rows, size, depth, slices = 4, 64, 37, 5
    a, b = numbers(rows * depth, 100).astype(np.int32), numbers(size * depth, 99).astype(np.int32)
    c, turn = device.empty(rows * size, np.int32), device.zeros(rows, np.uint32)
    kernel(
        (rows, slices),
        size,
        (device.array(a), device.array(b), c, turn, np.int32(size), np.int32(depth)),
    )
    expected = a.reshape(rows, depth) @ b.reshape(depth, size)
    return c.get().view(np.uint32), expected.reshape(-1).view(np.uint32)


def ring_buffer(device: Any, kernel: Any) -> tuple[Words, Words]:
    """What passed through the buffer, with the number of its round added."""
    rounds = 11
    values = numbers(rounds * 96)
    out, buffer = device.empty(rounds * 96, np.uint32), device.empty(4 * 96, np.uint32)
    full, free = device.zeros(4, np.uint32), device.zeros(4, np.uint32)
    kernel(2, 96, (device.array(values), out, buffer, full, free, np.uint32(rounds)))
    return out.get(), values + np.repeat(np.arange(rounds, dtype=np.uint32), 96)


def histogram(ctas: int, threads: int = 128) -> Trial:
    """Counts of 24 bins a CTA, over two clusters."""

    def trial(device: Any, kernel: Any) -> tuple[Words, Words]:
        bins = 24
        values = numbers(3000, bins * ctas)
        out = device.zeros(bins * ctas, np.uint32)
        kernel(
            2 * ctas,
            threads,
            (device.array(values), np.uint32(3000), out, np.uint32(bins)),
            4 * bins,
            ctas,
        )
        return out.get(), np.bincount(values, minlength=bins * ctas).astype(np.uint32)

    return trial


def reduce(ctas: int, threads: int = 64) -> Trial:
    """Sums of three clusters, with a million times each rank added."""

    def trial(device: Any, kernel: Any) -> tuple[Words, Words]:
        values = numbers(3 * ctas * threads, 1000)
        out = device.zeros(3, np.uint32)
        kernel(3 * ctas, threads, (device.array(values), out), cluster=ctas)
        sums = values.reshape(3, -1).sum(1) + 1_000_000 * sum(range(ctas))
        return out.get(), sums.astype(np.uint32)

    return trial


def ring(ctas: int) -> Trial:
    """What passed each CTA of two clusters, weighted by the round."""

    def trial(device: Any, kernel: Any) -> tuple[Words, Words]:
        rounds = 5
        out = device.empty(2 * ctas * 64, np.uint32)
        kernel(2 * ctas, 64, (out, np.uint32(rounds)), cluster=ctas)
        moved = (np.arange(2 * ctas)[:, None] * 1000 + np.arange(64)).reshape(2, ctas, 64)
        total = np.zeros_like(moved)
        for round_ in range(rounds):
            total += moved * (round_ + 1)
            moved = np.roll(moved, 1, axis=1)
        return out.get(), (total + moved).reshape(-1).astype(np.uint32)

    return trial


def halo(across: int, down: int) -> Trial:
    """Three steps on the torus of each of 2 x 1 clusters."""

    def trial(device: Any, kernel: Any) -> tuple[Words, Words]:
        height, width = 16 * down, 16 * across
        planes = numbers(2 * height * width, 1000).astype(np.int64).reshape(2, height, width)
        given = device.array(planes.astype(np.int32).reshape(-1))
        out = device.empty(planes.size, np.int32)
        kernel((2 * across, down), (16, 16), (given, out, np.int32(3)), cluster=(across, down))
        for _ in range(3):
            around = sum(np.roll(planes, shift, axis) for axis in (1, 2) for shift in (1, -1))
            planes = around - 3 * planes
        return out.get().view(np.uint32), planes.astype(np.int32).reshape(-1).view(np.uint32)

    return trial


def flag(ctas: int) -> Trial:
    """What the CTA before each one wrote."""

    def trial(device: Any, kernel: Any) -> tuple[Words, Words]:
        out = device.empty(ctas * 96, np.uint32)
        kernel(ctas, 96, (out,), cluster=ctas)
        writer = (np.arange(ctas)[:, None] - 1) % ctas
        return out.get(), (7 * writer + np.arange(96)).reshape(-1).astype(np.uint32)

    return trial


_RACE, _FENCE = ("order", "missing between them"), ("order", "at GPU scope")
_CLUSTER, _SCOPE = ("order", "cluster scope"), ("order", "GPU scope is missing")
_SIZES = (2, 4, 8, 16)
WORKS = {
    "grid_barrier": Work(
        {"4 CTAs": grid_barrier(4), "132 CTAs": grid_barrier(132)},
        {"NO_RELEASE": _FENCE, "NO_ACQUIRE": _FENCE, "NO_WAIT": _FENCE},
    ),
    "last_block": Work(
        {"": last_block}, {"NO_RELEASE": _FENCE, "NO_ACQUIRE": _FENCE, "NARROW": _SCOPE},
        ("NO_ACQUIRE",),
    ),
    "reset_ticket": Work({"": reset_ticket}, {"RELAXED": _FENCE, "FIRST": _FENCE}),
    "relaxed_ticket": Work({"": relaxed_ticket},
                           {"NARROW": _SCOPE, "BROKEN": _FENCE, "FIRST": _FENCE}),
    "reuse_flag": Work({"": reuse_flag}, {"RELAXED": _FENCE, "BLIND": _FENCE}),
    "look_back": Work(
        {"forwards": look_back(False), "backwards": look_back(True)},
        {"NO_RELEASE": _FENCE, "NO_ACQUIRE": _FENCE},
    ),
    "split_k": Work(
        {"": split_k}, {"NO_RELEASE": _FENCE, "NO_ACQUIRE": _FENCE, "NO_WAIT": _FENCE}
    ),
    "ring_buffer": Work(
        {"": ring_buffer},
        {"NO_RELEASE": _FENCE, "NO_ACQUIRE": _FENCE, "HASTY": _FENCE, "NARROW": _SCOPE},
    ),
    "cluster_histogram": Work(
        {f"{n} CTAs": histogram(n) for n in _SIZES} | {"2 CTAs of 32 warps": histogram(2, 1024)},
        {"NO_FIRST": _RACE, "NO_LAST": _CLUSTER},
    ),
    "cluster_reduce": Work(
        {f"{n} CTAs": reduce(n) for n in _SIZES} | {"8 CTAs of 8 warps": reduce(8, 256),
                                                    "4 CTAs of 32 warps": reduce(4, 1024)},
        {"NO_SYNC": _CLUSTER, "BEYOND": ("out-of-bounds", "CTA 4 of the cluster, which has 4"),
         "EXIT": ("ended-cta", "of the cluster")},
    ),
    "cluster_ring": Work(
        {f"{n} CTAs": ring(n) for n in _SIZES},
        {"RELAXED": _CLUSTER, "LATE": _CLUSTER, "TWICE": _CLUSTER, "AGAIN": ("rule", "again")},
    ),
    "cluster_halo": Work(
        {f"{x} x {y} CTAs": halo(x, y) for x, y in ((2, 1), (2, 2), (4, 2), (1, 4), (4, 4))},
        {"NO_SYNC": _CLUSTER},
    ),
    "cluster_flag": Work(
        {f"{n} CTAs": flag(n) for n in (2, 5)},
        {"NO_RELEASE": _CLUSTER, "NO_ACQUIRE": _CLUSTER, "CTA_FENCES": _CLUSTER},
    ),
}  # fmt: skip
