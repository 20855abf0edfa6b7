"""Layout algebra: cells, layout maps, fits, emissions and the copy planner.

This package knows nobody: what an instruction does comes in as layout maps.
"""

from __future__ import annotations

from lanemap.layout.cells import UNDEFINED, Difference, LayoutMap, Space
from lanemap.layout.f2 import F2Fit, NotAffine, fit_f2, map_from_f2

__all__ = [
    "UNDEFINED",
    "Difference",
    "F2Fit",
    "LayoutMap",
    "NotAffine",
    "Space",
    "fit_f2",
    "map_from_f2",
]
