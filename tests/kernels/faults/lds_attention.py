"""Faults of lds_attention: what people get wrong with LDS, transposing reads and MFMAs of gfx950.

A fault's `host` is an `On`: the path that it is applied to, and what is done to the assembly or to
the operands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from lanemap.benching.launch import loaded
from lanemap_kernels.lds_attention.attend import launch
from lanemap_kernels.lds_attention.paths import path
from lanemap_kernels.lds_attention.problem import Problem
from lanemap_kernels.lds_attention.reference import expected
from lanemap_kernels.lds_attention.source import assembly
from tests.kernels.faults import LAYOUT, ORDER, Fault, Suite
from tests.kernels.lds import E4M3, device, operands

TILES, FILLS, INSTRUCTIONS = "lds_tiles.h", "lds_fills.h", "gfx950.h"
#: Three tiles of keys with a tail, two workgroups with a tail.
PROBLEM = Problem(1, 150, 130, 1, 1, 128)


@dataclass(frozen=True)
class On:
    """Where a fault is applied.

    Attributes:
        name: Of the path.
        way: Of P.
        mfma_k: 16 or 64.
        edit: Of the assembly.
        quantized: The type that the host rounds operands to; the kernel reads its bytes.
    """

    name: str = "1s"
    way: str = "k_rows"
    mfma_k: int = 64
    edit: Callable[[str], str] | None = None
    quantized: Any = E4M3

    def __call__(self, text: str) -> str:
        """Return the assembly with the fault."""
        return self.edit(text) if self.edit else text


def outcome(texts: Mapping[str, str], host: Any, strict: bool) -> float:
    """The part of O that lies outside the tolerance."""
    on = host if isinstance(host, On) else On()
    arrays = operands(PROBLEM)
    scale = PROBLEM.head_dim**-0.5
    made = assembly(path(on.name, on.way, on.mfma_k), PROBLEM.head_dim, texts=texts)
    text = on(made)
    assert (text != made) == (on.edit is not None), "the edit found nothing to change"
    given = [each.astype(np.float32).astype(on.quantized).view(E4M3) for each in arrays]
    o = np.zeros(arrays[0].shape, ml_dtypes.bfloat16)
    opened = device()
    launch(opened, loaded(opened, text), PROBLEM, (*given, o), (None, None, None), scale)
    right, error = expected(PROBLEM, *arrays, scale)
    return float((~(np.abs(o.astype(np.float64) - right) <= error)).mean())


def _without(pattern: str, which: int = 0) -> Callable[[str], str]:
    """An edit that drops the line of a group `drop` of a match."""

    def edit(text: str) -> str:
        found = list(re.finditer(pattern, text, re.MULTILINE))[which]
        return text[: found.start("drop")] + text[found.end("drop") :]

    return edit


def _narrowed(text: str) -> str:
    """A transposing read without lane 63."""
    read = re.search(r"^\tds_read_b64_tr_b8 .*$", text, re.MULTILINE)
    assert read
    off = "\ts_mov_b64 s[90:91], exec\n\ts_bitset0_b64 exec, 63\n"
    return text.replace(read[0], f"{off}{read[0]}\n\ts_mov_b64 exec, s[90:91]", 1)


_DIRECTIVES = r"(?:^(?:\t\.loc|\.Ltmp|\s*;).*\n)*"
#: The wait before the first product.
NO_LDS_WAIT = _without(
    rf"^\tds_read_b\S+ .*\n(?P<drop>{_DIRECTIVES}\ts_waitcnt lgkmcnt\(\d\)\n)"
    r"(?=(?:.*\n){0,8}?\tv_mfma)"
)
NO_LOAD_WAIT = _without(r"(?P<drop>^\ts_waitcnt vmcnt\(\d+\)\n)(?=(?:.*\n){0,6}?\tds_write_b64)")
NO_STATES = _without(r"(?P<drop>^\ts_nop (?:[5-9]|1\d)\n)")
NO_M0_STATE = _without(rf"(?P<drop>^\ts_nop 0\n)(?={_DIRECTIVES}\tbuffer_load_dwordx4 .* lds\n)")
NO_SWAP_STATE = _without(rf"(?P<drop>^\ts_nop 1\n)(?={_DIRECTIVES}\tv_permlane32_swap)")


_COPY_WAIT = re.compile(
    r"^\ts_waitcnt vmcnt\(0\).*\n((?:(?!\tds_).*\n){0,8}?\ts_barrier\n)", re.MULTILINE
)


def no_copy_wait(text: str) -> str:
    """Barriers that wait for LDS reads and writes, but not for copies to LDS."""
    return _COPY_WAIT.sub(r"\ts_waitcnt lgkmcnt(0)\n\1", text)


def late_copy_wait(text: str) -> str:
    """A wave waits for its copies to LDS after the barrier: it has its own, not the others'."""
    return _COPY_WAIT.sub(r"\ts_waitcnt lgkmcnt(0)\n\1\ts_waitcnt vmcnt(0)\n", text)


