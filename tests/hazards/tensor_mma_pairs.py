"""Faulty kernels with tcgen05.mma and their corrected twins.

A file of `tensor_mma/` is the statements of one kernel; `.ifdef CORRECTED` picks between the fault
and its correction, and the comment `hazard` marks the lines that a report may name. Before them a
CTA of five warps has allocated 64 columns (%base; %t is the same in the warp's quadrant, warp 4
has that of warp 0), and stored A (128 x 16) and B (16 x 16) in shared memory, ones of type f16,
K-major without a swizzle, for which it has fenced and met. %da, %db and %idesc describe them, with
an f32 D; bar has four mbarriers of one arrival. %n is the thread, %w its warp, %one thread 0, %four
warp 4, %two its first thread, %at the thread's own 32 bytes of A (of B, in the first warp, 16 at
%bt), %ones two ones, %given an array of 4096 bytes with the same ones.

With .cta_group::2 the cluster has two such CTAs, each with its half of a product of 256 x 32 x 16;
%leader is thread 0 of the first one, %own is the CTA's rank.

After them every thread stores %v0, a float, as an integer: of products of ones K, plus the addend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests import ptx
from tests.hazards.runner import Pair, Suite

THREADS, COLUMNS = 160, 64


@dataclass(frozen=True)
class TensorPair(Pair):
    """A pair of one CTA or a pair of CTAs; see `Pair`.

    Attributes:
        ctas: Of the cluster.
        deallocates: Whether the file gives its columns back itself.
    """

    ctas: int = 1
    deallocates: bool = False


_BEGIN = """\
.reg .pred %p<4>, %one, %two, %four, %first, %leader, %true, %false;
.reg .b32 %n, %w, %own, %base, %t, %ones, %at, %bt, %idesc, %v<16>; .reg .f32 %f0;
.reg .b64 %da, %db, %d<4>; .reg .b16 %both;
.shared .align 1024 .b8 data[8192]; .shared .align 8 .b64 bar[4]; .shared .b32 slot;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; mov.u32 %own, %cluster_ctarank; mov.b16 %both, 3;
setp.eq.u32 %one, %n, 0; setp.eq.u32 %two, %n, 128; setp.eq.u32 %four, %w, 4;
setp.eq.u32 %first, %w, 0; setp.eq.u32 %true, %n, %n; setp.ne.u32 %false, %n, %n;
setp.eq.and.u32 %leader, %own, 0, %one;
mad.lo.u32 %v0, %own, 160, %n; mul.wide.u32 %d0, %v0, 4; add.u64 %result, %result, %d0;
mov.b32 %ones, 0x3c003c00; mov.u32 %v0, data;
mad.lo.u32 %at, %n, 32, %v0; mad.lo.u32 %bt, %n, 16, %v0; add.u32 %bt, %bt, 4096;
@!%four st.shared.v4.b32 [%at], {{%ones, %ones, %ones, %ones}};
@!%four st.shared.v4.b32 [%at+16], {{%ones, %ones, %ones, %ones}};
@%first st.shared.v4.b32 [%bt], {{%ones, %ones, %ones, %ones}};
shr.u32 %v0, %v0, 4; and.b32 %v0, %v0, 0x3fff; cvt.u64.u32 %da, %v0;
or.b64 %da, %da, 0x401000080000; add.u64 %db, %da, 256; mov.b32 %idesc, {idesc};
@%one mbarrier.init.shared::cta.b64 [bar], 1; @%one mbarrier.init.shared::cta.b64 [bar+8], 1;
@%one mbarrier.init.shared::cta.b64 [bar+16], 1; @%one mbarrier.init.shared::cta.b64 [bar+24], 1;
{begin}
@%first tcgen05.alloc.cta_group::{ctas}.sync.aligned.shared::cta.b32 [slot], {columns};
fence.proxy.async.shared::cta;
{meet}
ld.shared.b32 %base, [slot]; shl.b32 %t, %w, 21; and.b32 %t, %t, 0x600000;
add.u32 %t, %t, %base;
"""
_CLUSTER = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
_STORE = """mov.b32 %f0, %v0; cvt.rzi.u32.f32 %v0, %f0;
st.global.u32 [%result], %v0;
"""
_DEALLOCATE = """{meet}
@%first tcgen05.dealloc.cta_group::{ctas}.sync.aligned.b32 %base, {columns};
"""
#: Of both twins: M, N, and f32 as type of D.
_IDESC = {1: 128 // 16 << 24 | 16 // 8 << 17 | 1 << 4, 2: 256 // 16 << 24 | 32 // 8 << 17 | 1 << 4}


def _text(pair: TensorPair, name: str, body: str) -> str:
    words = {
        "ctas": pair.ctas, "columns": COLUMNS, "idesc": _IDESC[pair.ctas],
        "meet": "bar.sync 0;" if pair.ctas == 1 else _CLUSTER,
        "begin": "" if pair.ctas == 1 else _CLUSTER.replace("arrive", "arrive.relaxed"),
    }  # fmt: skip
    tail = _STORE + ("" if pair.deallocates else _DEALLOCATE.format(**words))
    body = _BEGIN.format(**words) + body + "\n" + tail
    how = {"directives": ".reqntid 160", "target": "sm_100a"}
    return ptx.entry(body, "given result", name=name, **how)


def _launch(device: Any, kernel: Any, pair: TensorPair) -> Any:
    result = device.zeros(THREADS * pair.ctas, np.uint32)
    given, grid = device.array(np.full(2048, 1, np.float16)), (pair.ctas, 1, 1)
    kernel(grid, (THREADS, 1, 1), (given, result), cluster=grid)
    return result


_COMMIT = "tcgen05.commit and a wait for its mbarrier"
_PHASE = "phase 0 of the mbarrier"
PAIRS: dict[str, TensorPair] = {
    "missing_commit": TensorPair("order", ("column 0", _COMMIT)),
    "missing_wait": TensorPair("order", ("column 0", _COMMIT)),
    "missing_fence_after_wait": TensorPair("order", ("after_thread_sync",), strict=True),
    "wrong_mbarrier": TensorPair("order", (_COMMIT,)),
    "wrong_parity": TensorPair("deadlock", ("phase of parity 1",)),
    "commit_by_another_warp": TensorPair("order", (_COMMIT,)),
    "operand_overwritten": TensorPair("order", ("writes shared memory", _COMMIT)),
    "operand_overwritten_by_copy": TensorPair("order", ("writes shared memory", _COMMIT)),
    "operand_not_arrived": TensorPair("pending", ("reads shared memory", _PHASE)),
    "operand_undefined": TensorPair("undefined", ("decide the matrix operand", "shared memory")),
    "operand_beyond_memory": TensorPair("out-of-bounds", ("outside",)),
    "missing_proxy_fence": TensorPair("order", ("fence.proxy.async is missing",), 32),
    "missing_barrier": TensorPair("order", ("missing between them",), 32),
    "a_missing_wait": TensorPair("pending", ("tcgen05.wait::st by its own warp",)),
    "a_missing_wait_of_another_warp": TensorPair("order", ("tcgen05.wait::st by warp 3",)),
    "a_missing_fence_before": TensorPair("order", ("before_thread_sync by warp",), strict=True),
    "a_missing_fence_after": TensorPair("order", ("after_thread_sync by warp 4",), strict=True),
    "a_missing_barrier": TensorPair("order", ("tensor memory", "missing"), 32),
    "a_relaxed_without_fences": TensorPair("order", ("tensor memory", "missing")),
    "a_undefined_half": TensorPair("undefined", ("matrix operand", "unpack::16b")),
    "a_overwritten": TensorPair("order", ("writes tensor memory", _COMMIT)),
    "d_overwritten": TensorPair("order", ("writes tensor memory", _COMMIT)),
    "d_undefined": TensorPair("undefined", ("matrix operand", "column 0")),
    "d_outside": TensorPair("rule", ("column 64 ", "is not allocated")),
    "d_wrong_lane": TensorPair("rule", ("d-tmem names lane 16",)),
    "a_wrong_lane": TensorPair("rule", ("a-tmem names lane 16",)),
    "two_threads": TensorPair("order", ("missing",), 32),
    "two_threads_without_fences": TensorPair("order", ("thread_sync",), 32, strict=True),
    "scales_overwritten": TensorPair("order", ("missing",), 36),
    "scales_not_replicated": TensorPair("undefined", ("matrix operand", "column 24"), 36),
    "dealloc_too_early": TensorPair("order", ("deallocates", _COMMIT), deallocates=True),
    "idesc_type": TensorPair("rule", ("kind::f16 has F16 = 0 and BF16 = 1",)),
    "idesc_rows": TensorPair("rule", ("M = 256", ".cta_group::1")),
    "idesc_scale_type": TensorPair("rule", ("scale_vec::2X: nvfp4 wants 4X (.block16)",), 100),
    "sdesc_fixed": TensorPair("rule", ("is not a shared-memory descriptor",)),
    "sdesc_swizzle": TensorPair("rule", ("swizzle mode 3",)),
    "sdesc_major": TensorPair("rule", ("has swizzle mode 1", "16 bits")),
    "sdesc_base": TensorPair("rule", ("start address 0x1080 and base offset 2",)),
    "sdesc_leading_mode": TensorPair("rule", ("LBO mode 1",)),
    "scales_wrong_lane": TensorPair("rule", ("scales names lane 32",), 36),
    "scales_differ": TensorPair("rule", ("differ between groups of 32 lanes",), 36),
    "cp_by_another_thread": TensorPair("order", ("missing",), 36),
    "collector_empty": TensorPair("rule", ("the collector buffer holds nothing",), 32),
    "collector_other": TensorPair("rule", ("the collector buffer holds",), 32),
    "collector_other_buffer": TensorPair("rule", ("the collector buffer holds nothing",), 48),
    "pair_masks_differ": TensorPair("rule", ("halves of disable-output-lane differ",), ctas=2),
    "pair_commit_to_one": TensorPair("deadlock", ("lacks 1 of its 1 arrivals",), ctas=2),
    "pair_missing_cluster_barrier": TensorPair("order", ("missing",), 32, ctas=2),
    "pair_operand_not_arrived": TensorPair("pending", ("reads shared memory", _PHASE), ctas=2),
    # As NVIDIA/cutlass, issue 3643: the issuer waits for its own copy, not for the peer's.
    "pair_copy_not_arrived": TensorPair("pending", ("reads shared memory", _PHASE), ctas=2),
    "pair_waits_for_leader": TensorPair("order", (_COMMIT,), ctas=2),
}  # fmt: skip
SUITE = Suite("sm_100a", "tensor_mma", PAIRS, _text, _launch)
