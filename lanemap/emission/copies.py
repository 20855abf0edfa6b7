"""The copy planner with the model's instruction forms, and places named by a few words.

A place is where a matrix lies in tensor memory or in registers:

    d:128x128:f32      accumulator D of M x N; d/E:64x256:f32 in data path layout E (A to G)
    a:128x128:bf16     operand A of M x K in tensor memory; a/B:128x64:e4m3 on the lanes of layout B
    sf:128x4           scale factors, four a row; sf:256x1+3 with one in byte 3
    16x256b@PLACE      the registers that loads of that shape yield from a place
    NAME               a variant of the model, as tcgen05.mma.cta_group::1.m128n64.f32:D
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.layout import planner as _planner
from lanemap.layout.planner import Budget as Budget
from lanemap.layout.planner import NoPlan, Plan
from lanemap.model import Variant, variant, variants
from lanemap.model.tcgen05_ldst import SHAPES
from lanemap.model.tcgen05_mma import (
    LAYOUTS,
    TYPES,
    a_map,
    result_map,
    scale_map,
)
from lanemap.model.tensor_cells import ELEMENTS, Element

# Rows and CTAs of A on the lanes of a data path layout, and the letter that rows alone stand for.
A_FORMS = {"A": (256, 2), "B": (128, 2), "D": (128, 1), "F": (64, 1)}
LETTER_OF_ROWS = {64: "F", 128: "D", 256: "A"}

_PLACE = re.compile(
    r"(?P<kind>d|a|sf)(?:/(?P<letter>[A-G]))?:(?P<rows>\d{1,9})x(?P<columns>\d{1,9})"
    r"(?::(?P<type>\w+)|\+(?P<byte>\d))?"
)


def plan_copy(
    source: LayoutMap | str,
    destination: LayoutMap | str,
    *,
    load: str | None = None,
    store: str | None = None,
) -> Plan | NoPlan:
    """Plan the tcgen05.ld and st issues that take a matrix from one place to another.

    Args:
        source: Where the matrix is: a place in words (see this module), or a layout map from the
            matrix into registers or tensor memory as `layout.planner.place` reads them.
        destination: Where it must be; the same matrix, perhaps in elements of another width.
        load: The one shape of loads to use, such as "16x256b" or "32x32b.pack::16b".
        store: The same for stores.

    Returns:
        The plan, or why there is none, with the cell.

    Raises:
        UserError: A place is not understood, the matrices differ, or there is no such shape.
    """
    return _planner.plan_copy(
        place(source), place(destination), variants=movers(), load=load, store=store
    )


def plan_load(source: LayoutMap | str, shape: str) -> Plan:
    """The loads of one shape from a place in tensor memory, and the fragment that they yield.

    Raises:
        UserError: A place is not understood, or the shape does not reach it (with the cell).
    """
    return _planner.infer_fragment(place(source), shape, variants=movers())


def plan_store(fragment: LayoutMap | str, shape: str) -> Plan:
    """The stores of one shape from registers, and the tensor memory that they make.

    Raises:
        UserError: A place is not understood, or the fragment's size does not fit the shape.
    """
    return _planner.infer_tmem(place(fragment), shape, variants=movers())


@dataclass(frozen=True)
class Fit:
    """Loads or stores of one shape that fit a place.

    Attributes:
        verb: "load" or "store".
        shape: Such as "16x256b" or "32x32b.pack::16b".
        plan: What each warp issues.
    """

    verb: str
    shape: str
    plan: Plan

    @property
    def registers(self) -> int:
        """Registers of a thread that hold the matrix."""
        side = self.plan.destination if self.verb == "load" else self.plan.source
        return side.layout.destination.axis_size("register")


def fitting(where: LayoutMap | str) -> list[Fit]:
    """The loads that read a place in tensor memory and the stores that write it, by shape.

    A store writes it from the registers that a load of the same shape yields. Of registers, the
    stores that take them.

    Raises:
        UserError: The place is not understood.
    """
    held = place(where)
    found: list[Fit] = []
    for shape in SHAPES:
        for load, store in ((shape, shape), (f"{shape}.pack::16b", f"{shape}.unpack::16b")):
            loads = _if_any(plan_load, held, load)
            stores = None
            if loads is not None:
                found.append(Fit("load", load, loads))
                back = plan_copy(loads.destination.layout, held, store=store)
                stores = None if isinstance(back, NoPlan) else back
            else:
                stores = _if_any(plan_store, held, store)
            if stores is not None:
                found.append(Fit("store", store, stores))
    return found


def _if_any(make: Callable[[LayoutMap, str], Plan], held: LayoutMap, shape: str) -> Plan | None:
    """The plan of a shape; None if it does not fit."""
    try:
        return make(held, shape)
    except UserError:
        return None


def column_budget(operands: Sequence[str]) -> Budget:
    """Return where operands lie in tensor memory, one after the other.

    Args:
        operands: Such as "S=d:128x128:f32*2" or "P=a:128x128:bf16@S", which lies in S's columns.

    Raises:
        UserError: An operand is not understood or illegal; see `planner.budget`.
    """
    return _planner.budget([_planner.Operand.parse(text) for text in operands])


@cache
def movers() -> tuple[Variant, ...]:
    """The loads and stores of the model."""
    return tuple(v for v in variants("sm_100a") if v.family in ("tcgen05.ld", "tcgen05.st"))


def place(where: LayoutMap | str) -> LayoutMap:
    """Read a place in words; a layout map is returned as it is.

    Raises:
        UserError: It is not understood, or its sizes are illegal.
    """
    if isinstance(where, LayoutMap):
        return where
    shape, at, inner = where.partition("@")
    if at:
        return plan_load(inner, shape).destination.layout
    match = _PLACE.fullmatch(where)
    if match is None:
        return _of_variant(where)
    found = match.groupdict()
    rows, columns = int(found["rows"]), int(found["columns"])
    if found["kind"] == "sf":
        return _scales(where, rows, columns, int(found["byte"] or 0))
    letter = found["letter"] or LETTER_OF_ROWS.get(rows, "")
    make = _accumulator if found["kind"] == "d" else _operand
    return make(where, letter, rows, columns, found["type"] or "")


def _of_variant(where: str) -> LayoutMap:
    """The place that a variant's name stands for, in any spelling."""
    try:
        return variant(where).map
    except UserError:
        if where.lower().startswith("tcgen05."):
            raise
        raise UserError(
            f"{where!r} is not a place; write d:128x128:f32, a:128x128:bf16, sf:128x4, "
            "16x256b@d:128x128:f32 for registers, or a variant's name"
        ) from None


