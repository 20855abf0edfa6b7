"""Vector float instructions against exact fractions, NumPy and Python's math."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from .machine import run
from .numbers import (
    FLOATS,
    Array,
    assert_same,
    exact_fma,
    from_registers,
    registers,
    rounded,
    samples,
)

KINDS = ("f16", "f32", "f64")


def evaluate(
    mnemonic: str, kind: str, sources: list[Array], tail: str = "", **options: Any
) -> Array:
    """The result of an instruction whose sources and result are of one kind."""
    wide = kind == "f64"
    words = [word for source in sources for word in registers(source)]
    count = len(sources)
    places = [f"v[{10 + 2 * i}:{11 + 2 * i}]" if wide else f"v{10 + i}" for i in range(count)]
    operands = ", ".join(["v[20:21]" if wide else "v20", *places])
    body = f"v_mov_b32 v20, -1\nv_mov_b32 v21, -1\n{mnemonic} {operands}{tail}"
    return from_registers(run(body, words, ["v20", "v21"][: 1 + wide], **options), kind)


def elementwise(function: Callable[..., float], kind: str, sources: list[Array]) -> Array:
    rows = zip(*(source.tolist() for source in sources), strict=True)
    return np.array([function(*row) for row in rows]).astype(FLOATS[kind])


@pytest.fixture(autouse=True)
def quiet_numpy() -> Any:
    with np.errstate(all="ignore"):
        yield


TWO: dict[str, Callable[[Array, Array], Array]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "subrev": lambda a, b: b - a,
    "mul": lambda a, b: a * b,
}


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in TWO for kind in KINDS if "sub" not in name or kind != "f64"],
)
def test_sums_and_products(name: str, kind: str) -> None:
    a, b = samples(kind, 1), samples(kind, 2)
    assert_same(evaluate(f"v_{name}_{kind}", kind, [a, b]), TWO[name](a, b), a, b)


@pytest.mark.parametrize("kind", KINDS)
def test_fused_products_round_once(kind: str) -> None:
    a, b, c = (samples(kind, seed) for seed in (3, 4, 5))
    c[::3] = -(a * b)[::3]  # what the product's own rounding lost
    expected = elementwise(lambda x, y, z: exact_fma(x, y, z, kind), kind, [a, b, c])
    assert_same(evaluate(f"v_fma_{kind}", kind, [a, b, c]), expected, a, b, c)


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_fmac_adds_to_its_destination(kind: str) -> None:
    a, b, c = (samples(kind, seed) for seed in (6, 7, 8))
    wide = kind == "f64"
    body = f"v_fmac_{kind} v[14:15], v[10:11], v[12:13]" if wide else f"v_fmac_{kind} v12, v10, v11"
    words = [word for source in (a, b, c) for word in registers(source)]
    found = from_registers(run(body, words, ["v14", "v15"] if wide else ["v12"]), kind)
    expected = elementwise(lambda x, y, z: exact_fma(x, y, z, kind), kind, [a, b, c])
    assert_same(found, expected, a, b, c)


def test_fma_with_a_literal() -> None:
    a, b = samples("f32", 9), samples("f32", 10)
    found = run(
        "v_fmamk_f32 v20, v10, 0x40490fdb, v11\nv_fmaak_f32 v21, v10, v11, 0x40490fdb",
        [a, b],
        ["v20", "v21"],
    ).view(np.float32)
    pi = float(np.uint32(0x40490FDB).view(np.float32))
    first = elementwise(lambda x, y: exact_fma(x, pi, y, "f32"), "f32", [a, b])
    second = elementwise(lambda x, y: exact_fma(x, y, pi, "f32"), "f32", [a, b])
    assert_same(found[0], first, a, b)
    assert_same(found[1], second, a, b)


def extreme(largest: bool) -> Callable[[float, float], float]:
    """IEEE 754-2008 maxNum or minNum with -0 below +0."""

    def choose(a: float, b: float) -> float:
        if math.isnan(a) or math.isnan(b):
            return b if math.isnan(a) else a
        ordered = sorted([a, b], key=lambda x: (x, math.copysign(1, x)))
        return ordered[-1 if largest else 0]

    return choose


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["min", "max"])
def test_extremes_prefer_numbers_to_quiet_nans(name: str, kind: str) -> None:
    a, b = samples(kind, 11), samples(kind, 12)
    a[:4], b[:4] = [0.0, -0.0, 0.0, -0.0], [-0.0, 0.0, 0.0, -0.0]
    found = evaluate(f"v_{name}_{kind}", kind, [a, b], ieee=0)
    assert_same(found, elementwise(extreme(name == "max"), kind, [a, b]), a, b)


def test_a_signalling_nan_wins_where_mode_ieee_is_set() -> None:
    a = np.full(64, 0x7F800001, np.uint32).view(np.float32)
    b = np.full(64, 2.0, np.float32)
    assert (evaluate("v_max_f32", "f32", [a, b], ieee=1).view(np.uint32) == 0x7FC00001).all()
    assert (evaluate("v_max_f32", "f32", [b, a], ieee=1).view(np.uint32) == 0x7FC00001).all()
    assert (evaluate("v_max_f32", "f32", [a, b], ieee=0) == 2.0).all()
    quiet = np.full(64, math.nan, np.float32)
    assert (evaluate("v_min_f32", "f32", [quiet, b], ieee=1) == 2.0).all()


@pytest.mark.parametrize("kind", ["f16", "f32"])
def test_three_operands(kind: str) -> None:
    sources = [samples(kind, seed) for seed in (13, 14, 15)]
    for source in sources:
        source[np.isnan(source) | (source == 0)] = 0.25
    ordered = np.sort(np.stack(sources), axis=0)
    for row, name in enumerate(("min3", "med3", "max3")):
        assert_same(evaluate(f"v_{name}_{kind}", kind, sources), ordered[row], *sources)


def test_median_with_a_nan_is_the_least_number() -> None:
    a = np.full(64, math.nan, np.float32)
    b, c = np.full(64, 3.0, np.float32), np.full(64, -1.0, np.float32)
    for order in ([a, b, c], [b, a, c], [c, b, a]):
        assert (evaluate("v_med3_f32", "f32", order) == -1.0).all()


def test_median_with_two_nans_is_the_number() -> None:
    a, c = np.full(64, math.nan, np.float32), np.full(64, 3.0, np.float32)
    for order in ([a, a, c], [a, c, a], [c, a, a]):
        assert (evaluate("v_med3_f32", "f32", order) == 3.0).all()


def test_mad_rounds_the_product_and_the_sum() -> None:
    """Where a fused product would differ, too: NumPy rounds each step to 16 bits."""
    a, b, c = (samples("f16", seed) for seed in (26, 27, 28))
    with np.errstate(all="ignore"):
        expected = a * b + c
        fused = (a.astype(np.float64) * b + c).astype(np.float16)
    assert (expected != fused)[np.isfinite(expected)].any()
    assert_same(evaluate("v_mad_legacy_f16", "f16", [a, b, c]), expected, a, b, c)
    data = [*registers(a), *registers(b), *registers(c)]
    (found,) = run("v_mac_f16 v12, v10, v11", data, ["v12"])
    assert_same(from_registers(found[None], "f16"), expected, a, b, c)
    with np.errstate(all="ignore"):
        literal = {
            "v_madmk_f16 v20, v10, 0x4100, v11": a * np.float16(2.5) + b,
            "v_madak_f16 v20, v10, v11, 0x4100": a * b + np.float16(2.5),
        }
    for text, result in literal.items():
        (found,) = run(text, [*registers(a), *registers(b)], ["v20"])
        assert_same(from_registers(found[None], "f16"), result, a, b)


def test_minimum3_lets_a_nan_through() -> None:
    sources = [samples("f32", seed) for seed in (16, 17, 18)]
    expected = np.minimum(np.minimum(sources[0], sources[1]), sources[2])
    zeros = (expected == 0)[None, :] & (np.stack(sources) == 0)
    negative = (zeros & np.signbit(np.stack(sources))).any(axis=0)
    expected[negative] = -0.0
    assert_same(evaluate("v_minimum3_f32", "f32", sources), expected, *sources)


ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "trunc": np.trunc, "ceil": np.ceil, "floor": np.floor, "rndne": np.rint,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ROUNDINGS)
def test_rounding_to_integers(name: str, kind: str) -> None:
    a = samples(kind, 19)
    assert_same(evaluate(f"v_{name}_{kind}", kind, [a]), ROUNDINGS[name](a), a)


@pytest.mark.parametrize("kind", KINDS)
def test_fract_stays_below_one(kind: str) -> None:
    a = samples(kind, 20)
    a[~np.isfinite(a)] = 7.25
    below = np.nextafter(FLOATS[kind](1), FLOATS[kind](0))
    a[0] = -np.finfo(FLOATS[kind]).tiny
    expected = np.minimum(a - np.floor(a), below)
    assert expected[0] == below
    assert_same(evaluate(f"v_fract_{kind}", kind, [a]), expected, a)


@pytest.mark.parametrize("kind", KINDS)
def test_ldexp(kind: str) -> None:
    a = samples(kind, 21)
    rng = np.random.default_rng(22)
    span = {"f16": 60, "f32": 400, "f64": 3000}[kind]
    powers = rng.integers(-span, span, len(a)).astype(np.int32)
    powers[:4] = [-(1 << 15), (1 << 15) - 1, 0, 1]
    place = "v[10:11], v12" if kind == "f64" else "v10, v11"
    result = "v[20:21]" if kind == "f64" else "v20"
    words = run(
        f"v_ldexp_{kind} {result}, {place}",
        [*registers(a), powers],
        ["v20", "v21"][: 1 + (kind == "f64")],
    )

    def expected(x: float, power: int) -> float:
        if x == 0 or not math.isfinite(x):
            return x
        value = rounded(Fraction(x) * Fraction(2) ** max(-9000, min(9000, power)), kind)
        return math.copysign(value, x)

    numbers = [expected(x, p) for x, p in zip(a.tolist(), powers.tolist(), strict=True)]
    assert_same(from_registers(words, kind), np.array(numbers).astype(FLOATS[kind]), a, powers)


@pytest.mark.parametrize("kind", KINDS)
def test_frexp(kind: str) -> None:
    a = samples(kind, 23)
    mantissas = elementwise(lambda x: math.frexp(x)[0], kind, [a])
    assert_same(evaluate(f"v_frexp_mant_{kind}", kind, [a]), mantissas, a)
    source = "v[10:11]" if kind == "f64" else "v10"
    size = "i16" if kind == "f16" else "i32"
    (found,) = run(f"v_frexp_exp_{size}_{kind} v20, {source}", registers(a), ["v20"])
    signed = found.astype(np.uint16).view(np.int16) if kind == "f16" else found.view(np.int32)
    exponents = [math.frexp(x)[1] if math.isfinite(x) else 0 for x in a.tolist()]
    assert signed.tolist() == exponents


# -- functions ------------------------------------------------------------------------------------

FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "rcp": lambda x: 1 / x, "sqrt": np.sqrt, "rsq": lambda x: 1 / np.sqrt(x), "exp": np.exp2,
    "log": np.log2, "sin": lambda x: np.sin(2 * np.pi * x), "cos": lambda x: np.cos(2 * np.pi * x),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_f32_are_within_a_unit_and_flush(name: str) -> None:
    a = samples("f32", 24)
    if name in ("sin", "cos"):
        a = (np.remainder(a, 256) - 128).astype(np.float32)
        a = a[np.isfinite(a)][: len(a) // 128 * 64]
    flushed = np.where(np.abs(a) < np.finfo(np.float32).tiny, np.copysign(0, a), a)
    expected = FUNCTIONS[name](flushed.astype(np.float64))
    tiny = np.abs(expected) < np.finfo(np.float32).tiny
    expected = np.where(tiny, np.copysign(0, expected), expected).astype(np.float32)
    found = evaluate(f"v_{name}_f32", "f32", [a])
    ordinary = np.isfinite(expected) & (expected != 0)
    assert_same(found[~ordinary], expected[~ordinary], a[~ordinary])
    slack = 2.0**-20 if name in ("sin", "cos") else 0.0
    error = np.abs(found[ordinary].astype(np.float64) - expected[ordinary])
    assert (error <= np.spacing(np.abs(expected[ordinary])) + slack).all()


@pytest.mark.parametrize("name", ["rcp", "sqrt", "rsq"])
@pytest.mark.parametrize("kind", ["f16", "f64"])
def test_functions_of_other_kinds(name: str, kind: str) -> None:
    a = samples(kind, 25)
    expected = FUNCTIONS[name](a.astype(np.float64)).astype(FLOATS[kind])
    found = evaluate(f"v_{name}_{kind}", kind, [a])
    ordinary = np.isfinite(expected) & (expected != 0)
    assert_same(found[~ordinary], expected[~ordinary], a[~ordinary])
    # CDNA3 ISA, V_RCP_F64 and V_RSQ_F64: an estimate, (2**29) ulp; f16 within 1 ulp.
    bound = np.spacing(np.abs(expected[ordinary])) * FLOATS[kind](1 if kind == "f16" else 2**29)
    assert (np.abs(found[ordinary] - expected[ordinary]) <= bound).all()


DIVISION = {
    "f32": """
