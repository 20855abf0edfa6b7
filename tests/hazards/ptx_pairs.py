"""Faulty sm_100a kernels and their corrected twins.

A file of `sm_100a/` is the statements of one kernel; `.ifdef CORRECTED` picks between the fault and
its correction, and the comment `hazard` marks the line that a report must name. Before them the
kernel has: %n thread, %w warp, %lane, %one in thread 0, %first in warp 0; %given and %result, its
thread's word in both arrays; mbarriers at bar and shared bytes at data. Kernels that do not
allocate themselves have 64 columns, %base, and %t, the same in their warp's quadrant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests import ptx
from tests.hazards.runner import Expected, Pair, Suite

GIVEN = (np.arange(256, dtype=np.uint32) * 2654435761) >> np.uint32(7)


@dataclass(frozen=True)
class Sm100aPair(Pair):
    """A pair of one CTA, whose first warp is at fault unless another is named; see `Pair`.

    Attributes:
        columns: That are allocated for the kernel; 0 where it allocates itself, or has none.
    """

    wave: int | None = 0
    columns: int = 64


_BEGIN = """\
.reg .pred %p<4>, %one, %first; .reg .b32 %n, %w, %lane, %base, %t, %v<16>;
.reg .b64 %d<4>;
.shared .align 1024 .b8 data[4096]; .shared .align 8 .b64 bar[4]; .shared .b32 slot;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; and.b32 %lane, %n, 31;
setp.eq.u32 %one, %n, 0; setp.eq.u32 %first, %w, 0;
mul.wide.u32 %d0, %n, 4;
add.u64 %given, %given, %d0; add.u64 %result, %result, %d0;
"""
_ALLOCATE = """@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], {columns};
bar.sync 0; ld.shared.b32 %base, [slot]; shl.b32 %t, %w, 21; and.b32 %t, %t, 0x600000;
add.u32 %t, %t, %base;
"""
_DEALLOCATE = """bar.sync 0;
@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, {columns};
"""


def _text(pair: Sm100aPair, name: str, body: str) -> str:
    body += "\n"
    if pair.columns:
        body = (_ALLOCATE + "{}" + _DEALLOCATE).format(body, columns=pair.columns)
    return ptx.entry(_BEGIN + body, "given result", name=name, target="sm_100a")


def _launch(device: Any, kernel: Any, pair: Sm100aPair) -> Any:
    result = device.zeros(pair.threads, np.uint32)
    given = device.array(GIVEN[: pair.threads])
    kernel((1, 1, 1), (pair.threads, 1, 1), (given, result))
    return result


def _given(thread: Any) -> Any:
    return GIVEN[thread]


def _number(thread: Any) -> Any:
    return thread


def _low(value: int) -> Expected:
    return lambda thread: np.where(thread < 32, value, 0)


def _first(thread: Any) -> Any:
    return np.where(thread < 32, GIVEN[thread % 32], 0)


def _shifted(thread: Any) -> Any:
    return GIVEN[np.minimum(thread + 1, 31)]


def _passed(thread: Any) -> Any:
    """Warp 4 stores what warp 0 left for it."""
    return np.where(thread // 32 == 4, GIVEN[thread - 128], 0)


def _of_the_first_warp(thread: Any) -> Any:
    """Warp 1 stores what warp 0 left for it."""
    return np.where(thread >= 32, GIVEN[thread % 32], 0)


def _of_the_first_warp_backwards(thread: Any) -> Any:
    """Warp 1 stores what warp 0 left for it, in reverse."""
    return np.where(thread >= 32, GIVEN[31 - thread % 32], 0)


def _sum_of_three_warps(thread: Any) -> Any:
    """Warp 3 stores the sum of what the others left for it."""
    sums = GIVEN[:96].reshape(3, 32).sum(0)
    return np.where(thread >= 96, sums[thread % 32], 0)


def _of_warp_4(thread: Any) -> Any:
    return np.where(thread // 32 == 4, GIVEN[thread], 0)


def _of_warp_0(thread: Any) -> Any:
    return GIVEN[thread % 32]


def _row_sums(thread: Any) -> Any:
    """Column 0 of A x 1: ones in the words of the four threads of a group."""
    ones = np.array([int(word & 0x01010101).bit_count() for word in GIVEN])
    return ones.reshape(-1, 4).sum(1)[thread // 4]


def _lane(thread: Any) -> Any:
    return thread % 32


def _first_word(thread: Any) -> Any:
    return np.full_like(thread, GIVEN[0])


def pair(
    kind: str,
    words: tuple[str, ...],
    result: Expected,
    threads: int = 32,
    columns: int = 64,
    strict: bool = False,
    wave: int | None = 0,
    note: str = "",
) -> Sm100aPair:
    return Sm100aPair(kind, words, result, threads, strict, note, wave, columns=columns)


_COPIED = "cp.async.wait_group (or wait_all, or cp.async.mbarrier.arrive"
_LANES = "__syncwarp() (bar.warp.sync) by both lanes is missing"
_PHASE = "phase {} of the mbarrier"


def _quarter(thread: Any) -> Any:
    """Element (l / 4, 2 * (l % 4)) of an 8x8 matrix, four elements of which are one number."""
    return (8 * (thread // 4) + 2 * (thread % 4)) // 4


def _of_warp_1(thread: Any) -> Any:
    lane = thread % 32
    return np.where(thread >= 32, 8 * (lane // 4) + 2 * (lane % 4), 0)


_WARPS: dict[str, Any] = {"threads": 256, "wave": 4}
_OWN_WAIT = "tcgen05.wait::{} by its own warp"
_COMMIT = "tcgen05.commit and a wait for its mbarrier"
PAIRS: dict[str, Sm100aPair] = {
    "missing_wait_ld": pair("pending", (_OWN_WAIT.format("ld"),), _given),
    "missing_wait_ld_register": pair(
        "pending", ("has it pending", "tcgen05.wait::ld"), _given, strict=True
    ),
    "missing_wait_ld_other_warp": pair("order", ("tcgen05.wait::ld by warp 0",), _first, **_WARPS),
    "missing_wait_ld_of_one": pair("order", ("tcgen05.wait::ld by warp 0",), _first, **_WARPS),
    "read_without_wait_ld": pair(
        "pending", ("has it pending", "tcgen05.wait::ld"), _first, threads=256, strict=True
    ),
    "missing_wait_st": pair("pending", (_OWN_WAIT.format("st"),), _given),
    "missing_wait_st_other_warp": pair("order", ("tcgen05.wait::st by warp 0",), _passed, **_WARPS),
    "missing_fence_before": pair(
        "order", ("before_thread_sync by warp 0",), _passed, **_WARPS, strict=True
    ),
    "missing_fence_after": pair(
        "order", ("after_thread_sync by warp 4",), _passed, **_WARPS, strict=True
    ),
    "missing_fence_after_passed_on": pair(
        "order", ("after_thread_sync by warp 4",), _passed, **_WARPS, strict=True
    ),
    "missing_barrier": pair("order", ("a barrier or mbarrier",), _passed, **_WARPS),
    "undefined_half": pair("undefined", ("left undefined", "unpack::16b"), _number),
    "undefined_column": pair("undefined", ("tensor memory", "column 9"), _given),
    "undefined_branch": pair("undefined", ("decide the branch", "column 5"), _number),
    "wrong_quadrant": pair(
        "rule", ("taddr names lane 0, but warp 1",), _given, threads=64, strict=True, wave=1
    ),
    "lanes_beyond_the_quadrant": pair("rule", ("reaches lane 32, but a quadrant has 32 lanes",),
                                      _given),
    "taddr_differs": pair("rule", ("must have the same operand",), _given),
    "outside_the_allocation": pair("rule", ("column 64 ", "is not allocated"), _given),
    "beyond_tensor_memory": pair("rule", ("column 512 is beyond",), _given, columns=512),
    "use_after_dealloc": pair("rule", ("column 0 ", "has already been deallocated"), _given,
                              columns=0),
    "leak": pair("rule", ("32 columns from 0 on", "not deallocated"), _number, columns=0),
    "alloc_after_relinquish": pair("rule", ("relinquished its permit",), _number, columns=0),
    "alloc_odd_count": pair("rule", ("48 columns: ", "power of two"), _number, columns=0),
    "alloc_grows": pair("rule", ("64 columns are more than the 32",), _number, columns=0,
                        strict=True),
    "dealloc_wrong_count": pair("rule", ("64 columns are allocated at taddr 0x0, not 32",), _number,
                                columns=0),
    "dealloc_wrong_address": pair("rule", ("has no allocation at taddr 0x20",), _number, columns=0),
    "dealloc_too_early": pair("pending", (_OWN_WAIT.format("ld"), "deallocates"), _given,
                              columns=0, strict=True, note="the ld and the dealloc of one warp"),
    "dealloc_unread_by_another": pair("order", ("tcgen05.wait::ld by warp 1",), _given, 64, 0),
    "exit_without_wait_ld": pair("order", ("tcgen05.wait::ld by warp 1",), _given, 64, 0),
    "mbarrier_lapped": pair("rule", ("warp 1 of its CTA has seen the end of the phase before",),
                            _number, 64, 0, True),
    "alloc_relaxed_arrive": pair("order", ("the write by warp 0", "tcgen05.alloc"), _number, 64, 0,
                                 True, 1, "arrive.relaxed releases nothing"),
    "alloc_without_barrier": pair("order", ("the write by warp 0", "tcgen05.alloc"), _number, 64,
                                  0, wave=1),
    "dealloc_without_barrier": pair("order", ("a barrier or mbarrier that orders warp 0 after",),
                                    _of_warp_4, columns=0, threads=160),
    "alloc_slot_overwritten": pair("order", ("fence.proxy.async is missing",), _given, columns=0,
                                   strict=True),
    "store_before_alloc_overwritten": pair("order", ("fence.proxy.async is missing",), _given,
                                           columns=0),
    "cp_missing_proxy_fence": pair("order", ("fence.proxy.async is missing",), _given),
    "cp_missing_barrier": pair("order", ("fence.proxy.async and a barrier are missing",),
                               _of_warp_0, threads=64, wave=1),
    "cp_missing_commit": pair("order", (_COMMIT,), _given),
    "commit_of_another_lane": pair("order", (_COMMIT,), _given),
    "commit_before_another_lane": pair("order", (_COMMIT,), _given),
    "commit_after_another_lane": pair("order", (_COMMIT, "; lane 1 issued it, and no"), _given),
    "commits_of_two_lanes": pair("order", (_COMMIT,), _given),
    "cp_missing_fence_after": pair("order", ("after_thread_sync by warp 0",), _given, strict=True),
    "cp_source_overwritten": pair("order", ("shared memory at byte", _COMMIT), _given),
    "cp_over_unfinished_st": pair("pending", (_OWN_WAIT.format("st"),), _given),
    "cp_no_descriptor": pair("rule", ("is not a shared-memory descriptor",), _given),
    "shift_missing_commit": pair("order", (_COMMIT,), _shifted),
    "shift_of_unfinished_cp": pair("order", ("tcgen05.cp", _COMMIT), _shifted),
    "mbarrier_uninitialised": pair("rule", ("there is no mbarrier object",), _number, columns=0),
    "mbarrier_touched": pair("rule", ("only mbarrier instructions may touch",), _number, columns=0),
    "mbarrier_too_many_arrivals": pair("rule", ("2 arrivals are more than the 1",), _number,
                                       columns=0),
    "mbarrier_deadlock": pair("deadlock", ("lacks 1 of its 33 arrivals",), _number, columns=0),
    "mbarrier_relaxed": pair("order", ("without being ordered",), _passed, 256, 0, wave=4),
    "mbarrier_relaxed_arrival_without_fence": pair("order", ("without being ordered",), _passed,
                                                   256, 0, wave=4),
    "mbarrier_relaxed_wait_without_fence": pair("order", ("without being ordered",), _passed, 256,
                                                0, wave=4),
    "fence_of_shared_memory_for_global": pair("order", ("without being ordered",), _passed, 256, 0,
                                              wave=4),
    "mbarrier_init_not_fenced": pair("rule", ("fence.mbarrier_init nor fence.proxy.async",), _given,
                                     32, 0, True, 0, "compilers rely on it"),
    "mbarrier_wrong_parity": pair("order", ("without being ordered",), _passed, 256, 0, wave=4),
    "mbarrier_missing_warp_sync": pair("order", ("before another lane of that warp arrived",),
                                       _of_the_first_warp, 64, 0, strict=True, wave=1),
    "mbarrier_missing_warp_sync_scattered": pair(
        "order", ("before another lane of that warp arrived",), _of_the_first_warp_backwards, 64, 0,
        strict=True, wave=1),
    "mbarrier_count_too_small": pair("rule", ("nothing orders it after phase 0",),
                                     _sum_of_three_warps, 128, 0, wave=1),
    "mbarrier_lanes_too_many": pair("rule", ("nothing orders lanes of one instruction",),
                                    _of_the_first_warp, 64, 0),
    "mbarrier_unordered_init": pair("order", ("without being ordered",), _number, 64, 0, wave=1),
    "mbarrier_old_state": pair("rule", ("only the current phase and the one before it can be",),
                               _number, columns=0),
    "mma_undefined_operand": pair("undefined", ("decide the matrix operand",), _row_sums,
                                  columns=0),
    "wmma_misaligned": pair("misaligned", ("multiple of 8",), _quarter, columns=0),
    "wmma_missing_barrier": pair("order", ("without being ordered",), _of_warp_1, 64, 0, wave=1),
    "wmma_addresses_differ": pair("rule", ("must have the same operand",), _quarter, columns=0),
    "mma_sp_metadata": pair("rule", ("the metadata 0x1 of row 0, chunk 0",),
                            lambda thread: np.full_like(thread, 16), columns=0),
    "mma_in_half_a_warp": pair("deadlock", ("lanes",), _row_sums, columns=0),
    "copy_missing_wait": pair("pending", (_COPIED,), _given, columns=0),
    "copy_wait_too_short": pair("pending", (_COPIED,), _given, columns=0),
    "copy_not_committed": pair("pending", (_COPIED,), _given, columns=0),
    "copy_missing_barrier": pair("order", ("warp 0 waited for it, but a barrier",), _of_warp_0,
                                 64, 0, wave=1),
    "copy_over_unread": pair("order", ("writes shared memory", "the read by warp 1"), _lane, 64, 0),
    "copy_twice": pair("pending", (_COPIED,), _given, columns=0),
    "copy_source_changed": pair("pending", ("writes global memory", "reads asynchronously"),
                                _number, columns=0),
    "copy_source_too_long": pair("rule", ("the source has 8 bytes",), _given, columns=0),
    "copy_misaligned": pair("misaligned", ("is not a multiple of 8",), _first_word, columns=0),
    "copy_missing_proxy_fence": pair("order", ("fence.proxy.async is missing",), _given,
                                     columns=0),
    "copy_arrival_not_counted": pair("deadlock", ("lacks 32 of its 32 arrivals",), _given,
                                     columns=0),
    "copy_arrivals_too_many": pair("rule", ("the mbarrier expects too few arrivals",), _given,
                                   64, 0),
    "bulk_missing_wait": pair("pending", (_PHASE.format(0), "a wait for it is missing"), _given,
                              columns=0),
    "bulk_unfinished_at_end": pair("ended-cta", ("before this has written its shared memory",),
                                   _number, columns=0),
    "bulk_wrong_mbarrier": pair("pending", (_PHASE.format(0),), _given, columns=0),
    "bulk_bytes_not_expected": pair("pending", (_PHASE.format(1),), _given, columns=0),
    "bulk_too_many_expected": pair("deadlock", ("128 bytes",), _given, columns=0),
    "bulk_odd_size": pair("rule", ("120 bytes are not a multiple of 16",), _given, columns=0),
    "bulk_over_generic_write": pair("order", ("writes shared memory", "fence.proxy.async is"),
                                    _given, columns=0),
    "bulk_over_unread": pair("order", ("writes shared memory", "the read by warp 0"), _number, 64,
                             0, wave=1),
    "bulk_store_missing_proxy_fence": pair("order", ("fence.proxy.async is missing",), _given,
                                           columns=0),
    "bulk_store_source_changed": pair("pending", ("wait_group.read by its own warp",), _given,
                                      columns=0),
    "bulk_store_read_back": pair("pending", ("commit_group and wait_group by its own",), _given,
                                 columns=0),
    "bulk_reduce_missing_proxy_fence": pair("order", ("fence.proxy.async is missing",), _given,
                                            columns=0),
    "bulk_store_unread_at_end": pair("rule", ("the CTA may end", "wait_group.read by the thread"),
                                     _given, columns=0, strict=True),
    "bulk_store_not_committed": pair("rule", ("the CTA may end", "commit_group"), _given, columns=0,
                                     strict=True),
    "bulk_store_missing_warp_sync": pair("order", (_LANES,), _given, columns=0, strict=True),
    "bulk_store_of_stmatrix_missing_warp_sync": pair("order", (_LANES,), _given, columns=0,
                                                     strict=True),
    "lanes_ticket": pair("order", (_LANES,), _number, columns=0, strict=True),
    "registers_differ": pair("rule", ("72 registers and warp 0 of",), _number, 128, 0,
                             True, 2, "a count for each warp"),
    "replicas_next_float": pair("order", ("the write by warp 0",), _low(0x3F800000), 64, 0, True,
                                1, "apart by rounding"),
    "replicas_next_half": pair("order", ("the write by warp 0",), _low(0x3C003C00), 64, 0, True,
                               1, "apart by rounding"),
    "replicas_differ": pair("order", ("the write by warp 0",), _low(0x3F800000), 64, 0, wave=1),
    "replicas_number": pair("order", ("the write by warp 0",), _low(5), 64, 0, wave=1),
    "replicas_in_place": pair("order", ("redundant warps race",), _number, 64, 0, wave=None),
    "shifted_in_place": pair("order", ("without being ordered",), _number, 64, 0, wave=None),
    "lanes_store_one_word": pair("undefined", ("another lane of warp 0 stored different values",),
                                 lambda t: np.where(t == 0, 7, 0), columns=0),
    "lanes_store_sums": pair("undefined", ("warp 0",),
                             lambda t: np.where(t == 0, 0x40000008, 0), columns=0, strict=True,
                             note="apart by rounding"),
    "lanes_store_near": pair("undefined", ("another lane of warp 0 stored different values",),
                             lambda t: np.where(t == 0, 0x40000038, 0), columns=0),
    "lanes_store_tiny": pair("undefined", ("another lane of warp 0 stored different values",),
                             lambda t: np.where(t == 0, 0x35000000, 0), columns=0),
    "lanes_store_far_sums": pair("undefined", ("another lane of warp 0 stored different values",),
                                 lambda t: np.where(t == 0, 0x40070000, 0), columns=0),
    "lanes_store_shared": pair("undefined", ("branch", "stored different values"), _number,
                               columns=0),
    "cancel_again": pair("rule", ("has already failed",), _number, columns=0),
}  # fmt: skip
SUITE = Suite("sm_100a", "sm_100a", PAIRS, _text, _launch, right=False)
