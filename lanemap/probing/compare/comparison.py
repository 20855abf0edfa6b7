"""Compares the model of a variant with what others claim and with what was observed.

The model is the reference. A claim that differs is shown, but it is not an error. An observation
that contradicts the model is a disagreement. Support is independent evidence for a model; a row of
the emulator is never support, because the emulator executes the model. A row of silicon is support
only if its probe explained all that it saw, on a GPU of its target.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lanemap import claims, model
from lanemap.claims import Claim
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.probing.compare.relations import Marks, Relation, aligned, relate, spread
from lanemap.records.files import Roots, read_records
from lanemap.records.schema import Observation, Record

MODEL = "model"


@dataclass(frozen=True)
class Observed:
    """One observation.

    Attributes:
        evidence: silicon or emulator.
        map: The map.
        origin: Where it comes from, as "probe tr8 on hip (gfx950)".
        nothing: bool[cells], cells that receive nothing; None for none.
        reservation: Why it is no support; "" if it is.
    """

    evidence: str
    map: LayoutMap
    origin: str
    nothing: Marks | None = None
    reservation: str = ""

    @classmethod
    def of(cls, record: Record, row: Observation) -> Observed:
        """An observation of a record."""
        return cls(record.evidence, row.map, record.origin, row.without_source, record.reservation)


@dataclass(frozen=True)
class Party:
    """One side of a comparison.

    Attributes:
        name: "model", the source of a claim, or the origin of an observation.
        kind: "model", "claim" or "observation".
        evidence: silicon, emulator, published or documented.
        rests_on: Its basis, in words.
        citation: Where it is stated; empty for an observation.
        root: The original source, if one source copies another.
        notes: How we read it, and the conditions that it states.
        supports: Whether it is support if it agrees.
    """

    name: str
    kind: str
    evidence: str
    rests_on: str
    citation: str
    root: str
    notes: tuple[str, ...] = ()
    supports: bool = True


@dataclass(frozen=True)
class Standing:
    """How a party relates to the reference."""

    party: Party
    relation: Relation

    def to_json(self) -> dict[str, Any]:
        """The standing as plain JSON values."""
        party, relation = self.party, self.relation
        first = relation.first
        return {
            "name": party.name,
            "kind": party.kind,
            "evidence": party.evidence,
            "rests_on": party.rests_on,
            "citation": party.citation,
            "notes": list(party.notes),
            "agrees": relation.agrees,
            "cells_said": relation.said,
            "cells_compared": relation.common,
            "cells_of_reference": relation.wanted,
            "partial": relation.partial,
            "cells_differing": relation.differing,
            "differs_by_a_k_permutation": relation.gauge,
            "first_difference": None if first is None else vars(first) | {"verb": first.verb},
        }


@dataclass(frozen=True)
class Support:
    """Independent evidence for a model.

    Attributes:
        silicon: Observations on silicon that agree.
        claims: Agreeing sources with their levels, without copies of one another.
        kernels: Other people's compiled kernels that are right only under the model.
        partial: Which of them cover only some cells, by name, as "1 of 4096 cells".
    """

    silicon: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    partial: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        kinds = ((self.silicon, "silicon row"), (self.claims, "claim"), (self.kernels, "kernel"))
        return ", ".join(self._count(*kind) for kind in kinds if kind[0]) or "none"

    def _count(self, names: tuple[str, ...], noun: str) -> str:
        partial = sum(name in self.partial for name in names)
        nouns = noun + ("s" if len(names) > 1 else "")
        if partial in (0, len(names)):
            return f"{len(names)} {'partial ' if partial else ''}{nouns}"
        return f"{len(names)} {nouns} ({partial} partial)"

    def to_json(self) -> dict[str, Any]:
        """The support as plain JSON values, and in words."""
        names = {name: list(getattr(self, name)) for name in ("silicon", "claims", "kernels")}
        return names | {"partial": dict(self.partial), "words": str(self)}


@dataclass(frozen=True)
class Comparison:
    """Everything known about one variant, compared with its reference.

    Attributes:
        variant: The variant, or another subject of claims.
        reference: The model; the strongest claim of a subject that has no model.
        standings: Every other party, the strongest first, observations before claims.
        groups: Names that agree with each other, the reference's first; a partial map may fit
            several.
        support: Independent evidence for the model; empty if there is no model.
        gauge: Differences in this map that no program can observe.
    """

    variant: str
    reference: Party
    standings: tuple[Standing, ...]
    groups: tuple[tuple[str, ...], ...]
    support: Support
    gauge: str = ""

    @property
    def agrees(self) -> bool:
        """Whether no observation contradicts the model (of a subject, its strongest claim)."""
        observed = (each for each in self.standings if each.party.kind == "observation")
        return all(each.relation.agrees is not False for each in observed)

    @property
    def dissenting(self) -> tuple[Standing, ...]:
        """The parties that contradict the reference."""
        return tuple(each for each in self.standings if each.relation.agrees is False)

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain JSON values."""
        return {
            "variant": self.variant,
            "reference": self.reference.name,
            "agrees": self.agrees,
            "standings": [each.to_json() for each in self.standings],
            "groups": [list(group) for group in self.groups],
            "support": self.support.to_json(),
            "gauge": self.gauge,
        }


