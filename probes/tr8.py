"""ds_read_b64_tr_b8: 8-byte chunks, transposed by the byte."""

from __future__ import annotations

from lanemap.probing.lds.chunk_reads import ChunkReads, source
from lanemap.probing.lds.chunk_rules import Reading
from lanemap.probing.probe import State, axis, probe

READS = ChunkReads(chunk_bits=64, cell_bits=8, slot_bytes=8)
SOURCE = source("tr8", "ds_read_b64_tr_b8", chunk_bytes=8)


@axis("pattern", ("consecutive", "permuted", "strided", "overlapping", "waves"))
@axis("cell_bits", (8, 1))
@probe("ds_read_b64_tr_b8", target="gfx950", source=SOURCE, analysis=READS)
def tr8(state: State) -> list[Reading]:
    """Which byte of which lane's 8-byte chunk arrives in each register byte?"""
    return READS.run(state, "tr8")
