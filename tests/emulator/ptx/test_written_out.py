"""Instructions held to the pseudocode of the PTX ISA, written out here in Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard
from tests import ptx

LANES = 32


def each_lane(body: str, *rows: Sequence[int], bits: int = 32, hazards: str = "raise") -> list[int]:
    """Run `body` on one warp: %x0, %x1, .. are a lane's inputs, %y its result, all of `bits`."""
    count, size = len(rows), bits // 8
    table = np.array(rows, f"u{size}")
    loads = "".join(f"ld.global.b{bits} %x{i}, [%in+{i * LANES * size}];\n" for i in range(count))
    whole = f"""\
        .reg .b64 %at; .reg .b32 %lane; .reg .pred %p; .reg .b{bits} %y, %t<4>, %x<{count + 1}>;
        mov.u32 %lane, %tid.x; mul.wide.u32 %at, %lane, {size};
        add.u64 %out, %out, %at; add.u64 %in, %in, %at;\n{loads}{body}
        st.global.b{bits} [%out], %y;"""
    out, _ = ptx.launch(
        ptx.entry(whole, "out in"), np.zeros(LANES, f"u{size}"), table, hazards=hazards
    )
    return [int(value) for value in out]


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


def extracted(kind: str, a: int, b: int, c: int) -> int:
    """PTX ISA, bfe: the semantics as written there, for positions and lengths of 8 bits."""
    msb = 63 if kind in ("u64", "s64") else 31
    pos, length = b, c
    if msb == 31:
        # What the ISA leaves open, and an H200 does: 32-bit forms ignore the upper bits.
        pos, length = b & 0xFF, c & 0xFF
    # The sign bit is the field's last one, or the register's where the field leaves it.
    sbit = 0 if kind[0] == "u" or length == 0 else a >> min(pos + length - 1, msb) & 1
    found = 0
    for i in range(msb + 1):
        inside = i < length and pos + i <= msb
        found |= (a >> pos + i & 1 if inside else sbit) << i
    return found


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
def test_bfe_at_and_beyond_the_end_of_the_register(kind: str) -> None:
    bits = int(kind[1:])
    chance = random.Random(20)
    places = (0, 1, bits - 4, bits - 1, bits, bits + 1, 200, 255, 256, 256 + bits - 4)
    cases = [
        (chance.getrandbits(bits) | top << bits - 1, position, length)
        for top in (0, 1)
        for position in places
        for length in (0, 1, 8, bits - 1, bits, bits + 8, 255, 256)
    ]
    width = "" if bits == 32 else ".reg .b32 %b, %c; cvt.u32.u64 %b, %x1; cvt.u32.u64 %c, %x2;\n"
    operands = "%x1, %x2" if bits == 32 else "%b, %c"
    body = f"{width}bfe.{kind} %y, %x0, {operands};"
    for first in range(0, len(cases), LANES):
        part = cases[first : first + LANES]
        rows = list(zip(*(part + [(0, 0, 0)] * (LANES - len(part))), strict=True))
        found = each_lane(body, *rows, bits=bits)[: len(part)]
        assert found == [extracted(kind, *case) for case in part]


def test_the_sign_of_a_field_that_leaves_the_register_is_its_last_bit() -> None:
    """Worked by hand: bits 28 to 31 are 1000, so that bit 31 is the sign of the 8-bit field."""
    assert extracted("s32", 0x80000000, 28, 8) == 0xFFFFFFF8
    assert each_lane("bfe.s32 %y, %x0, 28, 8;", [0x80000000] * LANES) == [0xFFFFFFF8] * LANES


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
@pytest.mark.parametrize("half", ["lo", "hi"])
@pytest.mark.parametrize("carry", [0, 1])
@pytest.mark.parametrize("leaves", ["", ".cc"])
def test_madc_adds_the_carry(kind: str, half: str, carry: int, leaves: str) -> None:
    """PTX ISA, madc: t = a * b; d = t<half> + c + CC.CF; .cc leaves the carry in CC.CF."""
    bits = int(kind[1:])
    chance = random.Random(bits + carry)
    most = (1 << bits) - 1
    rows = [
        [chance.choice((0, 1, most, chance.getrandbits(bits))) for _ in range(LANES)] for _ in "abc"
    ]
    # CC.CF is what an addition leaves; afterwards a further addc of zeros reads it.
    body = f"mov.b{bits} %t0, {carry}; add.cc.u{bits} %t1, %t0, -1;\n"
    body += f"madc.{half}{leaves}.{kind} %y, %x0, %x1, %x2;\n"
    if leaves:
        body += (
            f"addc.u{bits} %t2, 0, 0; shl.b{bits} %t2, %t2, {bits - 1}; xor.b{bits} %y, %y, %t2;"
        )
    expected = []
    for a, b, c in zip(*rows, strict=True):
        product = signed(a, bits) * signed(b, bits) if kind[0] == "s" else a * b
        part = (product >> bits if half == "hi" else product) & most
        total = part + c + carry
        out = total >> bits if leaves else 0
        expected.append((total & most) ^ out << bits - 1)
    assert each_lane(body, *rows, bits=bits) == expected


