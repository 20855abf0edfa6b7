"""Conversions and packed arithmetic against NumPy, ml_dtypes and exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from .machine import run, words
from .numbers import Array, assert_same, exact_fma, from_registers, registers, rounded, samples

Words = NDArray[np.uint32]
INTEGERS = {"i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32}
#: OCP formats of ml_dtypes: the bits of a code and the type.
NARROW = {
    "fp8": (8, ml_dtypes.float8_e4m3fn), "bf8": (8, ml_dtypes.float8_e5m2),
    "fp4": (4, ml_dtypes.float4_e2m1fn),
}  # fmt: skip


@pytest.fixture(autouse=True)
def quiet_numpy() -> Any:
    with np.errstate(all="ignore"):
        yield


def one(text: str, sources: list[Array], count: int = 1, **options: Any) -> Words:
    """v20 (and v21) after an instruction on the words of the sources in v10.."""
    rows = [row for source in sources for row in registers(source)]
    return run("v_mov_b32 v20, -1\n" + text, rows, ["v20", "v21"][:count], **options)


# -- integers -------------------------------------------------------------------------------------


def saturated(value: float, kind: str) -> int:
    info = np.iinfo(INTEGERS[kind])
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return int(info.max if value > 0 else info.min)
    return max(int(info.min), min(int(info.max), math.trunc(value)))


@pytest.mark.parametrize("pair", ["i32_f32", "u32_f32", "i32_f64", "u32_f64", "i16_f16", "u16_f16"])
def test_to_integers_saturates(pair: str) -> None:
    to, source = pair.split("_")
    a = samples(source, 40)
    a[:6] = np.array([2.0**31, -(2.0**31), 2.0**32, 2147483520.0, -0.75, 3.99], a.dtype)
    place = "v[10:11]" if source == "f64" else "v10"
    (found,) = one(f"v_cvt_{pair} v20, {place}", [a])
    mask = 0xFFFF if to[1:] == "16" else 0xFFFFFFFF
    assert found.tolist() == [saturated(x, to) & mask for x in a.tolist()]


@pytest.mark.parametrize("pair", ["f32_i32", "f32_u32", "f64_i32", "f64_u32", "f16_i16", "f16_u16"])
def test_from_integers_rounds_to_nearest(pair: str) -> None:
    to, source = pair.split("_")
    a = words(41)
    numbers = a.astype(np.uint16) if source[1:] == "16" else a
    numbers = numbers.view(INTEGERS[source])
    result = "v[20:21]" if to == "f64" else "v20"
    found = from_registers(one(f"v_cvt_{pair} {result}, v10", [a], 1 + (to == "f64")), to)
    expected = np.array([rounded(Fraction(int(x)), to) for x in numbers]).astype(found.dtype)
    assert_same(found, expected, numbers)


def test_bytes_and_floors() -> None:
    a = words(42)
    for n in range(4):
        (found,) = one(f"v_cvt_f32_ubyte{n} v20, v10", [a])
        assert (found.view(np.float32) == (a >> np.uint32(8 * n) & 255)).all()
    x = samples("f32", 43)
    floors = [saturated(math.floor(v) if math.isfinite(v) else v, "i32") for v in x.tolist()]
    (found,) = one("v_cvt_flr_i32_f32 v20, v10", [x])
    assert found.view(np.int32).tolist() == floors


def test_packing_integers() -> None:
    a, b = words(44), words(45)
    (found,) = one("v_cvt_pk_u16_u32 v20, v10, v11", [a, b])
    assert (found == (np.minimum(a, 0xFFFF) | np.minimum(b, 0xFFFF) << np.uint32(16))).all()
    low, high = (np.clip(v.view(np.int32), -0x8000, 0x7FFF).astype(np.int16) for v in (a, b))
    (found,) = one("v_cvt_pk_i16_i32 v20, v10, v11", [a, b])
    assert (found == np.stack([low, high], 1).reshape(-1).view(np.uint32)).all()
    halves = np.clip(a.view(np.int16), 0, 255).astype(np.uint8).view(np.uint16)
    (found,) = one("v_sat_pk_u8_i16 v20, v10", [a])
    assert (found == halves).all()


# -- floats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", ["f64_f32", "f32_f64", "f32_f16", "f16_f32"])
def test_between_floats(pair: str) -> None:
    to, source = pair.split("_")
    a = samples(source, 46)
    place = "v[10:11]" if source == "f64" else "v10"
    result = "v[20:21]" if to == "f64" else "v20"
    found = from_registers(one(f"v_cvt_{pair} {result}, {place}", [a], 1 + (to == "f64")), to)
    assert_same(found, a.astype(found.dtype), a)


def pair_of(found: Words, dtype: Any) -> tuple[Array, Array]:
    """Both halves of each word."""
    both = found.view(np.uint16).reshape(-1, 2)
    return both[:, 0].copy().view(dtype), both[:, 1].copy().view(dtype)


def test_two_f16_rounded_and_truncated() -> None:
    a, b = samples("f32", 47), samples("f32", 48)
    (found,) = one("v_cvt_pk_f16_f32 v20, v10, v11", [a, b])
    low, high = pair_of(found, np.float16)
    assert_same(low, a.astype(np.float16), a)
    assert_same(high, b.astype(np.float16), b)
    (found,) = one("v_cvt_pkrtz_f16_f32 v20, v10, v11", [a, b])
    for half, source in zip(pair_of(found, np.float16), (a, b), strict=True):
        near = source.astype(np.float16)
        inward = np.nextafter(near, np.float16(0))
        exceeds = np.abs(near.astype(np.float64)) > np.abs(source.astype(np.float64))
        assert_same(half, np.where(exceeds, inward, near).astype(np.float16), source)


def test_bf16() -> None:
    a, b = samples("f32", 49), samples("f32", 50)
    a.view(np.uint32)[:4] = [0x3F808000, 0x3F818000, 0x3F828000, 0x3F838000]  # ties
    (found,) = one("v_cvt_pk_bf16_f32 v20, v10, v11", [a, b])
    for half, source in zip(pair_of(found, ml_dtypes.bfloat16), (a, b), strict=True):
        expected = source.astype(ml_dtypes.bfloat16)
        ok = (half.view(np.uint16) == expected.view(np.uint16)) | (
            np.isnan(half) & np.isnan(expected)
        )
        assert ok.all()


# -- 8 and 4 bits ---------------------------------------------------------------------------------


def codes(name: str, values: Array, saturate: bool = False) -> NDArray[np.uint32]:
    """ml_dtypes' codes; formats without infinity give NaN for what is too large, but fp4."""
    bits, dtype = NARROW[name]
    result = values.astype(dtype).view(np.uint8).astype(np.uint32)
    return result & np.uint32((1 << bits) - 1)