def _accumulator(where: str, letter: str, rows: int, columns: int, dtype: str) -> LayoutMap:
    if not dtype:
        raise _untyped(where, "D", "f32", TYPES)
    if dtype not in TYPES:
        raise UserError(f"{where}: the type of D must be one of {', '.join(TYPES)}")
    fitting = [layout for layout in LAYOUTS if (layout.letter, layout.rows) == (letter, rows)]
    if not fitting:
        legal = ", ".join(sorted({f"{layout.letter} with {layout.rows}" for layout in LAYOUTS}))
        raise UserError(f"{where}: no data path layout of that name has {rows} rows, only {legal}")
    layout = next((each for each in fitting if columns in each.legal()), fitting[0])
    return result_map(layout, columns, TYPES[dtype])


def _operand(where: str, letter: str, rows: int, columns: int, dtype: str) -> LayoutMap:
    if A_FORMS.get(letter, (0, 0))[0] != rows:
        legal = ", ".join(f"{name} with {size[0]}" for name, size in A_FORMS.items())
        raise UserError(f"{where}: no layout of A has that name and {rows} rows, only {legal}")
    element = _element(where, dtype)
    step = 256 // element.holder
    if columns % step or not columns:
        raise UserError(f"{where}: K of {dtype} is a multiple of {step}, one MMA's 32 bytes")
    _check_columns(where, columns * element.holder // 32)
    one = a_map(rows, A_FORMS[letter][1], element)
    return _planner.repeat_along(one, columns // step, "k")


def _element(where: str, dtype: str) -> Element:
    """The element of a type; `mxf4` is e2m1 packed two to a byte."""
    names = {("mxf4" if each.kind == "mxf4" else each.name): each for each in ELEMENTS}
    if not dtype:
        raise _untyped(where, "A", "bf16", names)
    if dtype not in names:
        raise UserError(f"{where}: the type of A must be one of {', '.join(names)}")
    return names[dtype]


def _scales(where: str, rows: int, blocks: int, byte: int) -> LayoutMap:
    if blocks not in (1, 2, 4) or byte + blocks > 4 or rows % 8 or not rows:
        raise UserError(f"{where}: a row has 1, 2 or 4 scales in bytes 0 to 3; rows are 8, 16, ..")
    _check_columns(where, -(-rows // 32))
    return scale_map(rows, blocks, byte)


def _check_columns(where: str, columns: int) -> None:
    """Refuse what tensor memory cannot hold, before a map of it is made."""
    most = _planner.TOTAL_COLUMNS
    if columns > most:
        raise UserError(f"{where} takes {columns} columns; tensor memory has {most}")


def _untyped(where: str, what: str, example: str, types: Iterable[str]) -> UserError:
    return UserError(
        f"{where} lacks the type of {what}; write {where}:{example} (types: {', '.join(types)})"
    )
