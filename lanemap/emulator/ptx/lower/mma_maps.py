"""Maps of tcgen05.mma that take the place of the model's, as ptx/c/tensor_operands.h reads them.

The positions of elements come from columns made from the model (facts.py). A map that a user gives
for a variant becomes a table instead, for the shape that the variant names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.tables import NOTHING, Table
from lanemap.emulator.ptx.lower.abi import MmaMap
from lanemap.emulator.ptx.lower.sums import FORMATS, RESULTS
from lanemap.emulator.ptx.lower.tables import chosen_map, wgmma_tile_table
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.layout import LayoutMap
from lanemap.model.shared_tiles import SWIZZLES

Models = Mapping[str, LayoutMap]
#: Kinds whose elements lie in tensor memory as those of another.
_SAME_ELEMENTS = {"mxf8f6f4": "f8f6f4", "mxf4nvf4": "mxf4"}
_LANES = 128
_D = re.compile(r"\.m(\d+)n(\d+)\.(\w+):D")
_A = re.compile(r"\.kind::(\w+)\.m(\d+)\.(\w+):A")
_SCALES = re.compile(r"(?:\.m(\d+)(?=\.n))?\.[mn](\d+)\.scale_vec::(\d)X\.id(\d):SF([AB])")
_TILE = re.compile(r"shared\.(k|mn)_major\.(\w+)\.(\d+)bit")


def _key(kind: MmaMap, a: int, b: int, c: int) -> int:
    """A number for a map: mma_key of tensor_operands.h, as an int32."""
    word = kind << 28 | a << 20 | b << 10 | c
    return word - (1 << 32) if word >> 31 else word


def _parts(name: str, table: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """The element of each group of `width` bits; NOTHING where there is none.

    Raises:
        OperandError: the map tears elements apart.
    """
    bits = np.asarray(table, np.int64).reshape(-1, width)
    none = (bits < 0).all(1)
    together = (bits == bits[:, :1] + np.arange(width)).all(1) & (bits[:, 0] % width == 0)
    if not (none | together).all():
        raise OperandError(f"the map given for {name} does not keep elements together")
    return np.where(none, NOTHING, bits[:, 0] // width)


def _d_table(name: str, models: Models) -> Table:
    """Elements of D by CTA, lane and column."""
    found = chosen_map(name, models)
    width = found.source.sizes[-1]
    cells = np.asarray(found.table, np.int64).reshape(-1, 32)
    if (cells[:, width:] >= 0).any():
        raise OperandError(f"the map given for {name} does not keep elements in low bits")
    return _parts(name, cells[:, :width], width).astype(np.int32)


def _a_table(name: str, models: Models) -> Table:
    """Bits of a CTA's tensor memory by copy, row and k.

    Raises:
        OperandError: the map leaves an element out, or moves one to the other CTA.
    """
    found = chosen_map(name, models)
    rows, depth, width = found.source.sizes
    *_, lanes, columns, _ = found.destination.sizes
    bits = np.asarray(found.table, np.int64)
    first = np.flatnonzero((bits >= 0) & (bits % width == 0))
    element = bits[first] // width
    for bit in range(width):
        if (bits[np.minimum(first + bit, bits.size - 1)] != element * width + bit).any():
            raise OperandError(f"the map given for {name} does not keep elements together")
    cell, inside = np.divmod(first, 32)
    cta, cell = np.divmod(cell, lanes * columns)
    lane, column = np.divmod(cell, columns)
    ctas = found.destination.size // (lanes * columns * 32)
    if (element // depth // (rows // ctas) != cta).any():
        raise OperandError(f"the map given for {name} moves rows to the other CTA")
    places = np.full((2, rows * depth), NOTHING, np.int64)
    place = (column * _LANES + lane) * 32 + inside
    places[1, element] = place
    places[0, element[::-1]] = place[::-1]
    if (places == NOTHING).any():
        raise OperandError(f"the map given for {name} leaves elements without a place")
    return places.reshape(-1).astype(np.int32)


def _scale_table(name: str, models: Models) -> Table:
    """Scales of a CTA by CTA, lane, column and byte.

    Raises:
        OperandError: the map moves one to the other CTA.
    """
    found = chosen_map(name, models)
    scales = _parts(name, found.table, 8)
    if "cta" not in found.destination.names:
        return np.tile(scales, 2).astype(np.int32)
    own = found.source.size // (8 * 2)
    cta = np.repeat((0, 1), scales.size // 2)
    if ((scales >= 0) & (scales // own != cta)).any():
        raise OperandError(f"the map given for {name} moves scales to the other CTA")
    return np.where(scales < 0, NOTHING, scales % own).astype(np.int32)


def replaced_maps(models: Models, form: str, kind: str) -> Table:
    """The table of the maps that replace the model's of one instruction.

    Args:
        models: Maps by the names of their variants.
        form: The instruction up to .cta_group, as the model names it.
        kind: .kind without "kind::".

    Raises:
        OperandError: a map has other spaces than the model's, or cannot be executed.
    """
    found: list[tuple[int, Table]] = []
    for name in sorted(models):
        rest = name.removeprefix(form)
        make: Callable[[str, Models], Table] | None = None
        if tile := _TILE.fullmatch(name):
            mn, code, bits = int(tile[1] == "mn"), SWIZZLES[tile[2]].code, int(tile[3])
            key, make = _key(MmaMap.MAP_TILE, mn, code, bits), wgmma_tile_table
        elif rest == name:
            continue
        elif d := _D.fullmatch(rest):
            key, make = _key(MmaMap.MAP_D, RESULTS[d[3]], int(d[1]), int(d[2])), _d_table
        elif (a := _A.fullmatch(rest)) and a[1] == _SAME_ELEMENTS.get(kind, kind):
            key, make = _key(MmaMap.MAP_A, FORMATS[a[3]], 0, int(a[2])), _a_table
        elif scales := _SCALES.fullmatch(rest):
            which = MmaMap.MAP_SFA if scales[5] == "A" else MmaMap.MAP_SFB
            first = int(scales[3]) << 4 | int(scales[4])
            # Of a pair with M = 256 each CTA reads its own 128 rows' scales of A.
            rows = min(int(scales[2]), _LANES) if scales[5] == "A" else int(scales[2])
            key, make = _key(which, first, int(scales[1] == "128"), rows), _scale_table
        if make is not None:
            found.append((key, make(name, models)))
    return _joined(found)


def _joined(found: list[tuple[int, Table]]) -> Table:
    """One table: how many there are, for each its key and where it begins, and what they hold."""
    head, start = [len(found)], 1 + 2 * len(found)
    for key, table in found:
        head += [key, start]
        start += table.size
    return np.concatenate([np.array(head, np.int32), *(table for _, table in found)])
