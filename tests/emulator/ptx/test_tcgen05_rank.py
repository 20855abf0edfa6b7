"""The rank of the CTA in the lane bits of taddr is noted: no source says what hardware does."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard

TEXT = """.version 8.7
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1 {
.reg .b32 %n, %c, %t, %v; .reg .b64 %o, %d; .shared .b32 slot;
mov.u32 %n, %tid.x; mov.u32 %c, %cluster_ctarank; ld.param.u64 %o, [out];
mad.lo.u32 %v, %c, 32, %n; mul.wide.u32 %d, %v, 4; add.u64 %o, %o, %d;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
ld.shared.b32 %t, [slot];
mad.lo.u32 %c, %c, EXTRA, %t;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%c], {%v};
tcgen05.wait::st.sync.aligned;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v}, [%t];
tcgen05.wait::ld.sync.aligned;
st.global.b32 [%o], %v;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32;
ret;
}
"""
LINE = 11


def launched(extra: int, strict: bool = False) -> tuple[lanemap.devices.Device, np.ndarray]:
    device = lanemap.open_device("sm_100a", "emulator", strict=strict)
    out = device.zeros(64, np.uint32)
    text = TEXT.replace("EXTRA", str(extra))
    device.load(text)["kernel"](2, 32, (out,), cluster=2)
    return device, out.get()


@pytest.mark.parametrize("bit", [23, 24])
def test_the_rank_is_noted_and_ignored(bit: int) -> None:
    device, result = launched(1 << bit)
    assert np.array_equal(result, np.arange(64))
    (note,) = device.notes
    assert (note.kind, note.line, note.cta) == ("rule", LINE, 1)
    assert "not known" in note.note


@pytest.mark.parametrize(("extra", "strict"), [(1 << 23, True), (3 << 23, False), (4 << 23, False)])
def test_other_lanes_are_a_hazard(extra: int, strict: bool) -> None:
    with pytest.raises(Hazard, match="taddr names lane"):
        launched(extra, strict)


def test_an_address_without_it_is_clean() -> None:
    device, result = launched(0)
    assert np.array_equal(result, np.arange(64)) and device.notes == ()
