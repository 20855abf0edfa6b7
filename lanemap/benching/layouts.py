"""The header of a kernel: functions of layout maps that were observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


#: Texts that were made in this process: a kernel is made in many forms that share maps.
_texts: dict[tuple[Layout, Roots], str] = {}


def header(layouts: Sequence[Layout], results: Roots) -> str:
    """Return the text of `layouts.h`; each part says where its map was observed.

    Raises:
        UserError: a variant was never observed on all its cells; a kernel takes no map from the
            model.
        Disagreement: observations of a variant contradict each other.
    """
    from lanemap.probing.compare.best import emitted, observed

    new = [each for each in layouts if (each, results) not in _texts]
    seen = observed({each.variant for each in new}, results) if new else {}
    for each in new:
        how = each.prefix, each.cells, each.inverse
        text = emitted(each.variant, "c", *how, "results", seen[each.variant])[2]
        _texts[each, results] = text
    return "\n".join(["#pragma once", *(_texts[each, results] for each in layouts)])
