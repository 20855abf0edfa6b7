"""The original experiment that made ds_read_b64_tr_b8 look like a broadcast.

LDS[8 * tid] = tid by ds_write_b8, nothing else written; then every lane reads at the same address.
Each lane received eight identical bytes, lanes 1 and 2 values that nobody had written. The probe
runs it again and computes which rules it could and could not tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lanemap.errors import Disagreement
from lanemap.layout import LayoutMap
from lanemap.probing.finding import Finding
from lanemap.probing.lds.address_patterns import pattern
from lanemap.probing.lds.chunk_reads import ChunkReads
from lanemap.probing.lds.chunk_rules import ChunkClass, Integers, Reading, Shown, spans
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tags.cells import fields, whole_memory
from lanemap.toolchain.amdgcn_kernel import WAVE_LANES, Kernel

LDS_BYTES = 8 * WAVE_LANES
SOURCE = Kernel(
    "tr8_broadcast", ("addresses", "output"), (), LDS_BYTES, vgprs=9, sgprs=8, threads=WAVE_LANES
).text("""
    s_load_dwordx4 s[4:7], s[0:1], 0x0          // addresses, output
    v_and_b32_e32 v0, 0x3ff, v0                 // tid
    v_lshlrev_b32_e32 v1, 3, v0                 // 8 * tid
    v_lshlrev_b32_e32 v2, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v4, v2, s[4:5]            // the address: the same for every lane
    ds_write_b8 v1, v0                          // LDS[8 * tid] = tid
    s_waitcnt vmcnt(0) lgkmcnt(0)
    s_barrier
    ds_read_u8 v8, v1                           // LDS[8 * tid] read on its own: it is tid
    ds_read_b64_tr_b8 v[6:7], v4
    v_mul_u32_u24_e32 v5, 12, v0
    s_waitcnt lgkmcnt(0)
    global_store_dwordx3 v5, v[6:8], s[6:7]
    s_endpgm
""")


class Broadcast:
    """Explains one reading of a memory that is mostly unwritten, at one address for all lanes."""

    bits = ChunkClass(WAVE_LANES, 64, 1)
    octets = ChunkClass(WAVE_LANES, 64, 8)

    def observe(self, readings: Sequence[Reading]) -> LayoutMap:
        """The observation on bits: undefined throughout, where lanes share an address."""
        return self.bits.layout_map(self.bits.decode(readings))

    def explain(self, readings: Sequence[Reading]) -> Finding:
        """The eight bytes of each lane, which of them nothing wrote, and what stays hidden."""
        (reading,) = readings
        offers = ChunkReads(chunk_bits=64, cell_bits=8, slot_bytes=8).offers
        as_it_was = self.octets.certificate(readings, offers)
        named = replace(reading, memory=whole_memory(LDS_BYTES, 8).images(), written=None)
        at_best = replace(
            self.octets.certificate([named], offers),
            hypotheses="the same, had every byte of LDS held a value of its own",
        )
        facts = _facts(reading)
        return Finding(
            map=self.observe(readings),
            cell_map=None,
            certificates=(as_it_was, at_best),
            patterns=(),
            passes=1,
            facts=facts,
            # The emulator's own words may be improved; a record holds what they are about.
            lines=(*_sentences(facts), *(f"hazard: {each}" for each in reading.hazards)),
            explained=reading.undefined is None or self.octets.decode(readings).explained,
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[Reading]) -> list[Shown]:
        """The readings that maps predict; NEVER_WRITTEN where they read unwritten memory."""
        return self.bits.shown_by(maps, readings)

    def seen(self, readings: Sequence[Reading]) -> tuple[Shown, bool]:
        """The actual readings, and whether the device marked unwritten memory."""
        return self.bits.all_observed(readings), readings[0].undefined is not None


def _facts(reading: Reading) -> dict[str, Any]:
    """The bytes that every lane received, as far as the probe determined them."""
    received = fields(reading.output[0], 8)
    facts: dict[str, Any] = {
        "identical_bytes_in_every_lane": bool((received == received[:, :1]).all()),
        "repeats_every_lanes": _period(received),
    }
    if reading.undefined is not None:
        undefined = reading.undefined[0].reshape(WAVE_LANES, 8, 8).any(axis=-1)
        # A byte is its value, or -1 where it came from LDS that nothing had written.
        facts["lane_bytes"] = np.where(undefined, -1, received).tolist()
        facts["lanes_of_written_bytes"] = spans(np.flatnonzero(~undefined.any(axis=1)))
        facts["lanes_of_never_written_bytes"] = spans(np.flatnonzero(undefined.all(axis=1)))
    return facts


def _period(received: Integers) -> int:
    """After how many lanes the bytes repeat; the whole wave where they do not."""
    for period in (1, 2, 4, 8, 16, 32):
        if np.array_equal(received[period:], received[:-period]):
            return period
    return WAVE_LANES


def _sentences(facts: Mapping[str, Any]) -> Iterator[str]:
    same = "identical" if facts["identical_bytes_in_every_lane"] else "not identical"
    yield f"each lane's eight bytes are {same}; lanes repeat every {facts['repeats_every_lanes']}"
    if "lane_bytes" in facts:
        yield f"bytes that the probe wrote arrive in lanes {facts['lanes_of_written_bytes']}"
        never = facts["lanes_of_never_written_bytes"]
        yield f"bytes that nothing had written arrive in lanes {never}"


@axis("pattern", ("uniform",))
@probe(
    "ds_read_b64_tr_b8",
    target="gfx950",
    source=SOURCE,
    analysis=Broadcast(),
    hazards="report",
)
def tr8_broadcast(state: State) -> list[Reading]:
    """What could the uniform address that made the read look like a broadcast have told?"""
    device = state.device
    addresses = pattern(str(state["pattern"])).addresses(8)[0]
    output = device.zeros((WAVE_LANES, 3), np.uint32)
    given = device.array(addresses.astype(np.uint32))
    state.entry("tr8_broadcast")((1, 1, 1), (WAVE_LANES, 1, 1), [given, output])
    undefined = output.undefined()
    words = output.get()
    lanes = np.arange(WAVE_LANES)
    if not np.array_equal(words[:, 2], lanes):
        raise Disagreement("LDS[8 * tid], read on its own after the barrier, is not tid")
    memory = np.zeros((1, LDS_BYTES), np.uint8)
    memory[0, 8 * lanes] = lanes
    written = np.zeros(LDS_BYTES, bool)
    written[8 * lanes] = True
    return [
        Reading(
            state.label,
            0,
            addresses,
            memory,
            words[None, :, :2],
            written=written,
            undefined=None if undefined is None else undefined.reshape(1, WAVE_LANES, 96)[..., :64],
            pattern=str(state["pattern"]),
            hazards=tuple(str(hazard) for hazard in device.hazards),
        )
    ]
