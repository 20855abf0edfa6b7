"""The model's layout maps in the form that the runtime follows: int32 arrays of a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.program import gather_table
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.errors import UserError
from lanemap.model import variant

if TYPE_CHECKING:
    from lanemap.layout import LayoutMap


def gather(name: str, models: Mapping[str, LayoutMap], inverse: bool) -> NDArray[np.int32]:
    """Return the table of a variant: for each element of the registers, where it comes from.

    Args:
        name: The variant as the model spells it.
        models: Maps that replace the model's.
        inverse: For a store: where each element of the registers goes.

    Raises:
        OperandError: the model has no such variant, or a replaced map has other spaces.
    """
    chosen = chosen_map(name, models)
    return _followed(chosen.inverse() if inverse else chosen)


def chosen_map(name: str, models: Mapping[str, LayoutMap]) -> LayoutMap:
    """Return the map of a variant: the model's, or the one that replaces it.

    Raises:
        OperandError: the model has no such variant, or a replaced map has other spaces.
    """
    try:
        model = variant(name).map
    except UserError as error:
        raise OperandError(f"`{name}` is no variant that lanemap knows") from error
    chosen = models.get(name, model)
    if (chosen.destination.axes, chosen.source.axes) != (model.destination.axes, model.source.axes):
        raise OperandError(
            f"the map given for {name} must go from {model.source} to {model.destination}"
        )
    return chosen


def tensor_store_table(name: str, models: Mapping[str, LayoutMap]) -> NDArray[np.int32]:
    """Return the table of a tcgen05.st: for each element of a cell, where it comes from.

    -1 is undefined (the high half of .unpack::16b), -2 unchanged: cells that no register reaches
    in the load of the same form.

    Raises:
        OperandError: as `chosen_map`.
    """
    table = _followed(chosen_map(name, models))
    load = variant(name.replace("tcgen05.st", "tcgen05.ld").replace("unpack", "pack")).map
    reached = np.zeros(load.source.size // 32, bool)
    reached[load.table[load.defined] // 32] = True
    elements = table[1:].reshape(len(reached), 32 // int(table[0]))
    elements[~reached & (elements == -1).all(1)] = -2
    return table


def _followed(found: LayoutMap) -> NDArray[np.int32]:
    lanes, registers, bits = found.destination.sizes
    return gather_table(found.table.reshape(lanes, registers, bits), found.source.sizes[-1])
