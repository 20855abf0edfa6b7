"""Triton's random numbers: Philox 4x32-10 (Salmon et al., SC 2011)."""

from __future__ import annotations

from typing import Any

import numpy as np


def _philox(counter: int, seed: int) -> int:
    """The first word for the key (seed, 0) and the counter (counter, 0, 0, 0)."""
    mask = 2**32 - 1
    c = [counter, 0, 0, 0]
    k0, k1 = seed, 0
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * c[0], 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * c[2], 2**32)
        c = [high_1 ^ c[1] ^ k0, low_1, high_0 ^ c[3] ^ k1, low_0]
        k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
    return c[0]


def random_floats(count: int, seed: int) -> Any:
    """What `tl.rand` gives for 0, 1, ..: negative words are folded, then scaled to [0, 1)."""
    first = np.array([_philox(i, seed) for i in range(count)], dtype=np.uint32).view(np.int32)
    folded = np.where(first < 0, -first - 1, first).astype(np.float32)
    return folded * np.float32(4.6566127342e-10)
