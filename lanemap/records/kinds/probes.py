"""The kinds that `lanemap probe` writes: `layout_map`, `layout_family`, `readings`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue, model_validator

from lanemap.records.kinds.base import Count, File, Hash, Open, Positive, Strict, Word

# Counts from 2^53 on, as readable text: "2^90", "about 10^215".
Countless: TypeAlias = Count | Annotated[str, Field(pattern=r"^(2|about 10)\^\d+$")]


class PackedSpace(Strict):
    """A space: its name, and name and size of each axis, slowest first."""

    name: Word
    axes: list[tuple[Word, Positive]]


class _PackedMap(Strict):
    """A layout map as `records.maps.encode_map` packs it."""

    destination: PackedSpace
    source: PackedSpace
    without_source: Literal["rest"] | list[tuple[Count, Positive]] | None = None


class F2Map(_PackedMap):
    """As a matrix over F2: by axis of the destination, the source cell of each of its bits."""

    form: Literal["f2"]
    offset: Count
    columns: dict[str, list[Count]]
    only: dict[str, Count] = {}


class RunsMap(_PackedMap):
    """As runs of source cells, a line for each coordinate of the destination's first axis."""

    form: Literal["runs"]
    rows: list[str]


PackedMap: TypeAlias = Annotated[F2Map | RunsMap, Field(discriminator="form")]


class Pattern(Strict):
    """One assignment of addresses to lanes."""

    name: str
    description: str
    agrees: bool
    cells: Count
    waves: Positive


class Fit(Open):
    """The result of the fitter; all fields are empty if there is no closed form."""

    form: Word | None = None
    formula: list[str] = []
    rank: Count | None = None
    destination_bits: list[str] = []
    source_bits: list[str] = []
    matrix: list[str] = []
    offset: str = ""


class HypothesisClass(Strict):
    """The partition of one class of hypotheses that a probe's inputs can tell apart."""

    hypotheses: Word
    cells: Count
    rules_per_cell: Countless
    parts_per_cell: Countless
    complete: bool
    remaining: str | None
    cheapest_split: str | None


class Certificate(Strict):
    """The certificates of one observation, one for each class of hypotheses."""

    classes: list[HypothesisClass] = []


class Cells(Strict):
    """How many cells a map has, how many have a known source, how many are known to have none."""

    all: Positive
    defined: Positive
    without_source: Count


class ObservedMap(Strict):
    """A layout map with what it was made from and what is proven of it."""

    variant: Word
    cells: Cells
    map: PackedMap
    source_hash: Hash
    model_hash: Hash | None
    passes: Count
    patterns: list[Pattern]
    fit: Fit
    certificate: Certificate


class Rule(Strict):
    """The verdict on a named rule."""

    names: list[str]
    stands: bool
    partial: bool
    first_difference: str | None


class RuleFamily(Strict):
    """The verdict on rules outside a certificate's class."""

    name: Word
    refuted: bool
    witness: str | None


class Findings(Open):
    """Fields of a probe's row besides its maps; facts of the probe's own are further keys."""

    variant: Word
    question: Word
    command: Word
    axes: dict[str, list[JsonValue]]
    explained: bool
    rules: list[Rule] = []
    rules_left_together: list[list[str]] = []
    families: list[RuleFamily] = []
    certificate: Certificate | None = None  # where no map holds it
    variants: dict[str, dict[str, JsonValue]] = {}
    lane_bytes: list[list[int]] = []  # by lane, what each byte received; -1 is a byte nobody wrote


class _ProbeFile(File):
    """A probe's file: of silicon or of the emulator."""

    evidence: Literal["silicon", "emulator"]
    findings: Findings


class LayoutMapFile(_ProbeFile):
    """The map of one variant."""

    kind: Literal["layout_map"]
    observations: Annotated[list[ObservedMap], Field(min_length=1, max_length=1)]


class LayoutFamilyFile(_ProbeFile):
    """The maps of several variants of one family."""

    kind: Literal["layout_family"]
    observations: Annotated[list[ObservedMap], Field(min_length=1)]


class ReadingsFile(_ProbeFile):
    """The readings of a probe that determines no map; the findings hold the certificates."""

    kind: Literal["readings"]
    observations: Annotated[list[ObservedMap], Field(max_length=0)]

    @model_validator(mode="after")
    def _has_certificates(self) -> ReadingsFile:
        of_variants = any("certificate" in found for found in self.findings.variants.values())
        if self.findings.certificate is None and not of_variants:
            raise ValueError("it has neither a map nor a certificate")
        return self
