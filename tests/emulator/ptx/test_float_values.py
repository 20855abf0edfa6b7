"""Floats at zeros, infinities, NaN, the smallest numbers and ties, against exact fractions.

NVIDIA PTX ISA, Floating-Point Instructions; Data Movement: cvt. What it leaves open is as on an
H200: NaN of f64 keep the second operand's payload, and .ftz judges a result before it is bounded.
"""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.emulator.ptx.applied import applied, each, signed

#: +0, the smallest, the largest subnormal, the smallest normal number, 1, 2, the largest, infinity,
#: a signaling and two quiet NaN, and the same with a sign.
F32 = [sign << 31 | code for sign in (0, 1) for code in (
    0, 1, 0x007FFFFF, 0x00800000, 0x3F800000, 0x40000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001,
    0x7FC00000, 0x7FC12345)]  # fmt: skip
F64 = [sign << 63 | code for sign in (0, 1) for code in (
    0, 1, (1 << 52) - 1, 1 << 52, 0x3FF0000000000000, 0x4000000000000000, 0x7FEFFFFFFFFFFFFF,
    0x7FF0000000000000, 0x7FF0000000000001, 0x7FF8000000000000, 0x7FF8123456789ABC)]  # fmt: skip


class Format:
    """A float format by its widths."""

    def __init__(self, bits: int, fraction: int) -> None:
        self.bits, self.fraction = bits, fraction
        self.infinity = ((1 << bits - 1 - fraction) - 1) << fraction
        self.bias = (1 << bits - 2 - fraction) - 1

    def is_nan(self, code: int) -> bool:
        return code & (1 << self.bits - 1) - 1 > self.infinity

    def value(self, code: int) -> Fraction:
        size = code & (1 << self.bits - 1) - 1
        exponent, part = size >> self.fraction, size & (1 << self.fraction) - 1
        part |= (exponent > 0) << self.fraction
        made = Fraction(part) * Fraction(2) ** (max(exponent, 1) - self.bias - self.fraction)
        return -made if code >> self.bits - 1 else made

    def rounded(self, value: Fraction, mode: str, sign: int = 0) -> int:
        """The code of a number; a zero gets `sign`."""
        if not value:
            return sign << self.bits - 1
        sign, size = int(value < 0), abs(value)
        exponent = max(_exponent(size), 1 - self.bias)
        place = Fraction(2) ** (exponent - self.fraction)
        count = _whole(size / place, mode, sign)
        code = count + (max(exponent + self.bias - 1, 0) << self.fraction)
        if code >= self.infinity:
            to_largest = mode == "rz" or (mode, sign) in (("rm", 0), ("rp", 1))
            code = self.infinity - to_largest
        return sign << self.bits - 1 | code


def _exponent(size: Fraction) -> int:
    """The power of two at or below a number."""
    guess = size.numerator.bit_length() - size.denominator.bit_length()
    return guess - (Fraction(2) ** guess > size)


