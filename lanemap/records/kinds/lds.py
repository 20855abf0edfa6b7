"""The kind of rows that compare the paths of operands through LDS."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lanemap.records.kinds.base import Hash, Positive, Strict, TableFile, Word

#: Counts, and halves of counts where two tiles differ.
Number = Annotated[float, Field(ge=-4096)] | int
ByOpcode = dict[str, Number]


class LdsWork(Strict):
    """The work of a workgroup; see `kernels.lds_attention.work.Work`."""

    writes: ByOpcode
    reads: ByOpcode
    permutes: Number
    mfma: ByOpcode
    valu: Number
    transcendental: Number
    classes: ByOpcode
    read_passes: Number
    write_passes: Number
    read_conflicts: Number
    write_conflicts: Number
    cycles: ByOpcode


class LdsPath(Strict):
    """One path: what a call costs however many keys there are, and what each tile of keys adds."""

    path: Word
    says: Word
    p_way: Word
    mfma_k: Positive
    scores_only: bool
    call: LdsWork
    tile: LdsWork


class LdsPathsFindings(Strict):
    """The paths, and what the counts rest on."""

    command: Word
    head_dim: Positive
    queries: Positive
    keys_of_a_tile: Positive
    assumed_bank_rules: list[Word]
    source_hash: Hash
    paths: Annotated[list[LdsPath], Field(min_length=1)]


class LdsPathsFile(TableFile):
    """Paths of operands through LDS, counted on the emulator."""

    kind: Literal["lds_paths"]
    evidence: Literal["emulator"]
    findings: LdsPathsFindings
