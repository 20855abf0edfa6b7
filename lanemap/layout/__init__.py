"""Layout algebra: cells, layout maps, fits, emissions and the copy planner.

This package knows nobody: what an instruction does comes in as layout maps.
"""

from __future__ import annotations

from lanemap.layout.cells import UNDEFINED, Difference, LayoutMap, Space

__all__ = ["UNDEFINED", "Difference", "LayoutMap", "Space"]
