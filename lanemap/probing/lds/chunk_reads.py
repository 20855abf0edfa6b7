"""Probes an LDS read that takes an address from each lane: kernel, launches, explanation.

One launch tests one address pattern. Workgroup p fills LDS with image p of the identity tags and
reads once, so one launch runs all passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lanemap.layout import LayoutMap
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.lds import free_offsets
from lanemap.probing.lds.address_patterns import PATTERNS, pattern
from lanemap.probing.lds.chunk_rules import ChunkClass, Decoded, Reading, Shown
from lanemap.probing.probe import State
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.tags.cells import Tagging, whole_memory
from lanemap.toolchain.amdgcn_kernel import WAVE_LANES, Kernel

# Large enough for the widest pattern: 63 * 9 slots of 16 bytes and a chunk.
LDS_BYTES = 16384
THREADS = 256
_BODY = """
    s_load_dwordx4 s[4:7], s[0:1], 0x0          // addresses, LDS images
    s_load_dwordx2 s[8:9], s[0:1], 0x10         // output
    s_load_dword s10, s[0:1], 0x18              // threads of a workgroup
    v_and_b32_e32 v0, 0x3ff, v0                 // thread
    v_lshlrev_b32_e32 v1, 2, v0                 // thread * 4
    s_waitcnt lgkmcnt(0)
    s_lshl_b32 s11, s10, 2                      // bytes that the workgroup copies in one step
    s_mul_i32 s12, s2, {lds_bytes}                   // image of this pass
    s_add_u32 s6, s6, s12
    s_addc_u32 s7, s7, 0
    s_mov_b32 s13, {lds_bytes}                       // bytes left to copy
    v_mov_b32_e32 v2, v1
.L{name}_fill:
    global_load_dword v3, v2, s[6:7]
    s_waitcnt vmcnt(0)
    ds_write_b32 v2, v3
    v_add_u32_e32 v2, s11, v2
    s_sub_u32 s13, s13, s11
    s_cmp_lg_u32 s13, 0
    s_cbranch_scc1 .L{name}_fill
    global_load_dword v4, v1, s[4:5]            // the address that this lane gives
    s_mul_i32 s12, s2, s10                      // pass * threads
    v_add_u32_e32 v5, s12, v0
    v_mul_u32_u24_e32 v5, {chunk_bytes}, v5                 // where this lane's registers go
    s_waitcnt vmcnt(0) lgkmcnt(0)
    s_barrier                                   // LDS is whole before any wave reads
    {instruction} v[6:{last}], v4
    s_waitcnt lgkmcnt(0)
    global_store_dwordx{registers} v5, v[6:{last}], s[8:9]
    s_endpgm
