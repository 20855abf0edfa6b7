"""Faulty sm_100a kernels and their corrected twins.

A file of `sm_100a/` is the statements of one kernel; `.ifdef CORRECTED` picks between the fault and
its correction, and the comment `hazard` marks the line that a report must name. Before them the
kernel has: %n thread, %w warp, %lane, %one in thread 0, %first in warp 0; %given and %result, its
thread's word in both arrays; mbarriers at bar and shared bytes at data. Kernels that do not
allocate themselves have 64 columns, %base, and %t, the same in their warp's quadrant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.hazards.pairs import chosen_lines, marked_lines

FOLDER = Path(__file__).resolve().parent / "sm_100a"
GIVEN = (np.arange(256, dtype=np.uint32) * 2654435761) >> np.uint32(7)
Expected = Callable[[Any], Any]


@dataclass(frozen=True)
class Pair:
    """What is known of one fault.

    Attributes:
        kind: the class of hazard that the emulator must name.
        words: what the sentence must mention.
        result: from the threads' numbers to the words that the corrected twin stores.
        threads: of the one CTA.
        columns: that are allocated for the kernel; 0 where it allocates itself, or has none.
        strict: whether only the strict emulator objects.
        note: what a note of the default mode must say; none there if empty.
        warp: the warp at fault; None where either of two may be.
    """

    kind: str
    words: tuple[str, ...]
    result: Expected
    threads: int = 32
    columns: int = 64
    strict: bool = False
    warp: int | None = 0
    note: str = ""


_HEAD = """.version 8.7
.target sm_100a
.address_size 64
.visible .entry {name}(.param .u64 given, .param .u64 result) {{
.reg .pred %p<4>, %one, %first; .reg .b32 %n, %w, %lane, %base, %t, %v<16>;
.reg .b64 %given, %result, %d<4>;
.shared .align 1024 .b8 data[4096]; .shared .align 8 .b64 bar[4]; .shared .b32 slot;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; and.b32 %lane, %n, 31;
setp.eq.u32 %one, %n, 0; setp.eq.u32 %first, %w, 0;
ld.param.u64 %given, [given]; ld.param.u64 %result, [result]; mul.wide.u32 %d0, %n, 4;
add.u64 %given, %given, %d0; add.u64 %result, %result, %d0;
"""
_ALLOCATE = """@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], {columns};
bar.sync 0; ld.shared.b32 %base, [slot]; shl.b32 %t, %w, 21; and.b32 %t, %t, 0x600000;
add.u32 %t, %t, %base;
"""
_DEALLOCATE = """bar.sync 0;
@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, {columns};
"""


def source(name: str, corrected: bool) -> str:
    """The whole text of a kernel, which is named as its file."""
    pair = PAIRS[name]
    body = "\n".join(chosen_lines(FOLDER / f"{name}.ptx", corrected)) + "\n"
    if pair.columns:
        body = (_ALLOCATE + "{}" + _DEALLOCATE).format(body, columns=pair.columns)
    return _HEAD.format(name=name) + body + "ret;\n}\n"


def hazard_lines(name: str) -> set[int]:
    """Numbers of the lines of the faulty text that bear the fault."""
    return marked_lines(source(name, corrected=False))


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


_COPIED = "cp.async.wait_group (or wait_all, or cp.async.mbarrier.arrive"
_LANES = "__syncwarp() (bar.warp.sync) by both lanes is missing"
_PHASE = "phase {} of the mbarrier"
def _quarter(thread: Any) -> Any:
    """Element (l / 4, 2 * (l % 4)) of an 8x8 matrix, four elements of which are one number."""
    return (8 * (thread // 4) + 2 * (thread % 4)) // 4


def _of_warp_1(thread: Any) -> Any:
    lane = thread % 32
    return np.where(thread >= 32, 8 * (lane // 4) + 2 * (lane % 4), 0)


_WARPS: dict[str, Any] = {"threads": 256, "warp": 4}
_OWN_WAIT = "tcgen05.wait::{} by its own warp"
_COMMIT = "tcgen05.commit and a wait for its mbarrier"
PAIRS: dict[str, Pair] = {
    "missing_wait_ld": Pair("pending", (_OWN_WAIT.format("ld"),), _given),
    "missing_wait_ld_register": Pair(
        "pending", ("has it pending", "tcgen05.wait::ld"), _given, strict=True
    ),
    "missing_wait_ld_other_warp": Pair("order", ("tcgen05.wait::ld by warp 0",), _first, **_WARPS),
    "missing_wait_ld_of_one": Pair("order", ("tcgen05.wait::ld by warp 0",), _first, **_WARPS),
    "read_without_wait_ld": Pair(
        "pending", ("has it pending", "tcgen05.wait::ld"), _first, threads=256, strict=True
    ),
    "missing_wait_st": Pair("pending", (_OWN_WAIT.format("st"),), _given),
    "missing_wait_st_other_warp": Pair("order", ("tcgen05.wait::st by warp 0",), _passed, **_WARPS),
    "missing_fence_before": Pair(
        "order", ("before_thread_sync by warp 0",), _passed, **_WARPS, strict=True
    ),
    "missing_fence_after": Pair(
        "order", ("after_thread_sync by warp 4",), _passed, **_WARPS, strict=True
    ),
    "missing_fence_after_passed_on": Pair(
        "order", ("after_thread_sync by warp 4",), _passed, **_WARPS, strict=True
    ),
    "missing_barrier": Pair("order", ("a barrier or mbarrier",), _passed, **_WARPS),
    "undefined_half": Pair("undefined", ("left undefined", "unpack::16b"), _number),
    "undefined_column": Pair("undefined", ("tensor memory", "column 9"), _given),
    "undefined_branch": Pair("undefined", ("decide the branch", "column 5"), _number),
    "wrong_quadrant": Pair(
        "rule", ("taddr names lane 0, but warp 1",), _given, threads=64, strict=True, warp=1
    ),
    "lanes_beyond_the_quadrant": Pair("rule", ("reaches lane 32, but a quadrant has 32 lanes",),
                                      _given),
    "taddr_differs": Pair("rule", ("must have the same operand",), _given),
    "outside_the_allocation": Pair("rule", ("column 64 ", "is not allocated"), _given),
    "beyond_tensor_memory": Pair("rule", ("column 512 is beyond",), _given, columns=512),
    "use_after_dealloc": Pair("rule", ("column 0 ", "has already been deallocated"), _given,
                              columns=0),
    "leak": Pair("rule", ("32 columns from 0 on", "not deallocated"), _number, columns=0),
    "alloc_after_relinquish": Pair("rule", ("relinquished its permit",), _number, columns=0),
    "alloc_odd_count": Pair("rule", ("48 columns: ", "power of two"), _number, columns=0),
    "alloc_grows": Pair("rule", ("64 columns are more than the 32",), _number, columns=0,
                        strict=True),
    "dealloc_wrong_count": Pair("rule", ("64 columns are allocated at taddr 0x0, not 32",), _number,
                                columns=0),
    "dealloc_wrong_address": Pair("rule", ("has no allocation at taddr 0x20",), _number, columns=0),
    "dealloc_too_early": Pair("pending", (_OWN_WAIT.format("ld"), "deallocates"), _given,
                              columns=0, strict=True, note="the ld and the dealloc of one warp"),
    "dealloc_unread_by_another": Pair("order", ("tcgen05.wait::ld by warp 1",), _given, 64, 0),
    "exit_without_wait_ld": Pair("order", ("tcgen05.wait::ld by warp 1",), _given, 64, 0),
    "mbarrier_lapped": Pair("rule", ("has seen the end of the phase before",), _number, 64, 0,
                            True, 1),
    "alloc_relaxed_arrive": Pair("order", ("the write by warp 0", "tcgen05.alloc"), _number, 64, 0,
                                 True, 1, "arrive.relaxed releases nothing"),
    "alloc_without_barrier": Pair("order", ("the write by warp 0", "tcgen05.alloc"), _number, 64,
                                  0, warp=1),
    "dealloc_without_barrier": Pair("order", ("a barrier or mbarrier that orders warp 0 after",),
                                    _of_warp_4, columns=0, threads=160),
    "alloc_slot_overwritten": Pair("order", ("fence.proxy.async is missing",), _given, columns=0,
                                   strict=True),
    "store_before_alloc_overwritten": Pair("order", ("fence.proxy.async is missing",), _given,
                                           columns=0),
    "cp_missing_proxy_fence": Pair("order", ("fence.proxy.async is missing",), _given),
    "cp_missing_barrier": Pair("order", ("fence.proxy.async and a barrier are missing",),
                               _of_warp_0, threads=64, warp=1),
    "cp_missing_commit": Pair("order", (_COMMIT,), _given),
    "commit_of_another_lane": Pair("order", (_COMMIT,), _given),
    "commit_before_another_lane": Pair("order", (_COMMIT,), _given),
    "commit_after_another_lane": Pair("order", (_COMMIT, "; lane 1 issued it, and no"), _given),
    "commits_of_two_lanes": Pair("order", (_COMMIT,), _given),
    "cp_missing_fence_after": Pair("order", ("after_thread_sync by warp 0",), _given, strict=True),
    "cp_source_overwritten": Pair("order", ("shared memory at byte", _COMMIT), _given),
    "cp_over_unfinished_st": Pair("pending", (_OWN_WAIT.format("st"),), _given),
    "cp_no_descriptor": Pair("rule", ("is not a shared-memory descriptor",), _given),
    "shift_missing_commit": Pair("order", (_COMMIT,), _shifted),
    "shift_of_unfinished_cp": Pair("order", ("tcgen05.cp", _COMMIT), _shifted),
    "mbarrier_uninitialised": Pair("rule", ("there is no mbarrier object",), _number, columns=0),
    "mbarrier_touched": Pair("rule", ("only mbarrier instructions may touch",), _number, columns=0),
    "mbarrier_too_many_arrivals": Pair("rule", ("2 arrivals are more than the 1",), _number,
                                       columns=0),
    "mbarrier_deadlock": Pair("deadlock", ("lacks 1 of its 33 arrivals",), _number, columns=0),
    "mbarrier_relaxed": Pair("order", ("without being ordered",), _passed, 256, 0, warp=4),
    "mbarrier_relaxed_arrival_without_fence": Pair("order", ("without being ordered",), _passed,
                                                   256, 0, warp=4),
    "mbarrier_relaxed_wait_without_fence": Pair("order", ("without being ordered",), _passed, 256,
                                                0, warp=4),
    "fence_of_shared_memory_for_global": Pair("order", ("without being ordered",), _passed, 256, 0,
                                              warp=4),
    "mbarrier_init_not_fenced": Pair("rule", ("fence.mbarrier_init nor fence.proxy.async",), _given,
                                     32, 0, True, 0, "compilers rely on it"),
    "mbarrier_wrong_parity": Pair("order", ("without being ordered",), _passed, 256, 0, warp=4),
    "mbarrier_missing_warp_sync": Pair("order", ("before another lane of that warp arrived",),
                                       _of_the_first_warp, 64, 0, strict=True, warp=1),
    "mbarrier_missing_warp_sync_scattered": Pair(
        "order", ("before another lane of that warp arrived",), _of_the_first_warp_backwards, 64, 0,
        strict=True, warp=1),
    "mbarrier_count_too_small": Pair("rule", ("nothing orders it after phase 0",),
                                     _sum_of_three_warps, 128, 0, warp=1),
    "mbarrier_lanes_too_many": Pair("rule", ("nothing orders lanes of one instruction",),
                                    _of_the_first_warp, 64, 0),
    "mbarrier_unordered_init": Pair("order", ("without being ordered",), _number, 64, 0, warp=1),
    "mbarrier_old_state": Pair("rule", ("only the current phase and the one before it can be",),
                               _number, columns=0),
    "mma_undefined_operand": Pair("undefined", ("decide the matrix operand",), _row_sums,
                                  columns=0),
    "wmma_misaligned": Pair("misaligned", ("multiple of 8",), _quarter, columns=0),
    "wmma_missing_barrier": Pair("order", ("without being ordered",), _of_warp_1, 64, 0, warp=1),
    "wmma_addresses_differ": Pair("rule", ("must have the same operand",), _quarter, columns=0),
    "mma_sp_metadata": Pair("rule", ("the metadata 0x1 of row 0, chunk 0",),
                            lambda thread: np.full_like(thread, 16), columns=0),
    "mma_in_half_a_warp": Pair("deadlock", ("lanes",), _row_sums, columns=0),
    "copy_missing_wait": Pair("pending", (_COPIED,), _given, columns=0),
    "copy_wait_too_short": Pair("pending", (_COPIED,), _given, columns=0),
    "copy_not_committed": Pair("pending", (_COPIED,), _given, columns=0),
    "copy_missing_barrier": Pair("order", ("warp 0 waited for it, but a barrier",), _of_warp_0,
                                 64, 0, warp=1),
    "copy_over_unread": Pair("order", ("writes shared memory", "the read by warp 1"), _lane, 64, 0),
    "copy_twice": Pair("pending", (_COPIED,), _given, columns=0),
    "copy_source_changed": Pair("pending", ("writes global memory", "reads asynchronously"),
                                _number, columns=0),
    "copy_source_too_long": Pair("rule", ("the source has 8 bytes",), _given, columns=0),
    "copy_misaligned": Pair("misaligned", ("is not a multiple of 8",), _first_word, columns=0),
    "copy_missing_proxy_fence": Pair("order", ("fence.proxy.async is missing",), _given,
                                     columns=0),
    "copy_arrival_not_counted": Pair("deadlock", ("lacks 32 of its 32 arrivals",), _given,
                                     columns=0),
    "copy_arrivals_too_many": Pair("rule", ("the mbarrier expects too few arrivals",), _given,
                                   64, 0),
    "bulk_missing_wait": Pair("pending", (_PHASE.format(0), "a wait for it is missing"), _given,
                              columns=0),
    "bulk_unfinished_at_end": Pair("ended-cta", ("before this has written its shared memory",),
                                   _number, columns=0),
    "bulk_wrong_mbarrier": Pair("pending", (_PHASE.format(0),), _given, columns=0),
    "bulk_bytes_not_expected": Pair("pending", (_PHASE.format(1),), _given, columns=0),
    "bulk_too_many_expected": Pair("deadlock", ("128 bytes",), _given, columns=0),
    "bulk_odd_size": Pair("rule", ("120 bytes are not a multiple of 16",), _given, columns=0),
    "bulk_over_generic_write": Pair("order", ("writes shared memory", "fence.proxy.async is"),
                                    _given, columns=0),
    "bulk_over_unread": Pair("order", ("writes shared memory", "the read by warp 0"), _number, 64,
                             0, warp=1),
    "bulk_store_missing_proxy_fence": Pair("order", ("fence.proxy.async is missing",), _given,
                                           columns=0),
    "bulk_store_source_changed": Pair("pending", ("wait_group.read by its own warp",), _given,
                                      columns=0),
    "bulk_store_read_back": Pair("pending", ("commit_group and wait_group by its own",), _given,
                                 columns=0),
    "bulk_reduce_missing_proxy_fence": Pair("order", ("fence.proxy.async is missing",), _given,
                                            columns=0),
    "bulk_store_unread_at_end": Pair("rule", ("the CTA ends", "wait_group.read by its own thread"),
                                     _given, columns=0, strict=True),
    "bulk_store_not_committed": Pair("rule", ("the CTA ends", "commit_group"), _given, columns=0,
                                     strict=True),
    "bulk_store_missing_warp_sync": Pair("order", (_LANES,), _given, columns=0, strict=True),
    "bulk_store_of_stmatrix_missing_warp_sync": Pair("order", (_LANES,), _given, columns=0,
                                                     strict=True),
    "lanes_ticket": Pair("order", (_LANES,), _number, columns=0, strict=True),
    "registers_differ": Pair("rule", ("72 registers and warp 0 of",), _number, 128, 0,
                             True, 2, "a count for each warp"),
    "replicas_next_float": Pair("order", ("the write by warp 0",), _low(0x3F800000), 64, 0, True,
                                1, "equal or the next float"),
    "replicas_next_half": Pair("order", ("the write by warp 0",), _low(0x3C003C00), 64, 0, True,
                               1, "equal or the next float"),
    "replicas_differ": Pair("order", ("the write by warp 0",), _low(0x3F800000), 64, 0, warp=1),
    "replicas_number": Pair("order", ("the write by warp 0",), _low(5), 64, 0, warp=1),
    "replicas_in_place": Pair("order", ("redundant warps race",), _number, 64, 0, warp=None),
    "shifted_in_place": Pair("order", ("without being ordered",), _number, 64, 0, warp=None),
    "lanes_store_one_word": Pair("undefined", ("another lane of warp 0 stored different values",),
                                 lambda t: np.where(t == 0, 7, 0), columns=0),
    "lanes_store_shared": Pair("undefined", ("branch", "stored different values"), _number,
                               columns=0),
    "cancel_again": Pair("rule", ("has already failed",), _number, columns=0),
}  # fmt: skip
