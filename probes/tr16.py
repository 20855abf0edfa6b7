"""ds_read_b64_tr_b16: 8-byte chunks, transposed by the halfword."""

from __future__ import annotations

from lanemap.probing.lds.chunk_reads import ChunkReads, source
from lanemap.probing.lds.chunk_rules import Reading
from lanemap.probing.probe import State, axis, probe

READS = ChunkReads(chunk_bits=64, cell_bits=16, slot_bytes=8)
SOURCE = source("tr16", "ds_read_b64_tr_b16", chunk_bytes=8)


@axis("pattern", ("consecutive", "permuted", "strided", "overlapping", "waves"))
@axis("cell_bits", (16, 1))
@probe("ds_read_b64_tr_b16", target="gfx950", source=SOURCE, analysis=READS)
def tr16(state: State) -> list[Reading]:
    """Which half of which lane's 8-byte chunk arrives in each register half?"""
    return READS.run(state, "tr16")
