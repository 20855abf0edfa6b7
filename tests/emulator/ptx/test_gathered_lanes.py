"""Instructions of a whole warp whose lanes come one part after the other.

Half of the lanes wait in a loop for what the other half writes before it is at the instruction
(PTX ISA, .aligned: all threads in the warp must execute the same instruction).
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests import ptx

BEGIN = (
    """\
.reg .pred %p, %q; .reg .b32 %t, %s, %v, %a<9>, %c<9>; .reg .b64 %o; .reg .f32 %f<5>;
.shared .align 128 .b8 box[2048]; .shared .align 4 .b32 flag;
mov.u32 %t, %tid.x; mov.u32 %s, box; mul.wide.u32 %o, %t, 32; add.u64 %out, %out, %o;
mul.wide.u32 %o, %t, 64; add.u64 %given, %given, %o;
ld.global.v4.b32 {%a1, %a2, %a3, %a4}, [%given];
ld.global.v4.b32 {%a5, %a6, %a7, %a8}, [%given + 16];
mad.lo.u32 %v, %t, 64, %s; st.shared.v4.b32 [%v], {%a1, %a2, %a3, %a4};
st.shared.v4.b32 [%v + 16], {%a5, %a6, %a7, %a8}; st.shared.v4.b32 [%v + 32], {%a1, %a3, %a5, %a7};
st.shared.v4.b32 [%v + 48], {%a2, %a4, %a6, %a8}; mad.lo.u32 %v, %t, 16, %s;
"""
    + "".join(f"mov.b32 %c{i}, 0;\n" for i in range(1, 9))
    + """\
mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [flag], 0;
bar.warp.sync -1;
"""
)
_FLIP = "xor.b32 %v, %v, 256;" + "".join(f" xor.b32 %a{i}, %a{i}, 0x55;" for i in range(1, 9))
#: Lanes 0 to 15 look at the flag so often that the others are at the instruction before them, and
#: have their operands in the end only.
APART = f"""\
setp.lt.u32 %p, %t, 16; @%p bra WAITS;
st.volatile.shared.u32 [flag], 1; bra HERE;
WAITS: {_FLIP}
AGAIN: ld.volatile.shared.u32 %a0, [flag]; add.u32 %c8, %c8, 1;
setp.lt.u32 %q, %c8, 40; @%q bra AGAIN; setp.ne.u32 %q, %a0, 1; @%q bra AGAIN; mov.b32 %c8, 0;
{_FLIP}
"""
END = """\
bar.warp.sync -1;
st.global.v4.b32 [%out], {%c1, %c2, %c3, %c4};
st.global.v4.b32 [%out + 16], {%c5, %c6, %c7, %c8};"""
LOADED = "ld.shared.v4.b32 {%c1, %c2, %c3, %c4}, [%v];"
INSTRUCTIONS = {
    "ldmatrix": "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%c1, %c2, %c3, %c4}, [%v];",
    "stmatrix": "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%v], {%a1, %a2, %a3, %a4};"
    f"bar.warp.sync -1; {LOADED}",
    "movmatrix": "movmatrix.sync.aligned.m8n8.trans.b16 %c1, %a1;",
    "mma": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4},"
    "{%a1, %a2, %a3, %a4}, {%a5, %a6}, {%f1, %f2, %f3, %f4};"
    "mov.b32 %c1, %f1; mov.b32 %c2, %f2; mov.b32 %c3, %f3; mov.b32 %c4, %f4;",
    "wmma.load": "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"
    "{%c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8}, [%s];",
    "wmma.store": "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%s], {%a1, %a2, %a3, %a4};"
    f"bar.warp.sync -1; {LOADED}",
    "redux": "redux.sync.add.u32 %c1, %a1, -1;",
    "vote": "and.b32 %a2, %a1, 0x8000; setp.ne.u32 %p, %a2, 0; vote.sync.ballot.b32 %c1, %p, -1;",
    "match": "and.b32 %a2, %a1, 3; match.any.sync.b32 %c1, %a2, -1;",
    "shfl": "shfl.sync.bfly.b32 %c1, %a1, 17, 31, -1;",
}  # fmt: skip


def _run(instruction: str, between: str) -> NDArray[np.uint32]:
    halves = np.random.default_rng(3).integers(-9, 9, (32, 32)).astype(np.float16)
    body = f"{BEGIN}{between}HERE: {INSTRUCTIONS[instruction]}\n{END}"
    out = np.zeros((32, 8), np.uint32)
    *_, got = ptx.launch(ptx.entry(body, "given out"), halves.view(np.uint32).copy(), out)
    return got


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_lanes_that_come_apart_execute_it_together(instruction: str) -> None:
    together = _run(instruction, "")
    assert together.any()
    assert np.array_equal(_run(instruction, APART), together)