def within(name: str, seed: int, samples_: int = 512) -> Array:
    """f32 values of the range of a format, subnormals and ties among them."""
    rng = np.random.default_rng(seed)
    bits, dtype = NARROW[name]
    every = np.arange(1 << bits, dtype=np.uint8).view(dtype).astype(np.float32)
    every = every[np.isfinite(every)]
    middles = (np.sort(every)[1:] + np.sort(every)[:-1]) / 2
    pool = np.concatenate([every, middles, middles * np.float32(1.0001)])
    result: Array = rng.choice(pool, samples_).astype(np.float32)
    return result


@pytest.mark.parametrize("name", ["fp8", "bf8"])
def test_encoding_8_bits_into_either_half(name: str) -> None:
    a, b = within(name, 51), within(name, 52)
    pair = codes(name, a) | codes(name, b) << np.uint32(8)
    (low,) = one(f"v_cvt_pk_{name}_f32 v20, v10, v11", [a, b])
    (high,) = one(f"v_cvt_pk_{name}_f32 v20, v10, v11 op_sel:[0,0,1]", [a, b])
    assert (low == (pair | np.uint32(0xFFFF0000))).all()
    assert (high == (pair << np.uint32(16) | np.uint32(0xFFFF))).all()


@pytest.mark.parametrize("name", ["fp8", "bf8"])
def test_decoding_every_8_bit_code(name: str) -> None:
    a = words(53) ^ np.arange(512, dtype=np.uint32) * np.uint32(0x01010101)
    every = [(a >> np.uint32(8 * n)).astype(np.uint8).view(NARROW[name][1]) for n in range(4)]
    for n, byte in enumerate(every):
        (found,) = one(f"v_cvt_f32_{name}_sdwa v20, v10 src0_sel:BYTE_{n}", [a])
        assert_same(found.view(np.float32), byte.astype(np.float32), byte)
    found = one(f"v_cvt_pk_f32_{name}_sdwa v[20:21], v10 src0_sel:WORD_1", [a], 2)
    for row, byte in zip(found, every[2:], strict=True):
        assert_same(row.view(np.float32), byte.astype(np.float32), byte)


