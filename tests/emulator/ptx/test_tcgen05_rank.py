"""The rank of the CTA in the lane bits of taddr is noted: no source says what hardware does."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests import ptx

BODY = """\
.reg .b32 %n, %c, %t, %v; .reg .b64 %o; .shared .b32 slot;
mov.u32 %n, %tid.x; mov.u32 %c, %cluster_ctarank;
mad.lo.u32 %v, %c, 32, %n; mad.wide.u32 %o, %v, 4, %out;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
ld.shared.b32 %t, [slot];
mad.lo.u32 %c, %c, EXTRA, %t;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%c], {%v}; // hazard
tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v}, [%t];
tcgen05.wait::ld.sync.aligned;
st.global.b32 [%o], %v;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32;"""
TEXT = ptx.entry(BODY, directives=".explicitcluster .reqnctapercluster 2, 1, 1", target="sm_100a")


def launched(extra: int, strict: bool = False) -> tuple[lanemap.devices.Device, np.ndarray]:
    text, out = TEXT.replace("EXTRA", str(extra)), np.zeros(64, np.uint32)
    launched = ptx.launch(text, out, grid=2, cluster=2, strict=strict)
    (out,) = launched
    return launched.device, out


@pytest.mark.parametrize("bit", [23, 24])
def test_the_rank_is_noted_and_ignored(bit: int) -> None:
    device, result = launched(1 << bit)
    assert np.array_equal(result, np.arange(64))
    (note,) = device.notes
    assert (note.kind, {note.line}, note.cta) == ("rule", ptx.marked(TEXT), 1)
    assert "not known" in note.note


@pytest.mark.parametrize(("extra", "strict"), [(1 << 23, True), (3 << 23, False), (4 << 23, False)])
def test_other_lanes_are_a_hazard(extra: int, strict: bool) -> None:
    with pytest.raises(Hazard, match="taddr names lane"):
        launched(extra, strict)


def test_an_address_without_it_is_clean() -> None:
    device, result = launched(0)
    assert np.array_equal(result, np.arange(64)) and device.notes == ()
