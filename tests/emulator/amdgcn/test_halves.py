"""Floats of 16 bits, alone and packed, and float forms with a case of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from .machine import run, words
from .numbers import Array, assert_same, exact_fma, registers, samples
from .test_convert import one, pair_of, saturated
from .test_floats import elementwise, evaluate, extreme


@pytest.fixture(autouse=True)
def quiet_numpy() -> Any:
    with np.errstate(all="ignore"):
        yield


def test_mul_legacy_gives_zero_for_zero_times_anything() -> None:
    a, b = samples("f32", 201), samples("f32", 202)
    a[:6] = [0.0, -0.0, 0.0, math.inf, math.nan, -0.0]
    b[:6] = [math.inf, math.nan, -1.0, 0.0, -0.0, math.inf]
    expected = np.where((a == 0) | (b == 0), np.float32(0), a * b)
    assert_same(evaluate("v_mul_legacy_f32", "f32", [a, b]), expected, a, b)


@pytest.mark.parametrize("name", ["v_mad_f16", "v_fma_f16"])
def test_op_sel_picks_halves_of_sources_and_of_the_result(name: str) -> None:
    sources = [words(seed) for seed in (203, 204, 205)]
    parts = [pair_of(source, np.float16) for source in sources]
    old = "v_mov_b32 v20, 0x12345678\n"
    text = f"{old}{name} v20, v10, v11, v12 op_sel:[{{}},{{}},{{}},{{}}]"
    for picks in ((0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 1)):
        (found,) = run(text.format(*picks), sources, ["v20"])
        a, b, c = (part[pick] for part, pick in zip(parts, picks, strict=False))
        expected = a * b + c
        if name == "v_fma_f16":
            expected = elementwise(lambda x, y, z: exact_fma(x, y, z, "f16"), "f16", [a, b, c])
        assert_same(pair_of(found, np.float16)[picks[3]], expected, a, b, c)
        kept = 0x1234 if picks[3] == 0 else 0x5678
        assert (pair_of(found, np.uint16)[1 - picks[3]] == kept).all()


def test_maximum3_lets_a_nan_through() -> None:
    sources = [samples("f32", seed) for seed in (206, 207, 208)]
    expected = np.maximum(np.maximum(sources[0], sources[1]), sources[2])
    stacked = np.stack(sources)
    positive = ((expected == 0)[None, :] & (stacked == 0) & ~np.signbit(stacked)).any(axis=0)
    expected[positive] = 0.0
    assert_same(evaluate("v_maximum3_f32", "f32", sources), expected, *sources)


THREE: dict[str, Callable[..., float]] = {
    "v_pk_minimum3_f16": min,
    "v_pk_maximum3_f16": max,
}


@pytest.mark.parametrize("name", THREE)
def test_packed_extremes_of_three(name: str) -> None:
    sources = [words(seed) for seed in (209, 210, 211)]
    (found,) = one(f"{name} v20, v10, v11, v12 op_sel:[1,0,0] op_sel_hi:[1,1,0]", sources)
    parts = [pair_of(source, np.float16) for source in sources]
    for half, picks in zip(pair_of(found, np.float16), ((1, 0, 0), (1, 1, 0)), strict=True):
        rows = [part[pick].astype(float) for part, pick in zip(parts, picks, strict=True)]

        def choose(*values: float) -> float:
            if any(math.isnan(v) for v in values):
                return math.nan
            return THREE[name](values, key=lambda v: (v, math.copysign(1, v)))

        assert_same(half, elementwise(choose, "f16", rows), *rows)


@pytest.mark.parametrize("name", ["min", "max"])
def test_packed_extremes_of_two(name: str) -> None:
    """Without MODE.ieee, so that signaling NaNs give way like quiet ones."""
    a, b = words(212), words(213)
    text = f"v_pk_{name}_f16 v20, v10, v11 neg_hi:[0,1]"
    (found,) = run(text, [a, b], ["v20"], ieee=0)
    low, high = (pair_of(source, np.float16) for source in (a, b))
    expected = elementwise(extreme(name == "max"), "f16", [low[0], high[0]])
    assert_same(pair_of(found, np.float16)[0], expected, low[0], high[0])
    expected = elementwise(extreme(name == "max"), "f16", [low[1], -high[1]])
    assert_same(pair_of(found, np.float16)[1], expected, low[1], high[1])


def test_packed_fmac_adds_to_its_destination() -> None:
    sources = [words(seed) for seed in (214, 215, 216)]
    (found,) = run("v_pk_fmac_f16 v12, v10, v11", sources, ["v12"])
    parts = [pair_of(source, np.float16) for source in sources]
    for row in range(2):
        halves = [part[row] for part in parts]
        expected = elementwise(lambda x, y, z: exact_fma(x, y, z, "f16"), "f16", halves)
        assert_same(pair_of(found, np.float16)[row], expected, *halves)


FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp2, "log": np.log2, "sin": lambda x: np.sin(2 * np.pi * x),
    "cos": lambda x: np.cos(2 * np.pi * x),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_f16(name: str) -> None:
    """Within a unit in the last place (AMD CDNA4 ISA, V_EXP_F16 and alike)."""
    a = samples("f16", 217)
    if name in ("sin", "cos"):
        a = (np.remainder(a, 16) - 8).astype(np.float16)
        a = a[np.isfinite(a)][: len(a) // 128 * 64]
    expected = FUNCTIONS[name](a.astype(np.float64)).astype(np.float16)
    found = evaluate(f"v_{name}_f16", "f16", [a])
    ordinary = np.isfinite(expected)
    assert_same(found[~ordinary], expected[~ordinary], a[~ordinary])
    error = np.abs(found[ordinary].astype(float) - expected[ordinary].astype(float))
    assert (error <= np.spacing(np.abs(expected[ordinary])).astype(float)).all()


def test_rcp_iflag_is_a_reciprocal() -> None:
    a = samples("f32", 218)
    assert_same(evaluate("v_rcp_iflag_f32", "f32", [a]), evaluate("v_rcp_f32", "f32", [a]), a)


def test_packing_halves() -> None:
    a, b = words(219), words(220)
    (found,) = one("v_pack_b32_f16 v20, v10, v11", [a, b])
    assert (found == (a & 0xFFFF | b << np.uint32(16))).all()
    (found,) = one("v_pack_b32_f16 v20, v10, v11 op_sel:[1,0,0]", [a, b])
    assert (found == (a >> np.uint32(16) | b << np.uint32(16))).all()


def test_rounding_to_integers_from_the_middle_up() -> None:
    """V_CVT_RPI_I32_F32 is the floor of S0 + 0.5, the sum rounded to f32."""
    a = samples("f32", 221)
    a[:5] = [0.5, 1.5, -0.5, -1.5, np.float32(0.5) - np.float32(2.0**-24)]
    raised = a + np.float32(0.5)
    floors = [saturated(math.floor(v) if math.isfinite(v) else v, "i32") for v in raised.tolist()]
    (found,) = one("v_cvt_rpi_i32_f32 v20, v10", [a])
    assert found.view(np.int32).tolist() == floors


def test_bf16_to_f32_is_the_upper_half() -> None:
    a = words(222)
    (found,) = one("v_cvt_f32_bf16 v20, v10", [a])
    wide = (a << np.uint32(16)).view(np.float32)
    assert_same(found.view(np.float32), wide, a)


def test_division_fixup_of_halves() -> None:
    """The quotient is S0 but for signs and special cases of S2 / S1 (V_DIV_FIXUP_F16)."""
    b, d = samples("f16", 223), samples("f16", 224)
    quotient = np.abs(d / b)
    expected = d / b
    text = "v_mov_b32 v20, 0\nv_div_fixup_f16 v20, v10, v11, v12"
    (found,) = run(text, [*registers(quotient), *registers(b), *registers(d)], ["v20"])
    assert_same(pair_of(found, np.float16)[0], expected.astype(np.float16), b, d)
    (found,) = run(
        text.replace("fixup", "fixup_legacy"),
        [*registers(quotient), *registers(b), *registers(d)],
        ["v20"],
    )
    assert_same(pair_of(found, np.float16)[0], expected.astype(np.float16), b, d)


def test_mixed_product_into_the_low_half() -> None:
    a, b, c = words(225), samples("f32", 226), words(227)
    text = "v_fma_mixlo_f16 v20, v10, |v11|, v12 op_sel:[0,0,1] op_sel_hi:[1,0,1]"
    (found,) = run(f"v_mov_b32 v20, -1\n{text}", [a, b.view(np.uint32), c], ["v20"])
    x, z = pair_of(a, np.float16)[0], pair_of(c, np.float16)[1]

    def twice_rounded(p: float, q: float, r: float) -> float:
        return float(np.float16(np.float32(exact_fma(p, q, r, "f32"))))

    expected = elementwise(twice_rounded, "f16", [x, np.abs(b), z])
    assert_same(pair_of(found, np.float16)[0], expected, x, b, z)
    assert (pair_of(found, np.uint16)[1] == 0xFFFF).all()


def test_ldexp_beyond_what_one_factor_can_do() -> None:
    """From the smallest subnormal to the largest power of two and back, and past both ends."""
    tiny, large = 2.0**-1074, 2.0**1023
    cases = [
        (tiny, 2097),
        (large, -2097),
        (tiny, 2098),
        (large, -2098),
        (large * 1.5, -2097),
        (tiny * 3, 2046),
        (1.5, -1074),
        (1.75, -1075),
        (1.0, -1075),
        (0.75, 1024),
        (tiny, 2200),
        (large, -2200),
        (2.0**-53, -1021),
        (1.0, 2**31 - 1),
        (1.0, -(2**31)),
    ]
    a = np.array([x for x, _ in cases] * 64)[:64]
    powers = np.array([p for _, p in cases] * 64, np.int64)[:64].astype(np.int32)
    found = run("v_ldexp_f64 v[20:21], v[10:11], v12", [*registers(a), powers], ["v20", "v21"])

    def exact(x: float, power: int) -> float:
        power = max(-3000, min(3000, power))
        value = Fraction(x) * Fraction(2) ** power
        if value >= Fraction(2) ** 1024:
            return math.inf
        return float(value)  # Python rounds fractions correctly, to even

    expected = [exact(x, int(p)) for x, p in zip(a.tolist(), powers, strict=True)]
    wide = found[0].astype(np.uint64) | found[1].astype(np.uint64) << np.uint64(32)
    assert wide.view(np.float64).tolist() == expected


@pytest.mark.parametrize("power", [-280, -274, -150, -149, -126, 127, 128, 260, 277, 400, 4000])
def test_ldexp_of_f32_at_the_ends_of_its_range(power: int) -> None:
    a = np.array([2.0**-149, 1.0, 1.5, 2.0**127, 3.0 * 2.0**-149, 2.0**-126] * 11, np.float32)[:64]
    powers = np.full(64, power, np.int32)
    (found,) = run("v_ldexp_f32 v20, v10, v11", [a, powers], ["v20"])
    clipped = max(-3000, min(3000, power))
    with np.errstate(over="ignore"):
        expected = np.array(
            [
                math.inf
                if Fraction(x) * Fraction(2) ** clipped >= Fraction(2) ** 128
                else np.float32(float(Fraction(x) * Fraction(2) ** clipped))
                for x in a.tolist()
            ],
            np.float32,
        )
    assert_same(found.view(np.float32), expected, a)