def scales(seed: int) -> Array:
    """Powers of two with rubbish in the mantissa, which the instructions ignore."""
    rng = np.random.default_rng(seed)
    exponents = rng.integers(120, 135, 512, dtype=np.uint32) << np.uint32(23)
    result: Array = (exponents | rng.integers(0, 1 << 23, 512, dtype=np.uint32)).view(np.float32)
    return result


def power(scale: Array) -> Array:
    result: Array = (scale.view(np.uint32) & np.uint32(0x7F800000)).view(np.float32)
    return result


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("source", ["f32", "f16", "bf16"])
def test_encoding_with_a_scale(name: str, source: str) -> None:
    """Code of value / scale (LLVM, test llvm.amdgcn.cvt.scalef32.pk.gfx950.ll, for the fields)."""
    bits, _ = NARROW[name]
    dtype = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}[source]
    a, b = (within(name, seed).astype(dtype) for seed in (54, 55))
    scale = scales(56)
    up = power(scale)
    pair = codes(name, a.astype(np.float32) / up) | codes(name, b.astype(np.float32) / up) << (
        np.uint32(bits)
    )
    # Quotients beyond the largest value are another test's matter.
    limit = float(ml_dtypes.finfo(NARROW[name][1]).max)
    fits = (np.abs(a.astype(np.float32) / up) <= limit) & (
        np.abs(b.astype(np.float32) / up) <= limit
    )
    assert fits.sum() > 200
    if source == "f32":
        vectors, text = [a, b, scale], "v10, v11, v12"
        fields = ["[0,0,0,0]", "[0,0,0,1]"]
    else:
        joined = a.view(np.uint16).astype(np.uint32) | b.view(np.uint16).astype(
            np.uint32
        ) << np.uint32(16)
        vectors, text = [joined, scale], "v10, v11"
        fields = ["[0,0,0]", "[0,0,1]"]
    if name == "fp4":
        fields = ["[0,0,0,0]", "[0,0,1,0]", "[0,0,0,1]", "[0,0,1,1]"]
    width = 2 * bits
    for place, field in enumerate(fields):
        (found,) = one(f"v_cvt_scalef32_pk_{name}_{source} v20, {text} op_sel:{field}", vectors)
        mask = ((1 << width) - 1) << (place * width)
        expected = pair << np.uint32(place * width) | np.uint32(0xFFFFFFFF ^ mask)
        assert (found == expected)[fits].all()


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("target", ["f32", "f16", "bf16"])
def test_decoding_with_a_scale(name: str, target: str) -> None:
    bits, dtype = NARROW[name]
    a, scale = words(57), scales(58)
    fields = ["[0,0]", "[1,0]"] if bits == 8 else ["[0,0]", "[1,0]", "[0,1]", "[1,1]"]
    for place, field in enumerate(fields):
        result = "v[20:21]" if target == "f32" else "v20"
        found = one(
            f"v_cvt_scalef32_pk_{target}_{name} {result}, v10, v11 op_sel:{field}",
            [a, scale],
            1 + (target == "f32"),
        )
        for number in range(2):
            shift = np.uint32((2 * place + number) * bits)
            code = (a >> shift & np.uint32((1 << bits) - 1)).astype(np.uint8).view(dtype)
            value = code.astype(np.float32) * power(scale)
            if target == "f32":
                assert_same(found[number].view(np.float32), value, code)
            elif target == "f16":
                half = pair_of(found[0], np.float16)[number]
                assert_same(half, value.astype(np.float16), code)
            else:
                half = pair_of(found[0], ml_dtypes.bfloat16)[number]
                assert_same(
                    half.astype(np.float32), value.astype(ml_dtypes.bfloat16).astype(np.float32)
                )


