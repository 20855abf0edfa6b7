"""Which CTAs are run for all, and what the PTX says of the others."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.timing.model.kinds import EVENTS, Sampler, sample
from lanemap.timing.model.uniform import deciding

TEXT = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{{
    .reg .b32 %r<9>; .reg .b64 %d<5>; .reg .pred %p;
    .shared .b32 held[64];
    mov.u32 %r0, %ctaid.{axis};
    mov.u32 %r1, %tid.x;
    ld.param.u64 %d0, [out];
    mad.lo.u32 %r2, %r0, 32, %r1;
    mul.wide.u32 %d1, %r2, 4;
    add.u64 %d0, %d0, %d1;
    mov.u32 %r4, 1;
{body}
    st.global.u32 [%d0], %r4;
    ret;
}}
"""
BODIES = {
    "": set(),
    "setp.gt.u32 %p, %r1, 3;\n @%p bra away; add.u32 %r4, %r4, 1;\naway:": set(),
    "setp.gt.u32 %p, %r0, 3;\n @%p bra away; add.u32 %r4, %r4, 1;\naway:": {"x"},
    "setp.gt.u32 %p, %r0, 3;\n @%p add.u32 %r4, %r4, 1;": set(),
    "ld.global.u32 %r5, [%d0]; setp.gt.u32 %p, %r5, 3; @%p bra away;\naway:": {"data", "x"},
    "mov.u32 %r6, held; mad.lo.u32 %r6, %r0, 4, %r6; st.shared.u32 [%r6], %r4;": {"x"},
    "mov.u32 %r6, 0;\nagain: add.u32 %r6, %r6, 1; setp.lt.u32 %p, %r6, %r0;"
    " @%p bra again; // by %ctaid": {"x"},
}


@pytest.mark.parametrize("body", BODIES)
def test_what_decides_is_found(body: str) -> None:
    assert deciding(TEXT.format(axis="x", body=body), "k") == BODIES[body]


def test_one_stands_for_all_that_are_alike() -> None:
    own = sample(TEXT.format(axis="x", body=""), "k", (1000, 4, 1), (1, 1, 1))
    assert list(own) == [0] and not own.assumed
    assert set(own.standing_for()) == {0}


def test_each_place_that_decides_is_run_while_there_are_few() -> None:
    body = "setp.gt.u32 %p, %r0, 3;\n @%p bra away;\naway:"
    text = TEXT.format(axis="y", body=body)
    own = sample(text, "k", (100, 6, 1), (1, 1, 1))
    assert sorted(own) == [100 * y for y in range(6)] and not own.assumed
    assert own.standing_for()[250] == 200
    many = sample(text, "k", (100, 60, 1), (1, 1, 1))
    assert len(list(many)) == 9 and many.assumed
    assert {0, 5900} < set(many.ran)
    assert many.standing_for()[-1] == 5900


def test_only_the_chosen_ctas_run() -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    text = TEXT.format(axis="x", body="")
    out = device.zeros(100 * 32, np.uint32)
    sampler = Sampler(text)
    with device.only(sampler):
        device.load(text)["k"](100, 32, (out,))
    assert sampler.samples["k"].ran == [0]
    assert out.get().sum() == 32 and out.get()[:32].all()
    device.load(text)["k"](100, 32, (out,))
    assert out.get().all()


def test_no_cluster_begins_when_enough_was_recorded() -> None:
    body = "setp.gt.u32 %p, %r0, 3;\n @%p bra away;\naway:"
    own = sample(TEXT.format(axis="x", body=body), "k", (5, 1, 1), (1, 1, 1))
    own.spent = lambda: EVENTS // 2 * len(own.ran)
    assert list(own) == [0, 1, 2]