@dataclass(frozen=True)
class _Side:
    """A party with its map, which is built on first use."""

    party: Party
    source: Claim | model.Variant | LayoutMap
    nothing: Marks | None = None

    @cached_property
    def map(self) -> LayoutMap:
        return self.source if isinstance(self.source, LayoutMap) else self.source.map


def compare(
    variant: str, observations: Sequence[Observed] = (), results: Roots | None = None
) -> Comparison:
    """Compare the model, the claims and the observations of a variant.

    Args:
        variant: Its name, or one of `claims.SUBJECTS`.
        observations: Observations in addition to those in `results`.
        results: The root of results/, whose records are read; None reads nothing.

    Raises:
        UserError: There is no such variant, a file under `results` is not a record, or an
            observation's spaces are not the variant's.
    """
    sides = [_claim(claim) for claim in claims.claims_of(variant)]
    gauge = ""
    rows = {} if results is None else _rows(results, (variant,))
    found = [*observations, *rows.get(variant, [])]
    if variant in claims.SUBJECTS:
        sides += _observed(found)
    else:
        modelled = model.variant(variant)
        gauge = modelled.gauge
        sides = [_model(modelled), *_observed(found), *sides]
    reference, others = sides[0], sides[1:]
    if not others:
        return Comparison(
            variant, reference.party, (), ((reference.party.name,),), Support(), gauge
        )
    moves = variant not in claims.SUBJECTS
    try:
        maps = aligned([side.map for side in sides])
    except UserError:
        for side in others:
            _must_align(variant, reference, side)
        raise
    marks = [spread(side.nothing, side.map.destination, maps[0].destination) for side in sides]
    relations = [
        relate(maps[0], layout, moves, nothing)
        for layout, nothing in zip(maps[1:], marks[1:], strict=True)
    ]
    standings = tuple(
        Standing(side.party, relation) for side, relation in zip(others, relations, strict=True)
    )
    names = [side.party.name for side in sides]
    support = _support(standings) if reference.party.kind == MODEL else Support()
    groups = tuple(_groups(names, maps, relations, moves))
    return Comparison(variant, reference.party, standings, groups, support, gauge)


def _must_align(variant: str, reference: _Side, side: _Side) -> None:
    """Name the party whose map has other axes.

    Raises:
        UserError: it has.
    """
    try:
        aligned([reference.map, side.map])
    except UserError as error:
        raise UserError(f"{side.party.name} on {variant}: {error}") from error


def compare_all(target: str | None = None, results: Roots | None = None) -> Iterator[Comparison]:
    """Compare every variant of the model (of a target), and every other subject of claims.

    Raises:
        UserError: As `compare`.
    """
    rows = _rows(results) if results is not None else {}
    for each in model.variants(target):
        yield compare(each.name, rows.get(each.name, ()))
    if target is None:
        for subject in claims.SUBJECTS:
            yield compare(subject, rows.get(subject, ()))


