"""Scalar instructions against the ISA's statements, worked with Python integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .machine import int_list, run, words

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
GROUPS = 48


def signed(x: int, bits: int = 32) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def overflows(x: int) -> bool:
    return not -(1 << 31) <= x < 1 << 31


def bfe(a: int, field: int, bits: int, sign: bool) -> int:
    offset, width = field & (bits - 1), min(field >> 16 & 127, bits)
    if width == 0:
        return 0
    moved = (signed(a, bits) if sign else a) >> offset
    part = moved & ((1 << width) - 1)
    return signed(part, width) if sign else part


def first_one(x: int, bits: int) -> int:
    return next((i for i in range(bits) if x >> i & 1), -1)


def leading(x: int, bits: int) -> int:
    return bits - x.bit_length() if x else -1


def sign_length(x: int, bits: int) -> int:
    flipped = x ^ (((1 << bits) - 1) if x >> (bits - 1) & 1 else 0)
    return leading(flipped, bits)


def quads(x: int, bits: int) -> int:
    return sum(1 << (i // 4) for i in range(0, bits, 4) if x >> i & 15)


def whole_quads(x: int, bits: int) -> int:
    return sum(15 << i for i in range(0, bits, 4) if x >> i & 15)


Reference = Callable[..., tuple[int, bool | None]]
OLD, OLD64 = 0x00FF00FF, 0x00FF00FF00FF00FF


def plain(function: Callable[..., int]) -> Reference:
    """SCC as it was."""
    return lambda *sources: (function(*sources), None)


def flagged(function: Callable[..., int], bits: int = 32) -> Reference:
    """SCC where the result is not 0."""
    return lambda *sources: (
        function(*sources),
        function(*sources) & ((1 << bits) - 1) != 0,
    )


#: a = s16, b = s17, A = s[18:19], B = s[20:21]; D = s30 or s[30:31], whose old value is s[22:23].
CASES: dict[str, Reference] = {
    "s_add_u32 s30, s16, s17": lambda a, b: (a + b, a + b > M32),
    "s_sub_u32 s30, s16, s17": lambda a, b: (a - b, b > a),
    "s_add_i32 s30, s16, s17": lambda a, b: (a + b, overflows(signed(a) + signed(b))),
    "s_sub_i32 s30, s16, s17": lambda a, b: (a - b, overflows(signed(a) - signed(b))),
    "s_lshl2_add_u32 s30, s16, s17": lambda a, b: ((a << 2) + b, (a << 2) + b > M32),
    "s_mul_i32 s30, s16, s17": plain(lambda a, b: a * b),
    "s_mul_hi_u32 s30, s16, s17": plain(lambda a, b: a * b >> 32),
    "s_mul_hi_i32 s30, s16, s17": plain(lambda a, b: signed(a) * signed(b) >> 32),
    "s_and_b32 s30, s16, s17": flagged(lambda a, b: a & b),
    "s_or_b32 s30, s16, s17": flagged(lambda a, b: a | b),
    "s_xor_b32 s30, s16, s17": flagged(lambda a, b: a ^ b),
    "s_andn2_b32 s30, s16, s17": flagged(lambda a, b: a & ~b),
    "s_orn2_b32 s30, s16, s17": flagged(lambda a, b: a | ~b),
    "s_nand_b32 s30, s16, s17": flagged(lambda a, b: ~(a & b)),
    "s_nor_b32 s30, s16, s17": flagged(lambda a, b: ~(a | b)),
    "s_xnor_b32 s30, s16, s17": flagged(lambda a, b: ~(a ^ b)),
    "s_lshl_b32 s30, s16, s17": flagged(lambda a, b: a << (b & 31)),
    "s_lshr_b32 s30, s16, s17": flagged(lambda a, b: a >> (b & 31)),
    "s_ashr_i32 s30, s16, s17": flagged(lambda a, b: signed(a) >> (b & 31)),
    "s_min_i32 s30, s16, s17": lambda a, b: (min(signed(a), signed(b)), signed(a) < signed(b)),
    "s_max_u32 s30, s16, s17": lambda a, b: (max(a, b), a >= b),
    "s_absdiff_i32 s30, s16, s17": flagged(lambda a, b: abs(signed(a - b))),
    "s_bfm_b32 s30, s16, s17": plain(lambda a, b: ((1 << (a & 31)) - 1) << (b & 31)),
    "s_bfe_u32 s30, s16, s17": flagged(lambda a, b: bfe(a, b, 32, False)),
    "s_bfe_i32 s30, s16, s17": flagged(lambda a, b: bfe(a, b, 32, True)),
    "s_pack_ll_b32_b16 s30, s16, s17": plain(lambda a, b: a & 0xFFFF | b << 16),
    "s_pack_lh_b32_b16 s30, s16, s17": plain(lambda a, b: a & 0xFFFF | b >> 16 << 16),
    "s_pack_hh_b32_b16 s30, s16, s17": plain(lambda a, b: a >> 16 | b >> 16 << 16),
    "s_mov_b32 s30, s16": plain(lambda a, b: a),
    "s_not_b32 s30, s16": flagged(lambda a, b: ~a),
    "s_brev_b32 s30, s16": plain(lambda a, b: int(f"{a:032b}"[::-1], 2)),
    "s_bcnt0_i32_b32 s30, s16": flagged(lambda a, b: 32 - a.bit_count()),
    "s_bcnt1_i32_b32 s30, s16": flagged(lambda a, b: a.bit_count()),
    "s_ff0_i32_b32 s30, s16": plain(lambda a, b: first_one(~a & M32, 32)),
    "s_ff1_i32_b32 s30, s16": plain(lambda a, b: first_one(a, 32)),
    "s_flbit_i32_b32 s30, s16": plain(lambda a, b: leading(a, 32)),
    "s_flbit_i32 s30, s16": plain(lambda a, b: sign_length(a, 32)),
    "s_sext_i32_i8 s30, s16": plain(lambda a, b: signed(a, 8)),
    "s_sext_i32_i16 s30, s16": plain(lambda a, b: signed(a, 16)),
    "s_abs_i32 s30, s16": flagged(lambda a, b: abs(signed(a))),
    "s_wqm_b32 s30, s16": flagged(lambda a, b: whole_quads(a, 32)),
    "s_quadmask_b32 s30, s16": flagged(lambda a, b: quads(a, 32)),
    "s_movk_i32 s30, -7": plain(lambda a, b: -7),
    "s_bitset1_b32 s30, s16": plain(lambda a, b: 0x00FF00FF | 1 << (a & 31)),
    "s_bitset0_b32 s30, s16": plain(lambda a, b: 0x00FF00FF & ~(1 << (a & 31))),
    "s_addk_i32 s30, -5": lambda a, b: (0x00FF00FF - 5, False),
    "s_mulk_i32 s30, 0x101": plain(lambda a, b: 0x00FF00FF * 0x101),
    "s_min_u32 s30, s16, s17": lambda a, b: (min(a, b), a < b),
    "s_max_i32 s30, s16, s17": lambda a, b: (max(signed(a), signed(b)), signed(a) >= signed(b)),
    **{
        f"s_lshl{n}_add_u32 s30, s16, s17": lambda a, b, n=n: ((a << n) + b, (a << n) + b > M32)
        for n in (1, 3, 4)
    },
    "s_bitcmp1_b32 s16, s17": lambda a, b: (OLD, bool(a >> (b & 31) & 1)),
    "s_bitcmp0_b32 s16, s17": lambda a, b: (OLD, not a >> (b & 31) & 1),
}
#: a and b that random words hardly meet: nothing is added, and fields of the whole register.
EDGES = [[M32, 0], [0, 0], [0x40000000, 32 << 16], [0x80000001, 127 << 16]]
OPERATIONS: dict[str, Callable[[int, int], bool]] = {
    "eq": int.__eq__, "lg": int.__ne__, "gt": int.__gt__, "ge": int.__ge__, "lt": int.__lt__,
    "le": int.__le__,
}  # fmt: skip
# Immediates of 16 bits that are the old value of s30, and their neighbors.
for _op, _holds in OPERATIONS.items():
    for _k in (0x00FF, 0x0100, 0x00FE, -1):
        CASES[f"s_cmpk_{_op}_i32 s22, {_k}"] = lambda a, b, holds=_holds, k=_k: (OLD, holds(OLD, k))
    for _k in (0xFFFF, 0x8000):
        CASES[f"s_cmpk_{_op}_u32 s16, {_k}"] = lambda a, b, holds=_holds, k=_k: (OLD, holds(a, k))
WIDE: dict[str, Reference] = {
    "s_and_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: a & b, 64),
    "s_or_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: a | b, 64),
    "s_xor_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: a ^ b, 64),
    "s_andn2_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: a & ~b, 64),
    "s_xnor_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: ~(a ^ b), 64),
    "s_lshl_b64 s[30:31], s[18:19], s20": flagged(lambda a, b: a << (b & 63), 64),
    "s_lshr_b64 s[30:31], s[18:19], s20": flagged(lambda a, b: a >> (b & 63), 64),
    "s_ashr_i64 s[30:31], s[18:19], s20": flagged(lambda a, b: signed(a, 64) >> (b & 63), 64),
    "s_bfm_b64 s[30:31], s18, s20": plain(lambda a, b: ((1 << (a & 63)) - 1) << (b & 63)),
    "s_bfe_u64 s[30:31], s[18:19], s20": flagged(lambda a, b: bfe(a, b & M32, 64, False), 64),
    "s_bfe_i64 s[30:31], s[18:19], s20": flagged(lambda a, b: bfe(a, b & M32, 64, True), 64),
    "s_mov_b64 s[30:31], s[18:19]": plain(lambda a, b: a),
    "s_mov_b64 s[30:31], -3": plain(lambda a, b: -3),
    "s_mov_b64 s[30:31], 0xfffffffe": plain(lambda a, b: 0xFFFFFFFE),
    "s_mov_b64 s[30:31], 1.0": plain(lambda a, b: 0x3FF << 52),
    "s_not_b64 s[30:31], s[18:19]": flagged(lambda a, b: ~a, 64),
    "s_brev_b64 s[30:31], s[18:19]": plain(lambda a, b: int(f"{a:064b}"[::-1], 2)),
    "s_bcnt0_i32_b64 s30, s[18:19]": flagged(lambda a, b: 64 - a.bit_count()),
    "s_bcnt1_i32_b64 s30, s[18:19]": flagged(lambda a, b: a.bit_count()),
    "s_ff0_i32_b64 s30, s[18:19]": plain(lambda a, b: first_one(~a & M64, 64)),
    "s_ff1_i32_b64 s30, s[18:19]": plain(lambda a, b: first_one(a, 64)),
    "s_flbit_i32_b64 s30, s[18:19]": plain(lambda a, b: leading(a, 64)),
    "s_flbit_i32_i64 s30, s[18:19]": plain(lambda a, b: sign_length(a, 64)),
    "s_wqm_b64 s[30:31], s[18:19]": flagged(lambda a, b: whole_quads(a, 64), 64),
    "s_quadmask_b64 s[30:31], s[18:19]": flagged(lambda a, b: quads(a, 64), 64),
    "s_bitreplicate_b64_b32 s[30:31], s18": plain(
        lambda a, b: sum(3 << 2 * i for i in range(32) if a >> i & 1)
    ),
    "s_orn2_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: a | ~b, 64),
    "s_nand_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: ~(a & b), 64),
    "s_nor_b64 s[30:31], s[18:19], s[20:21]": flagged(lambda a, b: ~(a | b), 64),
    "s_bitset0_b64 s[30:31], s18": plain(lambda a, b: 0x00FF00FF00FF00FF & ~(1 << (a & 63))),
    "s_bitcmp1_b64 s[18:19], s20": lambda a, b: (OLD64, bool(a >> (b & 63) & 1)),
    "s_bitcmp0_b64 s[18:19], s20": lambda a, b: (OLD64, not a >> (b & 63) & 1),
    "s_cmp_eq_u64 s[18:19], s[20:21]": lambda a, b: (OLD64, a == b),
    "s_cmp_lg_u64 s[18:19], s[20:21]": lambda a, b: (OLD64, a != b),
    "s_bitset1_b64 s[30:31], s18": plain(lambda a, b: 0x00FF00FF00FF00FF | 1 << (a & 63)),
}


def _run(text: str) -> tuple[Any, Any]:
    """The scalars of every group, and (low, high, SCC before 0, SCC before 1) of the result."""
    scalars = words(21, GROUPS * 8).reshape(GROUPS, 8)
    scalars[: len(EDGES), :2] = EDGES
    scalars[:, 6] = scalars[:, 7] = OLD
    body = ""
    for start in (0, 1):
        body += f"""
  s_mov_b64 s[30:31], s[22:23]
  s_cmp_eq_u32 0, {1 - start}
  {text}
  s_cselect_b32 s29, 1, 0
  v_mov_b32 v{100 + 3 * start}, s30
  v_mov_b32 v{101 + 3 * start}, s31
  v_mov_b32 v{102 + 3 * start}, s29
