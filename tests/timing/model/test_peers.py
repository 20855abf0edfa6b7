"""Stores and reductions to the shared memory of another CTA of the cluster."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.timing.model.answer import predicted
from lanemap.timing.model.launched import joined
from lanemap.timing.model.recording import TraceRecorder
from lanemap.timing.model.trace import Unit
from lanemap.toolchain import ptxas
from tests.timing.executed import TARGET, assembled

#: One instruction a line, since lines tell which SASS is of which PTX.
TEXT = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry sends(.param .u64 out_at)
.explicitcluster .reqnctapercluster 2, 1, 1
{{
    .reg .b32 data, bar, peer, far, rank, lane, value;
    .reg .b64 out;
    .reg .pred p, q;
    .shared .align 16 .b8 room[256];
    .shared .align 8 .b64 done;
    mov.u32 lane, %tid.x;
    mov.u32 data, room;
    mov.u32 bar, done;
    mov.u32 rank, %cluster_ctarank;
    xor.b32 rank, rank, 1;
    mapa.shared::cluster.u32 peer, data, rank;
    mapa.shared::cluster.u32 far, bar, rank;
    setp.eq.u32 p, lane, 0;
    @p mbarrier.init.shared::cta.b64 [bar], 1;
    fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    @p mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
    mad.lo.u32 peer, lane, 4, peer;
    {sends}
again: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], 0;
    @!q bra again;
    mad.lo.u32 data, lane, 4, data;
    ld.shared.b32 value, [data];
    ld.param.u64 out, [out_at];
    mad.wide.u32 out, lane, 4, out;
    st.global.b32 [out], value;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ret;
}}
"""
SENDS = {
    "STAS": "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32",
    "REDAS": "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32",
}


@pytest.mark.parametrize("opcode", SENDS)
def test_a_peer_waits_for_what_was_sent(opcode: str) -> None:
    """One word takes 172.8 cycles with a turn of 33 (timing_copies); 31 more take longer."""
    text = ptxas.lowered(TEXT.format(sends=f"{SENDS[opcode]} [peer], lane, [far];"))
    device, recorder = lanemap.open_device(TARGET, "emulator"), TraceRecorder()
    with device.observe(recorder):
        device.load(text)["sends"](2, 32, (device.zeros(64, np.uint32),), cluster=(2, 1, 1))
    found = predicted(joined(recorder.launches[0], text, assembled(text)), changes=False)
    (warp,) = (found.trace.warps[number] for number in found.members())
    code = [found.trace.code[place].opcode for place in warp.issued]
    place = next(n for n, each in enumerate(code) if each.startswith(opcode))
    work = found.trace.works[warp.works[place]]
    assert (work["unit"], work["bytes"]) == (Unit.PEER, 128)
    cycles = found.result.warps[0].cycles
    after = code.index("SYNCS.PHASECHK.TRANS64.TRYWAIT") + 1
    assert int(cycles[after] - cycles[place]) == pytest.approx(172.8 - 33, abs=124 / 18)
