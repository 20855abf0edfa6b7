"""Vector integer and bit instructions against the ISA's statements, worked with Python integers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.amdgcn.text.errors import AssemblyError

from .machine import int_list, run, words

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def s32(x: int) -> int:
    return x - (1 << 32) if x >> 31 & 1 else x


def s24(x: int) -> int:
    x &= 0xFFFFFF
    return x - (1 << 24) if x >> 23 else x


def s16(x: int) -> int:
    x &= 0xFFFF
    return x - (1 << 16) if x >> 15 else x


def clamp(x: int, low: int, high: int) -> int:
    return max(low, min(high, x))


def bits_of(x: int, at: int, count: int) -> int:
    return x >> at & ((1 << count) - 1)


def leading(x: int, width: int = 32) -> int:
    return width - x.bit_length() if x else -1


def trailing(x: int) -> int:
    return (x & -x).bit_length() - 1 if x else -1


def sign_run(x: int) -> int:
    return leading(x ^ (M32 if x >> 31 else 0))


def sad8(a: int, b: int, masked: bool = False) -> int:
    total = 0
    for at in (0, 8, 16, 24):
        x, y = bits_of(a, at, 8), bits_of(b, at, 8)
        total += 0 if masked and y == 0 else abs(x - y)
    return total


def perm(a: int, b: int, selectors: int) -> int:
    data = (a << 32 | b).to_bytes(8, "little")
    result = 0
    for place in range(4):
        s = bits_of(selectors, 8 * place, 8)
        if s < 8:
            byte = data[s]
        elif s < 12:
            byte = 0xFF if data[2 * (s - 8) + 1] & 0x80 else 0
        else:
            byte = 0 if s == 12 else 0xFF
        result |= byte << 8 * place
    return result


def lerp(a: int, b: int, c: int) -> int:
    return sum(
        ((bits_of(a, at, 8) + bits_of(b, at, 8) + bits_of(c, at, 1)) >> 1) << at
        for at in (0, 8, 16, 24)
    )


def bitop3(table: int, a: int, b: int, c: int) -> int:
    return sum(
        (table >> (bits_of(a, i, 1) << 2 | bits_of(b, i, 1) << 1 | bits_of(c, i, 1)) & 1) << i
        for i in range(32)
    )


def med(a: int, b: int, c: int) -> int:
    return sorted((a, b, c))[1]


def bfe_i(a: int, offset: int, count: int) -> int:
    if count == 0:
        return 0
    field = bits_of(s32(a) >> offset, 0, count)
    return field - (1 << count) if field >> (count - 1) else field


def dot(a: int, b: int, c: int, width: int, signed: bool) -> int:
    """Products of the elements of two registers, and a third register."""

    def element(x: int, at: int) -> int:
        value = bits_of(x, at, width)
        return value - (1 << width) if signed and value >> (width - 1) else value

    return sum(element(a, at) * element(b, at) for at in range(0, 32, width)) + c


def pair_of_bytes(a: int, b: int, shift: int, low: int, high: int) -> int:
    parts = [clamp(s32(x) >> (shift & 31), low, high) & 0xFF for x in (a, b)]
    return parts[0] | parts[1] << 8


Reference = Callable[..., int]

#: Text of the operands with {d} for the destination -> reference of a = v10, b = v11, c = v12.
CASES: dict[str, Reference] = {
    "v_mov_b32 {d}, v10": lambda a: a,
    "v_not_b32 {d}, v10": lambda a: ~a,
    "v_bfrev_b32 {d}, v10": lambda a: int(f"{a:032b}"[::-1], 2),
    "v_ffbh_u32 {d}, v10": leading,
    "v_ffbl_b32 {d}, v10": trailing,
    "v_ffbh_i32 {d}, v10": sign_run,
    "v_prng_b32 {d}, v10": lambda a: (a << 1) ^ (197 if a >> 31 else 0),
    "v_sat_pk_u8_i16 {d}, v10": lambda a: clamp(s16(a), 0, 255) | clamp(s16(a >> 16), 0, 255) << 8,
    "v_add_u32 {d}, v10, v11": lambda a, b: a + b,
    "v_add_u32 {d}, v10, v11 clamp": lambda a, b: min(a + b, M32),
    "v_sub_u32 {d}, v10, v11": lambda a, b: a - b,
    "v_sub_u32 {d}, v10, v11 clamp": lambda a, b: max(a - b, 0),
    "v_subrev_u32 {d}, v10, v11": lambda a, b: b - a,
    "v_add_i32 {d}, v10, v11": lambda a, b: a + b,
    "v_add_i32 {d}, v10, v11 clamp": lambda a, b: clamp(s32(a) + s32(b), -(1 << 31), M32 >> 1),
    "v_sub_i32 {d}, v10, v11 clamp": lambda a, b: clamp(s32(a) - s32(b), -(1 << 31), M32 >> 1),
    "v_add_u16 {d}, v10, v11": lambda a, b: (a + b) & 0xFFFF,
    "v_sub_u16 {d}, v10, v11": lambda a, b: (a - b) & 0xFFFF,
    "v_subrev_u16 {d}, v10, v11": lambda a, b: (b - a) & 0xFFFF,
    "v_mul_lo_u16 {d}, v10, v11": lambda a, b: (a * b) & 0xFFFF,
    "v_mul_lo_u32 {d}, v10, v11": lambda a, b: a * b,
    "v_mul_lo_i32 {d}, v10, v11": lambda a, b: a * b,
    "v_mul_hi_u32 {d}, v10, v11": lambda a, b: a * b >> 32,
    "v_mul_hi_i32 {d}, v10, v11": lambda a, b: s32(a) * s32(b) >> 32,
    "v_mul_u32_u24 {d}, v10, v11": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF),
    "v_mul_i32_i24 {d}, v10, v11": lambda a, b: s24(a) * s24(b),
    "v_mul_hi_u32_u24 {d}, v10, v11": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) >> 32,
    "v_mul_hi_i32_i24 {d}, v10, v11": lambda a, b: s24(a) * s24(b) >> 32,
    "v_mad_u32_u24 {d}, v10, v11, v12": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c,
    "v_mad_i32_i24 {d}, v10, v11, v12": lambda a, b, c: s24(a) * s24(b) + c,
    "v_mad_i32_i24 {d}, v10, v11, v12 clamp": lambda a, b, c: clamp(
        s24(a) * s24(b) + s32(c), -(1 << 31), M32 >> 1
    ),
    "v_mad_u32_u16 {d}, v10, v11, v12": lambda a, b, c: (a & 0xFFFF) * (b & 0xFFFF) + c,
    "v_mad_i32_i16 {d}, v10, v11, v12": lambda a, b, c: s16(a) * s16(b) + c,
    "v_mad_i32_i16 {d}, v10, v11, v12 op_sel:[1,0,0,0]": lambda a, b, c: s16(a >> 16) * s16(b) + c,
    "v_mad_legacy_u16 {d}, v10, v11, v12": lambda a, b, c: (a * b + c) & 0xFFFF,
    "v_add3_u32 {d}, v10, v11, v12": lambda a, b, c: a + b + c,
    "v_lshl_add_u32 {d}, v10, v11, v12": lambda a, b, c: (a << (b & 31)) + c,
    "v_add_lshl_u32 {d}, v10, v11, v12": lambda a, b, c: (a + b) << (c & 31),
    "v_xad_u32 {d}, v10, v11, v12": lambda a, b, c: (a ^ b) + c,
    "v_and_b32 {d}, v10, v11": lambda a, b: a & b,
    "v_or_b32 {d}, v10, v11": lambda a, b: a | b,
    "v_xor_b32 {d}, v10, v11": lambda a, b: a ^ b,
    "v_xnor_b32 {d}, v10, v11": lambda a, b: ~(a ^ b),
    "v_or3_b32 {d}, v10, v11, v12": lambda a, b, c: a | b | c,
    "v_and_or_b32 {d}, v10, v11, v12": lambda a, b, c: a & b | c,
    "v_lshl_or_b32 {d}, v10, v11, v12": lambda a, b, c: a << (b & 31) | c,
    "v_lshlrev_b32 {d}, v10, v11": lambda a, b: b << (a & 31),
    "v_lshrrev_b32 {d}, v10, v11": lambda a, b: b >> (a & 31),
    "v_ashrrev_i32 {d}, v10, v11": lambda a, b: s32(b) >> (a & 31),
    "v_lshlrev_b16 {d}, v10, v11": lambda a, b: (b << (a & 15)) & 0xFFFF,
    "v_lshrrev_b16 {d}, v10, v11": lambda a, b: (b & 0xFFFF) >> (a & 15),
    "v_ashrrev_i16 {d}, v10, v11": lambda a, b: (s16(b) >> (a & 15)) & 0xFFFF,
    "v_alignbit_b32 {d}, v10, v11, v12": lambda a, b, c: (a << 32 | b) >> (c & 31),
    "v_alignbyte_b32 {d}, v10, v11, v12": lambda a, b, c: (a << 32 | b) >> 8 * (c & 3),
    "v_bfe_u32 {d}, v10, v11, v12": lambda a, b, c: bits_of(a, b & 31, c & 31),
    "v_bfe_i32 {d}, v10, v11, v12": lambda a, b, c: bfe_i(a, b & 31, c & 31),
    "v_bfi_b32 {d}, v10, v11, v12": lambda a, b, c: a & b | ~a & c,
    "v_bfm_b32 {d}, v10, v11": lambda a, b: ((1 << (a & 31)) - 1) << (b & 31),
    "v_bcnt_u32_b32 {d}, v10, v11": lambda a, b: a.bit_count() + b,
    "v_perm_b32 {d}, v10, v11, v12": perm,
    "v_perm_b32 {d}, v10, v11, s16": lambda a, b: perm(a, b, 0x0D0C0906),
    "v_bitop3_b32 {d}, v10, v11, v12 bitop3:0x96": lambda a, b, c: a ^ b ^ c,
    "v_bitop3_b32 {d}, v10, v11, v12 bitop3:0x27": lambda a, b, c: bitop3(0x27, a, b, c),
    "v_bitop3_b32 {d}, v10, v11, v12 bitop3:0xe4": lambda a, b, c: bitop3(0xE4, a, b, c),
    "v_bitop3_b32 {d}, v10, v11, v12 bitop3:0x5a": lambda a, b, c: bitop3(0x5A, a, b, c),
    "v_min_u32 {d}, v10, v11": min,
    "v_max_u32 {d}, v10, v11": max,
    "v_min_i32 {d}, v10, v11": lambda a, b: min(s32(a), s32(b)),
    "v_max_i32 {d}, v10, v11": lambda a, b: max(s32(a), s32(b)),
    "v_min_u16 {d}, v10, v11": lambda a, b: min(a & 0xFFFF, b & 0xFFFF),
    "v_max_i16 {d}, v10, v11": lambda a, b: max(s16(a), s16(b)) & 0xFFFF,
    "v_min3_u32 {d}, v10, v11, v12": min,
    "v_max3_i32 {d}, v10, v11, v12": lambda a, b, c: max(s32(a), s32(b), s32(c)),
    "v_med3_u32 {d}, v10, v11, v12": med,
    "v_med3_i32 {d}, v10, v11, v12": lambda a, b, c: med(s32(a), s32(b), s32(c)),
    "v_sad_u32 {d}, v10, v11, v12": lambda a, b, c: abs(a - b) + c,
    "v_sad_u16 {d}, v10, v11, v12": lambda a, b, c: (
        abs((a & 0xFFFF) - (b & 0xFFFF)) + abs((a >> 16) - (b >> 16)) + c
    ),
    "v_sad_u8 {d}, v10, v11, v12": lambda a, b, c: sad8(a, b) + c,
    "v_sad_hi_u8 {d}, v10, v11, v12": lambda a, b, c: (sad8(a, b) << 16) + c,
    "v_msad_u8 {d}, v10, v11, v12": lambda a, b, c: sad8(a, b, masked=True) + c,
    "v_lerp_u8 {d}, v10, v11, v12": lerp,
    "v_cvt_pk_u16_u32 {d}, v10, v11": lambda a, b: min(a, 0xFFFF) | min(b, 0xFFFF) << 16,
    "v_cvt_pk_i16_i32 {d}, v10, v11": lambda a, b: (
        clamp(s32(a), -32768, 32767) & 0xFFFF | (clamp(s32(b), -32768, 32767) & 0xFFFF) << 16
    ),
    "v_dot4_u32_u8 {d}, v10, v11, v12": lambda a, b, c: (
        sum(bits_of(a, i, 8) * bits_of(b, i, 8) for i in (0, 8, 16, 24)) + c
    ),
    "v_dot2_i32_i16 {d}, v10, v11, v12": lambda a, b, c: (
        s16(a) * s16(b) + s16(a >> 16) * s16(b >> 16) + c
    ),
    "v_dot2_u32_u16 {d}, v10, v11, v12": lambda a, b, c: dot(a, b, c, 16, False),
    "v_dot4_i32_i8 {d}, v10, v11, v12": lambda a, b, c: dot(a, b, c, 8, True),
    "v_dot8_i32_i4 {d}, v10, v11, v12": lambda a, b, c: dot(a, b, c, 4, True),
    "v_dot8_u32_u4 {d}, v10, v11, v12": lambda a, b, c: dot(a, b, c, 4, False),
    "v_ashr_pk_i8_i32 {d}, v10, v11, v12": lambda a, b, c: pair_of_bytes(a, b, c, -128, 127),
    "v_ashr_pk_u8_i32 {d}, v10, v11, v12": lambda a, b, c: pair_of_bytes(a, b, c, 0, 255),
    "v_mad_u16 {d}, v10, v11, v12": lambda a, b, c: (a * b + c) & 0xFFFF,
    "v_mad_i16 {d}, v10, v11, v12": lambda a, b, c: (a * b + c) & 0xFFFF,
    "v_mad_u32_u24 {d}, v10, v11, v12 clamp": lambda a, b, c: min(
        (a & 0xFFFFFF) * (b & 0xFFFFFF) + c, M32
    ),
    "v_mad_u32_u16 {d}, v10, v11, v12 clamp": lambda a, b, c: min(
        (a & 0xFFFF) * (b & 0xFFFF) + c, M32
    ),
    "v_mul_u32_u24_e64 {d}, v10, v11 clamp": lambda a, b: min((a & 0xFFFFFF) * (b & 0xFFFFFF), M32),
    "v_mul_i32_i24_e64 {d}, v10, v11 clamp": lambda a, b: clamp(
        s24(a) * s24(b), -(1 << 31), M32 >> 1
    ),
    "v_sub_i16 {d}, v10, v11": lambda a, b: (a - b) & 0xFFFF,
    "v_sub_i16 {d}, v10, v11 clamp": lambda a, b: clamp(s16(a) - s16(b), -32768, 32767) & 0xFFFF,
    "v_add_i16 {d}, v10, v11 clamp": lambda a, b: clamp(s16(a) + s16(b), -32768, 32767) & 0xFFFF,
    "v_add_u16_e64 {d}, v10, v11 clamp": lambda a, b: min((a & 0xFFFF) + (b & 0xFFFF), 0xFFFF),
    "v_sub_u16_e64 {d}, v10, v11 clamp": lambda a, b: max((a & 0xFFFF) - (b & 0xFFFF), 0),
    "v_min_i16 {d}, v10, v11": lambda a, b: min(s16(a), s16(b)) & 0xFFFF,
    "v_max_u16 {d}, v10, v11": lambda a, b: max(a & 0xFFFF, b & 0xFFFF),
    "v_min3_i32 {d}, v10, v11, v12": lambda a, b, c: min(s32(a), s32(b), s32(c)),
    "v_max3_u32 {d}, v10, v11, v12": max,
    "v_min3_u16 {d}, v10, v11, v12": lambda a, b, c: min(x & 0xFFFF for x in (a, b, c)),
    "v_max3_u16 {d}, v10, v11, v12": lambda a, b, c: max(x & 0xFFFF for x in (a, b, c)),
    "v_med3_u16 {d}, v10, v11, v12": lambda a, b, c: med(a & 0xFFFF, b & 0xFFFF, c & 0xFFFF),
    "v_min3_i16 {d}, v10, v11, v12": lambda a, b, c: min(s16(x) for x in (a, b, c)) & 0xFFFF,
    "v_max3_i16 {d}, v10, v11, v12": lambda a, b, c: max(s16(x) for x in (a, b, c)) & 0xFFFF,
    "v_med3_i16 {d}, v10, v11, v12": lambda a, b, c: med(s16(a), s16(b), s16(c)) & 0xFFFF,
    "v_bitop3_b16 {d}, v10, v11, v12 bitop3:0x8e": lambda a, b, c: bitop3(0x8E, a, b, c) & 0xFFFF,
    "v_bitop3_b32 {d}, v10, v11, v12 bitop3:0x8e": lambda a, b, c: bitop3(0x8E, a, b, c),
    "v_bitop3_b32 {d}, v10, v11, v12 bitop3:0xd0": lambda a, b, c: bitop3(0xD0, a, b, c),
    "v_bitop3_b32 {d}, v10, v11, v12 bitop3:0x3c": lambda a, b, c: bitop3(0x3C, a, b, c),
    # SDWA: byte and half selections, signs, and what becomes of the rest of the destination
    "v_add_u32_sdwa {d}, v10, v11 dst_sel:DWORD src0_sel:BYTE_2 src1_sel:WORD_1": lambda a, b: (
        bits_of(a, 16, 8) + (b >> 16)
    ),
    "v_add_u32_sdwa {d}, sext(v10), v11 dst_sel:DWORD src0_sel:WORD_1 src1_sel:BYTE_0": (
        lambda a, b: s16(a >> 16) + (b & 0xFF)
    ),
    "v_or_b32_sdwa {d}, v10, v11 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:DWORD "
    "src1_sel:DWORD": lambda a, b: ((a | b) & 0xFF) << 8,
    "v_or_b32_sdwa {d}, v10, v11 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD "
    "src1_sel:DWORD": lambda a, b: (a | b) << 16,
    "v_mov_b32_sdwa {d}, v10 dst_sel:BYTE_0 dst_unused:UNUSED_SEXT src0_sel:BYTE_3": lambda a: (
        (a >> 24) - 256 if a >> 31 else a >> 24
    ),
}

# Selectors that are known when code is generated: inline constants.
for _selector in (*range(14), 64, -1, -16):
    CASES[f"v_perm_b32 {{d}}, v10, v11, {_selector}"] = lambda a, b, selectors=_selector & M32: (
        perm(a, b, selectors)
    )


# Forms that keep the upper half of their destination, which begins as 0 here.
KEEPS = re.compile("v_((min3|max3|med3|mad)_[ui]16|(add|sub)_i16|bitop3_b16|ashr_pk)")


def _lanes(texts: list[str]) -> Any:
    scalars = np.zeros((8, 8), np.uint32)
    scalars[:, 0] = 0x0D0C0906
    vectors = [words(seed) for seed in (1, 2, 3)]
    body = "\n".join(
        [f"v_mov_b32 v{100 + n}, 0" for n, text in enumerate(texts) if KEEPS.match(text)]
        + ["  " + text.format(d=f"v{100 + n}") for n, text in enumerate(texts)]
    )
    found = run(body, vectors, [f"v{100 + n}" for n in range(len(texts))], scalars=scalars)
    return [int_list(v) for v in vectors], found


@pytest.fixture(scope="module")
def results() -> dict[str, tuple[list[list[int]], list[int]]]:
    texts, found = list(CASES), {}
    for start in range(0, len(texts), 40):
        chunk = texts[start : start + 40]
        inputs, rows = _lanes(chunk)
        found |= {text: (inputs, int_list(row)) for text, row in zip(chunk, rows, strict=True)}
    return found


@pytest.mark.parametrize("text", list(CASES))
def test_instruction(text: str, results: Any) -> None:
    inputs, got = results[text]
    count = sum(name in text for name in ("v10", "v11", "v12"))
    expected = [CASES[text](*row) & M32 for row in zip(*inputs[:count], strict=True)]
    wrong = [
        (row, e, g)
        for row, e, g in zip(zip(*inputs, strict=True), expected, got, strict=True)
        if e != g
    ]
    assert not wrong, f"{len(wrong)} wrong, the first {[hex(x) for x in wrong[0][0]]}: " + (
        f"{wrong[0][1]:#x} expected, {wrong[0][2]:#x} found"
    )


WIDE: dict[str, Reference] = {
    "v_lshlrev_b64 {d}, v10, v[12:13]": lambda a, b, c: c << (a & 63),
    "v_lshrrev_b64 {d}, v10, v[12:13]": lambda a, b, c: c >> (a & 63),
    "v_ashrrev_i64 {d}, v10, v[12:13]": lambda a, b, c: (
        (c - (1 << 64) if c >> 63 else c) >> (a & 63)
    ),
    "v_lshl_add_u64 {d}, v[12:13], v10, v[12:13]": lambda a, b, c: (c << (a & 7)) + c,
    "v_mad_u64_u32 {d}, vcc, v10, v11, v[12:13]": lambda a, b, c: a * b + c,
    "v_mad_i64_i32 {d}, vcc, v10, v11, v[12:13]": lambda a, b, c: s32(a) * s32(b) + c,
    "v_mov_b64 {d}, v[12:13]": lambda a, b, c: c,
}


@pytest.mark.parametrize("text", list(WIDE))
def test_wide_instruction(text: str) -> None:
    vectors = [words(seed) for seed in (4, 5, 6, 7)]
    body = f"  {text.format(d='v[100:101]')}\n  s_nop 1\n  v_cndmask_b32 v102, 0, 1, vcc"
    if "vcc" not in text:
        body = "  v_cmp_eq_u32 vcc, v10, v10\n" + body
    low, high, carry = run(body, vectors, ["v100", "v101", "v102"])
    a, b, c_low, c_high = (int_list(v) for v in vectors)
    for i in range(len(a)):
        c = c_low[i] | c_high[i] << 32
        total = WIDE[text](a[i], b[i], c)
        assert int(low[i]) | int(high[i]) << 32 == total & M64
        if "u64_u32" in text:
            assert carry[i] == total >> 64


def test_the_carry_of_a_signed_multiply_add_is_bit_64_of_the_sum() -> None:
    """Of the sum that does not wrap: its sign, where bit 63 may be another; unsigned as well."""
    vectors = [words(seed) for seed in (4, 5, 6, 7)]
    vectors[0][:8], vectors[1][:8] = 0, 9
    vectors[2][:8] = 0
    vectors[3][:8] = [0, 1 << 31, 0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0, 0]
    body = "v_mad_i64_i32 v[100:101], vcc, v10, v11, v[12:13]\ns_nop 1\n"
    (carry,) = run(body + "v_cndmask_b32 v102, 0, 1, vcc", vectors, ["v102"])
    a, b, low, high = (int_list(each) for each in vectors)
    sums = [s32(a[i]) * s32(b[i]) + (low[i] | s32(high[i]) << 32) for i in range(len(a))]
    assert carry.tolist() == [total >> 64 & 1 for total in sums]
    assert any(total >> 64 & 1 != total >> 63 & 1 for total in sums), "some sum overflows"
    body = body.replace("i64_i32", "u64_u32")
    (carry,) = run(body + "v_cndmask_b32 v102, 0, 1, vcc", vectors, ["v102"])
    sums = [a[i] * b[i] + (low[i] | high[i] << 32) for i in range(len(a))]
    assert carry.tolist() == [total >> 64 for total in sums]


CARRY = {
    "v_add_co_u32 v100, s[30:31], v10, v11": lambda a, b, c: (a + b, a + b > M32),
    "v_sub_co_u32 v100, s[30:31], v10, v11": lambda a, b, c: (a - b, a < b),
    "v_subrev_co_u32 v100, s[30:31], v10, v11": lambda a, b, c: (b - a, b < a),
    "v_addc_co_u32 v100, s[30:31], v10, v11, vcc": lambda a, b, c: (a + b + c, a + b + c > M32),
    "v_subb_co_u32 v100, s[30:31], v10, v11, vcc": lambda a, b, c: (a - b - c, a < b + c),
    "v_subbrev_co_u32 v100, s[30:31], v10, v11, vcc": lambda a, b, c: (b - a - c, b < a + c),
}


@pytest.mark.parametrize("text", list(CARRY))
def test_carries(text: str) -> None:
    vectors = [words(seed) for seed in (8, 9, 10)]
    body = f"""
  v_and_b32 v20, 1, v12
  v_cmp_eq_u32 vcc, 1, v20
  s_nop 4
  {text}
  s_nop 4
  v_cndmask_b32 v101, 0, 1, s[30:31]
