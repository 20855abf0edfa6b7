"""Where lanes go is out of their reach: return places, function addresses, indices of brx.idx."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

#: sum(n) calls itself n times; the innermost activation fills all of the lane's memory.
RECURSION = ptx.module("""\
.func (.param .b32 result) sum(.param .b32 n, .param .b32 value) {
  .reg .b32 %n, %m, %v, %r, %at;
  .reg .pred %p;
  .local .align 4 .b8 own[32];
  .param .b32 n1, v1, r1;
  ld.param.b32 %n, [n];
  ld.param.b32 %v, [value];
  setp.eq.u32 %p, %n, 0;
  @%p bra INNERMOST;
  sub.u32 %m, %n, 1;
  st.param.b32 [n1], %m;
  st.param.b32 [v1], %v;
  call (r1), sum, (n1, v1);
  ld.param.b32 %r, [r1];
  add.u32 %r, %r, %n;
  st.param.b32 [result], %r;
  ret;
INNERMOST:
  mov.u32 %at, own;
  and.b32 %at, %at, 0;
FILL:
  st.local.u32 [%at], %v;
  add.u32 %at, %at, 4;
  setp.lt.u32 %p, %at, BYTES;
  @%p bra FILL;
  st.param.b32 [result], 1000;
  ret;
}
.visible .entry k(.param .u64 out, .param .u32 value) {
  .reg .b32 %t, %n, %v, %r, %s; .reg .b64 %a, %o;
  .param .b32 n0, v0, r0;
  ld.param.u64 %a, [out];
  ld.param.u32 %v, [value];
  mov.u32 %t, %tid.x;
  and.b32 %n, %t, 3;
  st.param.b32 [n0], %n;
  st.param.b32 [v0], %v;
  call (r0), sum, (n0, v0);
  ld.param.b32 %r, [r0];
  st.param.b32 [n0], 2;
  st.param.b32 [v0], %v;
  call (r0), sum, (n0, v0);
  ld.param.b32 %s, [r0];
  add.u32 %r, %r, %s;
  cvt.u64.u32 %o, %t;
  shl.b64 %o, %o, 2;
  add.u64 %a, %a, %o;
  st.global.u32 [%a], %r;
  ret;
}
""")
INDIRECT = ptx.module("""\
.func (.param .b32 r) one(.param .b32 a) { st.param.b32 [r], 1; ret; }
.func (.param .b32 r) two(.param .b32 a) { st.param.b32 [r], 2; ret; }
.func (.param .b64 r) other(.param .b32 a) { st.param.b64 [r], 3; ret; }
.global .u64 table[3] = {one, two, other};
.visible .entry k(.param .u64 out, .param .u64 where) {
  .reg .b32 %t, %r; .reg .b64 %a, %w, %o;
  .param .b32 a0, r0;
  ld.param.u64 %a, [out];
  ld.param.u64 %w, [where];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 8;
  add.u64 %w, %w, %o;
  ld.global.u64 %w, [%w];
  st.param.b32 [a0], 0;
  P: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (r0), %w, (a0), P;
  ld.param.b32 %r, [r0];
  mul.wide.u32 %o, %t, 4;
  add.u64 %a, %a, %o;
  st.global.u32 [%a], %r;
  ret;
}
.visible .entry addresses(.param .u64 out) {
  .reg .b64 %a, %f;
  ld.param.u64 %a, [out];
  ld.global.u64 %f, [table]; st.global.u64 [%a], %f;
  ld.global.u64 %f, [table+8]; st.global.u64 [%a+8], %f;
  ld.global.u64 %f, [table+16]; st.global.u64 [%a+16], %f;
  ret;
}
""")
SWITCH = ptx.entry(
    """\
  .reg .b32 %t, %r, %i; .reg .b64 %a, %w;
  mov.u32 %t, %tid.x;
  mad.wide.u32 %a, %t, 4, %out;
  mad.wide.u32 %w, %t, 4, %where;
  ld.global.u32 %i, [%w];
  L: .branchtargets A, B, C;
  brx.idx %i, L;
