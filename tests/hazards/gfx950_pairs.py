"""Faulty gfx950 kernels and their corrected twins.

A file of `gfx950/` is the instructions of one kernel; `.ifdef CORRECTED` picks between the fault
and its correction, and the comment `hazard` marks the line that a report must name. Every kernel
takes the pointers `given` and `result`; on entry s[0:1] is the kernarg pointer, v0 the work-item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.toolchain.amdgcn_kernel import Kernel
from tests.hazards.runner import Expected, Pair, Suite

GIVEN = (np.arange(128, dtype=np.uint32) * 2654435761) >> np.uint32(7)


@dataclass(frozen=True)
class Gfx950Pair(Pair):
    """A pair of one workgroup; see `Pair`.

    Attributes:
        lds_bytes: LDS of the workgroup.
        words_each: 32-bit words of result for each work-item.
    """

    lds_bytes: int = 1024
    words_each: int = 1


def pair(kind: str, result: Expected, **more: Any) -> Gfx950Pair:
    """A pair whose first wave of 64 is at fault unless another is named."""
    given: dict[str, Any] = {"words": (), "threads": 64, "wave": 0, **more}
    return Gfx950Pair(kind, result=result, **given)


def _text(of: Gfx950Pair, name: str, body: str) -> str:
    return Kernel(name, ("given", "result"), (), of.lds_bytes, 16, 16, 256).text(body)


def _launch(device: Any, kernel: Any, of: Gfx950Pair) -> Any:
    result = device.empty(of.threads * of.words_each, np.uint32)
    kernel((1, 1, 1), (of.threads, 1, 1), (device.array(GIVEN), result))
    return result


def _transposed(first: Expected) -> Expected:
    """What `ds_read_b64_tr_b8` gives where the chunk of work-item t is the byte t and seven zeros.

    Of 16 lanes, lane i receives byte i % 8 of the chunks of lanes 2j + i / 8 (Triton, AMD back
    end, MemoryOpToLLVM.cpp, lowerDsReadTr): only lanes 0 and 8 of each receive anything but zeros.
    """

    def words(t: Any) -> Any:
        lane = t % 64
        source_lanes = (lane & 48)[:, None] + 2 * np.arange(8) + ((lane >> 3) & 1)[:, None]
        data = np.where((lane & 7)[:, None] == 0, first(t)[:, None] + source_lanes, 0)
        return data.astype(np.uint8).view(np.uint32).reshape(-1)

    return words


def _swapped_halves(t: Any) -> Any:
    pairs = _transposed(lambda u: u * 0)(t).reshape(-1, 2)
    return pairs[:, ::-1].reshape(-1)


PAIRS: dict[str, Gfx950Pair] = {
    "vmem_before_wait": pair("pending", lambda t: GIVEN[t] + 7, words=("v2", "vmcnt")),
    "vmem_wait_too_short": pair(
        "pending", lambda t: GIVEN[t] + 7 - GIVEN[t + 64], words=("v3", "vmcnt")
    ),
    "vmem_overwritten_in_flight": pair("pending", lambda t: t + 9, words=("v2", "vmcnt")),
    "counter_room_lds": pair("pending", lambda t: t + 12, words=("v3", "lgkmcnt")),
    "counter_room_vmem": pair("pending", lambda t: GIVEN[t] + 7, words=("v3", "vmcnt")),
    "counter_room_smem": pair("pending", lambda t: t * 0 + GIVEN[0], words=("s8", "lgkmcnt")),
    "flat_before_lgkmcnt": pair("pending", lambda t: GIVEN[t] + 3, words=("v4", "lgkmcnt")),
    "lds_before_wait": pair("pending", lambda t: (t ^ 1) * 2, words=("v2", "lgkmcnt")),
    "copy_read_before_wait": pair(
        "pending", lambda t: GIVEN[t], words=("byte 0x0", "global_load_lds_dword", "vmcnt")
    ),
    "copy_wait_too_short": pair(
        "pending", lambda t: GIVEN[t] - GIVEN[t + 64], words=("byte 0x100", "vmcnt")
    ),
    "copy_overwritten_in_flight": pair("pending", lambda t: t, words=("writes", "vmcnt")),
    "copy_barrier_before_wait": pair(
        "order", lambda t: GIVEN[t ^ 64], wave=None, words=("wait for completion",), threads=128
    ),
    "copy_missing_barrier": pair(
        "order", lambda t: GIVEN[t ^ 64], wave=None, words=("barrier",), threads=128
    ),
    "tr_before_wait": pair("pending", _swapped_halves, words=("lgkmcnt",), words_each=2),
    "smem_before_wait": pair("pending", lambda t: GIVEN[t] + 3, words=("lgkmcnt",)),
    "smem_out_of_order": pair("pending", lambda t: t + GIVEN[0] + 5 + GIVEN[1], words=("lgkmcnt",)),
    "smem_store_before_barrier": pair("order", lambda t: 101 - t // 64, wave=None, threads=128),
    "smem_store_not_written_back": pair(
        "rule",
        lambda t: np.where(t < 2, t + 100, t),
        wave=None,
        threads=128,
        words=("scalar cache", "s_dcache_wb"),
    ),
    "smem_store_read_from_cache": pair(
        "rule", lambda t: 101 - t // 64, wave=None, threads=128, words=("s_dcache_wb",)
    ),
    "smem_store_read_back": pair(
        "pending", lambda t: 100 + t // 64, wave=None, threads=128, words=("lgkmcnt",)
    ),
    "smem_atomic_before_wait": pair("pending", lambda t: t * 0 + GIVEN[2] + 3, words=("lgkmcnt",)),
    "smem_atomic_outside": pair("rule", lambda t: np.where(t == 63, 0x77, t)),
    "lds_count_before_wait": pair("pending", lambda t: t * 0 + 64, words=("v4", "lgkmcnt")),
    "lds_undefined_address": pair("undefined", lambda t: GIVEN[t], lane=7, words=("address",)),
    "lds_undefined_branch": pair("undefined", lambda t: t * 0 + 1, words=("branch",)),
    "lds_undefined_exec": pair("undefined", lambda t: np.where(t > 40, 6, 5)),
    "lds_undefined_result": pair("undefined", lambda t: t, lane=0),
    "register_undefined_result": pair("undefined", lambda t: np.where(t < 50, 3 * t, 0), lane=50),
    "register_undefined_address": pair(
        "undefined", lambda t: GIVEN[t | 1], lane=0, words=("address",)
    ),
    "register_undefined_branch": pair("undefined", lambda t: t * 0 + 11, words=("branch",)),
    "lds_missing_barrier": pair("order", lambda t: t ^ 64, lane=0, wave=None, threads=128),
    "lds_missing_wait_before_barrier": pair(
        "order", lambda t: t ^ 64, lane=0, wave=None, threads=128
    ),
    "lds_overwritten_too_early": pair("order", lambda t: t + 1, lane=0, wave=None, threads=128),
    "lds_two_writers": pair("order", lambda t: (t & 63) + 64, lane=0, wave=None, threads=128),
    "lds_tr_missing_barrier": pair(
        "order",
        _transposed(lambda t: 64 - (t & 64)),
        lane=0,
        wave=None,
        threads=128,
        words_each=2,
    ),
    "global_unordered": pair("order", lambda t: t ^ 64, lane=0, wave=None, threads=128),
    "global_load_out_of_bounds": pair(
        "out-of-bounds", lambda t: GIVEN[np.minimum(t, 62) + 65], lane=63
    ),
    "global_store_out_of_bounds": pair("out-of-bounds", lambda t: t, lane=0),
    "global_wide_out_of_bounds": pair(
        "out-of-bounds", lambda t: GIVEN[np.minimum(16 * t, 0x1F0) // 4], lane=32
    ),
    "lds_out_of_bounds": pair("out-of-bounds", lambda t: t, lane=0),
    "clock_before_wait": pair("pending", lambda t: t, words=("lgkmcnt",)),
    "sparse_undefined_index": pair(
        "undefined", lambda t: t * 0 + 0x41800000, lane=0, words=("matrix operand", "v6")
    ),
    "lds_pairs_misaligned": pair("misaligned", lambda t: t * 0 + 0x3C003C00, lane=0),
    "tr_misaligned": pair("misaligned", _transposed(lambda t: t * 0), lane=3, words_each=2),
    "tr6_misaligned": pair("misaligned", lambda t: t, lane=1),
    "tr_partial_exec": pair("rule", _transposed(lambda t: t * 0), lane=17, words_each=2),
    "deadlock": pair("deadlock", lambda t: t, threads=128),
    "endless_loop": pair("endless-loop", lambda t: 10 * t),
    "endless_lanes": pair("endless-loop", lambda t: t | 1),
}


def _waits(needed: int, result: Expected, words_each: int = 1) -> Gfx950Pair:
    """One wait state too few; the corrected twin has as many as are needed."""
    words = (f"{needed - 1} of {needed} wait states",)
    return pair("rule", result, words=words, words_each=words_each)


def _bits(value: float) -> Expected:
    """The bits of an f32, for every work-item."""
    word = int(np.float32(value).view(np.uint32))
    return lambda t: t * 0 + word


# Matrices are of ones: a result is the depth, plus SrcC. Of an f64 the upper half is stored.
PAIRS |= {
    "wait_mfma_read": _waits(8, _bits(32)),
    "wait_mfma_rewritten": _waits(8, lambda t: t),
    # SrcA is pairs of halves 0 and 0x4180 (2.75), eight pairs over the lanes
    "wait_mfma_source": _waits(8, _bits(22)),
    "wait_mfma_accumulator": _waits(6, _bits(32)),
    "wait_mfma_same_accumulator": _waits(8, _bits(32)),
    "wait_mfma_srcc_overwritten": _waits(3, _bits(17)),
    "wait_mfma_stored": _waits(12, _bits(128)),
    "wait_mfma_f32": _waits(10, _bits(4)),
    "wait_mfma_f64": _waits(19, lambda t: t * 0 + (np.float64(4).view(np.uint64) >> 32)),
    "wait_mfma_f64_stored": _waits(18, lambda t: t * 0 + (np.float64(4).view(np.uint64) >> 32)),
    "wait_valu_mfma": _waits(2, _bits(16)),
    "wait_sparse_index": _waits(2, _bits(17)),
    "wait_sparse_read": _waits(8, _bits(16)),
    "wait_blocks_read": _waits(5, _bits(6)),
    "wait_chance_byte": _waits(1, lambda t: t + 0x3800),
    "wait_cmpx_mfma": _waits(4, _bits(16)),
    "wait_cmpx_dpp": _waits(5, lambda t: t ^ 1),
    "wait_cmpx_readlane": _waits(4, lambda t: t * 0 + 9),
    "wait_cmpx_permlane": _waits(4, lambda t: t % 32),
    "wait_cmpx_constant": _waits(2, lambda t: t * 0 + 0xFFFFFFFF),
    "wait_dpp": _waits(2, lambda t: (t ^ 1) + 3),
    "wait_permlane": _waits(2, lambda t: np.where(t < 32, t, t - 32 + 5)),
    "wait_readlane": _waits(1, lambda t: t * 0 + 14),
    "wait_lane_select": _waits(4, lambda t: t * 0 + 6),
    "wait_sgpr_vmem": _waits(5, lambda t: t),
    "wait_sgpr_constant": _waits(2, lambda t: t + 6),
    "wait_div_fmas": _waits(4, _bits(2)),
    "wait_vccz": _waits(5, lambda t: t * 0 + 1),
    "wait_store_data": _waits(
        2, lambda t: np.arange(4 * len(t)) % 4 + 16 * (np.arange(4 * len(t)) // 4), words_each=4
    ),
    "wait_trans": _waits(1, _bits(2)),
    "wait_moved_result": _waits(1, lambda t: (t << 16) + 1),
    "wait_fp4_bytes": _waits(1, lambda t: t * 0 + 0x2222),
    "wait_dot": _waits(3, lambda t: t + 5),
    "wait_setreg": _waits(2, lambda t: t * 0 + 13),
    "wait_m0": _waits(1, lambda t: GIVEN[t]),
    "wait_m0_buffer": _waits(1, lambda t: GIVEN[t]),
    "wait_movrel": _waits(1, lambda t: t * 0 + 30),
    "wait_loop": _waits(8, _bits(32)),
    "wait_branch": pair("rule", _bits(32), words=("2 of 8 wait states",)),
}
SUITE = Suite("gfx950", "gfx950", PAIRS, _text, _launch)