v_div_scale_f32 v20, s[30:31], v11, v11, v10
v_div_scale_f32 v21, vcc, v10, v11, v10
v_rcp_f32 v22, v20
s_nop 0
v_fma_f32 v23, -v20, v22, 1.0
v_fmac_f32 v22, v23, v22
v_mul_f32 v23, v21, v22
v_fma_f32 v24, -v20, v23, v21
v_fmac_f32 v23, v24, v22
v_fma_f32 v20, -v20, v23, v21
v_div_fmas_f32 v20, v20, v22, v23
v_div_fixup_f32 v20, v20, v11, v10
""",
    "f64": """
v_div_scale_f64 v[20:21], s[30:31], v[12:13], v[12:13], v[10:11]
v_rcp_f64 v[22:23], v[20:21]
s_nop 0
v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
v_div_scale_f64 v[24:25], vcc, v[10:11], v[12:13], v[10:11]
v_mul_f64 v[26:27], v[24:25], v[22:23]
v_fma_f64 v[20:21], -v[20:21], v[26:27], v[24:25]
s_nop 1
v_div_fmas_f64 v[20:21], v[20:21], v[22:23], v[26:27]
v_div_fixup_f64 v[20:21], v[20:21], v[12:13], v[10:11]
""",
}


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_the_division_that_compilers_emit_is_rounded_correctly(kind: str) -> None:
    """LLVM, SIISelLowering.cpp, LowerFDIV32 and LowerFDIV64: IEEE division in these steps.

    The s_nops are those of the ISA's table of wait states (4.5).
    """
    a, b = samples(kind, 26, 4096), samples(kind, 27, 4096)
    outputs = ["v20", "v21"] if kind == "f64" else ["v20"]
    words = run(DIVISION[kind], [*registers(a), *registers(b)], outputs)
    assert_same(from_registers(words, kind), a / b, a, b)


# -- modes and modifiers ---------------------------------------------------------------------------


def flush(values: Array) -> Array:
    tiny = np.abs(values) < np.finfo(values.dtype).tiny
    return np.where(tiny, np.copysign(values.dtype.type(0), values), values).astype(values.dtype)


@pytest.mark.parametrize("mode", range(4))
def test_subnormals_by_mode(mode: int) -> None:
    """FP_DENORM bit 0 keeps subnormal sources, bit 1 subnormal results."""
    a, b = samples("f32", 28), samples("f32", 29)
    a[:64] *= np.float32(2.0**-120)
    found = evaluate("v_mul_f32", "f32", [a, b], denormals=mode)
    sources = (a, b) if mode & 1 else (flush(a), flush(b))
    expected = sources[0] * sources[1]
    assert_same(found, expected if mode & 2 else flush(expected), a, b)


def test_moves_and_selections_keep_subnormals() -> None:
    a = np.full(64, 1, np.uint32)
    (found,) = run("v_mov_b32 v20, v10", [a], ["v20"], denormals=0)
    assert (found == 1).all()


@pytest.mark.parametrize("kind", KINDS)
def test_clamp_holds_to_zero_and_one(kind: str) -> None:
    a, b = samples(kind, 30), samples(kind, 31)
    total = a + b
    expected = np.where(total > 0, np.minimum(total, FLOATS[kind](1)), FLOATS[kind](0))
    expected = np.where(np.isnan(total), FLOATS[kind](0), expected).astype(FLOATS[kind])
    assert_same(evaluate(f"v_add_{kind}_e64", kind, [a, b], " clamp"), expected, a, b)


@pytest.mark.parametrize(("modifier", "factor"), [("mul:2", 2), ("mul:4", 4), ("div:2", 0.5)])
def test_output_modifiers_need_ieee_off_and_no_subnormals(modifier: str, factor: float) -> None:
    a, b = samples("f32", 32), samples("f32", 33)
    flushed = flush(flush(a) + flush(b))
    scaled = flush(flushed * np.float32(factor)) + np.float32(0)
    tail = " " + modifier
    assert_same(evaluate("v_add_f32_e64", "f32", [a, b], tail, denormals=0, ieee=0), scaled, a, b)
    assert_same(evaluate("v_add_f32_e64", "f32", [a, b], tail, denormals=0, ieee=1), flushed, a, b)
    assert_same(evaluate("v_add_f32_e64", "f32", [a, b], tail, denormals=3, ieee=0), a + b, a, b)


def test_source_modifiers() -> None:
    a, b = samples("f32", 34), samples("f32", 35)
    found = run("v_add_f32 v20, -|v10|, v11\nv_mul_f32 v21, -v10, |v11|", [a, b], ["v20", "v21"])
    assert_same(found[0].view(np.float32), -np.abs(a) + b, a, b)
    assert_same(found[1].view(np.float32), -a * np.abs(b), a, b)


def test_inline_constants_have_the_kind_of_the_operand() -> None:
    a = samples("f64", 36, 64)
    words = run(
        "v_add_f64 v[20:21], v[10:11], 1.0\nv_mul_f64 v[22:23], v[10:11], 0.15915494309189532",
        registers(a),
        ["v20", "v21", "v22", "v23"],
    )
    assert_same(from_registers(words[:2], "f64"), a + 1.0, a)
    inverse = np.uint64(0x3FC45F306DC9C882).view(np.float64)
    assert_same(from_registers(words[2:], "f64"), a * inverse, a)
    half = samples("f16", 37, 64)
    (word,) = run("v_add_f16 v20, 1.0, v10", registers(half), ["v20"])
    assert_same(from_registers(word[None], "f16"), half + np.float16(1), half)


def test_a_16_bit_result_clears_or_keeps_the_upper_half() -> None:
    """Clears for most; keeps for the forms that pick halves (LLVM, zeroesHigh16BitsOfDest)."""
    old, a = np.full(64, 0xABCD1234, np.uint32), np.full(64, 0x3C00, np.uint32)
    for text, upper in {
        "v_add_f16 v10, v11, v11": 0,
        "v_fma_f16 v10, v11, v11, v11": 0xABCD,
        "v_fma_legacy_f16 v10, v11, v11, v11": 0,
        "v_max_f16 v10, v11, v11": 0,
        "v_fma_f16 v10, v11, v11, v11 op_sel:[0,0,0,1]": None,
    }.items():
        (found,) = run(text, [old, a], ["v10"])
        if upper is None:
            assert (found == 0x40001234).all()
        else:
            assert (found >> 16 == upper).all(), text