def test_a_scale_is_each_exponent() -> None:
    """E8M0 of the OCP Microscaling Formats, 5.4.1: 2**-127 to 2**127, NaN; a sign plays no part."""
    exponents = np.arange(512, dtype=np.uint32) & np.uint32(255)
    signs = np.arange(512, dtype=np.uint32) >> np.uint32(8) << np.uint32(31)
    scale = signs | exponents << np.uint32(23) | words(59) >> np.uint32(9)
    powers = np.ldexp(np.float32(1.5), exponents.astype(np.int32) - 127).astype(np.float32)
    powers[exponents == 255] = np.nan
    one_and_half = np.full(512, 0x3C, np.uint32)  # of E4M3
    found = one("v_cvt_scalef32_pk_f32_fp8 v[20:21], v10, v11", [one_and_half, scale], 2)
    assert_same(found[0].view(np.float32), powers, exponents)
    powers[exponents == 255] = 1
    (found,) = one("v_cvt_scalef32_pk_fp8_f32 v20, v10, v10, v11", [powers, scale])
    codes = found & np.uint32(0x7F)
    np.testing.assert_array_equal(codes, np.where(exponents == 255, 0x7F, 0x3C))


# -- two at once ----------------------------------------------------------------------------------

PACKED: dict[str, Callable[[Array, Array], Array]] = {
    "v_pk_add_f16": lambda a, b: a + b, "v_pk_mul_f16": lambda a, b: a * b,
    "v_pk_add_u16": lambda a, b: a + b, "v_pk_sub_u16": lambda a, b: a - b,
    "v_pk_mul_lo_u16": lambda a, b: a * b, "v_pk_max_u16": np.maximum,
    "v_pk_min_u16": np.minimum, "v_pk_max_i16": np.maximum, "v_pk_min_i16": np.minimum,
    "v_pk_lshlrev_b16": lambda a, b: b << (a & np.uint16(15)),
    "v_pk_lshrrev_b16": lambda a, b: b >> (a & np.uint16(15)),
    "v_pk_ashrrev_i16": lambda a, b: b >> (a & np.int16(15)),
}  # fmt: skip
KIND = {"f16": np.float16, "u16": np.uint16, "i16": np.int16, "b16": np.uint16}


@pytest.mark.parametrize("name", PACKED)
def test_packed(name: str) -> None:
    """op_sel and op_sel_hi pick the halves of the low and of the high result."""
    dtype = KIND[name[-3:]]
    a, b = words(60), words(61)
    x, y = pair_of(a, dtype), pair_of(b, dtype)
    for selection, (low, high) in {
        "": ((0, 0), (1, 1)),
        " op_sel:[1,0] op_sel_hi:[0,1]": ((1, 0), (0, 1)),
        " op_sel_hi:[0,0]": ((0, 0), (0, 0)),
    }.items():
        (found,) = one(f"{name} v20, v10, v11{selection}", [a, b])
        for half, (i, j) in zip(pair_of(found, dtype), (low, high), strict=True):
            expected = PACKED[name](x[i], y[j]).astype(dtype)
            if dtype is np.float16:
                assert_same(half, expected, x[i], y[j])
            else:
                assert (half == expected).all()


def test_packed_clamp_saturates() -> None:
    a, b = words(62), words(63)
    for kind, dtype in (("i16", np.int16), ("u16", np.uint16)):
        x, y = a.view(dtype).astype(int), b.view(dtype).astype(int)
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        for name, exact in (("add", x + y), ("sub", x - y)):
            (found,) = one(f"v_pk_{name}_{kind} v20, v10, v11 clamp", [a, b])
            assert (found.view(dtype) == np.clip(exact, low, high)).all()


def test_packed_fma_of_halves_with_signs() -> None:
    sources = [words(seed) for seed in (64, 65, 66)]
    (found,) = one("v_pk_fma_f16 v20, v10, v11, v12 neg_lo:[1,0,0] neg_hi:[0,0,1]", sources)
    parts = [pair_of(source, np.float16) for source in sources]
    for row, (sign, tail) in enumerate(((-1, 1), (1, -1))):
        x, y, z = (part[row].astype(np.float64).tolist() for part in parts)
        expected = [
            exact_fma(sign * p, q, tail * r, "f16") for p, q, r in zip(x, y, z, strict=True)
        ]
        assert_same(pair_of(found, np.float16)[row], np.array(expected).astype(np.float16))


