"""The matrix engine on operands in bytes, against NumPy, ml_dtypes and exact fractions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.runtime import matrix
from lanemap.emulator.runtime.abi import Format, Result, Sum, SumRule
from lanemap.errors import UserError

from .sums import RULES, SMALLEST, Rule, decoded, dot

Codes = NDArray[np.uint64]
F64 = SumRule(sum=Sum.F64)


def multiply(a: matrix.Lines, b: matrix.Lines, rule: SumRule, c: NDArray[Any]) -> None:
    matrix.multiply(native().address("lm_multiply"), a, b, rule, c)


def width(name: str) -> int:
    return matrix.BITS[Format[name.upper()]]


def laid(
    codes: Codes,
    name: str,
    how: str,
    rng: np.random.Generator,
    **scales: Any,
) -> matrix.Lines:
    """Elements [line, k] put into bytes in one of several ways.

    rows: line after line. chunks: pieces of 8 or 16 elements along k, scattered. columns: k after
    k. scattered: pieces of 8 lines. words: each element in a word of its own, line beside line.
    """
    bits, (lines, depth) = width(name), codes.shape
    line, k = np.meshgrid(np.arange(lines), np.arange(depth), indexing="ij")
    along_k = how in ("rows", "chunks")
    piece = {
        "rows": depth,
        "chunks": 8 if bits >= 16 else 16,
        "columns": lines,
        "scattered": 8,
        "words": lines,
    }[how]
    step = 32 if how == "words" else bits
    inner, outer, across = (
        (k % piece, k // piece, line) if along_k else (line % piece, line // piece, k)
    )
    runs = (depth if along_k else lines) // piece
    room = -(-piece * step // 128) * 128
    order = rng.permutation(lines * depth // piece)
    places = order[across * runs + outer] * room + (0 if how != "words" else 32 - bits)
    at = (places + inner * step).reshape(-1)
    memory = rng.integers(0, 2, room * len(order)).astype(np.uint8)
    for bit in range(bits):
        memory[at + bit] = (codes.reshape(-1) >> np.uint64(bit) & np.uint64(1)).astype(np.uint8)
    data = np.packbits(memory, bitorder="little")
    firsts = places[:, ::piece] if along_k else places[::piece].T
    return matrix.Lines(data, Format[name.upper()], firsts, lines, depth, along_k, step, **scales)


def random_codes(
    name: str,
    shape: tuple[int, int],
    rng: np.random.Generator,
    spread: int,
) -> Codes:
    """Codes of finite values, some of them zero, whose exponents differ by up to `spread`."""
    if name in ("i8", "u8") or width(name) <= 8:
        codes = rng.integers(0, 1 << width(name), shape, dtype=np.uint64)
    else:
        values = rng.normal(size=shape) * 2.0 ** rng.integers(-spread, spread + 1, shape)
        values *= rng.random(shape) > 0.1
        kind = {"f16": np.float16, "f64": np.float64}.get(name, np.float32)
        with np.errstate(over="ignore"):
            codes = values.astype(kind).view(f"u{np.dtype(kind).itemsize}").astype(np.uint64)
        if name == "bf16":
            codes >>= np.uint64(16)
    return np.where(np.isfinite(decoded(name, codes)), codes, 0).astype(np.uint64)


@pytest.mark.parametrize(
    "name", ["f16", "bf16", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "i8", "u8", "i4", "u4",
             "b1"])  # fmt: skip
def test_every_code_of_a_format_is_decoded(name: str) -> None:
    codes = np.arange(1 << width(name), dtype=np.uint64)
    values = decoded(name, codes)
    lines = min(len(codes), 256)
    word = np.array([0, 0, 128, 63], np.uint8)
    one = matrix.Lines(word, Format.F32, np.zeros((1, 8)), 8, 1, False)
    rng = np.random.default_rng(1)
    for first in range(0, len(codes), lines):
        c = np.zeros((lines, 8), np.float64)
        a = laid(codes[first : first + lines, None], name, "words", rng)
        multiply(a, one, SumRule(sum=Sum.F64, result=Result.F64), c)
        np.testing.assert_array_equal(c[:, 0], values[first : first + lines])


def test_tf32_ignores_its_low_bits() -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 1 << 31, (16, 8), dtype=np.uint64) & np.uint64(0xBFFFFFFF)
    c = np.zeros((16, 16), np.float64)
    rule = SumRule(sum=Sum.F64, result=Result.F64)
    one = np.zeros((16, 8), np.uint64)
    one[:, 3] = 0x3F800000
    multiply(laid(codes, "tf32", "rows", rng), laid(one, "tf32", "rows", rng), rule, c)
    np.testing.assert_array_equal(c[:, 0], decoded("tf32", codes)[:, 3])


def sums_in_order(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
) -> NDArray[np.float64]:
    for k in range(a.shape[1]):
        c = c + a[:, k, None] * b[None, :, k]
    return c


@pytest.mark.parametrize("how", ["rows", "chunks", "columns", "scattered", "words"])
@pytest.mark.parametrize(("names", "shape"), [
    (("bf16", "bf16"), (128, 256, 16)), (("f16", "f16"), (64, 8, 16)),
    (("tf32", "tf32"), (16, 24, 8)), (("f32", "f32"), (16, 16, 8)),
    (("e4m3", "e2m1"), (32, 40, 64)), (("e2m3", "e3m2"), (16, 32, 128)),
    (("e5m2", "e4m3"), (2, 16, 32)),
])  # fmt: skip
def test_sums_in_f64(names: tuple[str, str], shape: tuple[int, int, int], how: str) -> None:
    rows, columns, depth = shape
    if how in ("scattered", "columns") and rows % 8:
        how = "rows"
    if how == "chunks" and depth % 16 and width(names[0]) < 32:
        how = "rows"
    rng = np.random.default_rng(rows + columns)
    a = random_codes(names[0], (rows, depth), rng, 4)
    b = random_codes(names[1], (columns, depth), rng, 4)
    c = rng.normal(size=(rows, columns)).astype(np.float32)
    expected = sums_in_order(decoded(names[0], a), decoded(names[1], b), c.astype(np.float64))
    multiply(laid(a, names[0], how, rng), laid(b, names[1], how, rng), F64, c)
    np.testing.assert_array_equal(c, expected.astype(np.float32))


def test_f64_operands_round_products_first() -> None:
    rng = np.random.default_rng(5)
    a, b = (random_codes("f64", (16, 4), rng, 30) for _ in range(2))
    for how in ("rows", "columns"):
        c = rng.normal(size=(16, 16))
        expected = sums_in_order(a.view(np.float64), b.view(np.float64), c)
        rule = SumRule(sum=Sum.F64, result=Result.F64)
        multiply(laid(a, "f64", how, rng), laid(b, "f64", how, rng), rule, c)
        np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("names", [("i8", "i8"), ("u8", "i8"), ("u8", "u8")])
@pytest.mark.parametrize("saturate", [False, True])
def test_integers(names: tuple[str, str], saturate: bool) -> None:
    rng = np.random.default_rng(3)
    a, b = (random_codes(name, (16, 32), rng, 0) for name in names)
    c = rng.choice([0, 5, -7, 2**31 - 1, -(2**31), 2**31 - 90000], (16, 16)).astype(np.int32)
    exact = decoded(names[0], a) @ decoded(names[1], b).T + c
    if saturate:
        exact = exact.clip(-(2**31), 2**31 - 1)
    expected = (exact.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
    assert (exact != expected).any() == (not saturate)
    rule = SumRule(sum=Sum.I32, result=Result.I32, saturate=int(saturate))
    multiply(laid(a, names[0], "rows", rng), laid(b, names[1], "rows", rng), rule, c)
    np.testing.assert_array_equal(c, expected)


def check(
    rule: Rule,
    names: tuple[str, str],
    a: Codes,
    b: Codes,
    c: NDArray[Any],
    rng: np.random.Generator,
) -> int:
    """Compare every element with the oracle; how many differ from sums in f64."""
    values = decoded(names[0], a), decoded(names[1], b)
    start = c.astype(np.float64)
    multiply(laid(a, names[0], "rows", rng), laid(b, names[1], "chunks", rng), rule.engine(), c)
    unlike = 0
    for i, j in np.ndindex(*c.shape):
        exact = dot(values[0][i].tolist(), values[1][j].tolist(), float(start[i, j]), rule, names)
        assert same(float(c[i, j]), exact), (i, j, float(c[i, j]), exact)
        with np.errstate(over="ignore", invalid="ignore"):
            plain = c.dtype.type(start[i, j] + values[0][i] @ values[1][j])
        unlike += bool(c[i, j] != plain)
    nans = c[np.isnan(c)].view(np.uint16 if rule.half else np.uint32)
    assert (nans == (0x7FFF if rule.half else 0x7FFFFFFF)).all()
    return unlike


def same(found: float, expected: float) -> bool:
    """Equal, zeros by their sign too; all NaN are."""
    if math.isnan(expected):
        return math.isnan(found)
    return found == expected and math.copysign(1, found) == math.copysign(1, expected)


ALIGNED = [
    ("wgmma f16", ("f16", "f16"), 32), ("wgmma f16", ("bf16", "bf16"), 16),
    ("wgmma tf32", ("tf32", "tf32"), 16), ("wgmma e4m3", ("e4m3", "e5m2"), 64),
    ("wgmma f16 to f16", ("f16", "f16"), 32), ("tcgen05 f8f6f4", ("e5m2", "e2m3"), 32),
    ("tcgen05 f8f6f4", ("e3m2", "e2m1"), 32), ("tcgen05 f8f6f4 to f16", ("e4m3", "e2m1"), 32),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "names", "depth"), ALIGNED)
@pytest.mark.parametrize("spread", [0, 5, 60])
def test_aligned_and_cut_off(rule: str, names: tuple[str, str], depth: int, spread: int) -> None:
    rng = np.random.default_rng(spread)
    a = random_codes(names[0], (8, depth), rng, spread)
    b = random_codes(names[1], (24, depth), rng, spread)
    kind = np.float16 if RULES[rule].half else np.float32
    c = rng.normal(size=(8, 24)) * 2.0 ** rng.integers(-spread, spread + 1, (8, 24))
    c[::3] = 0
    with np.errstate(over="ignore"):
        start = c.clip(-60000, 60000).astype(kind) if kind is np.float16 else c.astype(kind)
    unlike = check(RULES[rule], names, a, b, start, rng)
    assert unlike > 5 or spread == 0 or width(names[1]) < 8


@pytest.mark.parametrize(("rule", "names", "depth"), ALIGNED[:4])
def test_aligned_edges(rule: str, names: tuple[str, str], depth: int) -> None:
    """Any code at all, infinities, NaN, subnormals and sums that cancel or overflow."""
    rng = np.random.default_rng(7)
    low, high = (0, 19) if names[0] == "tf32" else (0, width(names[0]))
    wide = 32 - high if names[0] == "tf32" else low
    a, b = (
        rng.integers(0, 1 << high, (n, depth), dtype=np.uint64) << np.uint64(wide) for n in (8, 16)
    )
    for codes, name in ((a, names[0]), (b, names[1])):
        rare = rng.random(codes.shape[0]) < 0.5
        odd = ~np.isfinite(decoded(name, codes))
        codes[odd & rare[:, None]] = 0
    b[1] = b[0]
    a[1, : depth // 2] = a[1, depth // 2 :]
    a[1, : depth // 2] ^= np.uint64(1 << (width(names[0]) - 1))  # the halves cancel in b's row 2
    b[2, : depth // 2] = b[2, depth // 2 :]
    c = rng.integers(0, 1 << 32, (8, 16), dtype=np.uint32).view(np.float32)
    c[0] = np.float32(3e38)
    c[1] = 0
    c[2] = np.float32(-0.0)
    c[3] = np.float32(1e-42)
    check(RULES[rule], names, a, b, c, rng)


def test_tiny_sums_are_subnormal_and_huge_ones_infinite() -> None:
    rng = np.random.default_rng(9)
    for exponent in (-149, -140, -127, 120, 126):
        values = (rng.normal(size=(8, 16)) * 2.0 ** (exponent - exponent // 2)).astype(np.float32)
        a = values.view(np.uint32).astype(np.uint64) >> np.uint64(16)
        values = (rng.normal(size=(16, 16)) * 2.0 ** (exponent // 2)).astype(np.float32)
        b = values.view(np.uint32).astype(np.uint64) >> np.uint64(16)
        c = np.zeros((8, 16), np.float32)
        check(RULES["wgmma f16"], ("bf16", "bf16"), a, b, c, rng)
        if exponent == -140:
            assert ((c != 0) & (abs(c) < 2.0**-126)).any()
        if exponent == 126:
            assert np.isinf(c).any()


@pytest.mark.parametrize(("rule", "name", "most"), [
    ("wgmma f16", "f16", 0x3FFF), ("tcgen05 f8f6f4", "e4m3", 0x3F),
    ("wgmma tf32", "tf32", 0x3FFFE000),
])  # fmt: skip
def test_sums_that_leave_32_bits(rule: str, name: str, most: int) -> None:
    """The largest significands of one sign, with a C of that sign, of the other, and tiny ones."""
    rng = np.random.default_rng(11)
    depth, sign = RULES[rule].block, np.uint64(1 << (width(name) - 1))
    a, b = np.full((8, depth), most, np.uint64), np.full((16, depth), most, np.uint64)
    a[1::2] |= sign
    a[6:] = 0
    b[3, ::2] |= sign
    c = np.where(np.arange(16) % 2, 1.9999999, -1.9999999) * np.ones((8, 1))
    c[4:6] *= 2.0 ** np.arange(-20, 12, 2)
    c[6] = 2.0 ** -np.arange(90.0, 122.0, 2) * 1.1
    c[7] = 2.0 ** np.arange(96.0, 128.0, 2) * 1.1
    check(RULES[rule], (name, name), a, b, c.astype(np.float32), rng)


@pytest.mark.parametrize(("rule", "names", "kind", "block"), [
    ("tcgen05 f8f6f4", ("e4m3", "e2m1"), "e8m0", 32),
    ("tcgen05 mxf4", ("e2m1", "e2m1"), "e8m0", 32), ("tcgen05 mxf4", ("e2m1", "e2m1"), "e8m0", 16),
    ("tcgen05 mxf4", ("e2m1", "e2m1"), "ue4m3", 16),
])  # fmt: skip
@pytest.mark.parametrize("near", [True, False])
def test_block_scales(rule: str, names: tuple[str, str], kind: str, block: int, near: bool) -> None:
    rng = np.random.default_rng(block)
    depth = 64 if rule == "tcgen05 mxf4" else 96
    a, b = random_codes(names[0], (8, depth), rng, 0), random_codes(names[1], (16, depth), rng, 0)
    a[0, :16] = 0
    a[1, :32:2] = a[1, 1:32:2] = 2
    b[0, :32:2], b[0, 1:32:2] = 3, 3 | 1 << (width(names[1]) - 1)  # sums to zero with a's row 1
    codes = [rng.integers(120, 134, (n, depth // block), dtype=np.uint8) for n in (8, 16)]
    if not near:
        codes = [rng.integers(0, 256, each.shape, dtype=np.uint8) for each in codes]
    scales = [decoded(kind, each) for each in codes]
    c = rng.normal(size=(8, 16)).astype(np.float32)
    c[::2] = 0
    start, engine = c.copy(), RULES[rule].engine()
    values = decoded(names[0], a), decoded(names[1], b)
    form = Format[kind.upper()]
    multiply(
        laid(a, names[0], "rows", rng, scales=codes[0], scale_format=form),
        laid(b, names[1], "chunks", rng, scales=codes[1], scale_format=form),
        engine,
        c,
    )
    for i, j in np.ndindex(8, 16):
        exact = dot(
            values[0][i].tolist(),
            values[1][j].tolist(),
            float(start[i, j]),
            RULES[rule],
            names,
            (scales[0][i].tolist(), scales[1][j].tolist()),
            kind,
        )
        assert same(float(c[i, j]), exact), (i, j, float(c[i, j]), exact)


def test_fresh_does_not_read_c() -> None:
    rng = np.random.default_rng(4)
    a, b = random_codes("f16", (16, 16), rng, 3), random_codes("f16", (8, 16), rng, 3)
    for rule in (RULES["wgmma f16"].engine(), SumRule(sum=Sum.F64)):
        found = []
        for fresh, start in ((0, 0.0), (1, math.nan)):
            rule.fresh = fresh
            c = np.full((16, 8), start, np.float32)
            multiply(laid(a, "f16", "rows", rng), laid(b, "f16", "rows", rng), rule, c)
            found.append(c)
        np.testing.assert_array_equal(*found)


def test_sums_in_f64_are_rounded_once_to_f16() -> None:
    rng = np.random.default_rng(6)
    a, b = random_codes("f16", (16, 16), rng, 6), random_codes("f16", (24, 16), rng, 6)
    c = (rng.normal(size=(16, 24)) * 2.0 ** rng.integers(-20, 10, (16, 24))).astype(np.float16)
    c[0] = 60000
    with np.errstate(over="ignore"):
        expected = sums_in_order(decoded("f16", a), decoded("f16", b), c.astype(np.float64))
        expected = expected.astype(np.float16)
    rule = SumRule(
        sum=Sum.F64, result=Result.F16, bits=11, nearest=1, smallest_exponent=-14, nan=0x7FFF
    )
    multiply(laid(a, "f16", "rows", rng), laid(b, "f16", "rows", rng), rule, c)
    np.testing.assert_array_equal(c, expected)


def test_what_the_engine_cannot_hold_is_refused() -> None:
    rng = np.random.default_rng(8)
    a = laid(random_codes("f16", (16, 16), rng, 1), "f16", "rows", rng)
    with pytest.raises(UserError, match=r"C must be float32\[16, 16\]"):
        multiply(a, a, F64, np.zeros((16, 8), np.float32))
    big = laid(np.zeros((256, 128), np.uint64), "e2m1", "rows", rng)
    with pytest.raises(UserError, match="does not hold 256 by 256 by 128"):
        multiply(big, big, F64, np.zeros((256, 256), np.float32))
    short = matrix.Lines(a.data[:-4], Format.F16, a.places, 16, 16)
    with pytest.raises(UserError, match="an element ends at bit"):
        multiply(short, a, F64, np.zeros((16, 16), np.float32))


def test_the_oracle_knows_every_format() -> None:
    others = {"f32", "f64", "i8", "u8", "i4", "u4", "b1"}
    assert set(SMALLEST) | others == {name.name.lower() for name in Format}


@pytest.mark.parametrize("which", ["a", "b", "both"])
@pytest.mark.parametrize("name", ["f16", "e4m3", "i8"])
def test_negated_operands(which: str, name: str) -> None:
    rng = np.random.default_rng(10)
    codes = [random_codes(name, (n, 32), rng, 3) for n in (16, 24)]
    c = np.full((16, 24), 0.5, np.float32) if name != "i8" else np.full((16, 24), 5, np.int32)
    a, b = (decoded(name, each) for each in codes)
    sign = 1 if which == "both" else -1
    rule = SumRule(sum=Sum.I32, result=Result.I32) if name == "i8" else F64
    sides = [
        laid(each, name, "rows", rng, negate=side in which or which == "both")
        for side, each in zip("ab", codes, strict=True)
    ]
    expected = (sums_in_order(sign * a, b, c.astype(np.float64))).astype(c.dtype)
    multiply(sides[0], sides[1], rule, c)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("rule", ["tcgen05 f16", "tcgen05 f16 to f16"])
def test_an_addend_that_is_divided_by_a_power_of_two(rule: str) -> None:
    rng = np.random.default_rng(13)
    a, b = (random_codes("f16", (n, 16), rng, 2) for n in (8, 16))
    values = decoded("f16", a), decoded("f16", b)
    kind = np.float16 if RULES[rule].half else np.float32
    start = (rng.normal(size=(8, 16)) * 64).astype(kind)
    start[0] = np.inf
    engine = RULES[rule].engine()
    for power in (1, 5, 15):
        engine.lower, c = power, start.copy()
        multiply(laid(a, "f16", "rows", rng), laid(b, "f16", "rows", rng), engine, c)
        for i, j in np.ndindex(8, 16):
            addend = float(start[i, j]) * 2.0**-power
            exact = dot(
                values[0][i].tolist(), values[1][j].tolist(), addend, RULES[rule], ("f16", "f16")
            )
            assert same(float(c[i, j]), exact), (power, i, j)
