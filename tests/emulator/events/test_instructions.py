"""Instructions executed, against counts worked out by hand, from trip counts, and from the text."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lanemap.emulator.codegen.unit import built_block
from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.ptx import load
from lanemap.toolchain import amdgpu
from tests.emulator.events.kernels import counted, device, gfx, of, ptx, waves_and_lanes
from tests.emulator.ptx.cuda import ptx as cuda

#: Lane t goes round t % 8 + 1 times; 13 instructions outside of the loop, 3 inside.
LOOP = """
mov.u32 %t, %tid.x;
and.b32 %r1, %t, 7;
mov.u32 %r2, 0;
AGAIN: add.u32 %r2, %r2, 3;
setp.gt.u32 %p, %r1, 0;
sub.u32 %r1, %r1, 1;
@%p bra AGAIN;
ld.param.u64 %d1, [a];
mad.wide.u32 %d2, %t, 4, %d1;
st.global.u32 [%d2], %r2;
"""


def test_a_loop_that_lanes_leave_one_after_the_other() -> None:
    opened = device()
    out = opened.zeros(64, np.uint32)
    counts = counted(opened, ptx(LOOP, parameters=".param .u64 a"), 1, 64, [out])
    lane = np.arange(64)
    assert out.get().tolist() == (3 * (lane % 8 + 1)).tolist()
    # a warp goes round as often as its last lane, with fewer lanes each time: 32 + 28 + .. + 4
    trips, lanes = 2 * 8, 2 * 4 * sum(range(1, 9))
    for text in ("add.u32", "setp", "sub.u32"):
        assert waves_and_lanes(counts, text) == (trips, lanes), text
    # where the guard does not hold a lane does not execute the branch: 28 + 24 + .. + 0
    assert waves_and_lanes(counts, "@%p bra") == (trips, lanes - 64)
    for text in ("mov.u32 %t", "and.b32", "ld.param", "mad.wide", "st.global", "ret"):
        assert waves_and_lanes(counts, text) == (2, 64), text
    assert counts.executed.waves == 4 * trips + 2 * 7
    assert counts.by_kind()["integer"].waves == 2 * trips + 2 * 2
    assert counts.by_kind()["control"].waves == trips + 2
    assert counts.by_kind()["parameter load"].waves == 2
    assert counts.by_opcode()["add.u32"].lanes == lanes


def test_guards_and_ends_count_the_lanes_where_the_guard_holds() -> None:
    body = """
        mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 5; setp.ge.u32 %q, %t, 20;
        @%p add.u32 %r1, %t, 1;
        @!%p add.u32 %r1, %t, 2;
        @%q ret;
        mul.lo.u32 %r3, %r1, %r1;
        @%p exit;
        xor.b32 %r3, %r3, 1;
    """
    counts = counted(device(), ptx(body, parameters=""), 1, 32, [])
    assert waves_and_lanes(counts, "@%p add.u32") == (1, 5)
    assert waves_and_lanes(counts, "@!%p add.u32") == (1, 27)
    assert waves_and_lanes(counts, "@%q ret") == (1, 12)
    assert waves_and_lanes(counts, "mul.lo.u32") == (1, 20)
    assert waves_and_lanes(counts, "@%p exit") == (1, 5)
    assert waves_and_lanes(counts, "xor.b32") == (1, 15)
    assert waves_and_lanes(counts, "ret") == (1, 15)


def test_an_instruction_at_which_lanes_wait_counts_once() -> None:
    """Both halves of the warp come to the shuffle one after the other, and execute it together."""
    body = """
        mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 16; mov.u32 %r1, 7;
        @%p bra LOW;
        mov.u32 %r1, 9; mov.u32 %r2, 1;
        bra MEET;
        LOW: mov.u32 %r2, 2;
        MEET: shfl.sync.idx.b32 %r3, %r1, 0, 31, 0xffffffff;
        @%p shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0x0000ffff;
        bar.sync 0;
        bar.red.popc.u32 %r4, 0, %p;
    """
    counts = counted(device(), ptx(body, parameters=""), 2, 64, [])
    warps = 2 * 2
    assert waves_and_lanes(counts, "shfl.sync.idx") == (warps, warps * 32)
    # in the second warp of a CTA no lane is below 16, and it executes the instruction all the same
    assert waves_and_lanes(counts, "@%p shfl.sync.bfly") == (warps, 2 * 16)
    assert waves_and_lanes(counts, "bar.sync") == (warps, warps * 32)
    assert waves_and_lanes(counts, "bar.red") == (warps, warps * 32)
    assert counts.by_kind()["exchange"].waves == counts.by_kind()["barrier"].waves == 2 * warps


def test_calls_count_once_and_what_they_call_as_often() -> None:
    function = """
        .func (.reg .b32 %out) twice(.reg .b32 %in) {
        .reg .b32 %x;
        add.u32 %x, %in, %in; mov.u32 %out, %x; ret;
        }
    """
    body = """
        mov.u32 %r1, %tid.x;
        call (%r2), twice, (%r1);
        call (%r3), twice, (%r2);
        call (%r4), twice, (%r3);
    """
    counts = counted(device(), ptx(body, parameters="", functions=function), 3, 32, [])
    assert sum(one.executed.waves for one in of(counts, "call")) == 3 * 3
    assert waves_and_lanes(counts, "add.u32 %x") == (3 * 3, 3 * 3 * 32)
    assert waves_and_lanes(counts, "mov.u32 %out") == (3 * 3, 3 * 3 * 32)
    # the function returns nine times, the kernel three times
    assert sum(one.executed.waves for one in of(counts, "ret")) == 9 + 3
    assert counts.executed.waves == 3 * (1 + 3) + 9 * 3 + 3


C_LOOP = """
extern "C" __global__ void k(unsigned *out, int n) {
  unsigned x = threadIdx.x;
  #pragma unroll 1
  for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u ^ (x >> 7);
  out[threadIdx.x] = x;
}
"""


def _loop_body(text: str, label: str, branch: str, comment: str) -> int:
    """Instructions between the label that a backward branch names and that branch, with it."""
    lines = [line.split(comment)[0].strip() for line in text.splitlines()]
    starts = {m[1]: i for i, line in enumerate(lines) if (m := re.match(label, line))}
    for i, line in enumerate(lines):
        found = re.search(branch, line)
        if found and starts.get(found[1], len(lines)) < i:
            inside = lines[starts[found[1]] + 1 : i + 1]
            return sum(bool(one) and not one.startswith((".", "$")) for one in inside)
    raise AssertionError("no loop")


def test_a_loop_of_cuda_costs_what_its_text_says() -> None:
    text = cuda(C_LOOP)
    body = _loop_body(text, r"(\$\S+):", r"bra(?:\.uni)?\s+(\$\w+)", "//")
    opened = device()
    out = opened.zeros(96, np.uint32)
    found = {n: counted(opened, text, 2, 96, [out, np.int32(n)]).executed for n in (5, 6, 105)}
    assert body >= 4
    assert found[6].waves - found[5].waves == 2 * 3 * body
    assert found[105].waves - found[5].waves == 100 * 2 * 3 * body
    assert 99 * (found[6].waves - found[5].waves) == found[105].waves - found[6].waves


def test_a_loop_of_c_costs_what_its_assembly_says() -> None:
    source = """
        __attribute__((amdgpu_kernel)) void k(unsigned *out, int n) {
          unsigned x = __builtin_amdgcn_workitem_id_x();
          #pragma clang loop unroll(disable)
          for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u ^ (x >> 7);
          out[__builtin_amdgcn_workitem_id_x()] = x;
        }
    """
    text = amdgpu.compile_to_assembly(source, "gfx950", "c")
    body = _loop_body(text, r"(\.LBB\w+):", r"s_cbranch_\w+ (\.LBB\w+)", ";")
    opened = device("gfx950")
    out = opened.zeros(128, np.uint32)
    found = {n: counted(opened, text, 3, 128, [out, np.int32(n)]) for n in (5, 105)}
    assert body >= 4
    assert found[105].executed.waves - found[5].executed.waves == 100 * 3 * 2 * body


def test_exec_of_gfx950_is_followed_within_a_block() -> None:
    body = """
        v_mov_b32 v1, 0
        s_mov_b64 exec, 0xff
        v_add_u32 v1, v1, v0
        s_mov_b64 s[4:5], exec
        s_mov_b32 exec_lo, 1
        v_xor_b32 v1, v1, v0
        s_mov_b64 exec, -1
        v_or_b32 v1, v1, v0
    """
    counts = counted(device("gfx950"), gfx(body), 2, 128, [np.uint64(0), np.uint64(0)])
    waves = 2 * 2
    assert waves_and_lanes(counts, "v_mov_b32") == (waves, waves * 64)
    assert waves_and_lanes(counts, "v_add_u32") == (waves, waves * 8)
    assert waves_and_lanes(counts, "v_xor_b32") == (waves, waves * 1)
    assert waves_and_lanes(counts, "v_or_b32") == (waves, waves * 64)
    assert waves_and_lanes(counts, "s_mov_b64 s[4:5]") == (waves, 0)  # once for the wave
    assert counts.by_kind()["scalar"].waves == 4 * waves
    assert counts.by_kind()["integer"].lanes == waves * (8 + 1 + 64)


def test_matrix_instructions_and_their_operations() -> None:
    zeros = "\n".join(f"v_mov_b32 v{n}, 0" for n in range(8, 56))
    body = f"""{zeros}
        s_nop 7
        v_mfma_f32_16x16x32_bf16 v[8:11], v[24:27], v[28:31], v[8:11]
        s_nop 15
        v_mfma_f32_32x32x16_fp8_fp8 v[32:47], v[24:25], v[28:29], v[32:47]
        s_nop 15
    """
    counts = counted(device("gfx950"), gfx(body), 3, 64, [np.uint64(0), np.uint64(0)])
    assert counts.matrix_instructions == 3 * 2
    assert counts.matrix_flops == 3 * 2 * (16 * 16 * 32 + 32 * 32 * 16)
    assert counts.by_kind()["matrix"].waves == 6


UNDEFINED = """
mov.u32 %t, %tid.x; ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];
mad.wide.u32 %d3, %t, 4, %d1; ld.global.u32 %r1, [%d3];
add.u32 %r1, %r1, 1; setp.lt.u32 %p, %t, 9;
@%p bra LESS;
add.u32 %r2, %t, 5;
LESS: mad.wide.u32 %d4, %t, 4, %d2; st.global.u32 [%d4], %t;
"""


def test_a_launch_that_begins_again_counts_once() -> None:
    """Undefined memory makes the launch begin again with precise code: the same counts."""
    found = []
    for filled in (True, False):
        opened = device()
        first = opened.zeros(32, np.uint32) if filled else opened.empty(32, np.uint32)
        counts = counted(opened, ptx(UNDEFINED), 4, 32, [first, opened.zeros(32, np.uint32)])
        found.append(counts.to_json())
    assert found[0] == found[1]
    # 8 instructions to the branch, 1 that it leads around, 2 behind it, ret
    assert found[0]["executed"]["waves"] == 4 * 12


def test_a_launch_of_gfx950_that_begins_again_counts_once() -> None:
    body = """
        s_load_dwordx4 s[4:7], s[0:1], 0x0
        v_lshlrev_b32 v1, 2, v0
        s_waitcnt lgkmcnt(0)
        global_load_dword v2, v1, s[4:5]
        s_waitcnt vmcnt(0)
        v_add_u32 v3, v2, v2
        s_mov_b64 exec, 0xff
        global_store_dword v1, v0, s[6:7]
    """
    found = []
    for filled in (True, False):
        opened = device("gfx950")
        first = opened.zeros(64, np.uint32) if filled else opened.empty(64, np.uint32)
        counts = counted(opened, gfx(body), 2, 64, [first, opened.zeros(64, np.uint32)])
        found.append(counts.to_json())
    assert found[0] == found[1]
    assert found[0]["executed"] == {"waves": 2 * 9, "lanes": 2 * (3 * 64 + 8)}


def test_only_launches_inside_that_end_are_counted() -> None:
    opened = device()
    good = opened.load(ptx("mov.u32 %r1, 1;", parameters=""))["k"]
    bad = opened.load(ptx("mov.u64 %d1, 0; ld.global.u32 %r1, [%d1];", parameters=""))["k"]
    good(1, 32, [])
    with opened.count() as outer:
        good(1, 32, [])
        with opened.count() as inner:
            good(2, 64, [])
        with pytest.raises(Exception, match="outside every allocation"):
            bad(1, 32, [])
    good(1, 32, [])
    assert (outer.launches, inner.launches) == (2, 1)
    assert inner.executed.waves == 2 * 4 and outer.executed.waves == 2 * 4 + 2


def test_code_without_observers_tells_nothing() -> None:
    (kernel,) = load(ptx(LOOP, parameters=".param .u64 a"), "loop.ptx").kernels.values()
    kernel.require()
    program = kernel.program
    for precise in (False, True):
        texts = {
            watch: "\n".join(
                "\n".join(op.opcode for op in built_block(program, number, precise, watch).ir.ops)
                for number in range(len(program.blocks))
            )
            for watch in (Watch.NOTHING, Watch.COUNT, Watch.ISSUE, Watch.ACCESS.generated)
        }
        assert "lm_count" not in texts[Watch.NOTHING] and "lm_tell" not in texts[Watch.NOTHING]
        assert "lm_count_block" in texts[Watch.COUNT] and "lm_tell" not in texts[Watch.COUNT]
        # once a block, not once an instruction
        assert texts[Watch.COUNT].count("lm_count_block") == len(program.blocks)
        assert texts[Watch.ISSUE].count("lm_tell_issue") > len(program.blocks)
        assert "lm_count" not in texts[Watch.ISSUE]
        assert Watch.ACCESS.generated is Watch.NOTHING  # the runtime tells of accesses
