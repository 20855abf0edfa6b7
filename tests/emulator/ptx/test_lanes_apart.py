"""Registers where lanes part: what each lane wrote itself, and nothing else."""

from __future__ import annotations

import pytest

from lanemap.emulator.host.hazards import Hazard

from .test_text import T, out


def test_registers_that_one_path_leaves_alone_hide_nothing() -> None:
    """%r1 may be undefined where lanes meet; what lanes read that wrote it is defined."""
    body = """
and.b32 %r2, %t, 3;
setp.eq.u32 %p1, %r2, 0;
mov.u32 %r5, 0;
@%p1 bra A;
mov.u32 %r1, %t;
bra B;
A: mov.u32 %r3, 9;
bra C;
B: add.u32 %r3, %r1, 1;
add.u32 %r5, %r1, 2;
C: setp.ne.u32 %p2, %r2, 1;
@%p2 bra D;
mov.u32 %r1, %r2;
add.u32 %r4, %r1, 40;
bra E;
D: mov.u32 %r4, 50;
E: add.u32 %r0, %r3, %r4;
@!%p1 add.u32 %r0, %r0, %r1;
"""

    def expected(t: int) -> int:
        low = t & 3
        first = 9 if low == 0 else t + 1
        r1 = low if low == 1 else t
        return first + (41 if low == 1 else 50) + (0 if low == 0 else r1)

    assert out(body) == [expected(int(t)) for t in T]


def test_what_one_path_leaves_undefined_is_a_hazard() -> None:
    body = """
and.b32 %r2, %t, 3;
setp.eq.u32 %p1, %r2, 0;
@%p1 bra A;
mov.u32 %r1, %t;
A: add.u32 %r0, %r1, 1;
"""
    with pytest.raises(Hazard, match="undefined"):
        out(body)


@pytest.mark.parametrize("kind", ["pred", "b16", "b32", "b64", "f32", "f64"])
def test_a_write_leaves_the_lanes_alone_that_are_elsewhere(kind: str) -> None:
    """The register lives across blocks; each third of the lanes writes it in a block of its own."""
    move = {
        "pred": "setp.eq.u32 %x, %r9, {};",
        "b16": "cvt.u16.u32 %x, {};",
        "b64": "cvt.u64.u32 %x, {};",
        "f32": "cvt.rn.f32.u32 %x, {};",
        "f64": "cvt.rn.f64.u32 %x, {};",
    }.get(kind, "mov.b32 %x, {};")
    back = {
        "pred": "selp.u32 %r0, 1, 0, %x;",
        "b16": "cvt.u32.u16 %r0, %x;",
        "b64": "cvt.u32.u64 %r0, %x;",
        "f32": "cvt.rzi.u32.f32 %r0, %x;",
        "f64": "cvt.rzi.u32.f64 %r0, %x;",
    }.get(kind, "mov.b32 %r0, %x;")
    body = f"""
.reg .{kind} %x;
rem.u32 %r1, %t, 3;
and.b32 %r9, %t, 1;
add.u32 %r4, %t, 100;
setp.eq.u32 %p1, %r1, 0;
setp.eq.u32 %p2, %r1, 1;
@%p1 bra A;
@%p2 bra B;
{move.format("0" if kind == "pred" else "%t")}
bra C;
A: {move.format("1" if kind == "pred" else "%r4")}
bra C;
B: {move.format("%r9" if kind == "pred" else "7")}
setp.lt.u32 %p3, %t, 9;
@%p3 {move.format("5" if kind == "pred" else "8")}
C: {back}
"""

    def expected(t: int) -> int:
        if kind == "pred":
            return [t & 1, int(t >= 9), 1 - (t & 1)][t % 3]
        return [t + 100, 8 if t < 9 else 7, t][t % 3]

    assert out(body) == [expected(int(t)) for t in T]


def test_guarded_jumps_calls_and_exits() -> None:
    before = ".func (.reg .b32 %y) square (.reg .b32 %x) { mul.lo.u32 %y, %x, %x; ret; }\n"
    body = """
and.b32 %r1, %t, 3;
setp.lt.u32 %p1, %t, 16;
mov.u32 %r0, 1000;
ts: .branchtargets L0, L1, L2, L3;
@%p1 brx.idx %r1, ts;
add.u32 %r0, %r0, 1;
bra DONE;
L0: mov.u32 %r0, 10; bra DONE;
L1: mov.u32 %r0, 11; bra DONE;
L2: mov.u32 %r0, 12; bra DONE;
L3: mov.u32 %r0, 13;
DONE:
setp.eq.u32 %p2, %t, 31;
@%p2 exit;
setp.gt.u32 %p3, %t, 50;
@%p3 trap;
@!%p1 call (%r0), square, (%r0);
"""
    assert out(body, before) == [10 + (t & 3) if t < 16 else 1001**2 if t < 31 else 0 for t in T]
