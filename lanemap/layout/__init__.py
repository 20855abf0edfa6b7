"""Layout algebra: cells, layout maps, fits and the copy planner.

This package knows no instructions: callers pass what an instruction does as layout maps.
"""

from __future__ import annotations

from lanemap.layout.cells import UNDEFINED, Difference, LayoutMap, Space
from lanemap.layout.cute import CuteFit, NotCute, fit_cute
from lanemap.layout.f2 import F2Fit, NotAffine, fit_f2, map_from_f2
from lanemap.layout.fits import Fit, fit_layout
from lanemap.layout.pieces import PiecesFit, fit_pieces
from lanemap.layout.swizzles import Swizzle

__all__ = [
    "UNDEFINED",
    "CuteFit",
    "Difference",
    "F2Fit",
    "Fit",
    "LayoutMap",
    "NotAffine",
    "NotCute",
    "PiecesFit",
    "Space",
    "Swizzle",
    "fit_cute",
    "fit_f2",
    "fit_layout",
    "fit_pieces",
    "map_from_f2",
]