def shuffled(mode: str, a: Sequence[int], b: Sequence[int], c: int) -> list[int]:
    """PTX ISA, shfl.sync: the semantics as written there; bit 31 is p."""
    found = []
    segment_mask, clamp = c >> 8 & 31, c & 31
    for lane in range(LANES):
        by = b[lane] & 31
        most = (lane & segment_mask) | (clamp & ~segment_mask & 31)
        least = lane & segment_mask
        if mode == "up":
            j, p = lane - by, lane - by >= most
        elif mode == "down":
            j, p = lane + by, lane + by <= most
        elif mode == "bfly":
            j, p = lane ^ by, lane ^ by <= most
        else:
            j = least | (by & ~segment_mask & 31)
            p = j <= most
        found.append(a[j if p else lane] | int(p) << 31)
    return found


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
@pytest.mark.parametrize("segments", [0, 0x10, 0x18, 0x1C, 0x1E, 0x1F])
def test_shfl_within_segments(mode: str, segments: int) -> None:
    chance = random.Random(segments)
    values = [1000 + lane for lane in range(LANES)]
    for clamp in (0, 3, 31):
        by = [chance.randrange(64) for _ in range(LANES)]
        c = segments << 8 | clamp
        body = f"shfl.sync.{mode}.b32 %y|%p, %x0, %x1, {c}, -1; @%p or.b32 %y, %y, 0x80000000;"
        assert each_lane(body, values, by) == shuffled(mode, values, by, c)


@pytest.mark.parametrize(
    "operation", ["add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"]
)
def test_redux_of_an_undefined_member_is_undefined(operation: str) -> None:
    """PTX says nothing of registers never written: the result cannot be handed to the host."""
    body = f"setp.ne.u32 %p, %lane, 5; @%p mov.b32 %t0, %x0; redux.sync.{operation} %y, %t0, -1;"
    with pytest.raises(Hazard, match="undefined"):
        each_lane(body, range(LANES))
    # Lane 5 takes no part.
    alone = f"{body.replace('-1;', '0xffffffdf;')}"
    others = f"setp.ne.u32 %p, %lane, 5; mov.b32 %y, 0;\n@%p bra L; bra E; L: {alone} E:"
    assert each_lane(others, [7] * LANES)[5] == 0


def results(values: Sequence[Any]) -> list[int]:
    return [int(value) & 0xFFFFFFFF for value in values]


@pytest.mark.parametrize(
    ("operation", "fold"),
    [
        ("add.s32", sum),
        ("min.s32", min),
        ("max.s32", max),
    ],
)
def test_redux_over_some_members(operation: str, fold: Any) -> None:
    values = [(lane - 16) * 12345 for lane in range(LANES)]
    even = f"redux.sync.{operation} %y, %x0, 0x55555555;"
    odd = f"redux.sync.{operation} %y, %x0, 0xaaaaaaaa;"
    body = f"and.b32 %t0, %lane, 1; setp.eq.u32 %p, %t0, 0; @%p bra L; {odd} bra E; L: {even} E:"
    expected = [fold(values[lane % 2 :: 2]) for lane in range(LANES)]
    assert each_lane(body, results(values)) == results(expected)


AMOUNTS = [0, 1, 7, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 255, 256, 1 << 31]


def shift_result(name: str, kind: str, value: int, by: int) -> int:
    """PTX ISA, shl and shr: amounts above the width are clamped to it; shr extends by its type."""
    bits = int(kind[1:])
    by = min(by, bits)
    moved = value << by if name == "shl" else (signed(value, bits) if kind[0] == "s" else value)
    return (moved if name == "shl" else moved >> by) & (1 << bits) - 1


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (name, f"{sign}{bits}")
        for name, signs in (("shl", "b"), ("shr", "bus"))
        for sign in signs
        for bits in (16, 32, 64)
    ],
)
def test_shifts_by_up_to_and_beyond_the_width(name: str, kind: str) -> None:
    bits = int(kind[1:])
    chance = random.Random(bits)
    values = [chance.randrange(1 << bits) | (lane & 1) << bits - 1 for lane in range(LANES)]
    for by in AMOUNTS:
        expected = [shift_result(name, kind, value, by) for value in values]
        assert each_lane(f"{name}.{kind} %y, %x0, {by};", values, bits=bits) == expected
    for factor in (1, 2, 9):
        body = f"mul.lo.u32 %lane, %lane, {factor}; {name}.{kind} %y, %x0, %lane;"
        expected = [
            shift_result(name, kind, value, factor * lane) for lane, value in enumerate(values)
        ]
        assert each_lane(body, values, bits=bits) == expected


QUIET = 0x7FF8000000000000


