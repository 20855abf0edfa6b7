"""tcgen05.ld and st: cells of the PTX ISA's figures, the legal forms, halves, and 16x32bx2."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.model import variant, variants
from lanemap.model.tcgen05_ldst import SHAPES, load_map, store_map

# (shape, thread, register) -> (lane, column) in the PTX ISA's figures of the data movement shapes.
CELLS = [
    ("32x32b.x4", 7, 3, 7, 3),
    ("16x64b.x1", 0, 0, 0, 0),
    ("16x64b.x1", 1, 0, 8, 0),
    ("16x64b.x1", 2, 0, 0, 1),
    ("16x64b.x1", 31, 0, 15, 1),
    ("16x64b.x4", 4, 2, 1, 4),
    ("16x128b.x1", 3, 0, 0, 3),
    ("16x128b.x1", 4, 0, 1, 0),
    ("16x128b.x1", 0, 1, 8, 0),
    ("16x128b.x2", 5, 3, 9, 5),
    ("16x256b.x1", 0, 1, 0, 1),
    ("16x256b.x1", 1, 0, 0, 2),
    ("16x256b.x1", 4, 2, 9, 0),
    ("16x256b.x2", 31, 7, 15, 15),
    ("16x32bx2.x2", 3, 1, 3, 1),
    ("16x32bx2.x2", 19, 1, 3, 3),
]


@pytest.mark.parametrize(("form", "thread", "register", "lane", "column"), CELLS)
def test_cells(form: str, thread: int, register: int, lane: int, column: int) -> None:
    there = {"lane": lane, "column": column, "bit": 9}
    here = {"lane": thread, "register": register, "bit": 9}
    assert variant(f"tcgen05.ld.{form}").map.source_of(**here) == there
    assert variant(f"tcgen05.st.{form}").map.source_of(**there) == here


def test_there_are_74_loads_and_74_stores() -> None:
    # ptxas 13.0: 32x32b, 16x64b, 16x32bx2 to x128, 16x128b to x64, 16x256b to x32; each packed too.
    names = [v.name for v in variants("sm_100a")]
    for op, modifier in (("ld", ".pack::16b"), ("st", ".unpack::16b")):
        mine = [name for name in names if name.startswith(f"tcgen05.{op}.")]
        assert len(mine) == len(set(mine)) == 74
        assert sum(modifier in name for name in mine) == 37
        assert f"tcgen05.{op}.16x256b.x32{modifier}" in mine


@pytest.mark.parametrize(
    "name", ["tcgen05.ld.16x256b.x64", "tcgen05.st.16x128b.x128", "tcgen05.ld.32x32b.x3"]
)
def test_an_illegal_repetition_is_answered_with_the_legal_ones(name: str) -> None:
    with pytest.raises(UserError, match="it has x1, x2, x4"):
        variant(name)


def test_a_wrong_modifier_or_offset_is_refused() -> None:
    with pytest.raises(UserError, match="unpack"):
        variant("tcgen05.ld.32x32b.x2.unpack::16b")
    with pytest.raises(UserError, match="16x32bx2"):
        variant("tcgen05.ld.32x32b.x2+4")


def test_packing_takes_the_low_halves_of_two_columns() -> None:
    layout = variant("tcgen05.ld.32x32b.x2.pack::16b").map
    assert layout.source_of(lane=9, register=1, bit=15) == {"lane": 9, "column": 2, "bit": 15}
    assert layout.source_of(lane=9, register=1, bit=16) == {"lane": 9, "column": 3, "bit": 0}
    used = np.zeros((32, 4, 32), bool)
    used.reshape(-1)[layout.table] = True
    assert used[:, :, :16].all() and not used[:, :, 16:].any()


def test_unpacking_leaves_the_high_halves_undefined() -> None:
    each = variant("tcgen05.st.16x64b.x2.unpack::16b")
    defined = each.map.defined.reshape(16, 8, 32)
    assert defined[:, :, :16].all() and not defined[:, :, 16:].any()
    assert "undefined" in each.rest


def test_stores_undo_loads() -> None:
    for each in variants("sm_100a"):
        if each.family == "tcgen05.st" and each.map.destination.size < 20000:
            load = variant(each.name.replace(".st.", ".ld.").replace("unpack", "pack")).map
            back = each.map.compose(load)
            written = back.table >= 0
            assert np.array_equal(back.table[written], np.flatnonzero(written))
            assert written.sum() == load.destination.size


@pytest.mark.parametrize("offset", [0, 1, 3, 4, 100])
@pytest.mark.parametrize("halves", [False, True])
def test_the_second_half_of_16x32bx2_goes_where_it_is_told(offset: int, halves: bool) -> None:
    load = load_map("16x32bx2", 4, halves, offset)
    for thread in range(32):
        for register in range(4):
            at = load.source_of(lane=thread, register=register, bit=16)
            second = offset if thread >= 16 else 0
            if halves:
                expected = {"lane": thread % 16, "column": 2 * register + 1 + second, "bit": 0}
            else:
                expected = {"lane": thread % 16, "column": register + second, "bit": 16}
            assert at == expected
    # Columns that two threads write are left undefined.
    store = store_map("16x32bx2", 4, halves, offset)
    span = 8 if halves else 4
    written = store.defined.reshape(16, -1, 32)[:, :, 0].all(axis=0)
    both = [column for column in range(written.size) if 0 <= column - offset < span > column]
    reached = [c for c in range(written.size) if c < span or 0 <= c - offset < span]
    assert sorted(np.flatnonzero(written)) == sorted(set(reached) - set(both))


def test_two_issues_of_a_16_lane_shape_cover_a_warp() -> None:
    # M = 128 takes two issues, at lane +0 and +16.
    for shape in SHAPES.values():
        assert shape.lanes * (32 // shape.lanes) == 32
        load = load_map(shape.name, 1)
        assert load.is_one_to_one and load.source.axis_size("lane") == shape.lanes