FAULTS = (
    Fault("the notes' address formula for transposing reads", LAYOUT, "hazard",
          "is not a multiple of 8 bytes", TILES,
          "u32 address = base + qk_offset(first + row, 8 * half_of(to) + lent_to_element(lane));",
          "(void)row; u32 address = base + lane % 8 + (first / 8 + lane / 8 % 4) * QK_STRIDE;",
          On("2.transpose")),
    Fault("one address for all lanes of a transposing read", LAYOUT, "wrong", "", TILES,
          "chunks[n] = read_tr8(address + n * 16 * 8);",
          "chunks[n] = read_tr8(__builtin_amdgcn_readfirstlane(address) + n * 16 * 8);",
          On("2.transpose")),
    Fault("the octet rule, which a uniform address suggests", LAYOUT, "wrong", "", TILES,
          "INLINE u32 lent_to_lane(u32 lane) { return tr8_lane(lane, 0); }\n"
          "INLINE u32 lent_to_element(u32 lane) { return "
          "4 * tr8_reg(lane, 0) + tr8_byte(lane, 0); }",
          "INLINE u32 lent_to_lane(u32 lane) { return lane & ~7u; }\n"
          "INLINE u32 lent_to_element(u32 lane) { return lane & 7; }"),
    Fault("lane 63 off at a transposing read", ORDER, "hazard", "EXEC", host=On(edit=_narrowed)),
    Fault("the halves of f8f6f4's B exchanged", LAYOUT, "wrong", "", INSTRUCTIONS,
          "four(a), four(b), c",
          "four(a), __builtin_shufflevector(four(b), four(b), 4, 5, 6, 7, 0, 1, 2, 3), c"),
    Fault("operands rounded to gfx942's FNUZ", LAYOUT, "wrong",
          host=On(quantized=ml_dtypes.float8_e4m3fnuz)),
    Fault("K's rows in order, though P is not exchanged", LAYOUT, "wrong", "", TILES,
          "return slot_of(half_of(d_at_lane(row, 0, 0)), d_at_reg(row, 0, 0));", "return row;"),
    Fault("one of two swaps of P left out", LAYOUT, "wrong", "", "",
          "    swap_halves(&word[2], &word[3]);\n", "", On(way="swap")),
    Fault("V read in order, though P is not", LAYOUT, "wrong", "", TILES,
          "return slot - within + d_row(32 * slot_half(within), slot_reg(within), 0);",
          "(void)within; return slot;", On(way="v_rows", mfma_k=16)),
    Fault("K copied without the permutation of its chunks", LAYOUT, "wrong", "", FILLS,
          "column = 16 * (x % ROW_CHUNKS) ^ qk_swizzle(row);", "column = 16 * (x % ROW_CHUNKS);"),
    Fault("V copied without the permutation of its chunks", LAYOUT, "wrong", "", FILLS,
          "(column ^ v_swizzle(row))", "column"),
    Fault("a permute from the lane after, not from the lane beside", LAYOUT, "wrong", "", FILLS,
          "from_lane(lane ^ j, word[j >> 1])", "from_lane(lane + j, word[j >> 1])",
          On("2.permute")),
    Fault("selectors of v_perm_b32 for the other order of rows", LAYOUT, "wrong", "", FILLS,
          "own & 2 ? 0x01000504 : 0x05040100", "own & 2 ? 0x05040100 : 0x01000504",
          On("2.permute")),
    Fault("ds_write2_b32's rows not brought to the first of four", LAYOUT, "hazard",
          "nothing had written", FILLS,
          "u32 to = base + qk_offset(row - own, 16 * chunk + 4 * own);",
          "u32 to = base + qk_offset(row, 16 * chunk + 4 * own);", On("2.write2")),
    Fault("a row copied by all lanes, past its end", ORDER, "hazard", "without being ordered",
          FILLS, "if (lane < HEAD_DIM / 4)", "if (lane < 64)", On("1.copy_row")),
    Fault("P beyond e4m3's 448", LAYOUT, "wrong", "", "", "#define P_SHIFT 8.0f",
          "#define P_SHIFT 10.0f"),
    Fault("the high half of P's word written over the low one", LAYOUT, "wrong", "", "",
          "__builtin_amdgcn_cvt_pk_fp8_f32(c, d, word, 1)",
          "__builtin_amdgcn_cvt_pk_fp8_f32(c, d, word, 0)"),
    Fault("each half of the wave with its own maximum", LAYOUT, "wrong", "", "",
          "larger_of_halves(largest) * scale", "largest * scale"),
    Fault("O not rescaled when the maximum grows", LAYOUT, "wrong", "", "",
          "state->o[t] *= factor;", ";"),
    Fault("the sum of one half of the keys", LAYOUT, "wrong", "", "",
          "float sum = sum_of_halves(state->sum)", "float sum = state->sum"),
    Fault("keys beyond the last one not hidden", LAYOUT, "wrong", "", "",
          "if ((tile + 1) * KEYS > all_see)", "if (0)"),
    Fault("a buffer larger than its rows", LAYOUT, "hazard", "outside every allocation", "",
          "buffer_of(memory_of + first, (length - 1) * row_bytes + HEAD_DIM)",
          "buffer_of(memory_of + first, 0x7fffffff)"),
    Fault("no barrier after a tile", ORDER, "hazard", "without being ordered", "",
          "v_end(V_TILE(tile + 1), v_share);\n        }\n        barrier();",
          "v_end(V_TILE(tile + 1), v_share);\n        }"),
    Fault("no barrier between Q's reads and K's first tile", ORDER, "hazard",
          "without being ordered", "", 'asm volatile("" : "+v"(q_chunks[n]));\n    barrier();',
          'asm volatile("" : "+v"(q_chunks[n]));'),
    Fault("no wait before a wave reads what it copied to LDS", ORDER, "hazard",
          "has it pending: a wait for vmcnt is missing", host=On(edit=no_copy_wait)),
    Fault("the wait for LDS copies after the barrier", ORDER, "hazard", "without being ordered",
          host=On(edit=late_copy_wait)),
    Fault("one tile of K in LDS instead of two", ORDER, "hazard", "has it pending", "",
          "(base + ((tile) & 1) * K_BYTES)", "(base + 0 * (tile))"),
    Fault("no s_waitcnt between an LDS read and its MFMA", ORDER, "hazard", "lgkmcnt",
          host=On(edit=NO_LDS_WAIT)),
    Fault("no s_waitcnt between a load and ds_write_b64", ORDER, "hazard", "vmcnt",
          host=On("3.136", edit=NO_LOAD_WAIT)),
    Fault("too few wait states after an MFMA", ORDER, "hazard", "wait states",
          host=On(edit=NO_STATES)),
    Fault("no wait state between M0 and a copy to LDS", ORDER, "hazard", "wait state",
          host=On(edit=NO_M0_STATE)),
    Fault("too few wait states before v_permlane32_swap_b32", ORDER, "hazard", "wait state",
          host=On(edit=NO_SWAP_STATE)),
)  # fmt: skip
SUITES = (
    Suite("lds_attention", "gfx950", FAULTS, outcome, (
        "the notes' address formula for transposing reads",
        "no barrier after a tile",
    )),
)  # fmt: skip
