"""Grids: their labels against the figures of the vendors' documents, written as formulas here."""

from __future__ import annotations

import numpy as np
import pytest
from tensor_layouts import Swizzle

from lanemap.drawing import composed, difference, grid_of
from lanemap.drawing.grid import Grid, units_of
from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.model import variant
from tests.analysis.records import layout

LANE, BYTE = np.meshgrid(np.arange(64), np.arange(8), indexing="ij")


def drawn(name: str, by: str = "") -> Grid:
    return grid_of(variant(name).map, name, by=by)


def test_a_of_mma_sync_is_labeled_as_in_the_ptx_isa() -> None:
    """m16n8k16, f16: a0..a7 of a thread (PTX ISA, Matrix Fragments for mma.m16n8k16)."""
    grid = drawn("mma.sync.m16n8k16.f16:A")
    assert (grid.row_name, grid.column_name, len(grid.rows), len(grid.columns)) == (
        "row", "k", 16, 16,
    )  # fmt: skip
    for lane in range(32):
        group, inside = lane >> 2, lane % 4
        for i in range(8):
            row = group if i in (0, 1, 4, 5) else group + 8
            column = inside * 2 + (i & 1) + (8 if i >= 4 else 0)
            assert grid.labels[row][column] == f"{lane}.{i}"
            assert grid.color[row, column] == lane


def test_registers_can_be_the_grid() -> None:
    grid = drawn("mma.sync.m16n8k16.f16:A", by="register")
    assert (grid.row_name, len(grid.rows), len(grid.columns)) == ("thread", 32, 8)
    assert grid.labels[13][:4] == ("3,2", "3,3", "11,2", "11,3")


def test_tensor_memory_is_labeled_by_thread_and_register() -> None:
    """16x64b: thread t, register r at lane t/4 + 8*(t%2), column (t/2)%2 + 2*r (PTX ISA)."""
    grid = drawn("tcgen05.ld.16x64b.x2")
    assert (grid.row_name, grid.column_name) == ("lane", "column")
    for thread in range(32):
        for register in range(2):
            lane, column = thread // 4 + 8 * (thread % 2), thread // 2 % 2 + 2 * register
            assert grid.labels[lane][column] == f"{thread}.{register}"
    stored = drawn("tcgen05.st.16x64b.x2")
    assert stored.labels == grid.labels


def test_halves_of_tensor_memory_have_columns_of_their_own() -> None:
    grid = drawn("tcgen05.mma.cta_group::1.kind::f16.m128.f16:A")
    assert grid.columns[:3] == ("0.0", "0.1", "1.0") and grid.labels[5][3] == "5,3"


def test_chunks_of_a_transpose_read() -> None:
    """ds_read_b64_tr_b8: byte j of lane l from chunk (l & 48) + 2*j + (l >> 3 & 1), byte l & 7."""
    grid = drawn("ds_read_b64_tr_b8")
    wanted = (LANE & 48) + 2 * BYTE + (LANE >> 3 & 1)
    assert grid.labels[9] == tuple(f"{lane}.1" for lane in wanted[9])
    assert np.array_equal(grid.color, wanted) and grid.colors == 64


@pytest.mark.parametrize(("mode", "bits"), [("32b", 1), ("64b", 2), ("128b", 3)])
def test_shared_memory_is_drawn_by_bank_with_its_swizzle(mode: str, bits: int) -> None:
    """CUTLASS's K-major atoms: Swizzle<B,4,3> of byte addresses of rows of 16 * 2**B bytes."""
    grid = drawn(f"shared.k_major.{mode}.16bit")
    assert grid.columns[:2] == ("0-3", "4-7") and grid.row_name == "line"
    swizzle, width = Swizzle(bits, 4, 3), 16 << bits
    for row in range(64):
        for k in range(0, width // 2, 8):
            byte = swizzle(row * width + 2 * k)
            assert grid.labels[byte // 128][byte % 128 // 16] == f"{row},{k}"


def test_a_swizzle_alone_is_drawn_by_units_of_16_bytes() -> None:
    grid = drawn("cp.async.bulk.tensor.swizzle_128b")
    assert [row[3] for row in grid.labels] == [f"{line}.{3 ^ line}" for line in range(8)]


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16, 32])
def test_the_widest_cells_that_move_whole_are_found(bits: int) -> None:
    cells = 64 // bits
    lane, cell = np.meshgrid(np.arange(64), np.arange(cells), indexing="ij")
    # Reversed order inside a chunk: no two neighbors stay together.
    units = units_of(layout(63 - lane, cells - 1 - cell, bits))
    assert units.here.unit == bits
    assert np.array_equal(units.place, 63 - lane)
    assert np.array_equal(units.unit, cells - 1 - cell)


