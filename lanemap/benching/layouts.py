"""The header of a kernel: functions of layout maps that were observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from lanemap.probing.compare.best import emitted
from lanemap.records.files import Roots

HEADER = "layouts.h"


@dataclass(frozen=True)
class Layout:
    """The functions of one variant's map.

    Attributes:
        variant: Such as `wgmma.m64n256.f32:D`.
        prefix: Prefix of the functions, such as `d` for `d_row(warp, lane, reg, word)`.
        cells: What moves as a whole: "bit", "byte", "half" or "word".
        inverse: Whether the functions take a source cell.
    """

    variant: str
    prefix: str
    cells: str = "bit"
    inverse: bool = False


def header(layouts: Sequence[Layout], results: Roots) -> str:
    """Return the text of `layouts.h`; each part says where its map was observed.

    Raises:
        UserError: a variant was never observed on all its cells; a kernel takes no map from the
            model.
        Disagreement: observations of a variant contradict each other.
    """
    texts = [_text(each, results) for each in layouts]
    return "\n".join(["#pragma once", *texts])


@cache
def _text(layout: Layout, results: Roots) -> str:
    """One map's functions; a kernel is made in many forms that share maps."""
    return emitted(
        layout.variant, "c", layout.prefix, layout.cells, layout.inverse, "results", results
    )[2]
