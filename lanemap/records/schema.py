"""The rows of results/: what a probe found on a device, as dataclasses that go to JSON and back.

One probe on one device is one file, `results/<target>/<device>/<probe>.json`: one `Record`, whose
`kind` names its schema (`records.kinds`). A record of the emulator carries no time, host or
revision, only hashes of what it was made from, so that a rerun changes no byte. A record of silicon
carries its whole environment.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap
from lanemap.records.kinds.base import EVIDENCE, SCHEMA
from lanemap.records.maps import decode_map, decode_marks, encode_map

# The devices that each kind of evidence can come from; no device yields other evidence.
DEVICES = {"silicon": ("cuda", "hip"), "emulator": ("emulator",)}

# A value of JSON: None, bool, int, float, str, a list of them or a dict from str to them.
Json: TypeAlias = Any
Marks: TypeAlias = npt.NDArray[np.bool_]


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
    `without_source`, bool[cells], marks cells that the readings show to receive nothing of the
    source: they are settled without being defined. None is for no such cell.

    Raises:
        UserError: a cell has a source and is marked as one without, or there are too few marks.
    """

    variant: str
    map: LayoutMap
    source_hash: str
    model_hash: str | None
    passes: int
    patterns: tuple[Pattern, ...] = ()
    fit: Mapping[str, Json] = field(default_factory=dict)
    certificate: Mapping[str, Json] = field(default_factory=dict)
    without_source: Marks | None = None

    def __post_init__(self) -> None:
        """Refuse cells that are said to have a source and to have none."""
        marks = self.without_source
        if marks is not None and (
            marks.shape != self.map.table.shape or bool(np.any(marks & self.map.defined))
        ):
            raise UserError(f"{self.variant}: a cell that has a source is marked as having none")

    @property
    def partial(self) -> bool:
        """Whether a cell is left open: neither its source is known nor that it has none."""
        settled = self.map.defined
        if self.without_source is not None:
            settled = settled | self.without_source
        return not bool(np.all(settled))

    def cells(self) -> dict[str, int]:
        """How many cells the map has, how many are defined, how many shown to have no source."""
        marks = self.without_source
        return {
            "all": self.map.destination.size,
            "defined": int(self.map.defined.sum()),
            "without_source": 0 if marks is None else int(marks.sum()),
        }

    def to_json(self) -> dict[str, Json]:
        """Return the observation as a dict of JSON values; the map is packed by `encode_map`."""
        return {
            "variant": self.variant,
            "cells": self.cells(),
            "map": encode_map(self.map, self.without_source),
            "source_hash": self.source_hash,
            "model_hash": self.model_hash,
            "passes": self.passes,
            "patterns": [pattern.to_json() for pattern in self.patterns],
            "fit": dict(self.fit),
            "certificate": dict(self.certificate),
        }

    @staticmethod
    def from_json(data: Mapping[str, Json]) -> Observation:
        """Read what `to_json` wrote.

        Raises:
            UserError: a map is malformed, or has other counts of cells than the file says.
        """
        layout = decode_map(data["map"])
        observation = Observation(
            variant=data["variant"],
            map=layout,
            source_hash=data["source_hash"],
            model_hash=data["model_hash"],
            passes=data["passes"],
            patterns=tuple(Pattern.from_json(pattern) for pattern in data["patterns"]),
            fit=data["fit"],
            certificate=data["certificate"],
            without_source=decode_marks(data["map"], layout),
        )
        if observation.cells() != data["cells"]:
            raise UserError(
                f"the map of {observation.variant} has {observation.cells()} cells, not, as the "
                f"file says, {data['cells']}"
            )
        return observation


