"""Scalar instructions at the edges of their ranges, against NumPy and exact fractions.

NVIDIA PTX ISA, Instruction Set. What it leaves open is as on an H200: a quotient by zero has all
bits, and .ftz judges a result as if exponents had no bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tests.emulator.ptx.applied import applied, each, pairs, signed

WORDS = (0, 1, 2, 7, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFF, 0x800000, 0xFFFFFF,
         0x1000000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x12345678,
         0xDEADBEEF)  # fmt: skip


TABLES = (0, 0xC0, 0x3C, 0xFC, 0x80, 0x96, 0xFE, 0xFF, 0x01, 0xE8, 0xCA, 0x1B, 0x7F)


@pytest.mark.parametrize("table", TABLES)
def test_lop3(table: int) -> None:
    rng = np.random.default_rng(table)
    columns = list(rng.integers(0, 1 << 32, (3, 32), np.uint64))
    rule = each(
        lambda x, y, z: sum(
            (table >> ((x >> i & 1) << 2 | (y >> i & 1) << 1 | z >> i & 1) & 1) << i
            for i in range(32)
        ),
        columns,
    )
    text = f"lop3.b32 {{d}}, {{0}}, {{1}}, {{2}}, {table};"
    assert applied(text, ["b32"] * 3, columns).tolist() == rule


@pytest.mark.parametrize("kind", ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"])
@pytest.mark.parametrize("way", ["shl", "shr"])
def test_shifts_by_any_number(way: str, kind: str) -> None:
    if way == "shl" and kind[0] != "b":
        pytest.skip("shl has types of bits")
    bits = int(kind[1:])
    values = [0, 1, 0x7FFF, 0x8001, 0x9234567880008001, 0x8000000000000000, (1 << 64) - 1]
    amounts = [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 1 << 31]
    columns = [np.array(c, np.uint64) for c in zip(*[
        (v & (1 << bits) - 1, a) for v in values for a in amounts], strict=True)]  # fmt: skip

    def rule(value: int, by: int) -> int:
        if way == "shl":
            return value << by if by < bits else 0
        return (signed(value, bits) if kind[0] == "s" else value) >> min(by, 64)

    got = applied(f"{way}.{kind} {{d}}, {{0}}, {{1}};", [f"b{bits}", "b32"], columns, f"b{bits}")
    assert got.tolist() == each(rule, columns, bits)
    for by in (1, bits - 1, bits, bits + 1):
        text = f"{way}.{kind} {{d}}, {{0}}, {by};"
        got = applied(text, [f"b{bits}"], columns[:1], f"b{bits}")
        assert got.tolist() == each(lambda v, by=by: rule(v, by), columns[:1], bits)


def _cut24(value: int, negative: bool) -> int:
    return signed(value & 0xFFFFFF, 24) if negative else value & 0xFFFFFF


INTEGERS: dict[str, Callable[[int, int], int]] = {
    "mul24.lo.u32": lambda x, y: _cut24(x, False) * _cut24(y, False),
    "mul24.hi.u32": lambda x, y: _cut24(x, False) * _cut24(y, False) >> 16,
    "mul24.lo.s32": lambda x, y: _cut24(x, True) * _cut24(y, True),
    "mul24.hi.s32": lambda x, y: _cut24(x, True) * _cut24(y, True) >> 16,
    "mul.hi.u32": lambda x, y: x * y >> 32,
    "mul.hi.s32": lambda x, y: signed(x) * signed(y) >> 32,
    "div.u32": lambda x, y: x // y if y else -1,
    "rem.s32": lambda x, y: x if not y else int(np.fmod(signed(x), signed(y))),
    "div.s32": lambda x, y: -1 if not y else int(Fraction(signed(x), signed(y))),
    "min.u32": min, "max.u32": max,
    "min.s32": lambda x, y: min(signed(x), signed(y)),
    "max.relu.s32": lambda x, y: max(signed(x), signed(y), 0),
    "min.relu.s32": lambda x, y: max(min(signed(x), signed(y)), 0),
    "add.sat.s32": lambda x, y: max(-(1 << 31), min((1 << 31) - 1, signed(x) + signed(y))),
    "sub.sat.s32": lambda x, y: max(-(1 << 31), min((1 << 31) - 1, signed(x) - signed(y))),
    "vadd.s32.s32.s32.sat": lambda x, y: max(-(1 << 31), min((1 << 31) - 1, signed(x) + signed(y))),
    "vsub.u32.u32.u32.sat": lambda x, y: max(0, x - y),
    "vshr.s32.s32.u32.sat.clamp": lambda x, y: signed(x) >> min(y, 32),
}  # fmt: skip


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_at_the_edges(name: str) -> None:
    columns = pairs(WORDS)
    text = name + " {d}, {0}, {1};"
    rule = INTEGERS[name]
    if name == "rem.s32":
        columns = [column[columns[1] != 0] for column in columns]
    assert applied(text, ["b32"] * 2, columns).tolist() == each(rule, columns)


@pytest.mark.parametrize("wide", ["mul.wide.u32", "mul.wide.s32"])
def test_wide_products(wide: str) -> None:
    columns = pairs(WORDS)

    def rule(x: int, y: int) -> int:
        return signed(x) * signed(y) if wide.endswith("s32") else x * y

    got = applied(f"{wide} {{d}}, {{0}}, {{1}};", ["b32"] * 2, columns, "b64")
    assert got.tolist() == each(rule, columns, 64)


@pytest.mark.parametrize("scale", ["shr7", "shr15"])
@pytest.mark.parametrize("kinds", ["s32.s32.s32", "u32.u32.u32"])
def test_scaled_products_saturate(kinds: str, scale: str) -> None:
    x, y = pairs(WORDS)
    by = int(scale[3:])
    low, high = (-(1 << 31), (1 << 31) - 1) if kinds[0] == "s" else (0, (1 << 32) - 1)

    def rule(p: int, q: int) -> int:
        total = (signed(p) * signed(q) + 5) & (1 << 64) - 1
        total = (signed(total, 64) if kinds[0] == "s" else total) >> by
        return max(low, min(high, total if total < 1 << 63 else total - (1 << 64)))

    got = applied(f"vmad.{kinds}.sat.{scale} {{d}}, {{0}}, {{1}}, 5;", ["b32"] * 2, [x, y])
    assert got.tolist() == each(rule, [x, y])


@pytest.mark.parametrize("target", ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"])
@pytest.mark.parametrize("source", ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"])
def test_integers_are_clamped_and_extended(source: str, target: str) -> None:
    bits, wide = int(source[1:]), int(target[1:])
    edges = [1 << n for n in range(64)]
    values = {v & (1 << bits) - 1 for e in edges for v in (e - 1, e, e + 1, -e, -e - 1)}
    column = np.array(sorted(values), np.uint64)
    low, high = (0, (1 << wide) - 1) if target[0] == "u" else (-1 << wide - 1, (1 << wide - 1) - 1)

    def value(code: int) -> int:
        return signed(code, bits) if source[0] == "s" else code

    registers = {8: "b16", 16: "b16", 32: "b32", 64: "b64"}
    out = registers[wide]
    text = f"cvt{{}}.{target}.{source} {{{{d}}}}, {{{{0}}}};"
    got = applied(text.format(""), [registers[bits]], [column], out)
    assert got.tolist() == each(
        lambda c: _held(value(c) & (1 << wide) - 1, target), [column], int(out[1:])
    )
    own = (0, (1 << bits) - 1) if source[0] == "u" else (-1 << bits - 1, (1 << bits - 1) - 1)
    if low <= own[0] and own[1] <= high:
        return  # .sat would clamp nothing, and is refused
    got = applied(text.format(".sat"), [registers[bits]], [column], out)
    assert got.tolist() == each(lambda c: max(low, min(high, value(c))), [column], int(out[1:]))


def _held(code: int, target: str) -> int:
    """A number of 8 bits in a register of 16: extended by its sign."""
    return signed(code, 8) if target == "s8" else code
