"""fma of f16 and bf16, packed and not, against sums of integers rounded once.

A finite code is an integer times a power of two, so that a * b + c is an integer, too: NumPy and
ml_dtypes decode the codes, and Python's integers are rounded here, to nearest with ties to even.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from tests import ptx

Codes = NDArray[np.uint16]
#: Bits of the significand with the leading one, the least exponent of a place, the largest number.
FORMATS: dict[str, tuple[Any, int, int, float]] = {
    "f16": (np.float16, 11, -24, 65504.0),
    "bf16": (ml_dtypes.bfloat16, 8, -133, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
}
CANONICAL = 0x7FFF
BODY = """\
.reg .b32 %n, %t, %w<4>; .reg .b64 %o; .reg .b16 %h<8>;
mov.u32 %n, %ctaid.x; mov.u32 %t, %tid.x; mad.lo.u32 %n, %n, 256, %t; mul.wide.u32 %o, %n, 4;
add.u64 %a, %a, %o; add.u64 %b, %b, %o; add.u64 %c, %c, %o; add.u64 %d, %d, %o;
ld.global.b32 %w0, [%a]; ld.global.b32 %w1, [%b]; ld.global.b32 %w2, [%c];
{statement}
st.global.b32 [%d], %w3;"""
PAIR = "fma.rn{more}.{kind}x2 %w3, %w0, %w1, %w2;"
SINGLES = """mov.b32 {{%h0, %h4}}, %w0; mov.b32 {{%h1, %h5}}, %w1; mov.b32 {{%h2, %h6}}, %w2;
fma.rn{more}.{kind} %h3, %h0, %h1, %h2; fma.rn{more}.{kind} %h7, %h4, %h5, %h6;
mov.b32 %w3, {{%h3, %h7}};"""


def _encoded(kind: str, exact: Fraction, negative_zero: bool) -> int:
    """The code nearest to a number, ties to even."""
    dtype, bits, least, largest = FORMATS[kind]
    size = abs(exact)
    place = Fraction(2) ** least
    while size >= place * 2**bits:
        place *= 2
    count, rest = divmod(size, place)
    if 2 * rest > place or (2 * rest == place and count % 2):
        count += 1
    value = float(count * place) if count * place <= largest else float("inf")
    sign = -1.0 if exact < 0 or (not exact and negative_zero) else 1.0
    return int(np.array(np.copysign(value, sign), dtype).view(np.uint16))


def _expected(kind: str, a: Codes, b: Codes, c: Codes) -> Codes:
    dtype = FORMATS[kind][0]
    x, y, z = (codes.view(dtype).astype(np.float64) for codes in (a, b, c))
    found = np.empty(len(a), np.uint16)
    with np.errstate(invalid="ignore"):
        special = x * y + z  # exact for what is not finite
    for i, value in enumerate(special):
        if np.isnan(value):
            found[i] = CANONICAL
        elif not np.isfinite([x[i], y[i], z[i]]).all():
            found[i] = np.array(value, dtype).view(np.uint16)
        else:
            product = Fraction(x[i]) * Fraction(y[i])
            both = np.signbit(x[i]) != np.signbit(y[i]) and np.signbit(z[i])
            found[i] = _encoded(kind, product + Fraction(z[i]), bool(both))
    return found


def _operands(kind: str, count: int) -> tuple[Codes, Codes, Codes]:
    """Any codes; sums that cancel; sums near midpoints of the format; tiny ones; special values."""
    dtype, bits, _, _ = FORMATS[kind]
    rng = np.random.default_rng(len(kind))
    a, b, c = rng.integers(0, 1 << 16, (3, count)).astype(np.uint16)
    x, y = a.view(dtype).astype(np.float64), b.view(dtype).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        near = (-(x * y)).astype(dtype).view(np.uint16)
        half = ((x * y) * 2.0 ** -rng.integers(bits - 2, 3 * bits, count)).astype(dtype)
    c[0::5], c[1::5] = near[0::5], half.view(np.uint16)[1::5]
    # c large, and a product of half its last place and a little more or less
    place = np.ldexp(1.0, rng.integers(-6, 6, count))
    a[2::5] = place.astype(dtype).view(np.uint16)[2::5]
    offset = rng.integers(-1, 2, count)
    b[2::5] = (np.array(1.0, dtype).view(np.uint16) + offset).astype(np.uint16)[2::5]
    c[2::5] = (
        ((1 + rng.integers(0, 1 << (bits - 1), count) * 2.0 ** (1 - bits)) * place * 2.0**bits)
        .astype(dtype)
        .view(np.uint16)[2::5]
    )
    specials = np.array(
        [
            0,
            0x8000,
            1,
            0x8001,
            0x7C00,
            0xFC00,
            0x7F80,
            0xFF80,
            0x7FFF,
            0x3C00,
            0x3F80,
            0x7BFF,
            0x7F7F,
            0x0400,
            0x03FF,
            0x0080,
            0x007F,
        ],
        np.uint16,
    )
    for each in (a, b, c):
        each[3::5] = rng.choice(specials, len(each[3::5]))
    return a, b, c


@pytest.mark.parametrize("statement", [PAIR, SINGLES], ids=["x2", "one"])
@pytest.mark.parametrize("count", [4096, pytest.param(1 << 17, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.filterwarnings("ignore:(overflow|invalid):RuntimeWarning")
def test_one_rounding(statement: str, kind: str, count: int) -> None:
    a, b, c = _operands(kind, count)
    text = ptx.entry(BODY.format(statement=statement.format(kind=kind, more="")), "a b c d")
    sizes = {"grid": count // 512, "block": 256}
    *_, got = ptx.launch(text, a, b, c, np.zeros(count, np.uint16), **sizes)
    expected = _expected(kind, a, b, c)
    wrong = np.flatnonzero(got != expected)
    assert not len(wrong), [hex(v[wrong[0]]) for v in (a, b, c, got, expected)]
    assert len(np.unique(got)) > count // 20
