"""Figures of records: layout maps and unsettled readings as `lanemap draw` draws them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from lanemap.drawing import Drawing, Grid, Part, grid_of
from lanemap.records.schema import Observation, Record

# Formulas of more lines do not fit above a figure; the page has them.
MOST_FORMULAS = 6
REPEAT = re.compile(r"\.x(\d+)")
#: Of loads and stores of tensor memory, up to this xN is drawn: it begins with every smaller one.
MOST_REPEAT = 16
TENSOR_MOVE = re.compile(r"tcgen05\.(ld|st)\..*")
TENSOR_COPY = re.compile(r"tcgen05\.cp\..*")


def draw(record: Record) -> dict[str, bytes]:
    """The figures of a record by suffix, mostly "png" and "svg"; none where nothing is to draw."""
    import matplotlib

    from lanemap.drawing.canvas import STYLE

    from . import bank_sheets, lds_sheets

    sheets = {"bank_rules": bank_sheets.draw, "lds_paths": lds_sheets.draw}
    if record.kind in sheets:
        with matplotlib.rc_context(STYLE):
            return sheets[record.kind](record)
    maps = [each for each in record.observations if _is_drawn(each)]
    if maps and record.kind == "layout_family":
        return {f"{_name(each)}.png": drawing(record, each).png() for each in _chosen(maps)}
    if maps:
        return _files(drawing(record, maps[0]))
    if record.kind == "readings" and record.findings.get("lane_bytes"):
        return _files(Drawing((Part(_received(record), ()),)))
    return {}


def _files(found: Drawing) -> dict[str, bytes]:
    return {"png": found.png(), "svg": found.svg().encode()}


def drawing(record: Record, observation: Observation) -> Drawing:
    """The picture of one map of a record."""
    formulas = observation.fit.get("formula", ())
    notes = (_where(record), *(formulas if len(formulas) <= MOST_FORMULAS else ()))
    if observation.partial:
        notes = (*notes, "An empty cell was not observed.")
    grid = grid_of(observation.map, observation.variant, notes)
    return Drawing((Part(grid, (observation.map,)),))


def _where(record: Record) -> str:
    return f"{record.target} on {record.device}, evidence: {record.evidence}."


def _is_drawn(observation: Observation) -> bool:
    """Whether a map is between lanes and chunks, or moves tensor memory of one CTA."""
    spaces = {observation.map.destination.name, observation.map.source.name}
    between = spaces <= {"register", "chunk"} and observation.map.source.names[0] == "lane"
    copies = TENSOR_COPY.fullmatch(observation.variant)
    one_cta = "cta" not in observation.map.destination.names
    return between or bool(TENSOR_MOVE.fullmatch(observation.variant) or copies and one_cta)


def _chosen(observations: Sequence[Observation]) -> list[Observation]:
    """Of variants that differ only in xN, the one with the greatest N that is drawn."""
    chosen: dict[str, tuple[tuple[bool, int], Observation]] = {}
    for each in observations:
        match = REPEAT.search(each.variant)
        count = int(match[1]) if match else 1
        small = not TENSOR_MOVE.fullmatch(each.variant) or count <= MOST_REPEAT
        rank = small, count if small else -count
        name = REPEAT.sub("", each.variant)
        if name not in chosen or chosen[name][0] < rank:
            chosen[name] = rank, each
    return [each for _, each in chosen.values()]


def _name(observation: Observation) -> str:
    """The variant's name without its family and what all of the family have."""
    parts = observation.variant.split(".")[1:]
    kept = [part for part in parts if part not in ("sync", "aligned", "shared")]
    return ".".join("packed" if part.endswith("pack::16b") else part for part in kept)


def _received(record: Record) -> Grid:
    """The bytes that every lane received if no map is determined, and the unwritten ones."""
    received = np.asarray(record.findings["lane_bytes"], np.int64)
    together = "; ".join(" | ".join(group) for group in record.findings["rules_left_together"])
    key = "A number is a byte that the probe wrote; ? came from memory that nothing had written."
    return Grid(
        record.findings["variant"],
        (
            _where(record),
            key,
            *((f"Left together by this input: {together}",) if together else ()),
        ),
        "lane",
        "byte",
        tuple(str(lane) for lane in range(received.shape[0])),
        tuple(str(cell) for cell in range(received.shape[1])),
        tuple(tuple(str(v) if v >= 0 else "?" for v in row) for row in received),
        np.where(received >= 0, 0, -1),
        1,
    )
