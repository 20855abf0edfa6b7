"""ds_read_b96_tr_b6: 12-byte chunks, transposed by the 6-bit field."""

from __future__ import annotations

from lanemap.probing.lds.chunk_reads import ChunkReads, source
from lanemap.probing.lds.chunk_rules import Reading
from lanemap.probing.probe import State, axis, probe

# The ISA asks for addresses aligned to 16 bytes, so that 12-byte chunks lie in slots of 16.
READS = ChunkReads(chunk_bits=96, cell_bits=6, slot_bytes=16)
SOURCE = source("tr6", "ds_read_b96_tr_b6", chunk_bytes=12)


@axis("pattern", ("consecutive", "permuted", "strided", "overlapping", "waves"))
@axis("cell_bits", (6, 1))
@probe("ds_read_b96_tr_b6", target="gfx950", source=SOURCE, analysis=READS)
def tr6(state: State) -> list[Reading]:
    """Which 6-bit field of which lane's 12-byte chunk arrives in each register field?"""
    return READS.run(state, "tr6")
