"""Guards whose predicate is undefined in some lanes (PTX ISA, Predicated Execution).

Which of the two values a register has then is not known: the bits in which they differ are
undefined. Whether memory is touched must be known.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

LANES = np.arange(32)
ODD = LANES % 2 == 1
_BODY = """\
.reg .pred %p, %q, %even; .reg .b32 %n, %lane, %v, %w; .reg .f32 %f; .reg .b64 %a;
mov.u32 %lane, %tid.x; and.b32 %n, %lane, 1; setp.eq.u32 %even, %n, 0;
mad.wide.u32 %a, %lane, 4, %out;
{begin}
@%even setp.lt.u32 %q, %lane, 16; // origin
mov.u32 %v, 7; mov.u32 %w, 3;
{guarded} // hazard
st.global.u32 [%a], %v;"""
UNDEFINED, DEFINED = "", "setp.ne.u32 %q, %lane, %lane;"


def _launch(guarded: str, begin: str = UNDEFINED, hazards: str = "report") -> Any:
    """The device after a launch, and the array that it leaves."""
    text = ptx.entry(_BODY.format(guarded=guarded, begin=begin))
    launched = ptx.launch(text, np.zeros(32, np.uint32), hazards=hazards)
    return launched.device, launched.arrays[0]


#: Instruction, what it makes of 7 where its guard holds.
WRITES = {
    "@%q add.u32 %v, %v, 16;": 7 + 16, "@!%q add.u32 %v, %v, 16;": 7 + 16,
    "@%q mov.u32 %v, %lane;": LANES, "@%q mad.lo.u32 %v, %v, %w, %lane;": 21 + LANES,
    "@%q mov.u32 %v, 7;": 7, "@%q popc.b32 %v, %w;": 2,
}  # fmt: skip


def _holds(guarded: str) -> Any:
    return (LANES < 16) != guarded.startswith("@!")


@pytest.mark.parametrize("guarded", WRITES)
def test_bits_that_an_undefined_guard_would_change_are_undefined(guarded: str) -> None:
    device, out = _launch(guarded)
    assert not device.hazards, device.hazards
    unknown = out.undefined()
    made = np.broadcast_to(np.uint32(WRITES[guarded]), 32)
    expected = np.where(ODD, made ^ np.uint32(7), 0)
    if not expected.any():
        assert unknown is None or not unknown.any()
        return
    bits = np.packbits(unknown.reshape(32, 32), axis=1, bitorder="little").view(np.uint32)[:, 0]
    assert np.array_equal(bits, expected)
    even = np.where(_holds(guarded), made, 7)[~ODD]
    assert np.array_equal(out.get()[~ODD], even)


@pytest.mark.parametrize("guarded", WRITES)
def test_a_defined_guard_leaves_all_defined(guarded: str) -> None:
    device, out = _launch(guarded, DEFINED)
    holds = np.where(ODD, guarded.startswith("@!"), _holds(guarded))
    assert np.array_equal(out.get(), np.where(holds, WRITES[guarded], 7))
    assert not device.hazards


DECIDE = ["@%q st.global.u32 [%a], %w;", "@%q ld.global.u32 %v, [%a];",
          "@%q atom.global.add.u32 %v, [%a], %w;", "@!%q red.global.add.u32 [%a], %w;",
          "@%q membar.gl;"]  # fmt: skip


@pytest.mark.parametrize("guarded", DECIDE)
def test_an_undefined_guard_of_an_access_is_a_hazard(guarded: str) -> None:
    device, _ = _launch(guarded)
    (line,) = ptx.marked(ptx.entry(_BODY))
    found = [hazard for hazard in device.hazards if hazard.line == line]
    assert [hazard.kind for hazard in found] == ["undefined"], device.hazards
    assert re.search("decide the guard; they come from register %q", str(found[0]))
    assert found[0].lanes == 0xAAAAAAAA


@pytest.mark.parametrize("guarded", DECIDE)
def test_a_defined_guard_of_an_access_is_clean(guarded: str) -> None:
    device, _ = _launch(guarded, DEFINED)
    assert not device.hazards


def test_the_host_reads_nothing_undefined() -> None:
    _, out = _launch("@%q add.u32 %v, %v, 16;", hazards="raise")
    with pytest.raises(Hazard, match="%q, which nothing had written"):
        out.get()
