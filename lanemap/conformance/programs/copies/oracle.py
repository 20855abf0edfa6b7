"""Results of programs of asynchronous copies, computed with NumPy from their choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lanemap.conformance.programs.copies.choices import (
    THREADS,
    WARP,
    BulkRing,
    Exchange,
    Part,
    Ring,
    Store,
)

Words = npt.NDArray[np.uint32]
_THREAD = np.arange(THREADS)
#: NumPy's types of the elements of reductions.
DTYPES: dict[str, Any] = {
    "u32": np.uint32, "s32": np.int32, "b32": np.uint32, "u64": np.uint64, "s64": np.int64,
    "b64": np.uint64, "f32": np.float32, "f64": np.float64, "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}  # fmt: skip


def _inc(old: Any, bound: Any) -> Any:
    return np.where(old >= bound, 0, old + np.uint32(1))


def _dec(old: Any, bound: Any) -> Any:
    return np.where((old == 0) | (old > bound), bound, old - np.uint32(1))


_OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "inc": _inc, "dec": _dec,
}  # fmt: skip


def reduced(operation: str, old: Words, given: Words) -> Words:
    """Return what a reduction leaves of words."""
    name, *_, kind = operation.split(".")
    dtype = DTYPES[kind]
    a, b = np.ascontiguousarray(old).view(dtype), np.ascontiguousarray(given).view(dtype)
    with np.errstate(over="ignore"):
        result = _OPERATIONS[name](a, b).astype(dtype)
    return np.asarray(np.ascontiguousarray(result).view(np.uint32))


def _folded(sums: Words, values: Words) -> Words:
    """Fold words of each thread, [thread, word], into its sum."""
    for word in values.T:
        sums = (sums * np.uint32(33) + word).astype(np.uint32)
    return sums


def of_ring(part: Ring, given: Words) -> Words:
    """Return each thread's sum; `given` has 4 words for each trip and thread of a CTA."""
    data = given.reshape(part.trips, THREADS, 4)
    sums = np.zeros(THREADS, np.uint32)
    for trip in range(part.trips):
        copied = data[trip].copy().view(np.uint8)
        copied[:, part.size :] = 0
        count = part.counts[trip]
        if count is not None:
            copied[:, count:] = 0
        if part.ignored[trip]:
            copied[1::2] = 0
        stage = np.empty_like(copied)
        stage[_THREAD ^ part.write] = copied
        seen = stage[_THREAD ^ part.read].view(np.uint32)[:, : part.size // 4]
        sums = _folded(sums, seen)
    return sums


def of_bulk_ring(part: BulkRing, given: Words) -> Words:
    """Return each thread's sum; threads of the producing warp have none."""
    data = given.reshape(part.trips, THREADS, part.words)
    sums = np.zeros(THREADS, np.uint32)
    for trip in range(part.trips):
        sums = _folded(sums, data[trip][_THREAD ^ part.read])
    sums[part.producer == _THREAD // WARP] = 0
    return sums


def of_store(part: Store, given: Words, old: Words) -> Words:
    """Return what is in global memory; `given` and `old` have 4 words for each thread of a CTA."""
    return given if not part.operation else reduced(part.operation, old, given)


def of_exchange(part: Exchange, given: Words) -> Words:
    """Return each thread's sum of what its CTA received; `given` is the neighbor's.

    Words that are reduced are 3 before, and others 0.
    """
    count = part.words
    sent = given.reshape(THREADS, 4)[:, :count]
    if part.kind in ("red.async", "reduce"):
        sent = reduced(part.suffix, np.full_like(sent, 3), sent).reshape(THREADS, count)
    return _folded(np.zeros(THREADS, np.uint32), sent[_THREAD ^ part.read])


def words_given(part: Part) -> int:
    """Return how many words of input a CTA has for a part."""
    if isinstance(part, Ring):
        return part.trips * THREADS * 4
    if isinstance(part, BulkRing):
        return part.trips * THREADS * part.words
    return THREADS * 4
