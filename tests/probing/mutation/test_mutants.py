"""Mutants worked out from their matrices, and probes that must notice them, or cannot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from lanemap.errors import Disagreement, UserError
from lanemap.layout import LayoutMap, Space
from lanemap.probing.mutation.mutants import Mutants, mutants, score, score_probe
from lanemap.probing.probe import Probe, find_probe
from tests.probing.lds.standin import StandIn

TR8 = "ds_read_b64_tr_b8"


def sixteens() -> LayoutMap:
    """Lane i of 16 receives column i of the 8 x 16 bytes that their chunks are."""
    register = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 64)))
    table = np.arange(4096).reshape(4, 8, 16, 8).transpose(0, 2, 1, 3).reshape(-1)
    return LayoutMap(register, chunk, table)


def device_of(layout: LayoutMap) -> StandIn:
    """A device in NumPy that moves bits by a layout map; nothing of the emulator is in it."""
    source = layout.table.reshape(64, -1)

    def rule(addresses: np.ndarray, bits: int) -> np.ndarray:
        return 8 * addresses[source // 64] + source % 64

    return StandIn(rule)


def runner(probe: Probe):
    def run(models: Mapping[str, LayoutMap]) -> LayoutMap:
        return probe.analysis.observe(probe.readings(device_of(models[probe.variant])))

    return run


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
    found, again = mutants(sixteens(), pairs=200), mutants(sixteens(), pairs=200)
    kinds = [each.kind for each in found.changed]
    # 6 + 6 source bits by 6 + 1 + 5 destination bits.
    assert (kinds.count("one bit"), kinds.count("two bits")) == (144, 200)
    assert [each.name for each in found.changed] == [each.name for each in again.changed]
    assert len({each.name for each in found.changed}) == 344
    other = mutants(sixteens(), pairs=200, seed=1)
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


def test_the_byte_probe_notices_and_identifies_what_it_runs() -> None:
    probe = find_probe("tr8")
    readings = probe.readings(device_of(sixteens()))
    (own,) = probe.analysis.shown_by([sixteens()], readings)

    def shows(maps):
        return [not np.array_equal(each, own) for each in probe.analysis.shown_by(maps, readings)]

    found = score(TR8, sixteens(), runner(probe), shows, execute=6, pairs=20)
    assert (found.executed.tried, found.executed.noticed, found.identified) == (6, 6, 6)
    assert (found.composed.tried, found.composed.noticed) == (158, 158)
    assert found.complete and found.equivalent == ()


def test_one_address_for_all_lanes_cannot_see_whose_chunk_it_is() -> None:
    """By composition: all 6 rows of source lane bits survive, in each of the 12 columns."""
    probe = find_probe("tr8")
    blind = probe.with_axes({"pattern": ["uniform"]})
    readings = blind.readings(device_of(sixteens()))
    (own,) = blind.analysis.shown_by([sixteens()], readings)

    def shows(maps):
        return [not np.array_equal(each, own) for each in blind.analysis.shown_by(maps, readings)]

    found = score(TR8, sixteens(), runner(probe), shows, execute=0, pairs=0)
    survivors = found.composed.survivors
    assert len(survivors) == 6 * 12 and not found.complete
    assert all(name.startswith("source lane.") for name in survivors)
    assert found.composed.noticed == 144 - 72


def test_a_probe_that_does_not_find_the_model_has_no_score() -> None:
    blind = find_probe("tr8").with_axes({"pattern": ["uniform"]})
    with pytest.raises(UserError, match="does not find the model"):
        score(TR8, sixteens(), runner(blind), execute=1)


def test_a_probe_that_looks_at_one_lane_misses_the_others() -> None:
    """It reports the model wherever it did not look: only lane 0 of eight is looked at."""
    layout = square(8)

    def run(models: Mapping[str, LayoutMap]) -> LayoutMap:
        table = layout.table.copy()
        table[0] = models["x"].table[0]
        return LayoutMap(layout.destination, layout.source, table)

    found = score("x", layout, run, pairs=0)
    # Lane 0 is the zero of every matrix: no flipped entry moves it.
    assert (found.executed.tried, found.executed.noticed, found.identified) == (9, 0, 0)
    assert len(found.executed.survivors) == 9


def test_a_device_that_objects_has_noticed() -> None:
    layout = square(8)

    def run(models: Mapping[str, LayoutMap]) -> LayoutMap:
        if not models["x"].is_one_to_one:
            raise Disagreement("two lanes received the same")
        return models["x"]

    found = score("x", layout, run, pairs=0)
    # The identity loses rank where a diagonal entry is lost: three of nine.
    assert len(found.refused) == 3 and found.executed.noticed == 9 and found.identified == 6


def test_mutants_left_over_need_a_judge() -> None:
    with pytest.raises(UserError, match="neither executed nor composed"):
        score("x", square(8), lambda models: models["x"], execute=2, pairs=0)


@pytest.mark.parametrize("name", ["tr16", "tr8", "tr4", "tr6"])
def test_probes_notice_mutants_that_the_emulator_executes(name: str) -> None:
    found = score_probe(name, execute=3, pairs=20)
    assert (found.executed.tried, found.executed.noticed, found.identified) == (3, 3, 3)
    assert found.composed.tried and found.complete, found.composed.survivors
    assert found.to_json()["complete"] is True
