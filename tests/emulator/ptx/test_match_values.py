"""match.sync and shfl.sync.idx of any values, against NumPy.

Values are compared by hashes of 16 bits first, so some of these have the hash of another one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests import ptx

HASH = 0x9E3779B1  # of lanemap/emulator/ptx/c/ptx_exchange.c
BODY = """\
.reg .b32 %t, %v, %s, %m, %n, %x; .reg .b64 %o, %w; .reg .pred %p;
mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %b, %b, %o; add.u64 %c, %c, %o;
add.u64 %d, %d, %o; add.u64 %e, %e, %o; add.u64 %o, %o, %o; add.u64 %a, %a, %o;
ld.global.b64 %w, [%a]; cvt.u32.u64 %v, %w; ld.global.b32 %s, [%b];
match.any.sync.b32 %m, %v, -1; match.any.sync.b64 %n, %w, -1;
shfl.sync.idx.b32 %x, %v, %s, 31, -1;
st.global.b32 [%c], %m; st.global.b32 [%d], %n; st.global.b32 [%e], %x;"""


def alike() -> list[int]:
    """Different words with one hash."""
    found: dict[int, list[int]] = {}
    for word in range(1 << 20):
        same = found.setdefault(word * HASH >> 16 & 0xFFFF, [])
        same.append(word)
        if len(same) == 4:
            return same
    raise AssertionError("no words with one hash")


def values(kind: str) -> NDArray[np.uint64]:
    rng = np.random.default_rng(len(kind))
    if kind == "few":
        return rng.integers(0, 6, 32).astype(np.uint64)
    if kind == "halves":  # words that differ in 16 bits alone
        return rng.integers(0, 1 << 16, 8).astype(np.uint64)[rng.integers(0, 8, 32)] | 0xABCD0000
    if kind == "bits":
        return np.uint64(1) << np.arange(32, dtype=np.uint64)
    if kind == "one hash":
        return np.array(alike(), np.uint64)[rng.integers(0, 4, 32)]
    low = rng.integers(0, 1 << 32, 8, np.uint64)[rng.integers(0, 8, 32)]
    return low | rng.integers(0, 2, 32).astype(np.uint64) << np.uint64(63)


@pytest.mark.parametrize("kind", ["few", "halves", "bits", "one hash", "wide"])
def test_lanes_with_a_lane_s_value(kind: str) -> None:
    given, from_ = values(kind), np.random.default_rng(1).integers(0, 32, 32).astype(np.uint32)
    out = [np.zeros(32, np.uint32) for _ in range(3)]
    *_, words, wide, moved = ptx.launch(ptx.entry(BODY, "a b c d e"), given, from_, *out)

    def masks(of: NDArray[Any]) -> list[int]:
        return [sum(1 << i for i in range(32) if of[i] == x) for x in of]

    low = given.astype(np.uint32)
    assert words.tolist() == masks(low)
    assert wide.tolist() == masks(given)
    assert moved.tolist() == low[from_].tolist()
