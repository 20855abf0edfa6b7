"""The model's layout maps in the form that the runtime reads: int32 arrays of a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.operands import element_places, run_table
from lanemap.emulator.codegen.tables import gather_table
from lanemap.errors import UserError
from lanemap.model import variant

if TYPE_CHECKING:
    from lanemap.layout import LayoutMap

#: What the runtime takes line by line: of A, B and their scales lines of k, of D rows.
_LINES_LAST = {
    ("row", "k"),
    ("row", "block"),
    ("column", "block"),
    ("row", "kept"),
    ("row", "group"),
}


def table_of(name: str, models: Mapping[str, LayoutMap]) -> NDArray[np.int32]:
    """The table of a variant of the model; `models` replaces its map.

    Raises:
        UserError: a replaced map has other spaces than the model's, or leaves out what the
            instruction needs.
    """
    model = variant(name).map
    layout = models.get(name, model)
    if (layout.destination.axes, layout.source.axes) != (model.destination.axes, model.source.axes):
        raise UserError(
            f"the map given for {name} must go from {model.source} to {model.destination}"
        )
    if layout.source.name == "chunk":
        registers = layout.destination.sizes[1]
        sources = layout.table.reshape(layout.destination.sizes[0], registers, 32)
        return gather_table(sources, layout.source.sizes[1])
    return _element_places(name, layout)


def _element_places(name: str, layout: LayoutMap) -> NDArray[np.int32]:
    """Where every element of A, B, C or D (or scale) begins in the registers, in runs of lanes."""
    try:
        matrix = element_places(layout)
    except ValueError as error:
        raise UserError(f"the map given for {name} is not one of operands: {error}") from error
    axes = layout.source.names[:-1]
    blocks = matrix.reshape(-1, *matrix.shape[-2:])  # several matrices lie one after the other
    if axes[-2:] in _LINES_LAST:
        blocks = blocks.transpose(0, 2, 1)
    return run_table(blocks.reshape(-1, blocks.shape[-1]))
