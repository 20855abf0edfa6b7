"""The kind `tensor_cores`: how a GPU's matrix instructions add, and what showed it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lanemap.records.kinds.base import Count, Hash, Positive, Strict, TableFile, Word


class SumRule(Strict):
    """One hardware operation: the parameters of `conformance.tensor_cores.rule.Rule`.

    `zero` is null where a zero C counts for nothing.
    """

    block: Positive
    fraction: Count
    cut: Literal["truncate", "floor", "nearest"]
    normalized: bool
    subnormal: Literal["smallest", "own"]
    zero: int | None
    bits: Positive
    rounding: Literal["truncate", "nearest"]
    overflow: bool
    flush: bool
    last: bool


class SumCertificate(Strict):
    """Which rules of a class the designed dot products tell apart, and which silicon left.

    Attributes:
        rules: In the class: all combinations of the values of the parameters.
        dots: Designed and random dot products, all of which ran.
        left: Rules that give what silicon gave for each of them.
        settled: Whether that is one rule, or several that no input tells apart.
        chosen: How many dot products divided the class.
        parts: Into how many parts.
        alone: How many parts are one rule.
        left_together: Rules in the other parts, by the parameters in which the rules of a part
            differ.
        not_varied: Parameters that no input of the kind can show, and why.
    """

    rules: Positive
    dots: Positive
    left: Count
    settled: bool
    chosen: Positive
    parts: Positive
    alone: Count
    left_together: dict[str, Positive]
    not_varied: dict[str, Word]


class ComparedSums(Strict):
    """One kind of instruction: its machine code, its rule, and how many results agree with it.

    Attributes:
        name: Family, shape and types.
        ptx: Hash of the PTX that ran; `cubin` is that of ptxas' result.
        sass: Machine instructions that compute.
        rule: Rule of the hardware operation; null if it rounds as IEEE 754 says or is exact.
        dots: Random and adversarial dot products that were compared, in chunks of 65536.
        unequal_chunks: Chunks with a result that differs.
        refuted: By the name of another lowering, how many results refute it in the first chunk
            where any does.
        first: Hash of all results of the first chunk; `outputs` hashes the hashes of all chunks.
        certificate: Certificate of the rule; null if another kind of the operation has it.
    """

    name: Word
    ptx: Hash
    cubin: Hash
    sass: list[Word]
    rule: SumRule | None
    dots: Positive
    unequal_chunks: Count
    refuted: dict[str, Count]
    first: Hash
    outputs: list[Hash]
    certificate: SumCertificate | None


class TensorCoreFindings(Strict):
    """The kinds, and the version of ptxas."""

    compiler: Word
    kinds: Annotated[list[ComparedSums], Field(min_length=1)]


class TensorCoresFile(TableFile):
    """Dot products of matrix instructions on a GPU, compared with the rule of each kind."""

    kind: Literal["tensor_cores"]
    evidence: Literal["silicon"]
    findings: TensorCoreFindings