@dataclass(frozen=True)
class Record:
    """All that one probe found on one device.

    `findings` holds what is not a layout map: values read, hazards reported, classes of rules that
    the inputs do not separate. `environment` is there for silicon and for nothing else. `kind` is
    one of `records.kinds.FILES`.

    Raises:
        UserError: the evidence is unknown or cannot come from the device, an environment is missing
            or out of place, or an observation defines no cell.
    """

    probe: str
    target: str
    device: str
    evidence: str
    observations: tuple[Observation, ...] = ()
    findings: Mapping[str, Json] = field(default_factory=dict)
    environment: Mapping[str, Json] | None = None
    kind: str = "layout_map"

    @property
    def origin(self) -> str:
        """Where it comes from, in words: "probe tr8 on hip (gfx950)"."""
        return f"probe {self.probe} on {self.device} ({self.target})"

    @property
    def reservation(self) -> str:
        """Why its maps are no support of silicon for a model, in words; "" if they are.

        They are if the probe explained all that it saw, and the environment names a GPU of the
        target: by its compute capability (`sm_90a` is 9.0) or by its architecture. What a capsule
        brought needs a second card.
        """
        if self.evidence != "silicon":
            return f"evidence {self.evidence}"
        if self.findings.get("explained") is not True:
            return "the probe could not explain all that it saw"
        environment = self._described
        capability = environment.get("compute_capability")
        architecture = str(environment.get("architecture", "")).partition(":")[0]
        own = f"sm_{str(capability).replace('.', '')}" if capability else architecture
        if own != self.target.rstrip("af" if capability else ""):
            gpu = environment.get("gpu")
            return f"{gpu} is {own or 'of no known architecture'}, not {self.target}"
        if self.unconfirmed:
            return "contributed from one card, and no second, independent card has confirmed it"
        return ""

    @property
    def unconfirmed(self) -> bool:
        """Whether capsules brought the row (docs/capsules.md), and all of them one sender's."""
        return len({each["by"] for each in self.contributions}) == 1

    @property
    def contributions(self) -> list[Mapping[str, Json]]:
        """Who sent which result of this row; nothing for a row that no capsule brought."""
        return list(self._described.get("contributed", ()))

    def contributed_again(self, more: Mapping[str, Json]) -> Record:
        """Return the row with one more contribution."""
        own = {**self._described, "contributed": [*self.contributions, more]}
        whole = self.environment or {}
        return replace(self, environment={**whole, "before": own} if "before" in whole else own)

    @property
    def _described(self) -> Mapping[str, Json]:
        """The environment, before a long run."""
        environment = self.environment or {}
        before: Mapping[str, Json] = environment.get("before", environment)
        return before

    def __post_init__(self) -> None:
        """Check the rules that every reader of results/ relies on."""
        fault = self._fault()
        if fault:
            name = f"the record of {self.probe} for {self.target} on {self.device}"
            raise UserError(f"{name} {fault}")

    def _fault(self) -> str:
        """Return the record's fault, in words that follow its name; "" for none."""
        if self.evidence not in EVIDENCE:
            return f"has evidence {self.evidence!r}, which is none of {', '.join(EVIDENCE)}"
        devices = DEVICES.get(self.evidence)
        taken = [device for own in DEVICES.values() for device in own]
        if self.device not in devices if devices else self.device in taken:
            can = f"comes from {' or '.join(devices)}" if devices else "comes from no device"
            return f"has evidence {self.evidence}, which {can}"
        if (self.evidence == "silicon") != bool(self.environment):
            has = "an" if self.environment else "no"
            return (
                f"has evidence {self.evidence} and {has} environment; silicon rows, and only they, "
                "carry one"
            )
        empty = [each.variant for each in self.observations if not each.map.defined.any()]
        return f"observes {empty[0]} and defines none of its cells" if empty else ""

    def to_json(self) -> dict[str, Json]:
        """Return the record as a dict of JSON values."""
        data: dict[str, Json] = {
            "schema": SCHEMA,
            "kind": self.kind,
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
    def from_json(data: Mapping[str, Json], variants: Collection[str] | None = None) -> Record:
        """Read what `to_json` wrote, after `records.kinds.hold_to_schema` has checked its form.

        Args:
            data: The values.
            variants: Leave out the observations of all others.

        Raises:
            UserError: a map is malformed, or as the class says.
        """
        return Record(
            probe=data["probe"],
            target=data["target"],
            device=data["device"],
            evidence=data["evidence"],
            observations=tuple(
                Observation.from_json(item)
                for item in data["observations"]
                if variants is None or item["variant"] in variants
            ),
            findings=data["findings"],
            environment=data.get("environment"),
            kind=data["kind"],
        )
