"""Conversions of 32 floats at once against ml_dtypes; those by chance against HIP's own loop."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from .machine import run, words
from .numbers import Array

Words = NDArray[np.uint32]
SIX: dict[str, Any] = {"fp6": ml_dtypes.float6_e2m3fn, "bf6": ml_dtypes.float6_e3m2fn}
KINDS: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


@pytest.fixture(autouse=True)
def quiet_numpy() -> Any:
    with np.errstate(all="ignore"):
        yield


def scale_words(seed: int) -> Words:
    """Exponents around 127 with rubbish in the mantissa, which the instructions ignore."""
    rng = np.random.default_rng(seed)
    exponents = rng.integers(124, 131, 64, dtype=np.uint32) << np.uint32(23)
    return exponents | rng.integers(0, 1 << 23, 64, dtype=np.uint32)


def power(scale: Words) -> Array:
    result: Array = (scale & np.uint32(0x7F800000)).view(np.float32)
    return result


def bits_of(codes: NDArray[np.uint8]) -> Words:
    """Six-bit codes[number, lane] as words[word, lane], low bits first."""
    bits = codes[..., None] >> np.arange(6, dtype=np.uint8) & 1
    flat = bits.transpose(1, 0, 2).reshape(64, -1)
    return np.packbits(flat, axis=1, bitorder="little").view(np.uint32).T


def registers(values: Array, kind: str) -> list[Words]:
    """Floats[number, lane] in registers, two halves in each where they have 16 bits."""
    held = np.ascontiguousarray(values.astype(KINDS[kind]).T)
    return list(held.view(np.uint32).T)


def of_registers(found: Words, kind: str) -> Array:
    return np.ascontiguousarray(found.T).view(KINDS[kind]).T


def six_bit_values(name: str, seed: int) -> Array:
    """f32[32, 64] in and around the range of a format, ties among them."""
    rng = np.random.default_rng(seed)
    every = np.arange(64, dtype=np.uint8).view(SIX[name]).astype(np.float32)
    ordered = np.sort(every)
    pool = np.concatenate([every, (ordered[1:] + ordered[:-1]) / 2, every * np.float32(1.1)])
    return rng.choice(pool, (32, 64)).astype(np.float32)


@pytest.mark.parametrize("name", SIX)
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
def test_32_values_to_six_bits(name: str, kind: str) -> None:
    values = six_bit_values(name, 80).astype(KINDS[kind])
    scale = scale_words(81)
    wide = values.astype(np.float32) / power(scale)
    largest = float(ml_dtypes.finfo(SIX[name]).max)
    codes = np.clip(wide, -largest, largest).astype(SIX[name]).view(np.uint8) & 63
    rows = registers(values, kind)
    if kind == "f32":  # both sources are interleaved
        rows = rows[::2] + rows[1::2]
        text = f"v_cvt_scalef32_2xpk16_{name}_f32 v[60:65], v[10:25], v[26:41], v42"
    else:
        text = f"v_cvt_scalef32_pk32_{name}_{kind} v[60:65], v[10:25], v26"
    found = run(text, [*rows, scale], [f"v{60 + i}" for i in range(6)])
    np.testing.assert_array_equal(found, bits_of(codes))


@pytest.mark.parametrize("name", SIX)
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
def test_six_bits_to_32_values(name: str, kind: str) -> None:
    codes = np.random.default_rng(82).integers(0, 64, (32, 64), dtype=np.uint8)
    scale = scale_words(83)
    count = 32 if kind == "f32" else 16
    text = f"v_cvt_scalef32_pk32_{kind}_{name} v[60:{59 + count}], v[10:15], v16"
    found = run(text, [*bits_of(codes), scale], [f"v{60 + i}" for i in range(count)])
    wanted = (codes.view(SIX[name]).astype(np.float32) * power(scale)).astype(KINDS[kind])
    np.testing.assert_array_equal(
        of_registers(found, kind).astype(np.float32), wanted.astype(np.float32)
    )


def test_single_bytes_with_a_scale() -> None:
    a, scale = words(84, 64), scale_words(85)
    every = [(a >> np.uint32(8 * n)).astype(np.uint8).view(ml_dtypes.float8_e5m2) for n in range(4)]
    for number, field in enumerate(("0,0", "1,0", "0,1", "1,1")):
        wanted = every[number].astype(np.float32) * power(scale)
        text = f"v_cvt_scalef32_f32_bf8 v20, v10, v11 op_sel:[{field}]"
        (found,) = run(text, [a, scale], ["v20"])
        np.testing.assert_array_equal(found.view(np.float32), wanted)
        for high, old in ((1, 0xFFFF), (0, 0xFFFF), (1, 0), (0, 0)):
            text = f"v_mov_b32 v20, {old | old << 16:#x}\n"
            text += f"v_cvt_scalef32_f16_bf8 v20, v10, v11 op_sel:[{field},{high}]"
            (found,) = run(text, [a, scale], ["v20"])
            halves = [(found >> np.uint32(at)).astype(np.uint16) for at in (0, 16)]
            np.testing.assert_array_equal(halves[high].view(np.float16), wanted.astype(np.float16))
            assert (halves[1 - high] == old).all()


# -- rounded by chance ----------------------------------------------------------------------------

#: Of a format: bits of exponent and mantissa, bias, largest code.
SHAPES = {"fp8": (4, 3, 7, 0x7E), "bf8": (5, 2, 15, 0x7B), "fp6": (2, 3, 1, 31),
          "bf6": (3, 2, 3, 31), "fp4": (2, 1, 1, 7)}  # fmt: skip
MANTISSA = {"f32": 23, "f16": 10, "bf16": 7}


def chance(name: str, kind: str, value: float, seed: int, exponent: int) -> int | None:
    """HIP's from_float_sr: align the seed to the bits that are dropped, add, truncate.

    None where it overflows: the mode then decides.
    """
    _, kept, bias, largest = SHAPES[name]
    source, sign = MANTISSA[kind], int(math.copysign(1, value) < 0)
    if value == 0:
        return sign << (SHAPES[name][0] + kept)
    fraction, power_ = math.frexp(abs(value))  # 0.5 <= fraction < 1
    unbiased = power_ - 1 - exponent
    mantissa = int(math.ldexp(fraction, source + 1))  # with its leading bit
    smallest = 1 - bias
    if unbiased < smallest:
        mantissa >>= smallest - unbiased
        unbiased = smallest
    mantissa += seed >> (32 - source + kept)
    mantissa >>= source - kept
    code = mantissa if mantissa < 1 << kept else mantissa + ((unbiased - smallest) << kept)
    if code > largest:
        return None
    return sign << (SHAPES[name][0] + kept) | code


def chance_values(name: str, kind: str, seed: int, count: int) -> Array:
    rng = np.random.default_rng(seed)
    limit = {"fp8": 8, "bf8": 15, "fp6": 2, "bf6": 4, "fp4": 2}[name]
    wide = rng.choice([-1, 1], count) * np.exp2(rng.uniform(-limit - 4, limit, count))
    wide[::9] = 0.0
    wide[1::9] *= -0.0
    return wide.astype(KINDS[kind])


@pytest.mark.parametrize("name", ["fp8", "bf8"])
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
def test_a_byte_by_chance(name: str, kind: str) -> None:
    values = chance_values(name, kind, 86, 256)
    seeds, scale = words(87, 256), np.tile(scale_words(88), 4)
    held = values.view(np.uint32) if kind == "f32" else values.view(np.uint16).astype(np.uint32)
    exponents = (scale >> np.uint32(23)).astype(int) - 127
    wanted = [
        chance(name, kind, float(v), int(s), int(e))
        for v, s, e in zip(values, seeds, exponents, strict=True)
    ]
    for byte, field in enumerate(("0,0", "1,0", "0,1", "1,1")):
        text = f"v_mov_b32 v20, -1\nv_cvt_scalef32_sr_{name}_{kind} v20, v10, v11, v12"
        (found,) = run(f"{text} op_sel:[0,0,{field}]", [held, seeds, scale], ["v20"])
        code = found >> np.uint32(8 * byte) & np.uint32(255)
        others = np.uint32(0xFFFFFFFF ^ 0xFF << 8 * byte)
        assert (found & others == others).all()
        both = zip(code.tolist(), wanted, strict=True)
        pairs = [(mine, his) for mine, his in both if his is not None]
        assert all(mine == his for mine, his in pairs) and len(pairs) > 200
    if kind != "f32":
        return
    plain = [chance(name, "f32", float(v), int(s), 0) for v, s in zip(values, seeds, strict=True)]
    (found,) = run(f"v_mov_b32 v20, 0\nv_cvt_sr_{name}_f32 v20, v10, v11", [held, seeds], ["v20"])
    assert all(his is None or mine == his for mine, his in zip(found.tolist(), plain, strict=True))


@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
def test_a_pair_of_fp4_by_chance(kind: str) -> None:
    values = chance_values("fp4", kind, 89, 128).reshape(2, 64)
    seeds, scale = words(90, 64), scale_words(91)
    rows = registers(values, kind)
    source = "v[10:11]" if kind == "f32" else "v10"
    after = 10 + len(rows)
    text = f"v_cvt_scalef32_sr_pk_fp4_{kind} v20, {source}, v{after}, v{after + 1}"
    (found,) = run(f"v_mov_b32 v20, -1\n{text} op_sel:[0,0,0,1]", [*rows, seeds, scale], ["v20"])
    assert (found | np.uint32(0xFF0000) == 0xFFFFFFFF).all(), "the other bytes stay"
    for number in range(2):
        for lane in range(64):
            exponent = int(scale[lane] >> 23) - 127
            code = chance("fp4", kind, float(values[number, lane]), int(seeds[lane]), exponent)
            sign = 8 * int(math.copysign(1, float(values[number, lane])) < 0)
            wanted = sign | 7 if code is None else code  # fp4 has no infinity
            assert int(found[lane]) >> 16 + 4 * number & 15 == wanted


@pytest.mark.parametrize("name", SIX)
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
def test_32_values_by_chance(name: str, kind: str) -> None:
    values = chance_values(name, kind, 92, 32 * 64).reshape(32, 64)
    seeds, scale = words(93, 64), scale_words(94)
    rows = registers(values, kind)
    after = 10 + len(rows)
    text = f"v_cvt_scalef32_sr_pk32_{name}_{kind} v[60:65], v[10:{after - 1}]"
    text += f", v{after}, v{after + 1}"
    found = run(text, [*rows, seeds, scale], [f"v{60 + i}" for i in range(6)])
    codes = np.zeros((32, 64), np.uint8)
    for number, lane in np.ndindex(32, 64):
        value, exponent = float(values[number, lane]), int(scale[lane] >> 23) - 127
        code = chance(name, kind, value, int(seeds[lane]), exponent)
        codes[number, lane] = code if code is not None else 31 | 32 * (math.copysign(1, value) < 0)
    np.testing.assert_array_equal(found, bits_of(codes))
