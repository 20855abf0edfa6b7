"""The strongest map of a variant: an observation of every cell, silicon first, else the model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias

from lanemap.emission.layouts import emit
from lanemap.errors import Disagreement, UserError
from lanemap.layout import LayoutMap, Space
from lanemap.model import Variant, variant
from lanemap.probing.compare.relations import Witness, relate_observed
from lanemap.records.files import Roots
from lanemap.records.lookup import Seen, all_observations
from lanemap.records.schema import Record

Origin: TypeAlias = Literal["best", "results", "model"]

BYTE_BITS = 8
CELL_BITS = {"nibble": 4, "byte": 8, "half": 16, "word": 32}


def contradicts(name: str, record: Record, first: Witness, whom: str) -> str:
    """Return the sentence that an observation and another map of a variant differ."""
    return (
        f"{record.origin} observed another map of {name} than {whom}: "
        f"{first.cell} {first.verb} {first.theirs}, not {first.mine}; see `lanemap compare {name}`"
    )


def observed(names: Collection[str], results: Roots) -> dict[str, list[Seen]]:
    """Return the observations of variants, by the names that are given, the strongest first.

    Raises:
        UserError: there is no such variant, or a file under `results` is not a record.
    """
    known = {name: variant(name).name for name in names}
    found = all_observations(set(known.values()), results)
    return {name: found.get(own, []) for name, own in known.items()}


def best_map(
    found: Variant, origin: Origin, seen: Sequence[Seen]
) -> tuple[LayoutMap, tuple[str, ...]]:
    """Return a variant's map and, in lines, where it is from.

    An observation that leaves cells of the model open never takes the place of a whole map: it is
    named beside it, and taken only where --from results finds nothing else.

    Raises:
        UserError: --from results, and there are none.
        Disagreement: a partial observation contradicts the map that was chosen.
    """
    reaches = [relate_observed(found.map, *each) for each in seen]
    says: tuple[str, ...]
    whole = [pair for pair, r in zip(seen, reaches, strict=True) if not r.partial]
    partial = [(*pair, r) for pair, r in zip(seen, reaches, strict=True) if r.partial]
    if whole:
        record, observation = whole[0]
        chosen = observation.map
        says = (f"observed by {record.origin}, evidence {record.evidence}",)
    elif origin == "results" and partial:
        record, observation, relation = partial[0]
        says = (
            f"PARTIAL: observed by {record.origin}, evidence {record.evidence}, on "
            f"{relation.reach} of the model; the other cells were not observed",
        )
        return observation.map, says
    elif origin == "results":
        raise UserError(
            f"there is no observation of {found.name}; run its probe, or use --from model"
        )
    else:
        chosen, says = found.map, ("our model, evidence documented", *found.citations)
    for record, observation, relation in partial:
        against = relate_observed(chosen, record, observation)
        if against.first is not None:
            raise Disagreement(contradicts(found.name, record, against.first, says[0]))
        says += (f"in part, {relation.reach}, also by {record.origin}, evidence {record.evidence}",)
    return chosen, says


def coarse(layout: LayoutMap, cells: str) -> LayoutMap:
    """Join bits into wider cells on both sides; `cells` is "bit" or one of `CELL_BITS`.

    Raises:
        UserError: there is no such cell, or the map does not move it as a whole.
    """
    if cells == "bit":
        return layout
    if cells not in CELL_BITS:
        raise UserError(f"--cells {cells} is not one of bit, {', '.join(CELL_BITS)}")
    if CELL_BITS[cells] >= BYTE_BITS:
        layout = layout.with_spaces(_in_bits(layout.destination), _in_bits(layout.source))
    return layout.coarsen(CELL_BITS[cells], cells)


def _in_bits(space: Space) -> Space:
    """Return a space whose bytes have bits, such as shared memory, with one axis of bits."""
    if space.names[-2:] != ("byte", "bit"):
        return space
    (_, count), (_, bits) = space.axes[-2:]
    return Space(space.name, (*space.axes[:-2], ("bit", count * bits)))


def emitted(
    name: str,
    form: str,
    prefix: str,
    cells: str,
    inverse: bool,
    origin: Origin,
    seen: Sequence[Seen],
) -> tuple[str, tuple[str, ...], str]:
    """Return a variant's name, lines that say where its map is from, and the map as text.

    Args:
        name: Name of the variant.
        form: One of `lanemap.emission.layouts.FORMATS`.
        prefix: Prefix of the names of emitted functions.
        cells: "bit" or one of `CELL_BITS`.
        inverse: Whether to emit the map from source cells to destination cells.
        origin: Where the map is taken from.
        seen: What `observed` says of the variant; nothing if `origin` is "model".

    Raises:
        UserError: there is no such variant or observation, or the form cannot express the map.
        Disagreement: an observation contradicts the map.
    """
    found = variant(name)
    layout, says = best_map(found, origin, seen)
    layout = coarse(layout, cells)
    if inverse:
        layout = layout.inverse()
    heading = "\n".join((f"{found.name}: {says[0]}", *says[1:]))
    return found.name, says, emit(layout, form, prefix, heading)
