"""Narrow floats of the runtime against ml_dtypes: every code, and roundings around every code."""

from __future__ import annotations

import ctypes

import ml_dtypes
import numpy as np
import pytest

from lanemap.emulator.codegen.compiler import native

FORMATS = {
    1: (np.float16, 16),
    2: (ml_dtypes.bfloat16, 16),
    3: (ml_dtypes.float8_e4m3fn, 8),
    4: (ml_dtypes.float8_e5m2, 8),
    5: (ml_dtypes.float6_e2m3fn, 6),
    6: (ml_dtypes.float6_e3m2fn, 6),
    7: (ml_dtypes.float4_e2m1fn, 4),
    10: (ml_dtypes.float8_e8m0fnu, 8),
}
decode = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_uint32, ctypes.c_uint32)(
    native().address("decode")
)
encode = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32, ctypes.c_float, ctypes.c_uint32)(
    native().address("encode")
)


def codes(number: int) -> np.ndarray:
    dtype, bits = FORMATS[number]
    return np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8).view(dtype)


@pytest.mark.parametrize("number", FORMATS)
def test_decode_every_code(number: int) -> None:
    expected = codes(number).astype(np.float32)
    got = np.array([decode(number, c) for c in range(len(expected))], np.float32)
    nan = np.isnan(expected)
    assert np.array_equal(np.isnan(got), nan)
    assert np.array_equal(got[~nan].view(np.uint32), expected[~nan].view(np.uint32))


@pytest.mark.parametrize("number", [n for n in FORMATS if n != 10])
def test_encode_rounds_to_nearest_even(number: int) -> None:
    dtype, bits = FORMATS[number]
    exact = codes(number).astype(np.float32)
    exact = np.unique(exact[np.isfinite(exact)])
    middle = (exact[:-1].astype(np.float64) + exact[1:].astype(np.float64)) / 2
    middle = middle.astype(np.float32)
    near = np.concatenate(
        [
            exact,
            middle,
            np.nextafter(middle, np.float32(np.inf)),
            np.nextafter(middle, np.float32(-np.inf)),
        ]
    )
    random = np.random.default_rng(7).standard_normal(2000).astype(np.float32)
    values = np.concatenate([near, random * np.abs(exact).max(), random * 1e-3])
    values = values[np.abs(values) <= np.abs(exact).max()]
    with np.errstate(all="ignore"):
        expected = values.astype(dtype).view(np.uint16 if bits == 16 else np.uint8)
    got = np.array([encode(number, float(v), 0) for v in values])
    zero = values == 0
    assert np.array_equal(got[~zero], expected[~zero])


@pytest.mark.parametrize(
    ("number", "largest", "overflow"),
    [
        (3, 448.0, "nan"),
        (4, 57344.0, "inf"),
        (5, 7.5, "largest"),
        (6, 28.0, "largest"),
        (7, 6.0, "largest"),
        (1, 65504.0, "inf"),
    ],
)
def test_encode_beyond_the_largest(number: int, largest: float, overflow: str) -> None:
    assert decode(number, encode(number, 1e9, 1)) == largest
    assert decode(number, encode(number, -1e9, 1)) == -largest
    without = decode(number, encode(number, 1e9, 0))
    assert {"nan": np.isnan(without), "inf": without == np.inf, "largest": without == largest}[
        overflow
    ]