"""


def source(name: str, instruction: str, chunk_bytes: int) -> str:
    """The assembly file of a probe.

    Args:
        name: the kernel.
        instruction: the mnemonic of the read; its operands are registers and an LDS address.
        chunk_bytes: how much every lane receives, 8 or 12 bytes.
    """
    kernel = Kernel(
        name, ("addresses", "images", "output"), ("threads",), LDS_BYTES, 9, 14, THREADS
    )
    return kernel.text(
        _BODY.format(
            name=name,
            lds_bytes=LDS_BYTES,
            chunk_bytes=chunk_bytes,
            instruction=instruction,
            registers=chunk_bytes // 4,
            last=5 + chunk_bytes // 4,
        )
    )


@dataclass(frozen=True)
class ChunkReads:
    """The geometry of a read, and the explanation of its readings.

    Attributes:
        chunk_bits: bits at each address, and bits that each lane receives.
        cell_bits: width of the elements that the instruction is said to move.
        slot_bytes: alignment that the instruction requires of its addresses.
    """

    chunk_bits: int
    cell_bits: int
    slot_bytes: int

    def tagging(self, cell_bits: int) -> Tagging:
        """The identity tags of LDS: elements begin at every slot, bits tile the memory."""
        if cell_bits == self.cell_bits:
            return Tagging(LDS_BYTES, cell_bits, self.slot_bytes, self.chunk_bits // cell_bits)
        return whole_memory(LDS_BYTES, cell_bits)

    def run(self, state: State, entry: str) -> list[Reading]:
        """Launch one point of the axes `pattern` and `cell_bits`."""
        chosen = pattern(str(state["pattern"]))
        tagging = self.tagging(int(state["cell_bits"]))
        images, addresses = tagging.images(), chosen.addresses(self.slot_bytes)
        threads, registers = chosen.waves * WAVE_LANES, self.chunk_bits // 32
        device = state.device
        output = device.zeros((tagging.passes, threads, registers), np.uint32)
        state.entry(entry)(
            (tagging.passes, 1, 1),
            (threads, 1, 1),
            [
                device.array(addresses.reshape(-1).astype(np.uint32)),
                device.array(images),
                output,
                np.uint32(threads),
            ],
        )
        received = output.get().reshape(tagging.passes, chosen.waves, WAVE_LANES, registers)
        return [
            Reading(
                state.label,
                wave,
                addresses[wave],
                images,
                received[:, wave],
                tagging,
                pattern=chosen.name,
            )
            for wave in range(chosen.waves)
        ]

    def observe(self, readings: Sequence[Reading]) -> LayoutMap:
        """The observation on bits, without certificates."""
        bits = self._class(1)
        return bits.layout_map(bits.decode(readings))

    def explain(self, readings: Sequence[Reading]) -> Finding:
        """The observation on bits and on elements, certificates, and each pattern alone."""
        bits, cells = self._class(1), self._class(self.cell_bits)
        decoded, on_cells = bits.decode(readings), cells.decode(readings)
        families = free_offsets.families(readings, self.cell_bits)
        return Finding(
            map=bits.layout_map(decoded),
            cell_map=cells.layout_map(on_cells) if on_cells.complete else None,
            certificates=tuple(self._certificates(cells, bits, readings)),
            patterns=tuple(_alone(bits, decoded, readings)),
            passes=sum({each.launch: len(each.memory) for each in readings}.values()),
            facts={
                "families": [
                    {"name": f.name, "refuted": f.refuted, "witness": f.witness} for f in families
                ]
            },
            lines=tuple(
                f"{'refuted' if f.refuted else 'STANDS'}, outside the class: {f.name}"
                for f in families
            ),
            explained=decoded.explained and on_cells.explained,
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[Reading]) -> list[Shown]:
        """The readings that each map of bits predicts, each of shape (bits, observables)."""
        return self._class(1).shown_by(maps, readings)

    def seen(self, readings: Sequence[Reading]) -> tuple[Shown, bool]:
        """The actual readings in the form of `shown_by`; all memory was written."""
        return self._class(1).all_observed(readings), True

    def _class(self, cell_bits: int) -> ChunkClass:
        return ChunkClass(WAVE_LANES, self.chunk_bits, cell_bits)

    def _certificates(
        self, cells: ChunkClass, bits: ChunkClass, readings: Sequence[Reading]
    ) -> list[Certificate]:
        found = [each.certificate(readings, self.offers) for each in (cells, bits)]
        found += [c for w in (self.cell_bits, 1) if (c := free_offsets.certificate(readings, w))]
        # Whole maps are part of the chunk class; they matter only if its certificate is incomplete.
        return found if found[0].complete else found + cells.whole_maps(readings)

    def offers(self) -> list[Reading]:
        """Other possible readings, without output: extra inputs for a certificate."""
        offers = []
        for cell_bits in (self.cell_bits, 1):
            tagging = self.tagging(cell_bits)
            nothing = np.zeros((tagging.passes, WAVE_LANES, self.chunk_bits // 32), np.uint32)
            offers += [
                Reading(
                    f"pattern={chosen.name} cell_bits={cell_bits}",
                    0,
                    chosen.addresses(self.slot_bytes)[0],
                    tagging.images(),
                    nothing,
                    tagging,
                    pattern=chosen.name,
                )
                for chosen in PATTERNS.values()
                if chosen.waves == 1
            ]
        return offers


def _alone(
    bits: ChunkClass, decoded: Decoded, readings: Sequence[Reading]
) -> Iterator[PatternResult]:
    """Decode each pattern alone, and compare it with all patterns together."""
    for name in dict.fromkeys(reading.pattern for reading in readings):
        alone = bits.decode([reading for reading in readings if reading.pattern == name])
        settled = alone.rule >= 0
        agrees = alone.explained and bool(np.all(alone.rule[settled] == decoded.rule[settled]))
        chosen = PATTERNS[name]
        yield PatternResult(name, chosen.description, agrees, int(settled.sum()), chosen.waves)
