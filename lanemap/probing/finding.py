"""What a probe's readings show: the observation, its certificates, and what else was found."""

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
    """One point of a probe's axes, held against the map that all points together give.

    Attributes:
        name: the pattern's name.
        description: what it gives the instruction.
        agrees: every cell that this pattern alone settles has the source that the map gives it.
        cells: number of cells that this pattern alone settles.
        waves: waves that ran it.
    """

    name: str
    description: str
    agrees: bool
    cells: int
    waves: int


@dataclass(frozen=True)
class Finding:
    """What the readings of a probe show.

    Attributes:
        map: the observation on bits, undefined where the readings do not settle a cell.
        cell_map: the same on the cells that move whole; None where bits do not move so.
        certificates: what the inputs can tell apart, one for each class of hypotheses.
        patterns: each point of the axes on its own.
        passes: launches that the identity takes, over all points.
        facts: what is not a layout map, as plain JSON values.
        lines: the same in sentences, for people.
        explained: whether some rule of the class gives all that was seen.
        no_source: bool[cells]: cells that the readings show to receive nothing of the source, so
            that they are settled without one; None for none.
    """

    map: LayoutMap
    cell_map: LayoutMap | None
    certificates: tuple[Certificate, ...]
    patterns: tuple[PatternResult, ...]
    passes: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    explained: bool = True
    no_source: npt.NDArray[np.bool_] | None = None

    @property
    def settles_all(self) -> bool:
        """Whether the readings leave nothing open of any cell."""
        settled = self.map.defined
        return bool(np.all(settled if self.no_source is None else settled | self.no_source))