"""
    found = run(body, vectors, ["v100", "v101"])
    for a, b, c, total, carry in zip(*(int_list(v) for v in (*vectors, *found)), strict=True):
        value, out = CARRY[text](a, b, c & 1)
        assert (total, carry) == (value & M32, int(out))


ACCUMULATED = {"v_dot2c_i32_i16": 16, "v_dot4c_i32_i8": 8, "v_dot8c_i32_i4": 4}


@pytest.mark.parametrize("name", ACCUMULATED)
def test_dot_products_add_to_their_destination(name: str) -> None:
    vectors = [words(seed, 128) for seed in (16, 17, 18)]
    (found,) = run(f"{name} v12, v10, v11", vectors, ["v12"])
    for a, b, c, got in zip(*(int_list(v) for v in (*vectors, found)), strict=True):
        assert got == dot(a, b, c, ACCUMULATED[name], True) & M32


def test_swap() -> None:
    vectors = [words(seed, 64) for seed in (19, 20)]
    found = run("v_swap_b32 v10, v11", vectors, ["v10", "v11"])
    assert np.array_equal(found, vectors[::-1])


PACKED: dict[str, Callable[[int, int, int], int]] = {
    "v_pk_add_u16": lambda a, b, c: a + b,
    "v_pk_sub_i16": lambda a, b, c: a - b,
    "v_pk_mul_lo_u16": lambda a, b, c: a * b,
    "v_pk_mad_u16": lambda a, b, c: a * b + c,
    "v_pk_mad_i16": lambda a, b, c: a * b + c,
    "v_pk_add_i16": lambda a, b, c: a + b,
    "v_pk_sub_u16": lambda a, b, c: a - b,
    "v_pk_min_u16": lambda a, b, c: min(a, b),
    "v_pk_max_i16": lambda a, b, c: max(s16(a), s16(b)),
    "v_pk_lshlrev_b16": lambda a, b, c: b << (a & 15),
    "v_pk_lshrrev_b16": lambda a, b, c: b >> (a & 15),
    "v_pk_ashrrev_i16": lambda a, b, c: s16(b) >> (a & 15),
    "v_pk_min_i16": lambda a, b, c: min(s16(a), s16(b)),
    "v_pk_max_u16": lambda a, b, c: max(a, b),
}


@pytest.mark.parametrize("name", list(PACKED))
@pytest.mark.parametrize(
    ("modifiers", "low", "high"),
    [
        ("", (0, 0, 0), (1, 1, 1)),
        (" op_sel:[1,0] op_sel_hi:[0,1]", (1, 0, 0), (0, 1, 1)),
    ],
)
def test_packed(name: str, modifiers: str, low: Any, high: Any) -> None:
    three = "mad" in name
    vectors = [words(seed, 128) for seed in (11, 12, 13)]
    if three and modifiers:
        modifiers = " op_sel:[1,0,0] op_sel_hi:[0,1,1]"
    text = f"  {name} v100, v10, v11{', v12' if three else ''}{modifiers}"
    (found,) = run(text, vectors, ["v100"])
    for *sources, got in zip(*(int_list(v) for v in (*vectors, found)), strict=True):
        halves = [
            PACKED[name](*(bits_of(s, 16 * h, 16) for s, h in zip(sources, pick, strict=True)))
            & 0xFFFF
            for pick in (low, high)
        ]
        assert got == halves[0] | halves[1] << 16


def test_half_destinations_keep_or_clear_the_other_half() -> None:
    a, b = words(14, 64), words(15, 64)
    body = """
  v_mov_b32 v100, 0xabcd1234
  v_mov_b32 v101, 0xabcd1234
  v_mov_b32 v102, 0xabcd1234
  v_add_u16 v100, v10, v11
  v_add_i16 v101, v10, v11
  v_add_i16 v102, v10, v11 op_sel:[1,0,1]
