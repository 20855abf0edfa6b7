"""The steps of a division, one by one, against the manual's pseudocode in NumPy.

AMD CDNA3 ISA, chapter 12, V_DIV_SCALE, V_DIV_FMAS and V_DIV_FIXUP: what a whole division cannot
show, since its steps make up for each other.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from .machine import run
from .numbers import FLOATS, Array, assert_same, from_registers, registers, rounded

#: Bits of the mantissa, bias, exponents apart, powers of two to scale by, least numerator.
FORMS = {"f32": (23, 127, 96, 64, 23), "f64": (52, 1023, 768, 128, 53)}
WORDS = {"f32": np.uint32, "f64": np.uint64}


@pytest.fixture(autouse=True)
def quiet_numpy() -> Any:
    with np.errstate(all="ignore"):
        yield


def exponent(values: Array, kind: str) -> Any:
    """The exponent field."""
    mantissa, bias = FORMS[kind][:2]
    field = values.view(WORDS[kind]) >> WORDS[kind](mantissa)
    return (field & WORDS[kind](2 * bias + 1)).astype(np.int64)


def subnormal(values: Array) -> Any:
    return (values != 0) & (np.abs(values) < np.finfo(values.dtype).tiny)


def pairs(kind: str, exponents: Any, mantissas: tuple[float, ...]) -> tuple[Array, Array]:
    """Every pair of the finite numbers of these, and of zeros and the ends of what is subnormal."""
    made = FLOATS[kind]
    tiny, step = np.finfo(made).tiny, np.finfo(made).smallest_subnormal
    found = [made(0), -made(0), step, -step, 3 * step, tiny - step, tiny, np.finfo(made).max]
    found += [np.ldexp(made(m), e) for e in exponents for m in mantissas]
    both = list(product([each for each in found if np.isfinite(each)], repeat=2))
    both += both[: -len(both) % 64]
    numerators, denominators = zip(*both, strict=True)
    return np.array(numerators, made), np.array(denominators, made)


def edges(kind: str) -> list[int]:
    """Exponents around those that the conditions name."""
    _, bias, far, _, near = FORMS[kind]
    return [1 - bias, 2 - bias, near - bias, near + 1 - bias, -far // 2, -1, 0, far // 2 - 1,
            far // 2, far // 2 + 1, bias - 2, bias - 1, bias]  # fmt: skip


def places(kind: str, *firsts: int) -> list[str]:
    """Registers of operands that begin at these numbers."""
    return [f"v[{n}:{n + 1}]" if kind == "f64" else f"v{n}" for n in firsts]


@pytest.mark.parametrize("of", ["denominator", "numerator"])
@pytest.mark.parametrize("kind", FORMS)
def test_scaling(kind: str, of: str) -> None:
    """Where 1 / S1 and S2 / S1 are both subnormal the denominator is scaled down: see `_scaled`."""
    numerator, denominator = pairs(kind, edges(kind), (1.0, -1.75))
    _, _, far, by, near = FORMS[kind]
    own, up, down = (
        denominator if of == "denominator" else numerator, FLOATS[kind](2.0**by),
        FLOATS[kind](2.0**-by),
    )  # fmt: skip
    only_d, only_n = (own == denominator, own == numerator)
    none = (numerator == 0) | (denominator == 0)
    over, under = subnormal(FLOATS[kind](1) / denominator), subnormal(numerator / denominator)
    apart = exponent(numerator, kind) - exponent(denominator, kind) >= far
    cases = [
        (none, np.full_like(own, np.nan), False),
        (apart, np.where(only_d, own * up, own), True),
        (subnormal(denominator), own * up, False),
        (over & under, np.where(only_d, own * down, own), True),
        (over, own * down, False),
        (under, np.where(only_n, own * up, own), True),
        (exponent(numerator, kind) <= near, own * up, False),
    ]
    wanted = np.select([each[0] for each in cases], [each[1] for each in cases], own)
    flags = np.select([each[0] for each in cases], [each[2] for each in cases], False)
    d, n = places(kind, 10, 12) if kind == "f64" else places(kind, 10, 11)
    (result,) = places(kind, 20)
    body = f"v_div_scale_{kind} {result}, s[30:31], {d if of == 'denominator' else n}, {d}, {n}\n"
    body += "s_nop 4\nv_cndmask_b32 v22, 0, 1, s[30:31]"
    outputs = ["v20", "v21", "v22"] if kind == "f64" else ["v20", "v22"]
    found = run(body, [*registers(denominator), *registers(numerator)], outputs)
    assert_same(from_registers(found[:-1], kind), wanted.astype(own.dtype), numerator, denominator)
    np.testing.assert_array_equal(found[-1], flags)


@pytest.mark.parametrize("kind", FORMS)
def test_the_scaling_is_undone(kind: str) -> None:
    """Where VCC says so, by the power of two that S2's exponent tells; rounded once."""
    bias, by = FORMS[kind][1], FORMS[kind][3]
    rng = np.random.default_rng(5)
    a, b = (rng.uniform(-2, 2, 512).astype(FLOATS[kind]) for _ in range(2))
    c = np.ldexp(rng.uniform(1, 2, 512), rng.integers(-2, 3, 512)).astype(FLOATS[kind])
    scaled = rng.integers(0, 2, 512).astype(np.uint32)
    sums = [sum_of(*each) for each in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)]
    steps = np.where(scaled, np.where(exponent(c, kind) > bias, by, -by), 0).tolist()
    wanted = [
        rounded(each * Fraction(2) ** step, kind) for each, step in zip(sums, steps, strict=True)
    ]
    operands = ", ".join(places(kind, *((10, 12, 14) if kind == "f64" else (10, 11, 12))))
    number = 16 if kind == "f64" else 13
    body = f"v_cmp_eq_u32 vcc, 1, v{number}\ns_nop 4\n"
    body += f"v_div_fmas_{kind} {places(kind, 20)[0]}, {operands}"
    given = [*registers(a), *registers(b), *registers(c), scaled]
    found = run(body, given, ["v20", "v21"] if kind == "f64" else ["v20"])
    assert_same(from_registers(found, kind), np.array(wanted, FLOATS[kind]), a, b, c)