A: mov.u32 %r, 10; bra END;
B: mov.u32 %r, 20; bra END;
C: mov.u32 %r, 30;
END:
  st.global.u32 [%a], %r;""",
    "out where",
)
NONE = 0xDEAD


@pytest.mark.parametrize("value", [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 3])
def test_local_stores_do_not_reach_what_calls_keep(value: int) -> None:
    text = RECURSION.replace("BYTES", "16384")
    (out,) = ptx.launch(text, np.zeros(32, np.uint32), np.uint32(value))
    expected = [2003 + sum(range(t % 4 + 1)) for t in range(32)]
    assert out.tolist() == expected


def test_past_the_lanes_memory_is_a_hazard() -> None:
    text = RECURSION.replace("BYTES", str(1 << 20))
    with pytest.raises(Hazard, match="private memory"):
        ptx.launch(text, np.zeros(32, np.uint32), np.uint32(0))


def launch(text: str, where: list[int], kind: Any) -> tuple[list[int], list[str]]:
    """The results of 32 lanes and what was reported; once more where hazards are raised."""
    given = np.full(32, NONE, np.uint32), np.array(where, kind)
    launched = ptx.launch(text, *given, hazards="report")
    found = [str(hazard) for hazard in launched.device.hazards]
    raised = ptx.hazard(text, *given)
    assert str(raised) == (found[0] if found else "None")
    return launched.arrays[0].get().tolist(), found


def functions() -> list[int]:
    (out,) = ptx.launch(INDIRECT, np.zeros(3, np.uint64), kernel="addresses", block=1)
    return [int(address) for address in out]


def test_indirect_calls_reach_their_functions() -> None:
    one, two, _ = functions()
    where = [one if t % 3 else two for t in range(32)]
    assert launch(INDIRECT, where, np.uint64) == ([1 if t % 3 else 2 for t in range(32)], [])


@pytest.mark.parametrize("wrong", [
    0, 1, 1 << 63, 0xFFFFFFFFFFFFFFFF, "one + 1", "two + 15", "one - 16", "other",
    "one + (1 << 32)", "one + (1 << 36)", "one + 16 * 4096", "one | 1 << 63",
])  # fmt: skip
def test_other_addresses_are_hazards_of_their_lanes(wrong: Any) -> None:
    one, two, other = functions()
    if isinstance(wrong, str):
        wrong = eval(wrong, {"one": one, "two": two, "other": other})
    where = [one] * 32
    where[5] = where[17] = wrong
    results, found = launch(INDIRECT, where, np.uint64)
    assert results == [NONE if t in (5, 17) else 1 for t in range(32)]
    (hazard,) = found
    assert f"the target {wrong:#x} of an indirect call" in hazard and "lanes 5, 17" in hazard
    line = next(n for n, words in enumerate(INDIRECT.splitlines(), 1) if "%w, (a0), P" in words)
    assert hazard.startswith(f"the source:{line}: ")


def test_brx_reaches_its_targets() -> None:
    where = [t % 3 for t in range(32)]
    assert launch(SWITCH, where, np.uint32) == ([10 * (t % 3 + 1) for t in range(32)], [])


@pytest.mark.parametrize("wrong", [3, 4, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_other_indices_are_hazards_of_their_lanes(wrong: int) -> None:
    where = [t % 3 for t in range(32)]
    where[31] = wrong
    results, found = launch(SWITCH, where, np.uint32)
    assert results == [10 * (t % 3 + 1) for t in range(31)] + [NONE]
    (hazard,) = found
    assert f"the index {wrong} of brx.idx" in hazard and "lane 31" in hazard


def test_all_lanes_wrong_ends_the_warp() -> None:
    results, found = launch(SWITCH, [9] * 32, np.uint32)
    assert results == [NONE] * 32 and len(found) == 1