def _whole(number: Fraction, mode: str, sign: int) -> int:
    """A positive number rounded to an integer; `sign` says that it stands for a negative one."""
    if mode == "rn":
        return round(number)
    up = (mode, sign) in (("rp", 0), ("rm", 1))
    return -(-number.numerator // number.denominator) if up else int(number)


HALF, SINGLE, DOUBLE = Format(16, 10), Format(32, 23), Format(64, 52)
BFLOAT = Format(16, 7)
FORMATS = {"f16": HALF, "bf16": BFLOAT, "f32": SINGLE, "f64": DOUBLE}


def _columns(values: list[int], count: int) -> list[NDArray[np.uint64]]:
    rows = list(itertools.product(values, repeat=count))
    return [np.array(column, np.uint64) for column in zip(*rows, strict=True)]


def _extreme(form: Format, name: str, nan: bool, x: int, y: int) -> int | None:
    """Min or max; None where a NaN is to come out."""
    bad = [form.is_nan(code) for code in (x, y)]
    if any(bad):
        return None if nan or all(bad) else (y if bad[0] else x)

    def order(code: int) -> tuple[float, int]:
        size = code & (1 << form.bits - 1) - 1
        return (-size if code >> form.bits - 1 else size, -(code >> form.bits - 1))

    return (min if name == "min" else max)((x, y), key=order)


@pytest.mark.parametrize("nan", ["", ".NaN"])
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", ["min", "max"])
def test_extrema(name: str, kind: str, nan: str) -> None:
    if kind == "f64" and nan:
        pytest.skip("f64 has no .NaN")
    form, columns = FORMATS[kind], _columns(F32 if kind == "f32" else F64, 2)
    got = applied(
        f"{name}{nan}.{kind} {{d}}, {{0}}, {{1}};", [f"b{form.bits}"] * 2, columns, f"b{form.bits}"
    )
    for x, y, found in zip(*[c.tolist() for c in columns], got.tolist(), strict=True):
        wanted = _extreme(form, name, bool(nan), x, y)
        if wanted is not None:
            assert found == wanted, (hex(x), hex(y))
        elif kind == "f32":
            assert found == 0x7FFFFFFF
        else:
            assert found == y | 1 << 51


def test_extrema_of_three_and_of_magnitudes() -> None:
    columns = _columns([F32[i] for i in (0, 1, 4, 8, 11, 15, 18)], 3)
    low = (1 << 31) - 1
    for words, rule in (
        ("min", lambda x, y, z: _three("min", x, y, z)),
        ("max", lambda x, y, z: _three("max", x, y, z)),
        ("max.abs", lambda x, y, z: _three("max", x & low, y & low, z & low)),
    ):
        text = f"{words.split('.')[0]}{words[3:]}.f32 {{d}}, {{0}}, {{1}}, {{2}};"
        assert applied(text, ["b32"] * 3, columns).tolist() == each(rule, columns)


def _three(name: str, x: int, y: int, z: int) -> int:
    first = _extreme(SINGLE, name, False, x, y)
    both = 0x7FFFFFFF if first is None else first
    last = _extreme(SINGLE, name, False, both, z)
    return 0x7FFFFFFF if last is None else last


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_properties(kind: str) -> None:
    form, values = FORMATS[kind], F32 if kind == "f32" else F64
    column = np.array(values, np.uint64)
    smallest = 1 << form.fraction
    rules = {
        "finite": lambda c: c < form.infinity, "infinite": lambda c: c == form.infinity,
        "number": lambda c: c <= form.infinity, "notanumber": lambda c: c > form.infinity,
        "normal": lambda c: c == 0 or smallest <= c < form.infinity,
        "subnormal": lambda c: 0 < c < smallest,
    }  # fmt: skip
    for what, rule in rules.items():
        text = f"testp.{what}.{kind} %p, {{0}}; selp.b32 {{d}}, 1, 0, %p;"
        got = applied(text, [f"b{form.bits}"], [column])
        assert got.tolist() == [int(rule(c & (1 << form.bits - 1) - 1)) for c in values], what


def test_selections_by_a_sign() -> None:
    column = np.array(F32, np.uint64)
    ones, twos = np.full(len(F32), 1), np.full(len(F32), 2)
    got = applied("slct.b32.s32 {d}, {1}, {2}, {0};", ["b32"] * 3, [column, ones, twos])
    assert got.tolist() == [1 if signed(code) >= 0 else 2 for code in F32]
    for ftz, least in (("", 1 << 31), (".ftz", 0x807FFFFF)):
        text = f"slct{ftz}.b32.f32 {{d}}, {{1}}, {{2}}, {{0}};"
        got = applied(text, ["b32"] * 3, [column, ones, twos])
        holds = [code <= least and not SINGLE.is_nan(code) for code in F32]
        assert got.tolist() == [1 if each else 2 for each in holds]


@pytest.mark.parametrize("kind", ["f16", "f16x2"])
def test_comparisons_of_flushed_halves(kind: str) -> None:
    """Numbers below the smallest normal one are zeros with .ftz."""
    codes = [0, 1, 0x3FF, 0x400, 0x8000, 0x8001, 0x83FF, 0x8400, 0x3C00, 0x7C00, 0x7E01]
    columns = _columns(codes, 2)

    def value(code: int) -> Fraction:  # infinity is the greatest one here too
        return Fraction(0) if code & 0x7FFF < 0x400 else HALF.value(code)

    words = "{d}, 1, 0, %p;"
    given = [column << np.uint64(16 * (kind == "f16x2")) for column in columns]
    for name, rule in (("eq", operator.eq), ("lt", operator.lt), ("ge", operator.ge)):
        to = "%p" if kind == "f16" else "%r|%p"
        text = f".reg .pred %r; setp.{name}.ftz.{kind} {to}, {{0}}, {{1}}; selp.b32 {words}"
        got = applied(text, ["b16" if kind == "f16" else "b32"] * 2, given)
        for x, y, found in zip(*[c.tolist() for c in columns], got.tolist(), strict=True):
            bad = HALF.is_nan(x) or HALF.is_nan(y)
            assert found == int(not bad and rule(value(x), value(y))), (name, hex(x), hex(y))


LARGE = sorted({
    v + d for n in (24, 25, 52, 53, 54, 55, 62, 63) for d in (-1, 0, 1, 1 << max(n - 25, 0))
    for v in (1 << n, 3 << n - 1) if 0 <= v + d < 1 << 63
})  # fmt: skip


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("target", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("source", ["u64", "s64", "u32", "s32"])
def test_large_integers_become_floats(source: str, target: str, mode: str) -> None:
    bits, form = int(source[1:]), FORMATS[target]
    codes = {v & (1 << bits) - 1 for v in (*LARGE, *(-v for v in LARGE), 65519, 65520)}
    column = np.array(sorted(codes), np.uint64)

    def rule(code: int) -> int:
        value = signed(code, bits) if source[0] == "s" else code
        return form.rounded(Fraction(value), mode)

    text = f"cvt.{mode}.{target}.{source} {{d}}, {{0}};"
    got = applied(text, [f"b{bits}"], [column], f"b{form.bits}")
    assert got.tolist() == each(rule, [column], form.bits)


def _near(form: Format, other: Format) -> list[int]:
    """Codes of a format at, half way between and beside codes of a narrower one, and all edges."""
    rng = np.random.default_rng(form.bits * other.bits)
    own = [int(code) for code in rng.integers(0, other.infinity, 40)]
    own += [0, 1, 2, (1 << other.fraction) - 1, 1 << other.fraction, other.infinity - 1]
    found = set()
    for code in own:
        low, high = other.value(code), other.value(min(code + 1, other.infinity - 1))
        for value in (low, (low + high) / 2):
            near = form.rounded(value, "rn")
            found |= {near, max(near - 1, 0), near + 1}
    found |= {0, 1, (1 << form.fraction) - 1, 1 << form.fraction, form.infinity - 1, form.infinity}
    return sorted({code | sign << form.bits - 1 for code in found for sign in (0, 1)})


def _converted(form: Format, other: Format, mode: str, code: int) -> int:
    sign = code >> form.bits - 1
    if code & (1 << form.bits - 1) - 1 == form.infinity:
        return sign << other.bits - 1 | other.infinity
    return other.rounded(form.value(code), mode, sign)


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("ftz", ["", ".ftz"])
@pytest.mark.parametrize("names", ["f64 f32", "f32 f16", "f64 f16", "f32 bf16", "f64 bf16"])
def test_floats_become_narrower_ones(names: str, ftz: str, mode: str) -> None:
    source, target = names.split()
    form, other = FORMATS[source], FORMATS[target]
    if ftz and "f32" not in (source, target):
        pytest.skip(".ftz needs an f32")
    column = np.array(_near(form, other), np.uint64)

    def rule(code: int) -> int:
        sign = code >> form.bits - 1
        # an H200 keeps what it rounds to f16
        if ftz and source == "f32" and target != "f16" and code & 0x7FFFFFFF < 0x00800000:
            code = sign << 31
        made = _converted(form, other, mode, code)
        if ftz and target == "f32" and made & 0x7FFFFFFF < 0x00800000:
            made = sign << 31
        return made

    text = f"cvt.{mode}{ftz}.{target}.{source} {{d}}, {{0}};"
    got = applied(text, [f"b{form.bits}"], [column], f"b{other.bits}")
    wanted = each(rule, [column], other.bits)
    wrong = [
        (hex(c), hex(g), hex(w))
        for c, g, w in zip(column.tolist(), got.tolist(), wanted, strict=True)
        if g != w
    ]
    assert not wrong, wrong[:4]


@pytest.mark.parametrize("relu", ["", ".relu"])
@pytest.mark.parametrize("finite", ["", ".satfinite"])
@pytest.mark.parametrize("mode", ["rna", "rn", "rz"])
def test_tf32(mode: str, finite: str, relu: str) -> None:
    if mode == "rna" and relu:
        pytest.skip(".rna has no .relu")
    codes = [c | d for c in (0, 0x3F800000, 0x3F802000, 0x00800000, 0x7F7FE000, 0x7F800000)
             for d in (0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x2FFF, 0x3000)]  # fmt: skip
    codes = [c | s << 31 for c in codes for s in (0, 1) if c <= 0x7F800000]
    column = np.array(codes, np.uint64)

    def rule(code: int) -> int:
        sign, size = code >> 31, code & 0x7FFFFFFF
        if relu and sign:
            return 0
        low, place = size & ~0x1FFF, size & 0x1FFF
        up = {"rna": place >= 0x1000, "rz": False,
              "rn": place > 0x1000 or (place == 0x1000 and bool(low >> 13 & 1))}[mode]  # fmt: skip
        made = low + 0x2000 * up
        if finite and made >= 0x7F800000:
            made = 0x7F7FE000
        return sign << 31 | made

    text = f"cvt.{mode}{relu}{finite}.tf32.f32 {{d}}, {{0}};"
    assert applied(text, ["b32"], [column]).tolist() == each(rule, [column])


@pytest.mark.parametrize("operation", ["mul", "fma", "div"])
def test_ftz_judges_a_result_before_it_is_bounded(operation: str) -> None:
    """Signed zeros for what is below the smallest normal number with exponents without bounds."""
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(600):
        x = int(rng.integers(0x3F800000, 0x40000000))
        border = Fraction(2) ** -126 * (1 - Fraction(int(rng.integers(-3, 9)), 1 << 26))
        if operation == "div":
            y = SINGLE.rounded(SINGLE.value(x) / border, "rn")
        else:
            y = SINGLE.rounded(border / SINGLE.value(x), "rn")
        x |= int(rng.integers(0, 2)) << 31
        z = int(rng.choice([0, 0x80000000, 0x00800000, 0x80800000])) if operation == "fma" else 0
        if z & 0x7FFFFFFF:  # the smallest normal number, less something that is far below it
            y = int(rng.integers(0x20000000, 0x34000000)) if rng.integers(0, 2) else y
            x = SINGLE.rounded(Fraction(2) ** -100, "rn") | int(rng.integers(0, 2)) << 31
        rows.append((x, y, z))
    if operation != "div":  # (2**25 - 1) / 2**151 lies half way
        parts = (Fraction(18631, 1 << 31), Fraction(1801, 1 << 120))
        p, q = (SINGLE.rounded(part, "rn") for part in parts)
        rows += [(p | sign << 31, q, z) for sign in (0, 1) for z in (0, 1 << 31)]
    columns = [np.array(column, np.uint64) for column in zip(*rows, strict=True)]

    def rule(x: int, y: int, z: int) -> int:
        p, q, r = (SINGLE.value(0 if c & 0x7FFFFFFF < 0x00800000 else c) for c in (x, y, z))
        exact = p / q if operation == "div" else p * q + r
        sign = (x ^ y) >> 31
        if not exact:
            return (sign & z >> 31 if operation == "fma" else sign) << 31
        size = abs(exact)
        place = Fraction(2) ** (_exponent(size) - 23)
        made = round(size / place) * place  # as if there were no least exponent
        negative = int(exact < 0)
        return negative << 31 if made < Fraction(2) ** -126 else SINGLE.rounded(exact, "rn")

    keep = [i for i, (x, y, z) in enumerate(rows) if operation != "div" or y & 0x7FFFFFFF]
    columns = [column[keep] for column in columns]
    count = 3 if operation == "fma" else 2
    operands = ", ".join(f"{{{i}}}" for i in range(count))
    text = f"{operation}{'.rn' if operation != 'mul' else ''}.ftz.f32 {{d}}, {operands};"
    got = applied(text, ["b32"] * count, columns[:count])
    wanted = each(rule, columns)
    wrong = [
        tuple(hex(int(c[i])) for c in columns) + (hex(int(got[i])), hex(wanted[i]))
        for i in range(len(wanted))
        if int(got[i]) != wanted[i]
    ]
    assert not wrong, (len(wrong), wrong[:4])


@pytest.mark.parametrize("operation", ["add", "mul"])
def test_ftz_judges_halves_before_they_are_bounded(operation: str) -> None:
    """63 * 65 / 2**26 lies half way to the smallest normal number."""
    tie = [HALF.rounded(part, "rn") for part in (Fraction(63, 1 << 8), Fraction(65, 1 << 18))]
    rng = np.random.default_rng(6)
    near = [HALF.rounded(Fraction(int(n), 1 << 19), "rn") for n in rng.integers(56, 72, 60)]
    rows = [*itertools.product(tie, tie), *itertools.product([*tie, 0x0400, 0x0401, 0x0800], near)]
    rows += [(x | 0x8000, y) for x, y in rows] + [(x, 0x8400) for x, _ in rows]
    columns = [np.array(column, np.uint64) for column in zip(*rows, strict=True)]

    def rule(x: int, y: int) -> int:
        p, q = (HALF.value(0 if c & 0x7FFF < 0x400 else c) for c in (x, y))
        exact = p + q if operation == "add" else p * q
        if not exact:
            return ((x & y) >> 15 if operation == "add" else (x ^ y) >> 15) << 15
        place = Fraction(2) ** (_exponent(abs(exact)) - 10)
        made = round(abs(exact) / place) * place
        return (exact < 0) << 15 if made < Fraction(1, 1 << 14) else HALF.rounded(exact, "rn")

    got = applied(f"{operation}.ftz.f16 {{d}}, {{0}}, {{1}};", ["b16"] * 2, columns, "b16")
    assert got.tolist() == each(rule, columns, 16)


@pytest.mark.parametrize("ftz", ["", ".ftz"])
@pytest.mark.parametrize("kind", ["f16", "bf16", "f16x2", "bf16x2"])
@pytest.mark.parametrize("name", ["abs", "neg"])
def test_signs_of_halves(name: str, kind: str, ftz: str) -> None:
    if ftz and kind.startswith("bf16"):
        pytest.skip("bf16 has no .ftz")
    form, wide = FORMATS[kind.removesuffix("x2")], kind.endswith("x2")
    codes = np.arange(1 << 16, dtype=np.uint64)[::7]
    edges = [0, 1, 0x3FF, 0x400, form.infinity, form.infinity + 1, 0xFFFF]
    codes = np.concatenate([codes, np.array(edges, np.uint64)])
    both = codes | codes[::-1] << np.uint64(16) if wide else codes

    def one(code: int) -> int:
        if form.is_nan(code):
            return 0x7FFF
        made = code & 0x7FFF if name == "abs" else code ^ 0x8000
        return made & 0x8000 if ftz and made & 0x7FFF < 0x400 else made

    register = "b32" if wide else "b16"
    got = applied(f"{name}{ftz}.{kind} {{d}}, {{0}};", [register], [both], register)
    rule = (lambda c: one(c & 0xFFFF) | one(c >> 16) << 16) if wide else one
    assert got.tolist() == each(rule, [both])


def test_payloads_of_f64_and_reciprocals() -> None:
    nan = [0x7FF8000000000111, 0xFFF8000000000222, 0x7FF0000000000333, 0x3FF0000000000000]
    columns = _columns(nan, 3)
    quiet = 1 << 51

    def wins(*codes: int) -> int | None:
        bad = [code for code in codes if DOUBLE.is_nan(code)]
        return bad[0] | quiet if bad else None

    got = applied("fma.rn.f64 {d}, {0}, {1}, {2};", ["b64"] * 3, columns, "b64")
    for x, y, z, found in zip(*[c.tolist() for c in columns], got.tolist(), strict=True):
        wanted = wins(y, z, x)
        assert wanted is None or found == wanted
    got = applied("add.rn.f64 {d}, {0}, {1};", ["b64"] * 2, columns[:2], "b64")
    for x, y, found in zip(*[c.tolist() for c in columns[:2]], got.tolist(), strict=True):
        wanted = wins(y, x)
        assert wanted is None or found == wanted
    codes = np.random.default_rng(2).integers(1 << 52, 0x7FD << 52, 64, np.uint64)
    for mode in ("rn", "rz", "rm", "rp"):
        got = applied(f"rcp.{mode}.f64 {{d}}, {{0}};", ["b64"], [codes], "b64")
        wanted = each(lambda c, m=mode: DOUBLE.rounded(1 / DOUBLE.value(c), m), [codes], 64)
        assert got.tolist() == wanted


@pytest.mark.parametrize("target", ["f16", "bf16"])
def test_a_nan_of_f64_keeps_its_sign_and_upper_bits(target: str) -> None:
    form = FORMATS[target]
    codes = [0x7FF8 << 48 | 1 << n for n in range(0, 51, 3)] + [
        0xFFF8 << 48 | 1 << n for n in range(51)
    ]
    column = np.array(codes, np.uint64)
    kept = 52 - form.fraction

    def rule(code: int) -> int:
        quiet = form.infinity | 1 << form.fraction - 1
        return quiet | (code & (1 << 52) - 1) >> kept | (code >> 63) << 15

    text = f"cvt.rn.{target}.f64 {{d}}, {{0}};"
    assert applied(text, ["b64"], [column], "b16").tolist() == each(rule, [column], 16)


def test_a_move_of_f32_by_cvt_keeps_every_bit() -> None:
    column = np.array(F32, np.uint64)
    assert applied("cvt.f32.f32 {d}, {0};", ["b32"], [column]).tolist() == F32
    got = applied("cvt.rni.s64.f32 {d}, {0};", ["b32"], [column], "b64").tolist()
    for code, found in zip(F32, got, strict=True):
        if SINGLE.is_nan(code):
            assert found == 1 << 63
