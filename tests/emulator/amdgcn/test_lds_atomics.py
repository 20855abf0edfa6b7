"""Every atomic of LDS, with and without a result, on words of each lane's own, against Python.

AMD CDNA4 ISA, chapter 12, DS instructions. Lanes that share words: test_memory.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .machine import run, words

Operation = Callable[[Any, Any], Any]
#: m is what is in memory, d the data; numbers as the suffix has them.
WRAPPING: dict[str, Operation] = {
    "add": lambda m, d: m + d, "sub": lambda m, d: m - d, "rsub": lambda m, d: d - m,
    "inc": lambda m, d: 0 if m >= d else m + 1,
    "dec": lambda m, d: d if m == 0 or m > d else m - 1,
}  # fmt: skip
BITWISE: dict[str, Operation] = {
    "and": lambda m, d: m & d, "or": lambda m, d: m | d, "xor": lambda m, d: m ^ d,
}  # fmt: skip
CASES: dict[str, Operation] = {
    f"{name}_{kind}{bits}": operation
    for bits in (32, 64)
    for kinds, operations in (
        ("u", WRAPPING), ("b", BITWISE), ("iuf", {"min": min, "max": max}),
    )
    for kind in kinds
    for name, operation in operations.items()
}  # fmt: skip
DTYPES = {"u32": np.uint32, "b32": np.uint32, "i32": np.int32, "f32": np.float32,
          "u64": np.uint64, "b64": np.uint64, "i64": np.int64, "f64": np.float64}  # fmt: skip
WAIT = "s_waitcnt lgkmcnt(0)\n"


def samples(kind: str, seed: int) -> Any:
    """64 values; of floats numbers of both signs."""
    if kind[0] == "f":
        return np.random.default_rng(seed).normal(size=64).astype(DTYPES[kind])
    return words(seed, 64 * int(kind[1:]) // 32).view(DTYPES[kind])


def registers(values: Any) -> list[Any]:
    """By lane, one register of 32-bit words or two."""
    return list(values.view(np.uint32).reshape(64, -1).T)


def returned(mnemonic: str, *data: Any) -> list[Any]:
    """Memory of the two forms afterwards, and the old value; by the first operand's type."""
    bits = 8 * data[0].itemsize
    given = [register for each in data for register in registers(each)]
    count = bits // 32
    places = [f"v{10 + n}" if count == 1 else f"v[{10 + 2 * n}:{11 + 2 * n}]"
              for n in range(len(data))]  # fmt: skip
    out = [f"v{n}" if count == 1 else f"v[{n}:{n + 1}]" for n in (20, 22, 24)]
    stem, _, suffix = mnemonic.rpartition("_")
    operands = ", ".join(places[1:])
    text = f"""v_lshlrev_b32 v2, {1 + count}, v0
ds_write_b{bits} v2, {places[0]}
ds_write_b{bits} v2, {places[0]} offset:1024
{WAIT}ds_{mnemonic} v2, {operands}
ds_{stem}_rtn_{suffix} {out[2]}, v2, {operands} offset:1024
{WAIT}ds_read_b{bits} {out[0]}, v2
ds_read_b{bits} {out[1]}, v2 offset:1024
{WAIT}"""
    names = [f"v{n + part}" for n in (20, 22, 24) for part in range(count)]
    found = run(text, given, names)
    parts = [found[at : at + count] for at in range(0, 3 * count, count)]
    return [np.ascontiguousarray(part.T).reshape(-1).view(data[0].dtype) for part in parts]


@pytest.mark.parametrize("name", CASES)
def test_the_result_stays_in_memory_and_the_old_value_returns(name: str) -> None:
    kind = name.rpartition("_")[2]
    memory, data = samples(kind, 901), samples(kind, 902)
    data[:8] = memory[:8]
    quiet, returning, old = returned(name, memory, data)
    wide = 1 << int(kind[1:])
    expected = [CASES[name](m, d) for m, d in zip(memory.tolist(), data.tolist(), strict=True)]
    if kind[0] in "ub":
        expected = [each % wide for each in expected]
    np.testing.assert_array_equal(quiet, np.array(expected, memory.dtype))
    np.testing.assert_array_equal(returning, quiet)
    np.testing.assert_array_equal(old, memory)


@pytest.mark.parametrize("bits", [32, 64])
def test_what_is_equal_is_exchanged(bits: int) -> None:
    """DATA is compared, DATA2 stored."""
    memory, other, new = (samples(f"b{bits}", seed) for seed in (903, 904, 905))
    equal = np.arange(64) % 3 == 0
    compared = np.where(equal, memory, other)
    quiet, returning, old = returned(f"cmpst_b{bits}", memory, compared, new)
    np.testing.assert_array_equal(quiet, np.where(memory == compared, new, memory))
    np.testing.assert_array_equal(returning, quiet)
    np.testing.assert_array_equal(old, memory)
