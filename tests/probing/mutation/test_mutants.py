"""Mutants, worked out by hand from their matrices."""

from __future__ import annotations

import numpy as np

from lanemap.layout import LayoutMap, Space
from lanemap.probing.mutation.mutants import Mutants, mutants, spread
from tests.probing.mutation.devices import bytes_of_sixteen


def square(size: int) -> LayoutMap:
    """The identity on one axis."""
    return LayoutMap(
        Space("register", (("lane", size),)), Space("chunk", (("cell", size),)), np.arange(size)
    )


def named(found: Mutants, name: str) -> LayoutMap:
    (mutant,) = [each for each in found.changed if each.name == name]
    return mutant.map


def test_every_entry_of_the_matrix_is_flipped_once() -> None:
    found = mutants(square(8), pairs=0)
    assert len(found.changed) == 9 and not found.equivalent and not found.outside
    gained = named(found, "source cell.0 gains destination lane.2")
    assert gained.table.tolist() == [0, 1, 2, 3, 5, 4, 7, 6]
    lost = named(found, "source cell.1 loses destination lane.1")
    assert lost.table.tolist() == [0, 1, 0, 1, 4, 5, 4, 5]


def test_pairs_are_seeded_distinct_and_as_many_as_asked() -> None:
    found, again = mutants(bytes_of_sixteen(), pairs=200), mutants(bytes_of_sixteen(), pairs=200)
    kinds = [each.kind for each in found.changed]
    # 6 + 6 source bits by 6 + 1 + 5 destination bits.
    assert (kinds.count("one bit"), kinds.count("two bits")) == (144, 200)
    assert [each.name for each in found.changed] == [each.name for each in again.changed]
    assert len({each.name for each in found.changed}) == 344
    other = mutants(bytes_of_sixteen(), pairs=200, seed=1)
    assert [each.name for each in other.changed] != [each.name for each in found.changed]
    # All pairs of nine entries are 36, however many are asked for.
    assert sum(each.kind == "two bits" for each in mutants(square(8), pairs=99).changed) == 36


def test_changes_that_change_no_cell_are_listed_and_not_counted() -> None:
    """Only lanes below 4 are said: what lane bit 2 would do shows nowhere."""
    partial = square(8).restrict(mask=np.arange(8) < 4)
    found = mutants(partial, pairs=0)
    assert set(found.equivalent) == {
        f"source cell.{row} gains destination lane.2" for row in range(3)
    }
    assert len(found.changed) == 6


def test_changes_that_leave_the_source_are_no_maps() -> None:
    """Of 6 cells, codes 6 and 7 are none: lane 4 with another bit set leaves them or stays."""
    found = mutants(square(6), pairs=0)
    assert "source cell.1 gains destination lane.2" in found.outside
    for each in found.changed:
        assert each.map.is_total


def test_maps_that_are_not_affine_have_cells_moved() -> None:
    rng = np.random.default_rng(2)
    layout = LayoutMap(
        Space("register", (("lane", 24),)), Space("chunk", (("cell", 24),)), rng.permutation(24)
    )
    found = mutants(layout, pairs=50)
    assert {each.kind for each in found.changed} == {"exchange", "redirect"}
    assert len(found.changed) + len(found.equivalent) == 50
    for each in found.changed:
        differing = np.flatnonzero(each.map.table != layout.table)
        assert len(differing) == (2 if each.kind == "exchange" else 1)
        if each.kind == "exchange":
            assert sorted(each.map.table) == sorted(layout.table)


def test_packed_elements_are_mutated_as_elements() -> None:
    """Field j of lane i of 16 is field i of lane j: lane bits change places with field bits."""
    register = Space("register", (("lane", 64), ("register", 3), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 96)))
    table = np.arange(64 * 96).reshape(4, 16, 16, 6).transpose(0, 2, 1, 3).reshape(-1)
    found = mutants(LayoutMap(register, chunk, table), pairs=0)
    # 6 + 4 + 3 bits on both sides; changes of the bit inside a field may leave the field.
    assert len(found.changed) + len(found.outside) == 13 * 13 and not found.equivalent
    assert all(name.startswith("source bit.") for name in found.outside)
    lost = named(found, "source lane.0 loses destination element.0")
    # Field 1 of lane 0 (bits 6 to 11) now comes from lane 0, not from lane 1.
    assert lost.table[6:12].tolist() == [0, 1, 2, 3, 4, 5]
    assert lost.table[:6].tolist() == [0, 1, 2, 3, 4, 5]


def test_chosen_mutants_are_spread_over_all() -> None:
    assert spread(10, 3) == [0, 4, 9]
    assert spread(3, 5) == spread(3, None) == [0, 1, 2]
    assert spread(10, 0) == []
