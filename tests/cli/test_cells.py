"""Cells named by options, against answers worked out by hand."""

import re

import numpy as np
import pytest

from lanemap.cli.cells import Run, describe, legal_options, parse, runs, select
from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.model import Variant, variant, variants

REGISTER = Space("register", (("lane", 2), ("register", 2), ("bit", 32)))
CHUNK = Space("chunk", (("lane", 2), ("bit", 64)))


def swap() -> LayoutMap:
    """Lane l, register r receives register 1-r's half of lane 1-l's chunk; lane 1, 0 nothing."""
    table = np.empty((2, 2, 32), np.int64)
    for lane in range(2):
        for register in range(2):
            table[lane, register] = (1 - lane) * 64 + (1 - register) * 32 + np.arange(32)
    table[1, 0] = -1
    return LayoutMap(REGISTER, CHUNK, table.reshape(-1))


def ask(words: str) -> list[Run]:
    return runs(swap(), select(swap(), parse(words.split())))


def test_forward_one_bit_and_a_whole_register() -> None:
    # Lane 0, register 1, bit 5 is cell 37; lane 1, bit 0 * 32 + 5 is source cell 69.
    assert ask("--lane 0 --reg 1 --bit 5") == [Run(37, 69, 1)]
    assert ask("--lane 0 --register 1") == [Run(32, 64, 32)]
    assert ask("--lane=1 --reg=0") == [Run(64, -1, 32)]


def test_backward_by_the_axes_of_the_source() -> None:
    # Chunk lane 1, bit 40 goes to lane 0, register 0, bit 8.
    assert ask("--chunk-lane 1 --chunk-bit 40") == [Run(8, 104, 1)]
    assert ask("--chunk 1,40") == [Run(8, 104, 1)]
    # Chunk lane 0's upper half would go to lane 1, register 0, which is undefined.
    assert ask("--chunk 0,63") == []
    assert ask("--chunk-lane 0") == [Run(96, 0, 32)]


def test_bytes_and_halves_select_bits() -> None:
    assert ask("--lane 0 --reg 1 --byte 3") == [Run(56, 88, 8)]
    assert ask("--chunk-lane 1 --chunk-half 3") == [Run(16, 112, 16)]


def test_an_axis_that_only_the_source_has_needs_no_prefix() -> None:
    destination = Space("register", (("lane", 4), ("bit", 32)))
    tmem = Space("tmem", (("row", 4), ("column", 1), ("bit", 32)))
    layout = LayoutMap(destination, tmem, np.arange(128))
    assert runs(layout, select(layout, {"row": "2", "column": "0"})) == [Run(64, 64, 32)]
    assert runs(layout, select(layout, {"tmem": "2,0,7"})) == [Run(71, 71, 1)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "name a cell of register"),
        ("--lane 2", "--lane 2 is outside 0 .. 1"),
        ("--lane x", "--lane 'x' is not a number"),
        ("--lane", "--lane needs a number"),
        ("--lane 1 --lane 1", "given twice"),
        ("lane 1", "'lane' is not understood"),
        (
            "--column 1",
            "--column is not an axis of this map; its axes are --lane, --register (--reg), --bit, "
            "--thread, ",
        ),
        ("--chunk-b 1", "--chunk-b is not an axis of this map"),
        ("--lane 1 --chunk-bit 1", "not of both"),
        ("--chunk 1,2,3", "more parts than lane, bit"),
        ("--byte 4", "--byte 4 is outside 0 .. 3"),
    ],
)
def test_what_is_wrong_is_named(words: str, sentence: str) -> None:
    with pytest.raises(UserError, match=re.escape(sentence)):
        ask(words)


def test_an_axis_of_both_sides_is_of_the_side_named_otherwise() -> None:
    """Row m of D with M 64 lies in lane 32 * (m / 16) + m % 16: both spaces have columns."""
    layout = variant("tcgen05.mma.cta_group::1.m64n128.f32:D").map
    (found,) = runs(layout, select(layout, {"row": "20", "column": "5"}))
    assert layout.destination.format(found.destination) == "lane 36 column 5 bit 0"
    (found,) = runs(layout, select(layout, {"lane": "36", "column": "5"}))
    assert layout.source.format(found.source) == "row 20 column 5 bit 0"
    with pytest.raises(UserError, match="not of both"):
        select(layout, {"row": "20", "lane": "36"})


def test_runs_are_put_into_words() -> None:
    assert describe(REGISTER, 37, 1) == "lane 0 register 1 bit 5"
    assert describe(CHUNK, 64, 32) == "lane 1 bit 0..31"
    assert describe(CHUNK, -1, 4) == "undefined"


def test_every_option_selects_on_one_side() -> None:
    legal = legal_options(swap())
    assert legal["lane"][0] == legal["byte"][0] == "destination"
    assert legal["chunk-lane"][0] == legal["chunk"][0] == legal["chunk-byte"][0] == "source"


def one_of_each_kind() -> list[Variant]:
    """The first variant of each family and operand, without building the maps of the others."""
    found: dict[object, Variant] = {}
    for each in variants():
        found.setdefault((each.family, each.name.rpartition(":")[2][:3]), each)
    return list(found.values())


@pytest.mark.parametrize("each", one_of_each_kind(), ids=lambda each: each.name)
def test_a_cell_goes_where_it_came_from(each: Variant) -> None:
    """Forward by the destination's axes, and back by the source's, on cells chosen at random."""
    layout = each.map
    own = "from" if layout.source.name == layout.destination.name else layout.source.name
    cells = np.flatnonzero(np.asarray(layout.table) >= 0)
    for cell in np.random.default_rng(0).choice(cells, 3).tolist():
        coordinates = layout.destination.coords(cell)
        asked = {f"{layout.destination.name}-{axis}": str(n) for axis, n in coordinates.items()}
        source = int(layout.table[cell])
        assert runs(layout, select(layout, asked)) == [Run(cell, source, 1)]
        coordinates = layout.source.coords(source)
        asked = {f"{own}-{axis}": str(n) for axis, n in coordinates.items()}
        back = runs(layout, select(layout, asked))
        assert any(run.destination <= cell < run.destination + run.count for run in back)
