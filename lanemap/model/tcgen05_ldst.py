"""`tcgen05.ld` and `tcgen05.st`: registers of a warp and the tensor memory that it names.

Each shape says where register r of thread t lies: on which lane, and in which 32-bit column, both
counted from the address in taddr. Loads and stores have the same maps. With `.pack::16b` (loads)
or `.unpack::16b` (stores) the two halves of a register lie in the low halves of two columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import modeled

TARGETS = modeled("tcgen05")

THREADS = 32
Cell = tuple[Any, Any]


def place_32x32b(thread: Any, register: Any) -> Cell:
    """Lane and column of a register of shape 32x32b."""
    return thread, register


def place_16x64b(thread: Any, register: Any) -> Cell:
    """Lane and column of a register of shape 16x64b."""
    return thread // 4 + 8 * (thread % 2), thread // 2 % 2 + 2 * register


def place_16x128b(thread: Any, register: Any) -> Cell:
    """Lane and column of a register of shape 16x128b."""
    return thread // 4 + 8 * (register % 2), thread % 4 + 4 * (register // 2)


def place_16x256b(thread: Any, register: Any) -> Cell:
    """Lane and column of a register of shape 16x256b."""
    lane = thread // 4 + 8 * (register // 2 % 2)
    return lane, register % 2 + 2 * (thread % 4) + 8 * (register // 4)


@dataclass(frozen=True)
class Shape:
    """One data movement shape.

    Attributes:
        name: The instruction's spelling.
        lanes: Lanes of tensor memory that one issue reaches.
        registers: Registers of a thread, for each repetition.
        columns: Columns of 32 bits, for each repetition.
        most: The largest legal repetition; the powers of two up to it are legal.
        place: Lane and column of a register; None for 16x32bx2, whose second half is placed by
            an operand.
        formula: The same in words.
    """

    name: str
    lanes: int
    registers: int
    columns: int
    most: int
    place: Callable[[Any, Any], Cell] | None
    formula: str

    def repetitions(self) -> list[int]:
        """The legal xN."""
        return [1 << power for power in range(self.most.bit_length())]


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("32x32b", 32, 1, 1, 128, place_32x32b, "lane t, column r"),
        Shape("16x64b", 16, 1, 2, 128, place_16x64b, "lane t/4 + 8*(t%2), column (t/2)%2 + 2*r"),
        Shape("16x128b", 16, 2, 4, 64, place_16x128b, "lane t/4 + 8*(r%2), column t%4 + 4*(r/2)"),
        Shape(
            "16x256b",
            16,
            4,
            8,
            32,
            place_16x256b,
            "lane t/4 + 8*((r/2)%2), column r%2 + 2*(t%4) + 8*(r/4)",
        ),
        Shape("16x32bx2", 16, 1, 2, 128, None, "lane t%16, column r + (t >= 16 ? imm : 0)"),
    )
}


def spaces(shape: Shape, repeat: int, halves: bool, offset: int | None = None) -> list[Space]:
    """The registers of the warp, and the tensor memory from taddr on.

    Args:
        shape: The shape.
        repeat: N of xN.
        halves: Whether `.pack::16b` or `.unpack::16b` is given.
        offset: imm of 16x32bx2 in columns; None lets the second half follow the first.

    Returns:
        "register": lane 32, register, bit 32; "tmem": lane 16 or 32, column, bit 32.
    """
    columns = shape.columns * repeat * (2 if halves else 1)
    if shape.place is None and offset is not None:
        columns = max(columns // 2 + offset, columns // 2)
    register = (("lane", THREADS), ("register", shape.registers * repeat), ("bit", 32))
    tmem = (("lane", shape.lanes), ("column", columns), ("bit", 32))
    return [Space("register", register), Space("tmem", tmem)]


def load_map(shape: str, repeat: int, halves: bool = False, offset: int | None = None) -> LayoutMap:
    """The map of `tcgen05.ld`: each register bit and the tensor-memory bit that it receives.

    Args:
        shape: One of `SHAPES`.
        repeat: N of xN.
        halves: Whether `.pack::16b` is given.
        offset: imm of 16x32bx2 in columns, not negative; None lets the second half follow the
            first.

    Raises:
        UserError: There is no such shape, or xN is illegal for it.
    """
    chosen = legal_shape(shape, repeat)
    register_space, tmem = spaces(chosen, repeat, halves, offset)
    half_columns = repeat * (2 if halves else 1)
    second = half_columns if offset is None else offset

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        half, low = (bit // 16, bit % 16) if halves else (0, bit)
        if chosen.place is None:
            column = (2 * register + half if halves else register) + second * (lane // 16)
            return {"lane": lane % 16, "column": column, "bit": low}
        to_lane, column = chosen.place(lane, register)
        return {"lane": to_lane, "column": 2 * column + half if halves else column, "bit": low}

    return LayoutMap.from_function(register_space, tmem, source)


def store_map(
    shape: str, repeat: int, halves: bool = False, offset: int | None = None
) -> LayoutMap:
    """The map of `tcgen05.st`: each tensor-memory bit and the register bit that it receives.

    Where the halves of 16x32bx2 overlap in tensor memory the cell is left undefined: two threads
    write it. Arguments and errors are those of `load_map`; `halves` says `.unpack::16b`.
    """
    load = load_map(shape, repeat, halves, offset)
    if load.is_one_to_one:
        return load.inverse()
    first = load.inverse(replicas="first").table.copy()
    cells, count = np.unique(load.table, return_counts=True)
    first[cells[count > 1]] = UNDEFINED
    return LayoutMap(load.source, load.destination, first)


def legal_shape(shape: str, repeat: int) -> Shape:
    """The shape of a name.

    Raises:
        UserError: There is no such shape, or xN is illegal for it.
    """
    if shape not in SHAPES:
        raise UserError(f"there is no shape {shape!r}; the shapes are {', '.join(SHAPES)}")
    chosen = SHAPES[shape]
    if repeat not in chosen.repetitions():
        legal = ", ".join(f"x{n}" for n in chosen.repetitions())
        raise UserError(f"{shape} has no x{repeat}; it has {legal}")
    return chosen


_ISA = "NVIDIA PTX ISA, tcgen05 data movement shapes; {}"
_CUTLASS = "NVIDIA/cutlass at 7107b05, copy_traits_sm100.hpp, the SM100_TMEM_{} atoms"
_HALVES = (
    "; half h of register r lies in the low 16 bits of column 2*c + h, where c is that column{}"
)
_SPLIT_HALVES = (
    "lane t%16; half h of register r in the low 16 bits of column 2*r + h + (t >= 16 ? imm : 0)"
)
_LEGALITY = (
    f"{', '.join(TARGETS)}; all threads of the warp, converged; lane = 32*(warp%4) + (taddr "
    "lane)%32 + l, where the ISA asks for the quadrant's lane in taddr; asynchronous until "
    "tcgen05.wait::{}"
)
_NAME = re.compile(r"tcgen05\.(ld|st)\.(\w+)\.x(\d+)(\.pack::16b|\.unpack::16b)?(?:\+(\d+))?")


def _formula(shape: Shape, halves: bool, load: bool) -> str:
    receives = "register r of thread t receives " if load else "register r of thread t goes to "
    if halves and shape.place is None:
        return receives + _SPLIT_HALVES
    return receives + shape.formula + (_HALVES.format("") if halves else "")


def make(op: str, shape: Shape, repeat: int, halves: bool, offset: int | None = None) -> Variant:
    """The variant of a load ("ld") or store ("st")."""
    load = op == "ld"
    modifier = (".pack::16b" if load else ".unpack::16b") if halves else ""
    suffix = "" if offset is None else f"+{offset}"
    build = load_map if load else store_map
    imm = "; the operand imm must be given" if shape.place is None else ""
    default = 2 * repeat if halves else repeat
    note = f" (imm = {default if offset is None else offset})" if shape.place is None else ""
    return Variant(
        name=f"tcgen05.{op}.{shape.name}.x{repeat}{modifier}{suffix}",
        targets=TARGETS,
        family=f"tcgen05.{op}",
        formula=_formula(shape, halves, load) + note,
        citations=(
            _ISA.format(f"tcgen05.{op}"),
            _CUTLASS.format("LOAD" if load else "STORE"),
        ),
        legality=_LEGALITY.format(op) + imm,
        build=lambda: build(shape.name, repeat, halves, offset),
        rest=_rest(load, halves, offset is not None),
    )


def _rest(load: bool, halves: bool, placed: bool) -> str:
    """Contents of tensor memory between and next to the cells that a store writes."""
    if load or not (halves or placed):
        return ""
    high = "the high halves of the columns written are undefined" if halves else ""
    between = "columns between the halves are unchanged, those written twice undefined"
    return "; ".join(filter(None, (high, between if placed else "")))


def variants() -> list[Variant]:
    """The 74 loads and 74 stores; 16x32bx2 with its second half following the first."""
    return [
        make(op, shape, repeat, halves)
        for op in ("ld", "st")
        for shape in SHAPES.values()
        for halves in (False, True)
        for repeat in shape.repetitions()
    ]


def resolve(name: str) -> tuple[Variant, ...]:
    """16x32bx2 with another imm, written `..x4+100`; of the others those that are listed.

    Raises:
        UserError: The name is that of a load or store, but an illegal one.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return ()
    op, shape, repeat, modifier, offset = match.groups()
    chosen = legal_shape(shape, int(repeat))
    if modifier is not None and modifier != (".pack::16b" if op == "ld" else ".unpack::16b"):
        raise UserError(f"{name}: tcgen05.ld has .pack::16b, tcgen05.st has .unpack::16b")
    if offset is not None and chosen.place is not None:
        raise UserError(f"{name}: only 16x32bx2 takes an offset of its second half")
    return (make(op, chosen, int(repeat), modifier is not None, int(offset) if offset else None),)
