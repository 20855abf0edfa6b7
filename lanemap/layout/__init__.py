"""Layout algebra: cells, layout maps, fits and the copy planner.

This package knows no instructions: callers pass what an instruction does as layout maps.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lanemap.layout.cells import UNDEFINED, Difference, LayoutMap, Space

if TYPE_CHECKING:
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

#: Fits, which the emulator does without, are imported when they are first used.
_HOMES = {
    **dict.fromkeys(("CuteFit", "NotCute", "fit_cute"), "cute"),
    **dict.fromkeys(("F2Fit", "NotAffine", "fit_f2", "map_from_f2"), "f2"),
    **dict.fromkeys(("Fit", "fit_layout"), "fits"),
    **dict.fromkeys(("PiecesFit", "fit_pieces"), "pieces"),
    "Swizzle": "swizzles",
}


def __getattr__(name: str) -> Any:
    """Import a fit from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'lanemap.layout' has no attribute {name!r}")
    return getattr(import_module(f"lanemap.layout.{_HOMES[name]}"), name)
