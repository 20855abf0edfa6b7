"""The model's layout maps in the form that the runtime reads: int32 arrays of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.operands import element_places, run_table
from lanemap.emulator.codegen.tables import (
    NOTHING,
    Table,
    cell_order,
    cell_table,
    gather_table,
    moved_elements,
)
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.runtime.abi import MAX_LANES
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.model import mma_scales, variant
from lanemap.model.shared_layout import dense_tile
from lanemap.model.tensor_swizzle import SWIZZLES

Models = Mapping[str, LayoutMap]


def gather(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of a variant between registers and rows of shared memory.

    Args:
        name: The variant as the model spells it.
        models: Maps that replace the model's.

    Raises:
        OperandError: the model has no such variant, or a replaced map has other spaces.
    """
    found = chosen_map(name, models)
    sources = found.table.reshape(found.destination.sizes[0], -1, 32)
    return gather_table(sources, found.source.sizes[-1])


def chosen_map(name: str, models: Mapping[str, LayoutMap]) -> LayoutMap:
    """Return the map of a variant: the model's, or the one that replaces it.

    Raises:
        OperandError: the model has no such variant, or a replaced map has other spaces.
    """
    try:
        model = variant(name).map
    except UserError as error:
        raise OperandError(f"`{name}` is not a variant that lanemap knows") from error
    chosen = models.get(name, model)
    if (chosen.destination.axes, chosen.source.axes) != (model.destination.axes, model.source.axes):
        raise OperandError(
            f"the map given for {name} must go from {model.source} to {model.destination}"
        )
    return chosen


