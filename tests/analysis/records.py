"""Records made by hand for the tests of analysis/."""

from __future__ import annotations

import numpy as np

from lanemap.layout import LayoutMap, Space
from lanemap.records.schema import Observation, Pattern, Record
from tests.records.rows import HASH, findings

CERTIFICATE = {
    "classes": [
        {
            "hypotheses": "any <lane> & any offset",
            "cells": 512,
            "rules_per_cell": 512,
            "parts_per_cell": 8,
            "complete": False,
            "remaining": "8 parts",
            "cheapest_split": "pattern=apart (3 passes)",
        }
    ]
}
FINDINGS = {
    **findings("ds_read_b64_tr_b8"),
    "lanes_of_written_bytes": "0, 8",
    "lanes_of_never_written_bytes": "1 to 7",
    "families": [{"name": "a leader's address", "refuted": True, "witness": "lane 3"}],
    "rules": [
        {"names": ["model"], "stands": True, "partial": False, "first_difference": None},
        {
            "names": ["another", "its copy"],
            "stands": False,
            "partial": True,
            "first_difference": "lane 1 register 0 bit 0",
        },
    ],
    "rules_left_together": [["model", "a twin"]],
}


def layout(lane: np.ndarray, cell: np.ndarray, cell_bits: int, bits: int = 64) -> LayoutMap:
    """The map of bits in which cell (l, j) comes from cell[l, j] of lane[l, j]'s chunk."""
    first = lane * bits + cell * cell_bits
    return LayoutMap(
        Space("register", (("lane", 64), ("register", bits // 32), ("bit", 32))),
        Space("chunk", (("lane", 64), ("bit", bits))),
        (first[..., None] + np.arange(cell_bits)).ravel(),
    )


def record(layout_map: LayoutMap, name: str = "mine") -> Record:
    observation = Observation(
        "ds_read_b64_tr_b8",
        layout_map,
        HASH,
        "sha256:" + 64 * "1",
        7,
        (Pattern("near", "slot l", True, 4096),),
        {
            "form": "f2",
            "formula": ["chunk.lane = lane & 48", "chunk.byte = lane & 7"],
            "rank": 9,
            "destination_bits": ["byte.0", "lane.0"],
            "source_bits": ["byte.0"],
            "matrix": ["01"],
            "offset": "0",
        },
        CERTIFICATE,
    )
    return Record(name, "gfx950", "emulator", "emulator", (observation,), FINDINGS)


def bare(layout_map: LayoutMap, name: str = "bare") -> Record:
    """A record with no more findings than every probe has."""
    full = record(layout_map, name)
    kept = findings("ds_read_b64_tr_b8")
    return Record(name, "gfx950", "emulator", "emulator", full.observations, kept)


def settles_nothing(name: str = "hidden") -> Record:
    hashes = {"source_hash": HASH, "model_hash": None}
    told = {**FINDINGS, **hashes, "certificate": CERTIFICATE}
    return Record(name, "gfx950", "emulator", "emulator", (), told, kind="readings")
