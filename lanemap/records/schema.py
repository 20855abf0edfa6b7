"""The rows of results/: what a probe found on a device, as dataclasses that go to JSON and back.

One probe on one device is one file, `results/<target>/<device>/<probe>.json`: one `Record`.
A record of the emulator carries no time, host or revision, only hashes of what it was made from, so
that a rerun changes no byte. A record of silicon carries its whole environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap
from lanemap.records.maps import decode_map, encode_map

SCHEMA = 1
EVIDENCE = ("silicon", "emulator", "published", "documented")

# A value of JSON: None, bool, int, float, str, a list of them or a dict from str to them.
Json: TypeAlias = Any


@dataclass(frozen=True)
class Pattern:
    """One assignment of addresses to lanes under which a variant was observed.

    `agrees` says whether the map observed under this pattern equals the observation's map on every
    cell that the pattern shows; `cells` is the number of those cells.
    """

    name: str
    description: str
    agrees: bool
    cells: int
    waves: int = 1

    def to_json(self) -> dict[str, Json]:
        """Return the pattern as a dict of JSON values."""
        return {
            "name": self.name,
            "description": self.description,
            "agrees": self.agrees,
            "cells": self.cells,
            "waves": self.waves,
        }

    @staticmethod
    def from_json(data: Mapping[str, Json]) -> Pattern:
        """Read what `to_json` wrote; raises KeyError where a key is missing."""
        return Pattern(
            data["name"], data["description"], data["agrees"], data["cells"], data["waves"]
        )


@dataclass(frozen=True)
class Observation:
    """A layout map that a device produced for one variant.

    `source_hash` and `model_hash` are `records.hashes` of the probe's source text and of the map
    that the emulator executed (None on silicon, which executes no model). `fit` is what the fitter
    said of the map (a formula, a rank, ..), `certificate` what the probe's inputs can tell apart.
    """

    variant: str
    map: LayoutMap
    source_hash: str
    model_hash: str | None
    passes: int
    patterns: tuple[Pattern, ...] = ()
    fit: Mapping[str, Json] = field(default_factory=dict)
    certificate: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """Return the observation as a dict of JSON values; the map is packed by `encode_map`."""
        return {
            "variant": self.variant,
            "map": encode_map(self.map),
            "source_hash": self.source_hash,
            "model_hash": self.model_hash,
            "passes": self.passes,
            "patterns": [pattern.to_json() for pattern in self.patterns],
            "fit": dict(self.fit),
            "certificate": dict(self.certificate),
        }

    @staticmethod
    def from_json(data: Mapping[str, Json]) -> Observation:
        """Read what `to_json` wrote; raises KeyError where a key is missing."""
        return Observation(
            variant=data["variant"],
            map=decode_map(data["map"]),
            source_hash=data["source_hash"],
            model_hash=data["model_hash"],
            passes=data["passes"],
            patterns=tuple(Pattern.from_json(pattern) for pattern in data["patterns"]),
            fit=data["fit"],
            certificate=data["certificate"],
        )


@dataclass(frozen=True)
class Record:
    """All that one probe found on one device.

    `findings` holds what is not a layout map: values read, hazards reported, classes of rules that
    stay together. `environment` is there for silicon and for nothing else.

    Raises:
        UserError: the evidence is unknown, or an environment is missing or out of place.
    """

    probe: str
    target: str
    device: str
    evidence: str
    observations: tuple[Observation, ...] = ()
    findings: Mapping[str, Json] = field(default_factory=dict)
    environment: Mapping[str, Json] | None = None

    def __post_init__(self) -> None:
        """Hold the two rules that a reader of results/ relies on."""
        if self.evidence not in EVIDENCE:
            legal = ", ".join(EVIDENCE)
            raise UserError(f"evidence {self.evidence!r} of {self.probe} is none of {legal}")
        if (self.evidence == "silicon") != (self.environment is not None):
            raise UserError(
                f"the record of {self.probe} on {self.device} has evidence {self.evidence} and "
                f"{'an' if self.environment is not None else 'no'} environment; silicon rows, and "
                "only they, carry one"
            )

    def to_json(self) -> dict[str, Json]:
        """Return the record as a dict of JSON values."""
        data: dict[str, Json] = {
            "schema": SCHEMA,
            "probe": self.probe,
            "target": self.target,
            "device": self.device,
            "evidence": self.evidence,
            "observations": [observation.to_json() for observation in self.observations],
            "findings": dict(self.findings),
        }
        if self.environment is not None:
            data["environment"] = dict(self.environment)
        return data

    @staticmethod
    def from_json(data: Mapping[str, Json]) -> Record:
        """Read what `to_json` wrote.

        Raises:
            UserError: the schema is not `SCHEMA` or a map is malformed.
            KeyError: a key is missing.
        """
        if data["schema"] != SCHEMA:
            raise UserError(f"schema {data['schema']!r} is not {SCHEMA}, which lanemap reads")
        return Record(
            probe=data["probe"],
            target=data["target"],
            device=data["device"],
            evidence=data["evidence"],
            observations=tuple(Observation.from_json(item) for item in data["observations"]),
            findings=data["findings"],
            environment=data.get("environment"),
        )
