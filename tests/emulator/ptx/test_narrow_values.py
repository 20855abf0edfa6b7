"""Conversions from and to formats of 4, 6 and 8 bits, against ml_dtypes.

NVIDIA PTX ISA, Data Movement and Conversion: cvt. What cannot be held is clamped (.satfinite), a
NaN becomes the format's, or the greatest number where there is none.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from tests import ptx

TYPES: dict[str, Any] = {
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
    "e2m3": ml_dtypes.float6_e2m3fn, "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
FP8 = ("e4m3", "e5m2")
BITS = {"e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4}
#: Between elements of a pair; those of 6 bits lie in bytes.
STEP = {"e2m1": 4}
LOADS = """\
.reg .b32 %i, %w, %x, %y; .reg .b16 %h; .reg .b8 %n; .reg .f32 %f, %g; .reg .b64 %o;
mov.u32 %i, %ctaid.x; mad.lo.u32 %i, %i, 32, 0; mov.u32 %x, %tid.x; add.u32 %i, %i, %x;
mul.wide.u32 %o, %i, 8; add.u64 %given, %given, %o; mul.wide.u32 %o, %i, 4; add.u64 %out, %out, %o;
ld.global.v2.b32 {%x, %y}, [%given]; mov.b32 %f, %x; mov.b32 %g, %y; cvt.u16.u32 %h, %x;
"""


def _run(body: str, given: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """What is in %w for each row of two words."""
    out = np.zeros(len(given), np.uint32)
    text = ptx.entry(f"{LOADS}{body}\nst.global.b32 [%out], %w;", "given out", target="sm_100a")
    *_, got = ptx.launch(text, given, out, grid=len(given) // 32)
    return got


def _value(kind: str, code: NDArray[Any]) -> NDArray[np.float32]:
    return code.astype(np.uint8).view(TYPES[kind]).astype(np.float32)


def _halves(kind: str, codes: NDArray[Any], relu: bool) -> NDArray[np.uint16]:
    value = _value(kind, codes & (1 << BITS[kind]) - 1)
    value = np.where(relu & np.signbit(value) & ~np.isnan(value), np.float32(0), value)
    return np.where(np.isnan(value), 0x7FFF, value.astype(np.float16).view(np.uint16))


@pytest.mark.parametrize("relu", ["", ".relu"])
@pytest.mark.parametrize("kind", TYPES)
def test_every_pair_of_codes_has_its_value(kind: str, relu: str) -> None:
    step = STEP.get(kind, 8)
    low = np.arange(1 << step, dtype=np.uint32)
    high = (low * 37 + 11) % (1 << step)
    given = np.zeros((max(len(low), 32), 2), np.uint32)
    given[: len(low), 0] = low | high << step
    source = "%h"
    take = ""
    if kind == "e2m1":
        source, take = "%n", "cvt.u8.u32 %n, %x; "
    got = _run(f"{take}cvt.rn{relu}.f16x2.{kind}x2 %w, {source};", given)[: len(low)]
    assert np.array_equal(got & 0xFFFF, _halves(kind, low, bool(relu)))
    assert np.array_equal(got >> 16, _halves(kind, high, bool(relu)))


def _numbers(kind: str) -> NDArray[np.float32]:
    """Every number of a format, what lies half way, beside that, and beyond; NaN of any bits."""
    own = np.unique(_value(kind, np.arange(1 << BITS[kind])))
    own = own[np.isfinite(own)]
    middle = (own[1:] + own[:-1]) / 2
    near = [np.nextafter(middle, np.float32(way)) for way in (-np.inf, np.inf)]
    rest = np.array([np.inf, -np.inf, np.nan, -np.nan, 1e30, -1e30, 1e-30, -1e-30, 0.0, -0.0])
    odd = np.array([0x7F800001, 0xFFC12345], np.uint32).view(np.float32)
    parts = (own, middle, *near, own.max() * np.array([1.01, 1.07, 2]), rest, odd)
    every = np.concatenate([np.asarray(part, np.float32) for part in parts])
    return np.resize(every, -(-len(every) // 32) * 32)


def _codes(kind: str, value: NDArray[np.float32], relu: bool) -> NDArray[np.uint32]:
    nan = np.isnan(value)
    greatest = float(ml_dtypes.finfo(TYPES[kind]).max)
    kept = np.clip(np.where(relu & (value < 0), 0, value), -greatest, greatest)
    kept = np.where(nan, greatest, kept)
    kept = np.where(relu & (kept == 0), 0, kept)
    codes = kept.astype(np.float32).astype(TYPES[kind]).view(np.uint8).astype(np.uint32)
    return np.where(nan & (kind in FP8), 0x7F, codes)


@pytest.mark.parametrize("relu", ["", ".relu"])
@pytest.mark.parametrize("kind", TYPES)
def test_numbers_round_to_the_nearest_code(kind: str, relu: str) -> None:
    value, step = _numbers(kind), STEP.get(kind, 8)
    other = np.roll(value, 7)
    given = np.stack([value.view(np.uint32), other.view(np.uint32)], 1)
    if kind == "e2m1":
        body = f"cvt.rn.satfinite{relu}.{kind}x2.f32 %n, %f, %g; cvt.u32.u8 %w, %n;"
    else:
        body = f"cvt.rn.satfinite{relu}.{kind}x2.f32 %h, %f, %g; cvt.u32.u16 %w, %h;"
    expected = _codes(kind, value, bool(relu)) << step | _codes(kind, other, bool(relu))
    assert np.array_equal(_run(body, given), expected)


@pytest.mark.parametrize("relu", ["", ".relu"])
@pytest.mark.parametrize("kind", FP8)
def test_halves_round_to_the_nearest_code(kind: str, relu: str) -> None:
    low = np.arange(1 << 16, dtype=np.uint32)[:: 1 if kind == "e4m3" else 3]
    low = low[: len(low) // 32 * 32]
    high = low[::-1]
    given = np.stack([low | high << 16, low], 1)
    body = f"cvt.rn.satfinite{relu}.{kind}x2.f16x2 %h, %x; cvt.u32.u16 %w, %h;"

    def codes(bits: NDArray[Any]) -> NDArray[np.uint32]:
        value = bits.astype(np.uint16).view(np.float16).astype(np.float32)
        return _codes(kind, value, bool(relu))

    assert np.array_equal(_run(body, given), codes(high) << 8 | codes(low))


def test_every_exponent_is_a_power_of_two() -> None:
    low = np.arange(256, dtype=np.uint32)
    high = low[::-1]
    got = _run("cvt.rn.bf16x2.ue8m0x2 %w, %h;", np.stack([low | high << 8, low], 1))

    def powers(codes: NDArray[Any]) -> NDArray[np.uint32]:
        value = codes.astype(np.uint8).view(ml_dtypes.float8_e8m0fnu).astype(np.float32)
        bits = value.astype(ml_dtypes.bfloat16).view(np.uint16)
        return np.where(np.isnan(value), 0x7FFF, bits).astype(np.uint32)

    assert np.array_equal(got, powers(low) | powers(high) << 16)


@pytest.mark.parametrize("finite", ["", ".satfinite"])
@pytest.mark.parametrize("mode", ["rz", "rp"])
def test_the_exponent_of_a_magnitude(mode: str, finite: str) -> None:
    """As __nv_cvt_float_to_e8m0 of cuda_fp8.hpp: NaN is 0xff, and .satfinite holds infinity."""
    codes = [e << 23 | f for e in (0, 1, 2, 127, 253, 254, 255)
             for f in (0, 1, 0x400000, 0x400001, 0x7FFFFF)]  # fmt: skip
    rng = np.random.default_rng(4)
    every = np.array([code | sign << 31 for code in codes for sign in (0, 1)], np.uint32)
    given = np.stack([np.resize(every, 96), rng.permutation(np.resize(every, 96))], 1)
    got = _run(f"cvt.{mode}{finite}.ue8m0x2.f32 %h, %f, %g; cvt.u32.u16 %w, %h;", given)

    def code(bits: int) -> int:
        size = bits & 0x7FFFFFFF
        if size > 0x7F800000:
            return 0xFF
        up = mode == "rp" and size & 0x7FFFFF and size > 0x400000 and size < 0x7F800000
        made = (size >> 23) + bool(up)
        return min(made, 0xFE) if finite else made

    assert got.tolist() == [code(x) << 8 | code(y) for x, y in given.tolist()]
