"""Faulty kernels with wgmma and their corrected twins.

A file of `wgmma/` is the statements of one kernel; `.ifdef CORRECTED` picks between the fault and
its correction, and the comment `hazard` marks the line that a report must name. Before them a
kernel of 128 threads has stored A (64 x 16) and B (16 x 8), ones of type f16, to shared memory,
K-major without a swizzle, and set descriptors %da and %db of them, %f0 to %f3 and %g0 to %g3 to
zero; %n is the thread, %w its warp, %at its own word of A. After them it stores %f0 as an integer:
of products of ones K, plus the addend.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests import ptx
from tests.hazards.runner import Pair, Suite

THREADS = 128


_BEGIN = """\
.reg .pred %p<4>, %true, %false; .reg .b32 %n, %w, %at, %ones, %v<8>, %a<4>;
.reg .b64 %da, %db, %d<4>; .reg .f32 %f<4>, %g<4>;
.shared .align 1024 .b8 data[4096];
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; mul.wide.u32 %d0, %n, 4; mov.b32 %ones, 0x3c003c00;
add.u64 %given, %given, %d0; add.u64 %result, %result, %d0;
mov.u32 %v0, data; shl.b32 %at, %n, 4; add.u32 %at, %at, %v0;
st.shared.v4.b32 [%at], {%ones, %ones, %ones, %ones};
setp.ge.u32 %p0, %n, 112;
@%p0 st.shared.v4.b32 [%at+256], {%ones, %ones, %ones, %ones};
shr.u32 %v0, %v0, 4; cvt.u64.u32 %da, %v0; or.b64 %da, %da, 0x1000080000;
add.u64 %db, %da, 128;
mov.b32 %a0, %ones; mov.b32 %a1, %ones; mov.b32 %a2, %ones; mov.b32 %a3, %ones;
mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
mov.f32 %g0, %f0; mov.f32 %g1, %f0; mov.f32 %g2, %f0; mov.f32 %g3, %f0;
setp.eq.u32 %true, %n, %n; setp.ne.u32 %false, %n, %n;
"""
_TAIL = """cvt.rzi.u32.f32 %v0, %f0;
st.global.u32 [%result], %v0;
"""


def _text(_: Pair, name: str, body: str) -> str:
    whole = f"{_BEGIN}{body}\n{_TAIL}"
    return ptx.entry(whole, "given result", name=name, directives=".reqntid 128")


def _launch(device: Any, kernel: Any, _: Pair) -> Any:
    given, result = device.zeros(THREADS, np.uint32), device.zeros(THREADS, np.uint32)
    kernel((1, 1, 1), (THREADS, 1, 1), (given, result))
    return result


PAIRS: dict[str, Pair] = {
    "missing_fence": Pair("rule", ("wgmma.fence", "first"), 16),
    "missing_fence_of_d": Pair("rule", ("register 3 of D", "wgmma.fence"), 16),
    "missing_fence_of_a": Pair("rule", ("register 0 of A", "wgmma.fence"), 16),
    "missing_fence_of_copy": Pair("rule", ("register 0 of D",), 18),
    "d_zeroed_after_fence": Pair(
        "rule",
        ("register 0 of D", "wgmma.fence"),
        16,
        note="takes the zero of the mov as the addend",
    ),
    "d_set_after_fence": Pair("rule", ("register 0 of D", "wgmma.fence"), 17),
    "a_zeroed_after_fence": Pair("rule", ("register 2 of A", "wgmma.fence"), 8),
    "d_read_before_commit": Pair(
        "pending", ("%f0", "wgmma.wait_group"), 48, note="waits after each wgmma"
    ),
    "d_written_before_commit": Pair("pending", ("%f0",), 3),
    "missing_wait": Pair("pending", ("%f0", "wgmma.wait_group"), 17),
    "missing_wait_of_copy": Pair("pending", ("%g0", "wgmma.wait_group"), 17),
    "missing_commit": Pair("pending", ("%f0", "wgmma.commit_group"), 17),
    "wait_too_short": Pair("pending", ("%g0",), 32),
    "guarded_read": Pair("pending", ("%f0", "wgmma.wait_group"), 16),
    "guarded_write": Pair("pending", ("%f1",), 16),
    "guarded_copy": Pair("pending", ("%f1",), 16),
    "accumulator_overwritten": Pair("pending", ("%f0",), 3),
    "a_overwritten": Pair("pending", ("%a2",), 16),
    "a_is_pending": Pair("pending", ("%a0",), 8 * 16 + 8),
    "another_shape_in_flight": Pair("pending", ("%f0",), 16),
    "copied_without_proxy_fence": Pair(
        "order", ("fence.proxy.async", "through the generic proxy"), 16, note="after cp.async, too"
    ),
    "missing_proxy_fence": Pair("order", ("fence.proxy.async",), 16),
    "missing_barrier": Pair("order", ("barrier",), 16),
    "operand_overwritten": Pair("order", ("wgmma.wait_group",), 16),
    "operand_overwritten_by_copy": Pair("order", ("wgmma.wait_group",), 16),
    # The twin's copy waits for a later release, too, which comes after the products: no fault.
    "stage_released_early": Pair("order", ("wgmma.wait_group",), 16),
    "operand_not_arrived": Pair("pending", ("cp.async",), 16),
    "operand_undefined": Pair("undefined", ("matrix operand",), 16),
    "operand_beyond_memory": Pair("out-of-bounds", ("0x1800",), 16),
    "descriptor_wrong_stride": Pair("undefined", ("matrix operand",), 16),
    "descriptor_unused_bits": Pair("rule", ("0x400000000000", "swizzle"), 16),
    "descriptor_differs": Pair("rule", ("descriptors",), 16),
    "scale_differs": Pair("rule", ("scale-d",), 16),
    "accumulator_undefined": Pair("undefined", ("matrix operand",), 16),
    "phase_ended_by_one": Pair(
        "rule", ("warp 1 of its CTA has seen the end of the phase before",), 16, strict=True
    ),
    "warp_missing": Pair("rule", ("warp 3",), 16),
    "lane_missing": Pair("rule", ("0xffffffdf",), 16),
    "warps_elsewhere": Pair("rule", ("different wgmma",), 16),
}
SUITE = Suite("sm_90a", "wgmma", PAIRS, _text, _launch)