def test_undefined_cells_have_no_label() -> None:
    true = layout((LANE & 48) + 2 * BYTE + (LANE >> 3 & 1), LANE & 7, 8)
    table = true.table.copy()
    table[:8] = -1
    grid = grid_of(LayoutMap(true.destination, true.source, table), "mine")
    assert (grid.labels[0][0], grid.color[0, 0]) == ("", -1)
    assert (grid.labels[0][1], grid.labels[1][3]) == ("2.0", "6.1")


def test_widened_elements_are_labeled_by_their_place_in_the_row() -> None:
    """Six bits of a byte from element 3 - b of the lane's own row of four elements."""
    register = Space("register", (("lane", 2), ("register", 1), ("bit", 32)))
    chunk = Space("chunk", (("lane", 2), ("bit", 24)))
    bit = np.arange(8)
    table = [
        24 * lane + 6 * (3 - byte) + bit if byte != 2 else np.full(8, -1)
        for lane in (0, 1)
        for byte in range(4)
    ]
    table = [np.where(bit < 6, each, -1) for each in table]
    grid = grid_of(LayoutMap(register, chunk, np.concatenate(table)), "mine")
    assert grid.labels == (("0.3", "0.2", "", "0.0"), ("1.3", "1.2", "", "1.0"))


def test_two_maps_go_through_the_space_that_both_have() -> None:
    """ldmatrix.x4 feeds A of m16n8k16: rows of matrix q are k halves and row halves (PTX ISA)."""
    layout_, middle = composed(
        variant("ldmatrix.sync.aligned.m8n8.x4.shared.b16").map,
        variant("mma.sync.m16n8k16.f16:A").map,
    )
    assert middle == "register"
    grid = grid_of(layout_, "both")
    for row in range(16):
        for k in range(16):
            matrix = row // 8 + 2 * (k // 8)
            assert grid.labels[row][k] == f"{8 * matrix + row % 8}.{k % 8}"


def test_what_one_map_does_not_reach_is_empty() -> None:
    """A load of 32 lanes and 4 columns brings rows 0 to 31 of D, a column in a register."""
    layout_, middle = composed(
        variant("tcgen05.ld.32x32b.x4").map, variant("tcgen05.mma.cta_group::1.m128n16.f32:D").map
    )
    grid = grid_of(layout_, "both")
    assert middle == "tmem" and grid.labels[31][3] == "31.3"
    assert (grid.labels[32][3], grid.labels[31][4]) == ("", "")


def test_maps_that_share_no_space_are_named() -> None:
    with pytest.raises(UserError, match="nothing joins the two: one map is from chunk"):
        composed(variant("ds_read_b64_tr_b8").map, variant("shared.swizzle.32b").map)


def test_a_difference_marks_the_cells_and_shows_both() -> None:
    """The accumulators of m16n8 f32 with rows r and r + 8 swapped: registers 0, 1 and 2, 3."""
    true = variant("mma.sync.m16n8k16.f32:D").map
    swapped = LayoutMap(true.destination, true.source, np.roll(true.table.reshape(32, 4, 32), 2, 1)
                        .reshape(-1))  # fmt: skip
    grid = difference(true, swapped, "d", ("right", "wrong"))
    assert grid.differs is not None and grid.differs.all()
    assert grid.labels[0][0] == "0.0\n0.2" and "128 of 128 cells differ" in grid.notes[0]
    same = difference(true, true, "d", ("right", "right"))
    assert same.differs is not None and not same.differs.any() and same.labels[8][1] == "0.3"
    assert same.notes[0] == "They are the same map."


def test_a_side_that_the_map_does_not_have_is_refused() -> None:
    with pytest.raises(UserError, match="--by tmem is neither side of this map: register or chunk"):
        drawn("ds_read_b64_tr_b8", by="tmem")


def test_a_cut_outside_the_grid_is_refused() -> None:
    grid = drawn("ds_read_b64_tr_b8")
    assert grid.cut(range(8, 10), range(1)).labels == (("1.0",), ("1.1",))
    with pytest.raises(UserError, match="--rows 60:70 is outside .*, whose rows go from 0 to 63"):
        grid.cut(range(60, 70), range(1))


def test_every_model_can_be_drawn() -> None:
    from lanemap.model import variants

    chosen = {each.family: each for each in variants()}
    for each in chosen.values():
        grid = grid_of(each.map, each.name)
        assert len(grid.labels) == len(grid.rows) and len(grid.labels[0]) == len(grid.columns)
        for row, colors_ in zip(grid.labels, grid.color, strict=True):
            assert [bool(label) for label in row] == [bool(color >= 0) for color in colors_]
        assert int(grid.color.max()) < grid.colors