"""
    cleared, kept, upper = run(body, [a, b], ["v100", "v101", "v102"])
    total = (a + b) & 0xFFFF
    assert np.array_equal(cleared, total)
    assert np.array_equal(kept, 0xABCD0000 | total)
    assert np.array_equal(upper, ((a >> 16) + b & 0xFFFF) << 16 | 0x1234)


@pytest.mark.parametrize("masked", [False, True])
def test_sliding_distances(masked: bool) -> None:
    """Bytes 0 to 3, 1 to 4, 2 to 5 and 3 to 6 of S0 against S1, summed onto 16 or 32 bits of S2."""
    low, high, four, *sums = (words(seed) for seed in range(770, 777))
    four[:64] &= 0xFF00FF00
    name = "v_mqsad" if masked else "v_qsad"
    text = f"{name}_pk_u16_u8 v[20:21], v[10:11], v12, v[14:15]"
    inputs = [low, high, four, low, *sums]
    outputs = ["v20", "v21"]
    if masked:
        text += "\nv_mqsad_u32_u8 v[24:27], v[10:11], v12, v[14:17]"
        outputs += ["v24", "v25", "v26", "v27"]
    found = run(text, inputs, outputs)
    for lane in range(len(low)):
        wide = int(low[lane]) | int(high[lane]) << 32
        slides = [sad8(wide >> 8 * at & M32, int(four[lane]), masked) for at in range(4)]
        third = int(sums[0][lane]) | int(sums[1][lane]) << 32
        halves = [(slide + bits_of(third, 16 * at, 16)) & 0xFFFF for at, slide in enumerate(slides)]
        assert found[0][lane] == halves[0] | halves[1] << 16
        assert found[1][lane] == halves[2] | halves[3] << 16
        if masked:
            words_ = [(slide + int(sums[at][lane])) & M32 for at, slide in enumerate(slides)]
            assert found[2:, lane].tolist() == words_


def test_a_sliding_distance_over_its_sources_is_refused() -> None:
    for text in ("v[10:11], v[10:11], v12, v[14:15]", "v[12:13], v[10:11], v12, v[14:15]"):
        with pytest.raises(AssemblyError, match="overlaps the source"):
            run(f"v_qsad_pk_u16_u8 {text}", [], ["v0"])
