"""The CuTe fit against layouts evaluated by the package tensor-layouts, and against CUTLASS."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.layout import (
    UNDEFINED,
    CuteFit,
    LayoutMap,
    NotCute,
    Space,
    Swizzle,
    fit_cute,
    fit_layout,
)

cute = pytest.importorskip("tensor_layouts")

SHARED = Space("shared", (("byte", 8192),))
TILE = Space("matrix", (("row", 64), ("byte", 128)))


def fitted(layout: LayoutMap) -> CuteFit:
    fit = fit_cute(layout)
    assert isinstance(fit, CuteFit), str(fit)
    assert fit.to_map() == layout
    return fit


def read_text(text: str) -> tuple[Any, int, Any]:
    """tensor-layouts' swizzle (or None), the offset, and layout of CuTe's notation."""
    match = re.fullmatch(r"(?:Sw<(\d+),(\d+),(-?\d+)> o (\d+) o )?(.*):(.*)", text.strip())
    assert match is not None, text
    bits, base, shift, offset, shape, stride = match.groups()
    layout = cute.Layout(ast.literal_eval(shape), ast.literal_eval(stride))
    swizzle = None if not bits or bits == "0" else cute.Swizzle(int(bits), int(base), int(shift))
    return swizzle, int(offset or 0), layout


def values_by_oracle(text: str, sizes: tuple[int, ...]) -> np.ndarray:
    """The value at every coordinate of the modes, by tensor-layouts."""
    swizzle, offset, layout = read_text(text)
    values = np.empty(sizes, dtype=np.int64)
    for coordinate in np.ndindex(*sizes):
        value = offset + layout(*coordinate)
        values[coordinate] = value if swizzle is None else swizzle(value)
    return values


def test_a_row_major_tile_is_two_modes() -> None:
    layout = LayoutMap.from_function(TILE, SHARED, lambda row, byte: {"byte": 128 * row + byte})
    assert fitted(layout).text() == "(64,128):(128,1)"
    assert fitted(layout).text([("row", "byte")]) == "8192:1"


def test_the_128_byte_swizzle_is_found() -> None:
    # NVIDIA PTX ISA, swizzling modes: 16-byte chunk c of row r lies at chunk c ^ (r % 8).
    layout = LayoutMap.from_function(
        TILE, SHARED, lambda row, byte: {"byte": 128 * row + (byte ^ ((row % 8) << 4))}
    )
    fit = fitted(layout)
    assert fit.swizzle == Swizzle(3, 4, 3)
    assert fit.text() == "Sw<3,4,3> o 0 o (64,128):(128,1)"
    assert np.array_equal(values_by_oracle(fit.text(), (64, 128)).reshape(-1), layout.table)


def test_no_swizzle_where_none_is_allowed() -> None:
    layout = LayoutMap.from_function(
        TILE, SHARED, lambda row, byte: {"byte": 128 * row + (byte ^ ((row % 8) << 4))}
    )
    witness = fit_cute(layout, swizzles=False)
    assert isinstance(witness, NotCute)
    # Row 1 alone moves chunk 0 to chunk 1, byte 16 alone is chunk 1: a layout would give chunk 2.
    assert str(witness) == (
        "no shape:stride: row 1 byte 16 receives byte 128, its axes alone give byte 160"
    )


def test_extents_need_not_be_powers_of_two() -> None:
    register = Space("register", (("thread", 32), ("register", 80)))
    tmem = Space("tmem", (("lane", 128), ("column", 512)))
    layout = LayoutMap.from_function(
        register,
        tmem,
        lambda thread, register: {"lane": thread + 64 * (register // 40), "column": register % 40},
    )
    fit = fitted(layout)
    assert fit.text() == "(32,(40,2)):(512,(1,32768))"
    assert fit.formula() == (
        "tmem.lane = thread + ((register / 40) * 64)\ntmem.column = register % 40"
    )


def test_six_bit_fields_fit_when_register_and_bit_are_one_coordinate() -> None:
    register = Space("register", (("lane", 64), ("register", 3), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 96)))

    def source(lane: np.ndarray, register: np.ndarray, bit: np.ndarray) -> dict[str, np.ndarray]:
        field, low = divmod(register * 32 + bit, 6)
        return {"lane": (lane & 48) + field, "bit": 6 * (lane & 15) + low}

    fit = fitted(LayoutMap.from_function(register, chunk, source))
    assert fit.groups == (("lane",), ("register", "bit"))
    assert fit.text() == "((16,4),(6,16)):((6,1536),(1,96))"
    with pytest.raises(UserError, match="together, and name it once: lane; register, bit"):
        fit.text([("lane", "register"), ("bit",)])


def test_a_box_of_defined_cells_fits_and_a_pattern_does_not() -> None:
    layout = LayoutMap.identity(TILE)
    grid = TILE.grid()
    box = layout.restrict((grid["row"] >= 8) & (grid["row"] < 24) & (grid["byte"] < 96))
    fit = fitted(box)
    assert fit.box == ((8, 24), (0, 96))
    assert fit.offset == 8 * 128
    stripes = fit_cute(layout.restrict(grid["row"] % 2 == 0))
    assert isinstance(stripes, NotCute)
    assert str(stripes) == "the defined cells are no box: row 1 byte 0 is undefined"
    with pytest.raises(UserError, match="every cell is undefined"):
        fit_cute(LayoutMap(TILE, TILE, np.full(TILE.size, UNDEFINED)))


@pytest.mark.parametrize(
    ("values", "cell", "expected"),
    [
        # Runs of three from 0 and from 50, but the second ends one too far.
        ([0, 1, 2, 50, 51, 53], 5, 52),
        # A run of four does not tile six cells.
        ([0, 1, 2, 3, 50, 51], 4, 4),
        # Pairs, whose own steps are 10, 10, then 40.
        ([0, 1, 10, 11, 20, 21, 60, 61], 6, 30),
    ],
)
def test_an_axis_that_is_no_hierarchy_of_runs_is_the_witness(
    values: list[int], cell: int, expected: int
) -> None:
    line = Space("line", (("cell", len(values)),))
    wide = Space("wide", (("cell", 100),))
    witness = fit_cute(LayoutMap(line, wide, np.array(values)), swizzles=False)
    assert isinstance(witness, NotCute)
    assert (witness.cell, witness.expected, witness.found) == (cell, expected, values[cell])


def test_every_cutlass_atom_fits_as_published(cutlass_atoms: list[Any]) -> None:
    assert len(cutlass_atoms) == 74
    for atom in cutlass_atoms:
        layout = atom.layout
        fit = fit_layout(layout)
        assert fit.kind == "f2", atom.name
        strided = fitted(layout)
        # CuTe's own way round: thread, then value; evaluated by tensor-layouts on sampled values.
        text = strided.text([("thread",), ("register", "bit")])
        _, offset, oracle = read_text(text)
        table = layout.table.reshape(32, -1)
        for value in {0, 1, 15, 16, 31, 32 % table.shape[1], table.shape[1] - 1}:
            column = [offset + oracle(thread, value) for thread in range(32)]
            assert column == table[:, value].tolist(), atom.name


def test_published_register_modes_are_found_again(cutlass_atoms: list[Any]) -> None:
    # The composition of the published pair for 16x256b.x1, worked by hand: a group of 4 threads
    # holds 8 columns of a lane two by two, 8 such groups are 8 lanes; values are 64 bits (two
    # columns), then 8 lanes on. One lane is 512 columns of 32 bits here.
    (atom,) = (a for a in cutlass_atoms if a.ptx == "16x256b.x1")
    text = fitted(atom.layout).text([("thread",), ("register", "bit")])
    assert text == "((4,8),(64,2)):((64,16384),(1,131072))"


@st.composite
def hierarchical(draw: st.DrawFn) -> tuple[tuple[tuple[int, ...], ...], tuple[Any, ...], int]:
    """Random nested shapes and strides, not coalesced on purpose, and an offset."""
    shapes, strides = [], []
    for _ in range(draw(st.integers(1, 3))):
        extents = draw(st.lists(st.integers(1, 5), min_size=1, max_size=2))
        shapes.append(tuple(extents))
        strides.append(tuple(draw(st.integers(0, 40)) for _ in extents))
    return tuple(shapes), tuple(strides), draw(st.integers(0, 9))


@given(hierarchical())
@settings(deadline=None, max_examples=50)
def test_random_layouts_round_trip_and_are_minimal(
    case: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...], int],
) -> None:
    shapes, strides, offset = case
    oracle = cute.Layout(shapes, strides)
    sizes = tuple(int(np.prod(shape)) for shape in shapes)
    values = np.array([offset + oracle(*c) for c in np.ndindex(*sizes)], dtype=np.int64)
    source = Space("memory", (("cell", int(values.max()) + 1),))
    destination = Space("d", tuple((f"i{k}", size) for k, size in enumerate(sizes)))
    fit = fitted(LayoutMap(destination, source, values))
    assert np.array_equal(values_by_oracle(fit.text(), sizes).reshape(-1), values)
    if fit.groups == tuple((name,) for name in destination.names):
        # tensor-layouts' own coalescing, mode by mode, has as many modes.
        theirs = [cute.coalesce(cute.Layout(a, b)) for a, b in zip(shapes, strides, strict=True)]
        counts = [1 if isinstance(t.shape, int) else len(t.shape) for t in theirs]
        assert [len(modes) for modes in fit.modes] == counts


@given(st.integers(1, 3), st.integers(0, 3), st.integers(1, 5), st.booleans())
@settings(deadline=None, max_examples=40)
def test_random_swizzles_are_undone(bits: int, base: int, extra: int, down: bool) -> None:
    distance = bits + extra - 1
    swizzle = Swizzle(bits, base, -distance if down else distance)
    theirs = cute.Swizzle(bits, base, swizzle.shift)
    values = np.array([theirs(i) for i in range(1024)], dtype=np.int64)
    if values.max() >= 1024:
        return
    assert np.array_equal(swizzle.apply(np.arange(1024)), values)
    memory = Space("memory", (("cell", 1024),))
    tile = Space("tile", (("row", 32), ("column", 32)))
    fitted(LayoutMap(tile, memory, values))
