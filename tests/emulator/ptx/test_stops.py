"""Kernels that speak or stop: printf, assert, trap, breakpoints, and the CUDA line of a hazard."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard

from .cuda import BUILDS, ptx
from .launching import Loaded

SOURCE = """
extern "C" __global__ void checked(int *out, int n) {
    int t = threadIdx.x;
    assert(t < n && "below n");
    out[t] = t;
}
extern "C" __global__ void trapped(int *out, int n) {
    int t = threadIdx.x;
    if (t == n)
        asm volatile("trap;");
    out[t] = t;
}
extern "C" __global__ void trapped_in_a_call(int *out, int n) {
    int t = threadIdx.x;
    if (t == n)
        __trap();
    out[t] = t;
}
extern "C" __global__ void broken(int *out, int n) {
    int t = threadIdx.x;
    if (t == n)
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0;\\n @p brkpt; }" ::"r"(n));
    out[t] = t;
}
extern "C" __global__ void left(int *out) {
    int t = threadIdx.x;
    if (t & 1)
        asm volatile("exit;");
    out[t] = 1;
    __syncwarp(0x55555555);
    out[t] += __popc(__ballot_sync(0x55555555, t > 8));
}
__device__ __forceinline__ int far(const int *p, int i) {
    return p[i * 1000];
}
extern "C" __global__ void outside(int *out) {
    int t = threadIdx.x;
    int v = 1;
    if (t > 3)
        v = far(out, t);
    out[t] = v;
}
__device__ const char *names[3] = {"zero", "one", "two"};
extern "C" __global__ void twice(int *out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    if (t < 2) printf("lane %d\\n", t);
    __syncthreads();
    int unknown = tile[t + n];  // nobody wrote it, and nobody asks what it is
    out[t] = tile[31 - t];
    tile[t + n] = unknown;
}
extern "C" __global__ void speaking(int n) {
    int t = threadIdx.x;
    if (t < n) {
        printf("%d|%5u|%-6x|%08llX|%c|%s|%p|%%|%+.3f|%e|%g|%a\\n", -t, t, t * 77,
               0x123456789abcull + t, 'a' + t, names[t % 3], (void *)(0x1000ll + t), 1.5f * t,
               1e-7 * t, 0.1, 0.5 * t);
        printf("%lld|%hhd|%i|%o|%#x|%*d|%.*f|%5s|%-5s|%.2s|\\n", -5000000000ll, (char)(200), t,
               64, 255, 7, t, 2, 3.14159, "ab", "cd", "efgh");
    }
    if (t == 0) {
        int count = printf("%d %d %s\\n", 1, 2, "three");
        int none = printf("nothing\\n");
        printf("%d %d\\n", count, none);
    }
}
extern "C" __global__ void trapped_in_a_loop(int *out, int n) {
    for (int i = 0; i < n; ++i) {
        asm volatile("trap;");
        if (i != 0)
            out[threadIdx.x] = 1;
    }
}
"""


@cache
def _loaded(build: str) -> Loaded:
    return Loaded(ptx(SOURCE, build))


def _run(build: str, entry: str, *arguments: Any) -> Any:
    (got,) = _loaded(build).run(entry, 1, 32, [np.zeros(32, np.int32), *arguments])
    return got


@pytest.mark.parametrize("build", BUILDS)
def test_an_assertion_names_itself_and_its_line(build: str) -> None:
    assert _run(build, "checked", np.int32(32)).tolist() == list(range(32))
    sentence = (
        r'the assertion `t < n && "below n"` of void checked\(int \*, int\) at test.cu:4 failed '
        r"\(CTA 0 warp 0 lanes 7-31\)"
    )
    with pytest.raises(Hazard, match=sentence):
        _run(build, "checked", np.int32(7))


def test_an_assertion_in_a_cluster_names_its_cta() -> None:
    """A grid of 4 x 4 in clusters of 2 x 2: (3, 2) is CTA 11, of rank 1 in the cluster (1, 1)."""
    device = lanemap.open_device("sm_90a", device="emulator")
    source = """
    extern "C" __global__ void there(int x, int y) { assert(blockIdx.x != x || blockIdx.y != y); }
    """
    kernel = device.load(ptx(source))["there"]
    with pytest.raises(Hazard) as caught:
        kernel((4, 4), 32, (np.int32(3), np.int32(2)), cluster=(2, 2))
    assert "(CTA 11 (rank 1 of cluster 3) warp 0 lanes 0-31)" in str(caught.value)
    assert caught.value.cta == 11


@pytest.mark.parametrize("build", BUILDS)
def test_trap_and_breakpoint(build: str) -> None:
    for entry in ("trapped", "broken"):
        assert _run(build, entry, np.int32(-1)).tolist() == list(range(32))
    with pytest.raises(Hazard, match=r"// test.cu:10`: the kernel stopped itself .* lane 7\)"):
        _run(build, "trapped", np.int32(7))
    with pytest.raises(Hazard, match=r"test.cu:16`: the kernel stopped itself .* lane 3\)"):
        _run(build, "trapped_in_a_call", np.int32(3))
    with pytest.raises(Hazard, match=r"// test.cu:22`: the kernel reached a break.* lane 9\)"):
        _run(build, "broken", np.int32(9))


@pytest.mark.parametrize("build", BUILDS)
def test_what_nothing_reaches_behind_a_trap_reads_registers_too(build: str) -> None:
    """Here the loop's counter, which only unreachable code reads."""
    assert _run(build, "trapped_in_a_loop", np.int32(0)).tolist() == [0] * 32
    with pytest.raises(Hazard, match="the kernel stopped itself"):
        _run(build, "trapped_in_a_loop", np.int32(4))