def compare_observed(results: Roots) -> Iterator[Comparison]:
    """Compare every variant observed under a root of results/ that has a model or claims.

    Raises:
        UserError: A file under `results` is not a record.
    """
    for name, found in _rows(results).items():
        if name not in claims.SUBJECTS:
            try:
                model.variant(name)
            except UserError:
                # A probe may test an instruction that has no model yet.
                continue
        yield compare(name, found)


def _model(variant: model.Variant) -> _Side:
    party = Party(
        MODEL, MODEL, "documented", "our statement", "; ".join(variant.citations), root=MODEL
    )
    return _Side(party, variant)


def _claim(claim: Claim) -> _Side:
    said = claim.statement
    notes = [f"read so: {said.reading}"] if said.reading else []
    notes += [f"said where {said.condition}"] if said.condition else []
    notes += [f"follows {said.follows}"] if said.follows else []
    rests_on = f"{claim.level.value}: {claim.level.words}"
    party = Party(
        claim.source, "claim", claim.evidence, rests_on, claim.citation, claim.root, tuple(notes)
    )
    return _Side(party, claim)


def _rows(results: Roots, variants: Collection[str] | None = None) -> dict[str, list[Observed]]:
    """Every observation under a root of results/, or those of some variants, by variant."""
    found: dict[str, list[Observed]] = {}
    for record in read_records(results, variants=variants):
        for row in record.observations:
            found.setdefault(row.variant, []).append(Observed.of(record, row))
    return found


def _observed(found: Sequence[Observed]) -> Iterator[_Side]:
    """The strongest evidence first."""
    from lanemap.records.kinds.base import EVIDENCE

    for each in sorted(found, key=lambda each: EVIDENCE.index(each.evidence)):
        evidence, origin = each.evidence, each.origin
        rests_on = "executes the model" if evidence == "emulator" else f"observed on {evidence}"
        doubted = evidence == "silicon" and each.reservation
        notes = (f"no support: {each.reservation}",) if doubted else ()
        supports = evidence == "silicon" and not doubted
        party = Party(origin, "observation", evidence, rests_on, "", origin, notes, supports)
        yield _Side(party, each.map, each.nothing)


def _support(standings: Sequence[Standing]) -> Support:
    silicon, kernels = [], []
    sources: dict[str, tuple[str, Relation]] = {}
    partial: dict[str, str] = {}
    for each in standings:
        party, relation = each.party, each.relation
        if not (relation.agrees and party.supports):
            continue
        name = party.name
        if party.kind == "observation":
            silicon.append(name)
        elif party.evidence == "emulator":
            kernels.append(name)
        else:
            name = f"{party.root} ({party.rests_on.partition(':')[0]})"
            # Of several copies of a source, the one that covers most cells counts.
            if party.root in sources and sources[party.root][1].common >= relation.common:
                continue
            partial.pop(sources.get(party.root, (name,))[0], None)
            sources[party.root] = name, relation
        if relation.partial:
            partial[name] = relation.reach
    # A kernel is evidence only if a rival map would have made it fail.
    rivals = any(each.relation.agrees is False for each in standings)
    claimed = tuple(name for name, _ in sources.values())
    return Support(tuple(silicon), claimed, tuple(kernels if rivals else ()), partial)


def _groups(
    names: Sequence[str], maps: Sequence[LayoutMap], to_first: Sequence[Relation], moves: bool
) -> Iterator[tuple[str, ...]]:
    """Groups of parties that agree pairwise, formed around the most complete maps."""
    known = {(0, index + 1): relation for index, relation in enumerate(to_first)}
    gathered: list[list[int]] = [[0]]
    for index in sorted(range(1, len(maps)), key=lambda i: -int(maps[i].defined.sum())):
        homes = []
        for group in gathered:
            for member in group:
                if (member, index) not in known:
                    known[member, index] = relate(maps[member], maps[index], moves)
            stands = [known[member, index].agrees for member in group]
            if stands[0] and False not in stands:
                homes.append(group)
        for home in homes:
            home.append(index)
        if not homes:
            gathered.append([index])
    for group in gathered:
        yield tuple(names[index] for index in group)