def test_packed_pairs_of_f32() -> None:
    a, b, c, d = (samples("f32", seed) for seed in (67, 68, 69, 70))
    text = "v_pk_{}_f32 v[20:21], v[10:11], v[12:13]{}"
    low, high = one(text.format("add", ""), [a, b, c, d], 2).view(np.float32)
    assert_same(low, a + c, a, c)
    assert_same(high, b + d, b, d)
    low, high = one(
        text.format("mul", " op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1]"), [a, b, c, d], 2
    ).view(np.float32)
    assert_same(low, b * -c, b, c)
    assert_same(high, a * d, a, d)
    low, high = one("v_pk_mov_b32 v[20:21], v[10:11], v[12:13] op_sel:[1,0]", [a, b, c, d], 2)
    assert (low == b.view(np.uint32)).all() and (high == c.view(np.uint32)).all()


def test_mixed_precision() -> None:
    a, b, c = words(71), samples("f32", 72), words(73)
    low, high = pair_of(a, np.float16)
    text = "v_fma_mix_f32 v20, v10, v11, -v12 op_sel:[1,0,0] op_sel_hi:[1,0,1]"
    (found,) = one(text, [a, b, c])
    addend = pair_of(c, np.float16)[0]
    rows = zip(high.tolist(), b.tolist(), (-addend).tolist(), strict=True)
    expected = np.array([exact_fma(x, y, z, "f32") for x, y, z in rows]).astype(np.float32)
    assert_same(found.view(np.float32), expected, high, b, addend)
    (found,) = one("v_fma_mixhi_f16 v20, v10, 1.0, 0 op_sel_hi:[1,0,0] clamp", [a])
    assert (pair_of(found, np.uint16)[0] == 0xFFFF).all()
    held = np.clip(np.where(np.isnan(low), 0, low), 0, 1).astype(np.float16) + np.float16(0)
    assert_same(pair_of(found, np.float16)[1], held, low)


# -- SDWA -----------------------------------------------------------------------------------------


def test_sdwa_picks_parts_of_sources_and_results() -> None:
    a, b = words(74), words(75)
    text = "v_add_u32_sdwa v20, v10, sext(v11) dst_sel:{} dst_unused:{} src0_sel:BYTE_2 src1_sel:{}"
    byte = (a >> np.uint32(16) & np.uint32(255)).astype(np.int64)
    half = b.view(np.int16).reshape(-1, 2)[:, 1].astype(np.int64)
    total = byte + half
    (found,) = one(text.format("WORD_1", "UNUSED_PRESERVE", "WORD_1"), [a, b])
    assert (found == ((total & 0xFFFF) << 16 | 0xFFFF)).all()
    (found,) = one(text.format("BYTE_1", "UNUSED_PAD", "WORD_1"), [a, b])
    assert (found == (total & 0xFF) << 8).all()
    (found,) = one(text.format("BYTE_1", "UNUSED_SEXT", "WORD_1"), [a, b])
    signed = ((total & 0xFF) ^ 0x80) - 0x80
    assert (found == (signed << 8 & 0xFFFFFFFF)).all()


def test_four_signed_bits_are_sixteenths() -> None:
    """The table of V_CVT_OFF_F32_I4: 1000 is -0.5, 0111 is 0.4375."""
    (found,) = one("v_cvt_off_f32_i4 v20, v10", [words(780).view(np.float32)])
    low = words(780) & 15
    assert found.view(np.float32).tolist() == [(int(x) - 16 * (int(x) > 7)) / 16 for x in low]


def test_a_float_becomes_one_byte() -> None:
    """The nearest whole number, ties to even, held in 0 to 255; a NaN is 0."""
    a, place, old = samples("f32", 781), words(782), words(783)
    a[:8] = [0.5, 1.5, 254.5, 255.5, 255.49, 1e9, -0.6, math.nan]
    bytes_ = [
        0 if math.isnan(x) else max(0, min(255, round(x))) if math.isfinite(x) else 255 * (x > 0)
        for x in a.tolist()
    ]
    expected = []
    for byte, at, word in zip(bytes_, place.tolist(), old.tolist(), strict=True):
        parts = bytearray(word.to_bytes(4, "little"))
        parts[at % 4] = byte
        expected.append(int.from_bytes(parts, "little"))
    data = [a, place.view(np.float32), old.view(np.float32)]
    assert one("v_cvt_pk_u8_f32 v20, v10, v11, v12", data)[0].tolist() == expected
    text = "v_mov_b32 v20, v12\nv_cvt_pkaccum_u8_f32 v20, v10, v11"
    assert one(text, data)[0].tolist() == expected