@pytest.mark.parametrize("build", BUILDS)
def test_lanes_that_exit_are_missed_by_nobody(build: str) -> None:
    expected = [12 if t % 2 == 0 else 0 for t in range(32)]
    assert _run(build, "left").tolist() == expected


@pytest.mark.parametrize("build", BUILDS)
def test_a_hazard_names_the_line_of_the_inlined_function_and_of_its_caller(build: str) -> None:
    with pytest.raises(Hazard) as caught:
        _run(build, "outside")
    assert "test.cu:34" in str(caught.value)
    assert build == "debug" or "test.cu:40" in str(caught.value)
    assert "outside every allocation of global memory" in str(caught.value)


@pytest.mark.parametrize("build", BUILDS)
def test_printf(build: str, capsys: pytest.CaptureFixture[str]) -> None:
    _loaded(build).run("speaking", 1, 32, [np.int32(3)])
    lines = capsys.readouterr().out.splitlines()
    for t in range(3):
        name = ["zero", "one", "two"][t]
        first = (
            f"{-t}|{t:5}|{t * 77:<6x}|{0x123456789ABC + t:08X}|{'abc'[t]}|{name}|{0x1000 + t:#x}|%|"
            f"{1.5 * t:+.3f}|{1e-7 * t:e}|0.1|"
        )
        assert lines[t].startswith(first)
        assert float.fromhex(lines[t].removeprefix(first)) == 0.5 * t
        second = f"-5000000000|-56|{t}|100|0xff|{t:7}|3.14|   ab|cd   |ef|"
        assert lines[3 + t] == second
    assert lines[6:] == ["1 2 three", "nothing", "3 0"]


def test_what_a_launch_prints_appears_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Undefined bits let it begin again with code that follows them."""
    assert _run("debug", "twice", np.int32(32)).tolist() == list(range(31, -1, -1))
    assert capsys.readouterr().out == "lane 0\nlane 1\n"


@pytest.mark.parametrize("hazards", ["raise", "report"])
@pytest.mark.parametrize(
    "left_out", ["st.local.u32 [a+4], %tid.x;", "mov.u32 y, 9;"], ids=["memory", "a register"]
)
def test_a_value_that_nothing_has_given_is_not_printed(hazards: Any, left_out: str) -> None:
    """printf hands it to the host; the twin with all its lines prints, and is clean."""
    text = """.version 8.0
.target sm_90a
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[9] = {37, 100, 32, 37, 100, 37, 100, 10, 0};
.visible .entry tell() {
  .local .align 8 .b8 room[16];
  .reg .b64 f, a; .reg .b32 y; .param .b64 p, q; .param .b32 r;
  mov.u32 y, 9;
  mov.u64 a, room; st.local.u32 [a], 7; st.local.u32 [a+4], %tid.x; st.local.u32 [a+8], y;
  cvta.local.u64 a, a; mov.u64 f, text; cvta.global.u64 f, f;
  st.param.b64 [p], f; st.param.b64 [q], a;
  call (r), vprintf, (p, q);
  ret;
}
"""
    device = lanemap.open_device("sm_90a", "emulator", hazards)
    device.load(text)["tell"](1, 2, ())
    assert not device.hazards
    broken = device.load(text.replace(left_out, ""))["tell"]
    if hazards == "raise":
        with pytest.raises(Hazard, match="undefined bits 0xffffffff decide the operand"):
            broken(1, 2, ())
    else:
        broken(1, 2, ())
        (found,) = device.hazards
        assert found.kind == "undefined" and "vprintf" in str(found)
