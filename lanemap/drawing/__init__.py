"""Pictures and tables of layout maps: one look on terminals, in files, notebooks and pages.

This package knows layout maps and no instructions: callers say what a map is called, and whose it
is.
"""

from __future__ import annotations

from lanemap.drawing.drawing import Drawing, Part
from lanemap.drawing.grid import Grid, composed, difference, grid_of

__all__ = ["Drawing", "Grid", "Part", "composed", "difference", "grid_of"]