@pytest.mark.parametrize(
    ("text", "wins"),
    [("add.f64 %y, %x0, %x1;", "1"), ("mul.f64 %y, %x0, %x1;", "1"), ("sub.f64 %y, %x0, %x1;", "1"),
     ("div.rn.f64 %y, %x0, %x1;", "0"), ("fma.rn.f64 %y, %x0, %x1, %x2;", "120")],
)  # fmt: skip
def test_which_nan_of_f64_comes_out(text: str, wins: str) -> None:
    """The PTX ISA leaves it open; an H200 gives that of the source named first in `wins`, quiet."""
    one = 0x3FF0000000000000
    for nans in ("0", "1", "01", "2", "02", "12", "012"):
        if not set(nans) <= set(text) & set("012"):
            continue
        rows = [[(QUIET | 5 + i) if str(i) in nans else one] * LANES for i in range(3)]
        order = wins + "".join(sorted(set("012") - set(wins)))
        winner = next(i for i in order if i in nans)
        assert each_lane(text, *rows, bits=64) == [QUIET | 5 + int(winner)] * LANES


@pytest.mark.parametrize(
    ("name", "exact"), [("rcp", lambda x: 1 / x), ("rsqrt", lambda x: 1 / np.sqrt(x))]
)
def test_reciprocals_of_the_upper_half_of_a_double(name: str, exact: Any) -> None:
    """PTX ISA, rcp.approx.ftz.f64: the lower 32 bits of the input are ignored, the result's 0."""
    chance = np.random.default_rng(6)
    values = np.exp2(chance.uniform(-900, 900, LANES)) * chance.uniform(1, 2, LANES)
    with np.errstate(all="ignore"):
        values[:5] = [0.0, np.inf, 5e-324, np.nan, 1.0]
        given = values.view(np.uint64)
        upper = (given & np.uint64(0xFFFFFFFF00000000)).view(np.float64)
        upper = np.where(np.abs(upper) < np.finfo(float).tiny, 0.0, upper)
        expected = exact(upper)
    found = each_lane(f"{name}.approx.ftz.f64 %y, %x0;", given.tolist(), bits=64)
    for bits, result in zip(found, expected.tolist(), strict=True):
        assert bits & 0xFFFFFFFF == 0
        if result != result:
            assert bits == 0x7FFFFFFF00000000  # as an H200 answers
        else:
            wanted = int(np.float64(result).view(np.uint64)) >> 32
            assert abs((bits >> 32) - wanted) <= 1


def test_fma_with_oob_is_zero_where_either_factor_is_out_of_bounds() -> None:
    """PTX ISA, fma.f16: each half by itself, +0 where a or b is the NaN that fills.

    The ISA does not give its bits; an H200 takes 0x7ff7 for it.
    """
    one, two, three, fill = 0x3C00, 0x4000, 0x4200, 0x7FF7
    a, b, c = (one, fill, two, fill), (two, two, fill, fill), one
    halves = [(p, q, 0 if fill in (p, q) else three) for p, q in zip(a, b, strict=True)]
    rows = [(low, high) for low in halves for high in halves] * 2
    packed = [[high[i] << 16 | low[i] for low, high in rows] for i in range(3)]
    got = each_lane("fma.rn.oob.f16x2 %y, %x0, %x1, %x2;", *packed[:2], [c << 16 | c] * LANES)
    assert got == packed[2]


def parts(kind: str, word: int, bits: int) -> list[int]:
    """PTX ISA, dp4a, dp2a: extractAndSignOrZeroExt, the lowest part first."""
    found = [word >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [signed(part, bits) for part in found] if kind[0] == "s" else found


def dot(name: str, left: str, right: str, a: int, b: int, c: int) -> int:
    """PTX ISA, dp4a and dp2a: the semantics as written there."""
    wide = name.startswith("dp2a")
    factors, select = parts(left, a, 16 if wide else 8), 2 if name == "dp2a.hi" else 0
    return (c + sum(x * y for x, y in zip(factors, parts(right, b, 8)[select:], strict=False))) % (
        1 << 32
    )


@pytest.mark.parametrize("name", ["dp4a", "dp2a.lo", "dp2a.hi"])
@pytest.mark.parametrize("left", ["u32", "s32"])
@pytest.mark.parametrize("right", ["u32", "s32"])
def test_dot_products_of_bytes_and_halves(name: str, left: str, right: str) -> None:
    chance = random.Random(25)
    edges = [(0xFF80017F, 0x04030201, 0), (0x8000FFFF, 0x80FF7F01, 0xFFFFFFFF)]
    cases = edges + [
        (chance.getrandbits(32), chance.getrandbits(32), chance.getrandbits(32))
        for _ in range(LANES - len(edges))
    ]
    body = f"{name}.{left}.{right} %y, %x0, %x1, %x2;"
    expected = [dot(name, left, right, *case) for case in cases]
    assert each_lane(body, *zip(*cases, strict=True)) == expected


def test_dot_products_worked_by_hand() -> None:
    # a's halves are 3 and 5; b's bytes 7, 11, 13 and 17
    rows = [[word] * LANES for word in (0x00050003, 0x110D0B07, 1000)]
    for name, expected in (("dp2a.lo", 1000 + 3 * 7 + 5 * 11), ("dp2a.hi", 1000 + 3 * 13 + 5 * 17)):
        assert each_lane(f"{name}.u32.u32 %y, %x0, %x1, %x2;", *rows) == [expected] * LANES
