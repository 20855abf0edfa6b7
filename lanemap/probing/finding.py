"""The result of a probe's readings: the observation, its certificates, and other facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.layout import LayoutMap
from lanemap.probing.proof.certificates import Certificate


@dataclass(frozen=True)
class PatternResult:
    """One point of a probe's axes, compared with the map that all points give together.

    Attributes:
        name: the pattern's name.
        description: what it passes to the instruction.
        agrees: this pattern alone gives no cell another source than the map does.
        cells: number of cells whose source this pattern alone determines.
        waves: waves that ran it.
    """

    name: str
    description: str
    agrees: bool
    cells: int
    waves: int


@dataclass(frozen=True, kw_only=True)
class Finding:
    """The result of a probe's readings.

    Attributes:
        map: the observation on bits; a cell is undefined if the readings do not determine it. None
            if the probe does not ask where bits go.
        cell_map: the same on cells that move as a whole; None if bits move separately.
        certificates: what the inputs can tell apart, for each class of hypotheses.
        patterns: each point of the axes on its own.
        passes: passes that the tags take, over all points.
        facts: findings that are not a layout map, as plain JSON values.
        lines: the facts in sentences.
        explained: whether some rule of the class explains every reading.
        no_source: bool[cells]: cells that the readings show to receive nothing of the source, so
            that they are settled without one; None for none.
        kind: the kind of row for findings that are not a layout map (`records.kinds`); "" for the
            kinds of maps and readings.
    """

    map: LayoutMap | None = None
    cell_map: LayoutMap | None = None
    certificates: tuple[Certificate, ...]
    patterns: tuple[PatternResult, ...]
    passes: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    explained: bool = True
    no_source: npt.NDArray[np.bool_] | None = None
    kind: str = ""

    @property
    def settles_all(self) -> bool:
        """Whether the readings determine every cell of a map."""
        if self.map is None:
            return False
        settled = self.map.defined
        return bool(np.all(settled if self.no_source is None else settled | self.no_source))

    @property
    def cells(self) -> int:
        """The number of cells whose source the readings determine."""
        return 0 if self.map is None else int(self.map.defined.sum())
