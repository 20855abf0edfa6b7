"""Affine pieces where no one form fits, and the choice between the three kinds of fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.layout import LayoutMap, NotAffine, NotCute, Space, fit_cute, fit_f2, fit_layout
from lanemap.layout.pieces import fit_pieces

TMEM = Space("tmem", (("lane", 128), ("column", 512)))


def two_issues(columns: int, first: int) -> LayoutMap:
    """N columns read as two issues, the second part into the lower registers."""
    register = Space("register", (("thread", 32), ("register", columns)))
    rest = columns - first
    return LayoutMap.from_function(
        register,
        TMEM,
        lambda thread, register: {
            "lane": thread,
            "column": np.where(register < rest, register + first, register - rest),
        },
    )


@pytest.mark.parametrize(("columns", "first"), [(80, 64), (96, 80)])
def test_two_issues_are_two_pieces(columns: int, first: int) -> None:
    layout = two_issues(columns, first)
    assert isinstance(fit_f2(layout), NotAffine)
    assert isinstance(fit_cute(layout), NotCute)
    fit = fit_pieces(layout)
    assert fit.to_map() == layout
    assert [piece.box[1] for piece in fit.pieces] == [
        (0, columns - first),
        (columns - first, columns),
    ]
    assert fit_layout(layout) == fit
    assert f"where register >= {columns - first}:" in fit.formula()


def test_six_bit_fields_by_register_are_few_pieces() -> None:
    register = Space("register", (("lane", 64), ("register", 3), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 96)))

    def source(lane: np.ndarray, register: np.ndarray, bit: np.ndarray) -> dict[str, np.ndarray]:
        field, low = divmod(register * 32 + bit, 6)
        return {"lane": (lane & 48) + field, "bit": 6 * (lane & 15) + low}

    layout = LayoutMap.from_function(register, chunk, source)
    # Only the lower 24 bits of each register: registers no longer follow each other.
    part = layout.restrict(register.grid()["bit"] < 24)
    fit = fit_pieces(part)
    assert fit.to_map() == part
    # Fields are cut by the register's edge at bits 32 = 5*6+2 and 64 = 10*6+4: 4 or 5 a register.
    assert len(fit.pieces) <= 14


def test_a_row_of_two_swizzles_is_two_pieces() -> None:
    # 96 columns of bf16: 128 bytes under a 128-byte swizzle, then 64 under a 64-byte one.
    tile = Space("matrix", (("row", 64), ("byte", 192)))
    shared = Space("shared", (("byte", 64 * 192),))

    def source(row: np.ndarray, byte: np.ndarray) -> dict[str, np.ndarray]:
        wide = 128 * row + (byte ^ ((row % 8) << 4))
        narrow = 8192 + 64 * row + ((byte - 128) ^ ((row // 2 % 4) << 4))
        return {"byte": np.where(byte < 128, wide, narrow)}

    layout = LayoutMap.from_function(tile, shared, source)
    fit = fit_pieces(layout)
    assert fit.to_map() == layout
    assert sorted(str(piece.swizzle) for piece in fit.pieces) == ["Sw<2,4,3>", "Sw<3,4,3>"]


def test_undefined_columns_lie_between_the_pieces() -> None:
    # Twelve columns and twelve more at +40, as 16x32bx2 splits a store.
    register = Space("register", (("thread", 32), ("register", 12)))

    def source(lane: np.ndarray, column: np.ndarray) -> dict[str, np.ndarray]:
        upper = (column >= 40) & (column < 52)
        written = (lane < 16) & ((column < 12) | upper)
        return {"thread": np.where(written, lane + 16 * upper, -1), "register": column % 40 % 12}

    layout = LayoutMap.from_function(TMEM, register, source)
    fit = fit_layout(layout)
    assert fit.kind == "pieces"
    assert fit.to_map() == layout
    assert "where (lane < 16) && (column < 12):" in fit.formula()


def test_a_map_without_order_is_refused() -> None:
    line = Space("line", (("a", 24), ("b", 40)))
    table = np.random.default_rng(3).permutation(line.size)
    with pytest.raises(UserError, match="pieces"):
        fit_pieces(LayoutMap(line, line, table))


def test_the_wanted_kind_or_its_witness() -> None:
    layout = two_issues(80, 64)
    with pytest.raises(UserError, match="not affine over F2"):
        fit_layout(layout, "f2")
    with pytest.raises(UserError, match="no shape:stride"):
        fit_layout(layout, "cute")
    with pytest.raises(UserError, match="f2, cute, pieces, not 'cubic'"):
        fit_layout(layout, "cubic")


@given(st.lists(st.integers(-1, 5), min_size=12, max_size=12))
@settings(deadline=None)
def test_small_maps_of_any_kind_are_stated_exactly(values: list[int]) -> None:
    if max(values) < 0:
        return
    destination = Space("d", (("a", 3), ("b", 4)))
    layout = LayoutMap(destination, Space("s", (("c", 2), ("d", 3))), np.array(values))
    assert fit_pieces(layout).to_map() == layout
    assert fit_layout(layout).to_map() == layout