"""
    found = run(
        body, [np.zeros(GROUPS * 64, np.uint32)], [f"v{100 + i}" for i in range(6)], scalars=scalars
    )
    return scalars, found[:, ::64]


@pytest.mark.parametrize("text", [*CASES, *WIDE])
def test_scalar(text: str) -> None:
    scalars, found = _run(text)
    wide_result = "s[30:31]" in text or WIDE.get(text, CASES.get(text))(0, 0)[0] == OLD64
    for row, column in zip(scalars, found.T, strict=True):
        s = int_list(row)
        if text in CASES:
            value, scc = CASES[text](s[0], s[1])
        else:
            value, scc = WIDE[text](s[2] | s[3] << 32, s[4] | s[5] << 32)
        high = value >> 32 if wide_result else OLD
        for start in (0, 1):
            low_found, high_found, flag = int_list(column[3 * start : 3 * start + 3])
            assert (low_found, high_found) == (value & M32, high & M32), [hex(x) for x in s]
            assert flag == (start if scc is None else int(scc)), [hex(x) for x in s]


@pytest.mark.parametrize("text", ["s_cmov_b32 s30, s16", "s_cmovk_i32 s30, -9",
                                  "s_cmov_b64 s[30:31], s[18:19]",
                                  "s_cselect_b64 s[30:31], s[18:19], s[20:21]"])  # fmt: skip
def test_moves_where_scc_is_set(text: str) -> None:
    scalars, found = _run(text)
    for row, column in zip(scalars, found.T, strict=True):
        s = int_list(row)
        moved = {"s30, s16": [s[0], OLD], "s30, -9": [M32 - 8, OLD]}.get(
            text.partition(" ")[2], [s[2], s[3]]
        )
        kept = [s[4], s[5]] if "cselect" in text else [OLD, OLD]
        assert int_list(column) == [*kept, 0, *moved, 1]


SAVEEXEC: dict[str, Callable[[int, int], int]] = {
    "and": lambda s, e: s & e, "or": lambda s, e: s | e, "xor": lambda s, e: s ^ e,
    "andn2": lambda s, e: s & ~e, "orn2": lambda s, e: s | ~e, "nand": lambda s, e: ~(s & e),
    "nor": lambda s, e: ~(s | e), "xnor": lambda s, e: ~(s ^ e), "andn1": lambda s, e: ~s & e,
    "orn1": lambda s, e: ~s | e,
}  # fmt: skip


@pytest.mark.parametrize("name", [*SAVEEXEC, "andn1_wrexec", "andn2_wrexec"])
@pytest.mark.parametrize("mask", [0x00FF0F0F12345678, 0, M64, 0xF0F0F0F0F0F0F0F0])
def test_masks_are_combined_and_the_old_one_is_saved(name: str, mask: int) -> None:
    """AMD CDNA4 ISA, S_AND_SAVEEXEC_B64 and alike: EXEC = S0 op EXEC; SCC = EXEC != 0."""
    before = 0xF0F0F0F0F0F0F0F0
    operation = name if "wrexec" in name else f"{name}_saveexec"
    body = f"""
