"""Which registers need their undefined bits followed in code that assumes defined memory."""

from __future__ import annotations

import pytest

from tests import ptx
from tests.emulator.ptx.launching import Loaded

BODY = """\
.reg .b32 %r<8>, %d<4>, %n; .reg .pred %p;
mov.u32 %n, 2;
mov.b32 %r0, 0;
AGAIN:
{statement}
sub.u32 %n, %n, 1;
setp.ne.u32 %p, %n, 0;
@%p bra AGAIN;
xor.b32 %d0, %d0, %d1;
st.global.u32 [%out], %d0;"""
MMA = (
    "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%d0, %d1, %d2, %d3}, {%r0, %r0}, "
    "{%r0}, {%d0, %d1, %d2, %d3};"
)


@pytest.mark.parametrize(
    ("statement", "followed"),
    [
        # an undefined accumulator is a hazard, so what comes out of the product is defined
        (MMA, set()),
        # and so is an undefined address
        ("ld.shared.v2.b32 {%d0, %d1}, [%r1];", set()),
        ("add.u32 %d0, %d0, 1; mov.b32 %d1, %r0;", {"%d0"}),
        # lanes that the guard excludes keep their undefined bits
        (f"setp.eq.u32 %p, %r0, 0; @%p {MMA}", {"%d0", "%d1"}),
    ],
    ids=["mma", "load", "add", "guarded mma"],
)
def test_results_are_defined_where_undefined_operands_are_hazards(
    statement: str, followed: set[str]
) -> None:
    text = ptx.entry(BODY.format(statement=statement))
    program = Loaded(text).text.kernels["k"].program
    (block,) = (b for b in program.blocks if b.operations[0].text.startswith("xor"))
    plan = program.plan(block, precise=False)
    results = [r for r in program.slots if r.name in ("%d0", "%d1")]
    assert {r.name for r in results if not plan.clean(r)} == followed
