"""Mutants of a family of variants, all of one round in the emulator at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from lanemap import model
from lanemap.layout import LayoutMap
from lanemap.probing.mutation import scores
from lanemap.probing.mutation.families import score_family
from lanemap.probing.mutation.mutants import MutationScore
from lanemap.probing.probe import Probe, find_probe
from lanemap.probing.tmem.moves import MoveReading, Moves


def narrow(name: str) -> Probe:
    return find_probe(name).with_axes({"shape": ["16x128b"], "base": ["first"]})


@cache
def scored(name: str) -> list[MutationScore]:
    return score_family(narrow(name), 1, pairs=5)


@pytest.mark.parametrize("name", ["tcgen05_ld", "tcgen05_st"])
def test_every_mutant_is_noticed_and_found_as_it_is(name: str) -> None:
    assert len(scored(name)) == 14
    for each in scored(name):
        assert each.complete, each.variant
        assert (each.executed.tried, each.executed.noticed, each.identified) == (1, 1, 1)
        # 5 lane bits, log2 of registers and 5 bits; 4 lane bits, log2 of columns and 5 bits.
        layout = model.variant(each.variant).map
        bits = [space.size.bit_length() - 1 for space in (layout.source, layout.destination)]
        total = each.executed.tried + each.composed.tried + len(each.equivalent)
        assert total == bits[0] * bits[1] + 5


def test_a_probe_that_does_not_look_lets_mutants_survive() -> None:
    class Blind(Moves):
        def observe(self, readings: Sequence[MoveReading]) -> LayoutMap:
            return model.variant(readings[0].variant).map

    blind = replace(narrow("tcgen05_ld"), analysis=Blind(loads=True))
    found = score_family(blind, 1, pairs=0)
    assert all(each.executed.noticed == 0 and each.executed.survivors for each in found)
    assert not any(each.complete for each in found)


def test_a_family_is_told_from_a_variant() -> None:
    assert scores.asks_of_a_family(find_probe("tcgen05_st"))
    assert not scores.asks_of_a_family(find_probe("tr8"))
    assert set(scores.scored("sm_100a")) >= {"tcgen05_ld", "tcgen05_st", "tcgen05_shift"}
    # Nobody models which columns an allocation gets.
    assert not {"tcgen05_alloc", "tmem_lanes"} & set(scores.scored("sm_100a"))


def test_the_row_of_a_family_counts_all_and_names_each(tmp_path) -> None:
    row = scores.record("sm_100a", {"tcgen05_ld": scored("tcgen05_ld")}, tmp_path)
    found = row.findings["tcgen05_ld"]
    assert (found["variant"], found["variants"], found["executed_noticed"]) == (
        "tcgen05.ld",
        14,
        14,
    )
    assert found["by_variant"]["tcgen05.ld.16x128b.x1"].startswith("1 of 1 executed, ")
    assert "of 14 variants" in scores.sentence("tcgen05_ld", scored("tcgen05_ld"))