v_mov_b32 v100, 0
s_mov_b32 s24, {mask & M32:#x}
s_mov_b32 s25, {mask >> 32:#x}
s_mov_b32 exec_lo, {before & M32:#x}
s_mov_b32 exec_hi, {before >> 32:#x}
s_{operation}_b64 s[26:27], s[24:25]
s_cselect_b32 s28, 1, 0
v_mov_b32 v100, 1
s_mov_b64 exec, -1
v_mov_b32 v101, s26
v_mov_b32 v102, s27
v_mov_b32 v103, s28
"""
    executed, low, high, scc = run(body, [], ["v100", "v101", "v102", "v103"])
    lanes = SAVEEXEC[name.partition("_")[0]](mask, before) & M64
    assert int_list(executed) == [lanes >> lane & 1 for lane in range(64)]
    saved = lanes if "wrexec" in name else before
    assert int(low[0]) | int(high[0]) << 32 == saved
    assert scc[0] == int(lanes != 0)


COMPARISONS = OPERATIONS


def test_comparisons_and_selects() -> None:
    scalars = words(22, GROUPS * 8).reshape(GROUPS, 8)
    scalars[::3, 1] = scalars[::3, 0]
    names = [f"{op}_{kind}" for op in COMPARISONS for kind in ("i32", "u32")]
    body, expected = "", []
    for number, name in enumerate(names):
        body += f"  s_cmp_{name} s16, s17\n  s_cselect_b32 s29, 1, 0\n"
        body += f"  v_mov_b32 v{100 + number}, s29\n"
    found = run(
        body,
        [np.zeros(GROUPS * 64, np.uint32)],
        [f"v{100 + n}" for n in range(len(names))],
        scalars=scalars,
    )
    for row, column in zip(scalars, found[:, ::64].T, strict=True):
        a, b = int(row[0]), int(row[1])
        expected = [
            int(COMPARISONS[name[:2]](*((signed(a), signed(b)) if name[3] == "i" else (a, b))))
            for name in names
        ]
        assert int_list(column) == expected


def test_sixteen_bit_immediates_and_bit_tests() -> None:
    body = """
  s_movk_i32 s24, -5
  s_mov_b32 s25, 0xfffb
  s_cmpk_eq_i32 s24, -5
  s_cselect_b32 s26, 1, 0
  s_cmpk_eq_u32 s25, 0xfffb
  s_cselect_b32 s27, 1, 0
  s_bitcmp1_b32 s24, 31
  s_cselect_b32 s28, 1, 0
  s_bitcmp0_b32 s25, 2
  s_cselect_b32 s29, 1, 0
  s_cmp_eq_u64 s[24:25], s[24:25]
  s_cselect_b32 s30, 1, 0
""" + "".join(f"  v_mov_b32 v{100 + i}, s{26 + i}\n" for i in range(5))
    found = run(body, [], [f"v{100 + i}" for i in range(5)])
    assert int_list(found[:, 0]) == [1, 1, 1, 1, 1]


def test_addition_with_carry_chains() -> None:
    scalars = words(23, GROUPS * 8).reshape(GROUPS, 8)
    body = """
  s_add_u32 s24, s16, s18
  s_addc_u32 s25, s17, s19
  s_sub_u32 s26, s16, s18
  s_subb_u32 s27, s17, s19
  s_cselect_b32 s28, 1, 0
""" + "".join(f"  v_mov_b32 v{100 + i}, s{24 + i}\n" for i in range(5))
    found = run(
        body, [np.zeros(GROUPS * 64, np.uint32)], [f"v{100 + i}" for i in range(5)], scalars=scalars
    )[:, ::64]
    for row, column in zip(scalars, found.T, strict=True):
        s = int_list(row)
        a, b = s[0] | s[1] << 32, s[2] | s[3] << 32
        total, rest = (a + b) & M64, (a - b) & M64
        assert int_list(column) == [total & M32, total >> 32, rest & M32, rest >> 32, int(a < b)]


def test_saveexec_and_what_follows_it() -> None:
    """Lanes outside EXEC keep what they had; the saved mask and SCC are as stated."""
    body = """
  v_mov_b32 v100, 1
  v_cmp_gt_u32 vcc, 10, v0
  s_and_saveexec_b64 s[24:25], vcc
  s_cselect_b32 s26, 1, 0
  v_mov_b32 v100, 2
  s_andn2_saveexec_b64 s[28:29], s[24:25]
  v_mov_b32 v100, 3
  s_or_b64 exec, exec, s[28:29]
  v_add_u32 v100, 10, v100
  s_mov_b64 exec, 0
  v_mov_b32 v100, 99
  s_or_saveexec_b64 s[30:31], -1
  v_mov_b32 v101, s26
  v_mov_b32 v102, s30
"""
    value, scc, saved = run(body, [], ["v100", "v101", "v102"])
    assert int_list(value) == [12] * 10 + [13] * 54
    assert set(int_list(scc)) == {1} and set(int_list(saved)) == {0}
