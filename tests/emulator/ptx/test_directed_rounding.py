"""Arithmetic and conversions rounded toward zero, down and up.

f32 and f64 are held to the processor's own arithmetic in that mode, which NumPy and the C library
use after fesetround; f16 and bf16 to tables of all their numbers.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from tests import ptx

if platform.machine() != "x86_64":
    pytest.skip("the numbers of rounding modes are those of x86-64", allow_module_level=True)

#: fenv.h of x86-64.
MODES = {"rn": 0, "rm": 0x400, "rp": 0x800, "rz": 0xC00}
DIRECTED = ("rz", "rm", "rp")
LIBRARY = ctypes.CDLL(ctypes.util.find_library("m"))
COUNT = 2048
Array = NDArray[Any]


@contextmanager
def rounding(mode: str) -> Iterator[None]:
    LIBRARY.fesetround(MODES[mode])
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        LIBRARY.fesetround(MODES["rn"])


def fused(dtype: Any) -> Callable[..., Array]:
    """fma of the C library, element by element."""
    name, kind = ("fmaf", ctypes.c_float) if dtype is np.float32 else ("fma", ctypes.c_double)
    function = getattr(LIBRARY, name)
    function.argtypes, function.restype = [kind] * 3, kind
    return np.frompyfunc(function, 3, 1)


def operation(name: str, dtype: Any) -> Callable[..., Array]:
    return {
        "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
        "sqrt": lambda a, *_: np.sqrt(a), "fma": lambda *v: fused(dtype)(*v).astype(dtype),
    }[name]  # fmt: skip


OPERANDS = {"add": "ab", "sub": "ab", "mul": "ab", "div": "ab", "sqrt": "a", "fma": "abc"}


def operands(dtype: Any) -> tuple[Array, Array, Array]:
    """Any bits; numbers near each other, that cancel, that leave the exponents; special values."""
    bits = np.dtype(dtype).itemsize * 8
    info, rng = np.finfo(dtype), np.random.default_rng(bits)
    unsigned = np.dtype(f"u{bits // 8}")
    a, b, c = (
        np.frombuffer(rng.bytes(COUNT * bits // 8), unsigned).view(dtype).copy() for _ in range(3)
    )
    near = slice(0, COUNT, 2)  # exponents near those of 1
    for x in (a, b, c):
        x[near] = np.ldexp(rng.uniform(-2, 2, COUNT // 2), rng.integers(-30, 30, COUNT // 2))
    with np.errstate(all="ignore"):
        product = a * b
        c[0:512:2] = -product[0:512:2]
        b[512:768:2] = -a[512:768:2] * dtype(1 + info.eps) ** rng.integers(0, 3, 128)
        # products and quotients at the smallest normal number and below
        edge = slice(768, 1280)
        a[edge] = np.ldexp(rng.uniform(1, 2, 512).astype(dtype), rng.integers(-40, 40, 512))
        b[edge] = info.smallest_normal / a[edge] * (1 + rng.integers(-2, 3, 512) * info.eps)
        c[edge] *= info.smallest_normal
    special = [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny]
    special = np.array([*special, info.smallest_subnormal, -info.smallest_subnormal], dtype)
    grid = np.meshgrid(special, special)
    a[-144:], b[-144:] = grid[0].ravel(), grid[1].ravel()
    c[-144:] = np.resize(special[::-1], 144)
    return a, b, c


def text(statements: list[str], bits: int) -> str:
    """A kernel that stores the result %o<bits> of each statement in a row of its own."""
    body = [
        """
    .reg .b32 %n, %t; .reg .b64 %p, %q, %w, %o64; .reg .b32 %o32; .reg .b16 %o16;
    .reg .f32 %a32, %b32, %c32; .reg .f64 %a64, %b64, %c64;
    mov.u32 %n, %ctaid.x; mov.u32 %t, %tid.x; mad.lo.u32 %n, %n, 256, %t;"""
    ]
    for name in "abc":
        body.append(f"mul.wide.u32 %p, %n, {bits // 8}; add.u64 %q, %{name}, %p;")
        body.append(f"ld.global.f{bits} %{name}{bits}, [%q];")
    body.append("mov.b64 %w, %a64;")
    body.append("mul.wide.u32 %p, %n, 8; add.u64 %q, %d, %p;")
    for i, statement in enumerate(statements):
        result = statement.split("%o")[1][:2]
        body.append(f"{statement} st.global.b{result} [%q+{i * COUNT * 8}], %o{result};")
    return ptx.entry("\n".join(body), "a b c d")


def results(statements: list[str], given: tuple[Array, ...]) -> Array:
    bits = given[0].dtype.itemsize * 8
    out = np.zeros((len(statements), COUNT), np.uint64)
    *_, found = ptx.launch(text(statements, bits), *given, out, grid=COUNT // 256, block=256)
    return found


def assert_same(found: Array, expected: Array, statement: str, given: tuple[Array, ...]) -> None:
    dtype = expected.dtype
    values = found.astype(f"u{dtype.itemsize}").view(dtype)
    nan = np.isnan(expected)
    assert np.array_equal(np.isnan(values), nan), statement
    same = values.view(f"u{dtype.itemsize}") == expected.view(f"u{dtype.itemsize}")
    wrong = np.flatnonzero(~same & ~nan)
    assert not len(wrong), (
        statement, len(wrong), *((x[i], f"{found[i]:x}", expected[i])
                                 for i in wrong[:3] for x in given)
    )  # fmt: skip


def flushed(x: Array) -> Array:
    return np.where(np.abs(x) < np.finfo(x.dtype).tiny, np.copysign(x.dtype.type(0), x), x)


def with_ftz(name: str, values: list[Array], mode: str) -> Array:
    """Zero where the result with 64 more exponents would be smaller than all normal numbers."""
    function, scale = operation(name, np.float32), np.float32(2.0**64)
    with rounding(mode):
        result = function(*values)
        first = values[0] * scale if name != "sqrt" else values[0]
        second = values[1:2] if name in ("mul", "div", "fma") else [x * scale for x in values[1:2]]
        lifted = function(first, *second, *(x * scale for x in values[2:]))
        smallest = np.finfo(np.float32).tiny
        tiny = np.abs(lifted) < smallest * (scale if name != "sqrt" else 1)
        tiny &= np.abs(result) <= smallest  # what is lifted may leave the exponents above
    return np.where(tiny, np.copysign(np.float32(0), result), result)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arithmetic(dtype: Any) -> None:
    given = operands(dtype)
    bits = np.dtype(dtype).itemsize * 8
    more = ("", ".ftz") if dtype is np.float32 else ("",)
    cases = [(name, mode, ftz) for name in OPERANDS for mode in DIRECTED for ftz in more]
    statements = [
        f"{name}.{mode}{ftz}.f{bits} %o{bits}, "
        + ", ".join(f"%{x}{bits}" for x in OPERANDS[name]) + ";"
        for name, mode, ftz in cases
    ]  # fmt: skip
    found = results(statements, given)
    for row, statement, (name, mode, ftz) in zip(found, statements, cases, strict=True):
        values = list(given[: len(OPERANDS[name])])
        if ftz:
            expected = with_ftz(name, [flushed(x) for x in values], mode)
        else:
            with rounding(mode):
                expected = operation(name, dtype)(*values)
        assert_same(row, expected, statement, given)


def numbers(dtype: Any) -> Array:
    """All finite numbers of a format."""
    with np.errstate(invalid="ignore"):
        values = np.arange(1 << 16, dtype=np.uint16).view(dtype).astype(np.float64)
    return np.unique(values[np.isfinite(values)])


def narrowed(x: Array, dtype: Any, mode: str) -> Array:
    """Doubles as numbers of a format of 16 bits, by a search among all of them."""
    table = numbers(dtype)
    beyond = table[-1] * 2 - table[-2]  # the next number if there were another exponent
    table = np.array([-np.inf, -beyond, *table, beyond, np.inf])
    most = table[-3]
    held = np.clip(np.nan_to_num(x), -0.75 * beyond - 0.25 * most, 0.75 * beyond + 0.25 * most)
    below = np.searchsorted(table, held, "right") - 1
    above = np.searchsorted(table, held, "left")
    down, up = table[below], table[above]
    if mode == "rn":
        middle = (down + up) / 2
        even = table[np.where((below - 2 - len(numbers(dtype)) // 2) % 2 == 0, below, above)]
        chosen = np.where(held == middle, even, np.where(held < middle, down, up))
    else:
        toward = {"rm": down, "rp": up, "rz": np.where(held < 0, up, down)}
        chosen = toward[mode]
    chosen = np.where(np.abs(chosen) > most, np.copysign(np.inf, chosen), chosen)
    if mode == "rz":
        chosen = np.clip(chosen, -most, most)
    chosen = np.where(np.isinf(x), x, chosen)
    return np.copysign(np.where(np.isnan(x), np.nan, chosen), x).astype(dtype)


@pytest.mark.parametrize("source", [np.float32, np.float64])
def test_narrower_floats(source: Any) -> None:
    given = operands(source)
    bits = np.dtype(source).itemsize * 8
    ranges = {np.float16: (-28, 18), ml_dtypes.bfloat16: (-136, 129)}
    for at, (dtype, exponents) in enumerate(ranges.items()):
        rng, part = np.random.default_rng(at), slice(at * 700, at * 700 + 600)
        with np.errstate(over="ignore"):
            given[0][part] = np.ldexp(rng.uniform(-2, 2, 600), rng.integers(*exponents, 600))
        table = numbers(dtype)
        below = rng.integers(0, len(table) - 1, 90)
        given[0][at * 700 + 600 : at * 700 + 690] = (table[below] + table[below + 1]) / 2
    targets = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
    cases = [(kind, mode) for kind in targets for mode in MODES]
    statements = [f"cvt.{mode}.{kind}.f{bits} %o16, %a{bits};" for kind, mode in cases]
    if source is np.float64:
        cases += [("f32", mode) for mode in MODES]
        statements += [f"cvt.{mode}.f32.f64 %o32, %a64;" for mode in MODES]
    found = results(statements, given)
    for row, statement, (kind, mode) in zip(found, statements, cases, strict=True):
        if kind == "f32":
            with rounding(mode):
                expected = given[0].astype(np.float32)
        else:
            expected = narrowed(given[0].astype(np.float64), targets[kind], mode)
        assert_same(row, expected, statement, given[:1])


def test_integers() -> None:
    """Words and doublewords to f32 and f64 by the processor, to f16 and bf16 by their tables."""
    rng = np.random.default_rng(7)
    whole = np.frombuffer(rng.bytes(COUNT * 8), np.uint64)
    whole = whole >> rng.integers(0, 64, COUNT).astype(np.uint64)
    whole[:200] = (1 << rng.integers(24, 63, 200)) + rng.integers(-1, 2, 200)
    whole[200:216] = [0, 1, *(1 << np.arange(50, 64, dtype=np.uint64))]
    whole[216:232] = ~whole[200:216]
    given = (whole.view(np.float64), *operands(np.float64)[1:])
    targets, sources = ("f32", "f64", "f16", "bf16"), ("s32", "u32", "s64", "u64")
    cases = [(to, of, mode) for to in targets for of in sources for mode in MODES]
    statements = [
        f"mov.b64 {{%n, %t}}, %a64; cvt.{mode}.{to}.{of} %o{to.lstrip('bf')}, "
        f"{'%n' if of[1:] == '32' else '%w'};"
        for to, of, mode in cases
    ]
    found = results(statements, given)
    for row, statement, (to, of, mode) in zip(found, statements, cases, strict=True):
        integers = whole.astype(np.uint32) if of[1:] == "32" else whole
        integers = integers.view(f"{'i' if of[0] == 's' else 'u'}{int(of[1:]) // 8}")
        if to in ("f32", "f64"):
            with rounding(mode):
                expected = integers.astype({"f32": np.float32, "f64": np.float64}[to])
        else:
            dtype = np.float16 if to == "f16" else ml_dtypes.bfloat16
            expected = narrowed(odd_doubles(integers), dtype, mode)
        assert_same(row, expected, statement, (integers,))


def odd_doubles(integers: Array) -> Array:
    """Integers as doubles; of one that is none, the neighbour toward zero with an odd last bit."""
    exact = [int(x) for x in integers]
    return np.array([
        float(n) if int(float(abs(n))) == abs(n) else np.copysign(odd_double(abs(n)), n)
        for n in exact
    ])  # fmt: skip


def odd_double(size: int) -> float:
    drop = size.bit_length() - 53
    return float((size >> drop | 1) << drop)
