"""Spaces and layout maps: coordinates, composition, inverse, restriction, product, equality."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space

REGISTER = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))


def line(size: int, name: str = "line") -> Space:
    return Space(name, (("cell", size),))


def test_the_first_axis_is_the_slowest() -> None:
    assert REGISTER.size == 4096
    assert REGISTER.index(lane=0, register=0, bit=7) == 7
    assert REGISTER.index(lane=0, register=1, bit=0) == 32
    assert REGISTER.index(lane=13, register=0, bit=5) == 13 * 64 + 5
    assert REGISTER.coords(13 * 64 + 37) == {"lane": 13, "register": 1, "bit": 5}
    assert REGISTER.format(13 * 64 + 5) == "lane 13 register 0 bit 5"


def test_coordinates_may_be_arrays() -> None:
    index = REGISTER.index(lane=np.arange(64)[:, None], register=1, bit=np.arange(32))
    assert index.shape == (64, 32)
    assert index[2, 3] == 2 * 64 + 32 + 3
    back = REGISTER.coords(index)
    assert np.array_equal(back["bit"], np.broadcast_to(np.arange(32), (64, 32)))


@pytest.mark.parametrize(
    ("coords", "said"),
    [
        ({"lane": 64, "register": 0, "bit": 0}, "lane 64 is outside.*0 to 63"),
        ({"lane": 0, "register": -1, "bit": 0}, "register -1 is outside"),
        ({"lane": 0, "bit": 0}, "needs the coordinates lane, register, bit; got lane, bit"),
    ],
)
def test_a_wrong_coordinate_is_one_sentence(coords: dict[str, int], said: str) -> None:
    with pytest.raises(UserError, match=said):
        REGISTER.index(**coords)


def test_an_axis_named_twice_is_refused() -> None:
    with pytest.raises(UserError, match="twice"):
        Space("x", (("a", 2), ("a", 3)))


def test_a_table_must_fit_its_spaces() -> None:
    with pytest.raises(UserError, match="table of 4 cells"):
        LayoutMap(line(4), line(4), np.zeros(3))
    with pytest.raises(UserError, match="outside"):
        LayoutMap(line(2), line(4), np.array([0, 4]))


def test_lookup_in_both_directions() -> None:
    # Every cell of a broadcast comes from source cell 1; the last is undefined.
    broadcast = LayoutMap(line(4), line(2), np.array([1, 1, 1, UNDEFINED]))
    assert broadcast.source_of(cell=2) == {"cell": 1}
    assert broadcast.source_of(cell=3) is None
    assert broadcast.destinations_of(cell=1) == [{"cell": 0}, {"cell": 1}, {"cell": 2}]
    assert broadcast.destinations_of(cell=0) == []
    assert not broadcast.is_total
    assert not broadcast.is_one_to_one


def test_an_undefined_coordinate_makes_the_cell_undefined() -> None:
    low_half = LayoutMap.from_function(
        Space("tmem", (("column", 2), ("half", 2))),
        line(2),
        lambda column, half: {"cell": np.where(half == 0, column, UNDEFINED)},
    )
    assert low_half.table.tolist() == [0, -1, 1, -1]


def test_compose_follows_both_maps_and_what_is_undefined_stays_so() -> None:
    outer = LayoutMap(line(4), line(3), np.array([2, 0, UNDEFINED, 1]))
    inner = LayoutMap(line(3), line(5), np.array([4, UNDEFINED, 3]))
    assert outer.compose(inner).table.tolist() == [3, 4, -1, -1]


def test_composing_maps_that_do_not_meet_is_refused() -> None:
    with pytest.raises(UserError, match="cannot compose"):
        LayoutMap.identity(line(4)).compose(LayoutMap.identity(line(3)))


def test_no_inverse_names_the_replicated_cell() -> None:
    twice = LayoutMap(line(3), line(2), np.array([1, 0, 1]))
    with pytest.raises(UserError, match="cell 1 goes to both cell 0 and cell 2"):
        twice.inverse()
    assert twice.inverse(replicas="first").table.tolist() == [1, 0]


def test_restrict_by_mask_by_coordinate_and_by_range() -> None:
    identity = LayoutMap.identity(REGISTER)
    lane = identity.restrict(lane=13)
    assert lane.destination.axes == (("register", 2), ("bit", 32))
    assert lane.source_of(register=1, bit=3) == {"lane": 13, "register": 1, "bit": 3}
    upper = identity.restrict(bit=range(16, 32), register=0)
    assert upper.destination.axes == (("lane", 64), ("bit", 16))
    assert upper.source_of(lane=5, bit=0) == {"lane": 5, "register": 0, "bit": 16}
    odd = identity.restrict(REGISTER.grid()["lane"] % 2 == 1)
    assert odd.source_of(lane=2, register=0, bit=0) is None
    assert odd.source_of(lane=3, register=0, bit=0) == {"lane": 3, "register": 0, "bit": 0}
    with pytest.raises(UserError, match="outside 0 to 63"):
        identity.restrict(lane=64)


def test_product_puts_maps_side_by_side() -> None:
    warps = LayoutMap.identity(Space("register", (("warp", 2),)))
    swap = LayoutMap(line(2), line(2), np.array([1, 0]))
    both = warps.product(swap)
    assert both.destination.axes == (("warp", 2), ("cell", 2))
    assert both.source_of(warp=1, cell=0) == {"warp": 1, "cell": 1}
    with pytest.raises(UserError, match="twice"):
        swap.product(swap)


def test_coarsen_joins_bits_into_bytes_only_where_bytes_move_whole() -> None:
    bits = Space("register", (("register", 1), ("bit", 32)))
    # The bytes of a register in reverse order, the bits inside each in order.
    reverse = LayoutMap.from_function(
        bits, bits, lambda register, bit: {"register": 0, "bit": (3 - bit // 8) * 8 + bit % 8}
    )
    assert reverse.coarsen(8, "byte").table.tolist() == [3, 2, 1, 0]
    assert reverse.coarsen(8, "byte").refine(8, "bit", "byte", "byte") == reverse
    with pytest.raises(UserError, match="halfs do not move together: register 0 half 0"):
        reverse.coarsen(16, "half")
    with pytest.raises(UserError, match="5 does not divide"):
        reverse.coarsen(5, "five")


def test_equality_is_by_exhaustion_and_gives_the_first_differing_cell() -> None:
    identity = LayoutMap.identity(REGISTER)
    table = identity.table.copy()
    cell = REGISTER.index(lane=9, register=1, bit=4)
    table[cell] = 0
    table[-1] = UNDEFINED
    other = LayoutMap(REGISTER, REGISTER, table)
    difference = identity.first_difference(other)
    assert difference is not None
    assert difference.cell == cell
    assert str(difference) == (
        "lane 9 register 1 bit 4 receives lane 9 register 1 bit 4, against lane 0 register 0 bit 0"
    )
    assert identity != other
    assert identity.first_difference(LayoutMap.identity(REGISTER)) is None
    with pytest.raises(UserError, match="cannot compare"):
        identity.first_difference(LayoutMap.identity(line(2)))


@st.composite
def tables(draw: st.DrawFn, sizes: tuple[int, ...]) -> list[LayoutMap]:
    """A chain of partial, replicating maps: sizes[0] from sizes[1] from sizes[2] .."""
    chain = []
    for size, source in zip(sizes, sizes[1:], strict=False):
        cells = st.lists(st.integers(-1, source - 1), min_size=size, max_size=size)
        chain.append(LayoutMap(line(size), line(source), np.array(draw(cells))))
    return chain


@settings(deadline=None)
@given(tables((7, 5, 6, 4)))
def test_composition_is_associative(chain: list[LayoutMap]) -> None:
    a, b, c = chain
    assert a.compose(b).compose(c) == a.compose(b.compose(c))


@settings(deadline=None)
@given(st.permutations(range(12)), st.integers(0, 12))
def test_the_inverse_undoes_what_is_defined(order: list[int], kept: int) -> None:
    table = np.array(order)
    table[kept:] = UNDEFINED
    layout = LayoutMap(line(12), line(12), table)
    round_trip = layout.compose(layout.inverse())
    assert np.array_equal(round_trip.table[:kept], np.arange(kept))
    assert layout.inverse().inverse() == layout
