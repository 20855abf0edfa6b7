"""The kind of rows that say how banks serve accesses of shared memory."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from lanemap.records.kinds.base import Hash, Positive, Strict, TableFile, Word
from lanemap.records.kinds.probes import Certificate, Rule


class BankRule(Strict):
    """The rule that gives all passes of one form of access.

    `phases` holds lanes as text, such as "0 to 15"; `masks` and `idle` are as in
    `probing.banks.rules.Rule`.
    """

    phases: Annotated[list[Word], Field(min_length=1)]
    banks: Positive
    word_bytes: Positive
    masks: list[Positive]
    idle: Literal["least", "none", "each"] | None


class Measured(Strict):
    """Values that differ from run to run.

    `farthest_from_whole_passes`: how far a time was from a whole number of passes, at most.
    `pass_cycles`: what a pass took, on GPUs where that is not known.
    """

    farthest_from_whole_passes: Annotated[float, Field(ge=0)]
    pass_cycles: float | None = None


class BankFinding(Strict):
    """The findings about one form of access."""

    rule: BankRule | None = None
    ignored_lanes: Word
    candidates: dict[str, list[str]]
    inputs: dict[str, Positive]
    inputs_not_explained: dict[str, Positive]
    passes_by_stride: dict[str, int]
    measured: Measured | None = None
    certificate: Certificate
    source_hash: Hash
    model_hash: Hash | None
    rules: list[Rule] = []
    rules_left_together: list[list[str]] = []


class BankFindings(Strict):
    """The findings by form of access."""

    variant: Word
    question: Word
    command: Word
    axes: dict[str, list[JsonValue]]
    explained: bool
    variants: Annotated[dict[str, BankFinding], Field(min_length=1)]


class BankRulesFile(TableFile):
    """Bank rules that a probe found: with clocks on silicon, with counts on the emulator."""

    kind: Literal["bank_rules"]
    evidence: Literal["silicon", "emulator"]
    findings: BankFindings