def sum_of(a: float, b: float, c: float) -> Fraction:
    return Fraction(a) * Fraction(b) + Fraction(c)


@pytest.mark.parametrize("kind", FORMS)
def test_signs_and_special_cases(kind: str) -> None:
    """Bit for bit: a NaN is made quiet, no quotient is the negative quiet NaN."""
    numerator, denominator = pairs(kind, edges(kind), (1.0, -1.25))
    # Of a larger quotient the manual says nothing; it is infinite before it comes here.
    near = exponent(numerator, kind) - exponent(denominator, kind) <= FORMS[kind][1]
    numerator, denominator = (each[near] for each in (numerator, denominator))
    mantissa, bias = FORMS[kind][:2]
    word = WORDS[kind]
    special = [0.0, -0.0, math.inf, -math.inf, 1.0, -3.0]
    nans = ((2 * bias + 1) << mantissa | np.array([1, 3 << (mantissa - 2)])).astype(word)
    signed = np.array([*np.array(special, FLOATS[kind]).view(word), *nans, nans[0] | 1 << (31 if
                      kind == "f32" else 63)], word)  # fmt: skip
    both = list(product(signed, repeat=2))
    both += both[: -(len(both) + len(numerator)) % 64]
    n = np.concatenate([numerator.view(word), np.array([each[0] for each in both], word)])
    d = np.concatenate([denominator.view(word), np.array([each[1] for each in both], word)])
    q = np.where(np.arange(len(n)) % 2, FLOATS[kind](3), FLOATS[kind](-3)).astype(FLOATS[kind])
    wanted = np.array([fixed(*each, kind) for each in zip(q, n, d, strict=True)], word)
    operands = ", ".join(places(kind, *((10, 12, 14) if kind == "f64" else (10, 11, 12))))
    given = [*registers(q), *registers(d.view(q.dtype)), *registers(n.view(q.dtype))]
    body = f"v_div_fixup_{kind} {places(kind, 20)[0]}, {operands}"
    found = run(body, given, ["v20", "v21"] if kind == "f64" else ["v20"])
    np.testing.assert_array_equal(from_registers(found, kind).view(word), wanted)


def fixed(quotient: Any, n: Any, d: Any, kind: str) -> int:
    """The manual's cases, in its order; an underflow is 0."""
    mantissa, bias = FORMS[kind][:2]
    top = 1 << (mantissa + (8 if kind == "f32" else 11))
    numbers = [float(np.array([each]).view(FLOATS[kind])[0]) for each in (n, d)]
    n, d, (x, y) = int(n), int(d), numbers
    sign, infinity = (n ^ d) & top, (2 * bias + 1) << mantissa
    for bits, number in ((n, x), (d, y)):
        if math.isnan(number):
            return bits | 1 << (mantissa - 1)
    if (x == 0 and y == 0) or (math.isinf(x) and math.isinf(y)):
        return top | infinity | 1 << (mantissa - 1)
    if y == 0 or math.isinf(x):
        return sign | infinity
    if x == 0 or math.isinf(y):
        return sign
    spread = (n >> mantissa & 2 * bias + 1) - (d >> mantissa & 2 * bias + 1)
    if spread < (-150 if kind == "f32" else -1075):
        return sign
    return sign | int(np.array([abs(quotient)]).view(WORDS[kind])[0])