def tensor_load_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of a tcgen05.ld: registers of the warp from cells relative to taddr.

    Raises:
        OperandError: as `chosen_map`.
    """
    found = chosen_map(name, models)
    shape = found.source.sizes[:2]
    touched = np.zeros(shape[0] * shape[1], bool)
    touched[found.table[found.table >= 0] // 32] = True
    order, runs = cell_order(touched.reshape(shape))
    registers = found.destination.sizes[1]
    readers = np.zeros(len(touched), np.int64)
    defined = np.flatnonzero(found.table >= 0)
    readers[found.table[defined] // 32] = defined // (32 * registers)
    bits, elements = moved_elements(_renumbered(found.table, order, len(touched)), 32)
    return cell_table(bits, runs, readers[order], elements)


def tensor_store_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of a tcgen05.st: cells relative to taddr from registers of the warp.

    Cells that no register reaches in the load of the same form stay as they are; of others what
    nothing reaches is undefined (the high half of .unpack::16b).

    Raises:
        OperandError: as `chosen_map`.
    """
    found = chosen_map(name, models)
    load = variant(name.replace("tcgen05.st", "tcgen05.ld").replace("unpack", "pack")).map
    reached = np.zeros(load.source.size // 32, bool)
    reached[load.table[load.defined] // 32] = True
    reached |= (found.table.reshape(-1, 32) >= 0).any(1)
    return _written(found, reached, by_thread=True)


def tensor_copy_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of a tcgen05.cp: cells relative to taddr from rows of shared memory.

    Raises:
        OperandError: as `chosen_map`, or a cell is written in part.
    """
    found = chosen_map(name, models)
    cells = found.table.reshape(-1, 32) >= 0
    if (cells.any(1) != cells.all(1)).any():
        raise OperandError(f"the map given for {name} writes parts of cells")
    return _written(found, np.asarray(cells.all(1)), by_thread=False)


def tensor_shift_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of a tcgen05.shift: cells from the same cells; the others keep their own.

    Raises:
        OperandError: as `chosen_map`.
    """
    found = chosen_map(name, models)
    sources = np.where(found.table < 0, np.arange(len(found.table)), found.table)
    shape = found.destination.sizes[:2]
    order, runs = cell_order(np.ones(shape, bool))
    moved = _renumbered(sources, order, len(order)).reshape(-1, 32)[order]
    bits, elements = moved_elements(moved, 32)
    return cell_table(bits, runs, np.zeros(len(order), np.int64), elements)


def operand_table(order: Sequence[int] | None = None) -> Callable[[str, Models], Table]:
    """Return a function that makes an mma.sync operand's table: places of elements by k and line.

    Lines are rows of A, columns of B and, of C and D, rows by column instead of k. They lie in
    lanes side by side, or in every fourth one (PTX ISA, Matrix fragments for mma.m16n8k16).
    Elements of 64 bits lie whole in the first of their two rows (ptx/c/mma.h).

    Args:
        order: The k in the order in which they are multiplied; None: as they are.
    """

    def make(name: str, models: Models) -> Table:
        found = chosen_map(name, models)
        try:
            places = element_places(found)
        except ValueError as error:
            raise OperandError(
                f"the map given for {name} is not one of operands: {error}"
            ) from error
        if found.source.names[-3:-1] in (("row", "k"), ("row", "column")):
            places = places.swapaxes(-1, -2)
        if order is not None:
            places = places.take(order, axis=-2)
        words = found.source.sizes[-1] // 32 or 1
        places = places + (words - 1) * (places // 32 % MAX_LANES) * 32
        return run_table(places.reshape(-1, places.shape[-1]), (words, 4 * words))

    return make


def is_fragment(
    table: Table, register: NDArray[np.int64], lane: NDArray[np.int64], words: int
) -> bool:
    """Whether an operand's table has runs of 8 lines, 4 lanes apart, that begin in these places."""
    first = (register * MAX_LANES + lane) * words * 32
    return np.array_equal(table, np.concatenate([[8, 4 * words * 32], first.reshape(-1)]))


def wgmma_d_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of D of a wgmma: elements by warp, register, half, and lane.

    Raises:
        OperandError: as `chosen_map`, or the map tears elements apart.
    """
    found = chosen_map(name, models)
    width = found.source.sizes[-1]
    elements = _elements(name, found, width)
    warps, lanes, registers = found.destination.sizes[:3]
    by_lane = elements.reshape(warps, lanes, registers, 32 // width)
    return np.asarray(by_lane.transpose(0, 2, 3, 1).reshape(-1), np.int32)


def wgmma_a_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of A of a wgmma in registers: runs along k, and the bit of each.

    Bits are counted over warps, registers and lanes.

    Raises:
        OperandError: as `chosen_map`, or the map tears elements apart or leaves some out.
    """
    found = chosen_map(name, models)
    rows, depth, width = found.source.sizes
    elements = _elements(name, found, width)
    warps, lanes, registers = found.destination.sizes[:3]
    bits = np.arange(elements.size).reshape(warps, lanes, registers, -1) * width
    word, inside = np.divmod(bits, 32)
    lane, register = np.divmod(word, registers)
    warp, lane = np.divmod(lane, lanes)
    places = np.full(rows * depth, NOTHING, np.int64)
    places[elements] = (((warp * registers + register) * lanes + lane) * 32 + inside).reshape(-1)
    if (places == NOTHING).any():
        raise OperandError(f"the map given for {name} leaves elements without a register")
    table = places.reshape(rows, depth)
    run = 32 // width
    while run > 1:
        steps = table.reshape(rows, -1, run)
        if (steps == steps[:, :, :1] + width * np.arange(run)).all():
            break
        run //= 2
    return np.concatenate([[run], table[:, ::run].reshape(-1)]).astype(np.int32)


def wgmma_tile_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of a tile in shared memory: rows, K, LBO, SBO, and the bit of each element.

    Raises:
        OperandError: as `chosen_map`, or the map tears elements apart.
    """
    found = chosen_map(name, models)
    _, major, swizzle, bits = name.split(".")
    tile = dense_tile(major.removesuffix("_major"), swizzle, int(bits.removesuffix("bit")))
    rows, depth, width = found.source.sizes
    places = np.full(rows * depth, NOTHING, np.int64)
    places[_elements(name, found, width)] = width * np.arange(found.destination.size // width)
    head = [rows, depth, tile.leading_bytes, tile.stride_bytes]
    return np.concatenate([head, places]).astype(np.int32)


def metadata_table(name: str, models: Mapping[str, LayoutMap]) -> Table:
    """Return the table of metadata: by row and chunk the bit where they begin.

    Bits are counted over warps, lanes and the bits of the one register.

    Raises:
        OperandError: as `chosen_map`, or some chunk has no metadata.
    """
    found = chosen_map(name, models)
    rows, chunks, width = found.source.sizes
    places = np.full(rows * chunks * width, NOTHING, np.int64)
    given = np.flatnonzero(found.table >= 0)
    places[found.table[given]] = given
    bits = places.reshape(-1, width)
    if (bits != bits[:, :1] + np.arange(width)).any() or (bits < 0).any():
        raise OperandError(f"the map given for {name} does not keep metadata together")
    return bits[:, 0].astype(np.int32)


def scale_table(operand: str, blocks: int) -> Callable[[str, Models], Table]:
    """Return a function that makes the table of an mma.sync operand's scales (ptx/c/mma.h).

    Args:
        operand: "A" or "B".
        blocks: Blocks along k.
    """
    lines = mma_scales.LINES[operand]

    def make(name: str, models: Models) -> Table:
        table = np.full((4, 4, lines * blocks), NOTHING, np.int32)
        for byte, thread in mma_scales.selectors(operand, blocks):
            variant = mma_scales.scale_name(operand, blocks, byte, thread)
            try:
                places = element_places(chosen_map(variant, models))
            except ValueError as error:
                raise OperandError(
                    f"the map given for {variant} is not one of scales: {error}"
                ) from error
            table[thread, byte] = places.reshape(-1)
        return table.reshape(-1)

    return make


def _elements(name: str, found: LayoutMap, width: int) -> NDArray[np.int64]:
    """The element in each place of `width` bits of registers."""
    bits = np.asarray(found.table, np.int64).reshape(-1, width)
    together = bits == bits[:, :1] + np.arange(width)
    if not together.all() or (bits < 0).any() or (bits[:, 0] % width).any():
        raise OperandError(f"the map given for {name} does not keep elements together")
    return bits[:, 0] // width


def _line_bits(found: LayoutMap, major: str) -> NDArray[np.int64]:
    """The bit of memory, counted line after line, of each bit of a matrix by row and column."""
    rows, columns, bits = found.source.sizes
    row, column, bit = np.indices((rows, columns, bits))
    line, along, length = (row, column, columns) if major == "row" else (column, row, rows)
    return np.asarray(((line * length + along) * bits + bit).reshape(-1), np.int64)


def fragment_load_table(major: str) -> Callable[[str, Models], Table]:
    """Return a function that makes wmma.load's table: registers from rows or columns.

    Args:
        major: "row" or "col".
    """

    def make(name: str, models: Models) -> Table:
        found = chosen_map(name, models)
        places = _line_bits(found, major)
        sources = np.where(found.table < 0, NOTHING, places[found.table])
        length = found.source.sizes[1 if major == "row" else 0] * found.source.sizes[2]
        return gather_table(sources.reshape(found.destination.sizes[0], -1, 32), length)

    return make


def fragment_store_table(major: str) -> Callable[[str, Models], Table]:
    """Return a function that makes wmma.store's table: rows or columns from registers.

    Args:
        major: "row" or "col".
    """

    def make(name: str, models: Models) -> Table:
        found = chosen_map(name, models)
        registers = np.full(found.source.size, NOTHING, np.int64)
        registers[found.table[found.defined]] = np.flatnonzero(found.defined)
        if (registers == NOTHING).any():
            raise OperandError(f"the map given for {name} leaves out elements of the matrix")
        sources = np.empty_like(registers)
        sources[_line_bits(found, major)] = registers
        return gather_table(sources.reshape(1, -1, 32), 32)

    return make


def _renumbered(
    sources: NDArray[np.int64], order: NDArray[np.int64], cells: int
) -> NDArray[np.int64]:
    """Source bits counted over the cells in the order of their addresses."""
    place = np.full(cells, NOTHING, np.int64)
    place[order] = np.arange(len(order))
    return np.where(sources < 0, NOTHING, place[sources // 32] * 32 + sources % 32)


def _written(found: LayoutMap, reached: NDArray[np.bool_], by_thread: bool) -> Table:
    """The table of a map to cells of tensor memory, of which `reached` ones are written."""
    order, runs = cell_order(reached.reshape(found.destination.sizes[:2]))
    sources = np.asarray(found.table, np.int64).reshape(-1, 32)[order]
    lanes = np.zeros(len(order), np.int64)
    if by_thread:
        lanes = np.maximum(sources.max(1), 0) // (32 * found.source.sizes[1])
    bits, elements = moved_elements(sources, found.source.sizes[-1])
    return cell_table(bits, runs, lanes, elements)


def tensor_swizzles(name: str, models: Models, atomicities: bool) -> Table:
    """Return the swizzles of tensor copies one after the other, as ptx/c/tma.c reads them.

    First comes whether the GPU heeds the swizzle atomicity of a map: an H200 does not. Each swizzle
    has a word that says whether it moves nothing (2), units of 16 bytes (1) or bits (0), and
    for each bit of 1024 bytes of shared memory the bit of linear memory that it holds.

    Raises:
        OperandError: a replaced map has other spaces.
    """
    found = [np.array([atomicities])]
    for swizzle in SWIZZLES:
        held = chosen_map(f"{name}_{swizzle}", models).table
        units = held.reshape(-1, 128)
        together = np.array_equal(units, units[:, :1] // 128 * 128 + np.arange(128))
        still = np.array_equal(held, np.arange(held.size))
        found.append(np.concatenate([[2 if still else int(together)], held]))
    return np.concatenate(found).astype(np.int32)
