"""Sheets of tensor memory, on maps made here from the ISA's fragments."""

from __future__ import annotations

import io

import numpy as np
import pytest

from lanemap.cli.folders import module
from lanemap.layout import LayoutMap, Space
from lanemap.records.files import write_records
from lanemap.records.schema import Observation, Record
from tests.analysis.records import CERTIFICATE
from tests.records.rows import HASH, findings

sheets = module("analysis", "tensor_sheets")
figures = module("analysis", "figures")
tables = module("analysis", "tables")
canvas = module("analysis", "canvas")
report = module("analysis", "report")


def load(repeat: int, halves: bool = False, swapped: bool = False) -> LayoutMap:
    """16x64b (NVIDIA PTX ISA): lane t/4 + 8*(t%2), column (t/2)%2 + 2*r."""
    columns = 2 * repeat * (2 if halves else 1)
    register = Space("register", (("lane", 32), ("register", repeat), ("bit", 32)))
    tmem = Space("tmem", (("lane", 16), ("column", columns), ("bit", 32)))

    def place(lane, register, bit):
        column = lane // 2 % 2 + 2 * register
        to = lane // 4 + 8 * (1 - lane % 2 if swapped else lane % 2)
        if not halves:
            return {"lane": to, "column": column, "bit": bit}
        return {"lane": to, "column": 2 * column + bit // 16, "bit": bit % 16}

    return LayoutMap.from_function(register, tmem, place)


def observation(variant: str, layout: LayoutMap) -> Observation:
    fit = {"form": "f2", "formula": ["tmem.lane = lane >> 2", "tmem.column = register"], "rank": 5}
    return Observation(variant, layout, HASH, None, 22, (), fit, CERTIFICATE)


def record(*held: Observation) -> Record:
    told = findings("tcgen05.ld", variants={"tcgen05.ld.16x64b.x2": {"odd": 3}})
    return Record("mine", "sm_100a", "emulator", "emulator", held, told, kind="layout_family")


LOADS = [observation(f"tcgen05.ld.16x64b.x{n}", load(n)) for n in (1, 2, 4, 16, 32)]


@pytest.mark.parametrize("store", [False, True])
def test_words_are_read_from_loads_and_from_stores(store: bool) -> None:
    layout = load(2).inverse() if store else load(2)
    held = sheets.held_by(observation(f"tcgen05.{'st' if store else 'ld'}.16x64b.x2", layout))
    # Lane 9, column 3: thread 4*1 + 2*1 + 1, register 1.
    assert (held.thread[9, 3], held.register[9, 3], held.half[9, 3]) == (7, 1, -1)
    assert held.thread.shape == (16, 4)


def test_halves_are_told_apart_and_high_halves_left_out() -> None:
    layout = load(2, halves=True).inverse()
    held = sheets.held_by(observation("tcgen05.st.16x64b.x2.unpack::16b", layout))
    assert (held.thread[9, 6], held.register[9, 6], held.half[9, 6]) == (7, 1, 0)
    assert (held.thread[9, 7], held.register[9, 7], held.half[9, 7]) == (7, 1, 1)


def test_a_larger_xn_begins_with_the_smaller_ones() -> None:
    large, small = (sheets.held_by(observation("tcgen05.ld.16x64b.x1", load(n))) for n in (8, 2))
    assert large.starts_with(small)
    other = sheets.held_by(observation("tcgen05.ld.16x64b.x1", load(2, swapped=True)))
    assert not large.starts_with(other)


def pixels(png: bytes) -> np.ndarray:
    from matplotlib.image import imread

    return imread(io.BytesIO(png))[..., :3]


def test_one_sheet_for_each_shape_and_the_same_bytes_again() -> None:
    packed = observation("tcgen05.ld.16x64b.x2.pack::16b", load(2, halves=True))
    first = figures.draw(record(*LOADS, packed))
    assert set(first) == {"16x64b.png", "16x64b.packed.png"}
    assert figures.draw(record(*LOADS, packed)) == first


def test_a_smaller_one_that_differs_gets_a_picture_of_its_own() -> None:
    rows = [LOADS[0], observation("tcgen05.ld.16x64b.x2", load(2, swapped=True)), *LOADS[2:]]
    same, other = (pixels(figures.draw(record(*each))["16x64b.png"]) for each in (LOADS, rows))
    assert other.shape[0] > same.shape[0] and other.shape[1] == same.shape[1]


def test_a_cell_has_its_threads_colour() -> None:
    """In a map that gives every cell to thread 20, its colour fills the picture."""
    true = load(16)
    table = np.full(true.source.size, -1)
    table[:] = 20 * 16 * 32 + np.arange(32)[None, :].repeat(16 * 32, 0).reshape(-1)
    stored = LayoutMap(true.source, true.destination, table)
    image = pixels(figures.draw(record(observation("tcgen05.st.16x64b.x16", stored)))["16x64b.png"])
    colours = canvas.lane_colours(32, 8)

    def share(colour: np.ndarray) -> int:
        return int((np.abs(image - colour[:3]).max(axis=-1) < 0.02).sum())

    assert share(colours[20]) > 40 * share(colours[3]) > 0


def test_the_page_of_a_family_lists_its_variants(tmp_path) -> None:
    import pandas as pd

    score = {"variant": "tcgen05.ld", "mutants": 79, "executed": 9, "executed_noticed": 7,
             "executed_identified": 7, "equivalent": 2, "outside": 0,
             "survivors": ["lane.3 loses bit.1"], "stopped": ["bit.0: hangs"]}  # fmt: skip
    kind = "mutation_scores"
    scores = Record(kind, "sm_100a", "emulator", "emulator", (), {"mine": score}, kind=kind)
    write_records([record(*LOADS), scores], tmp_path / "results")
    comparisons = {"tcgen05.ld.16x64b.x4": {"support": {"words": "2 claims"}}}
    report.build(tmp_path / "results", tmp_path / "site", comparisons)
    page = (tmp_path / "site/sm_100a/emulator/mine.html").read_text()
    for each in LOADS:
        assert f"<code>{each.variant}</code>" in page
    assert "odd: 3" in page and "2 claims" in page and 'src="mine.16x64b.png"' in page
    assert "There are 79 mutants" in page and "9 of them were executed" in page
    assert "noticed 7." in page and "lane.3 loses bit.1" in page and "bit.0: hangs" in page
    # One certificate is said by all five.
    assert page.count("any &lt;lane&gt; &amp; any offset") == 1
    assert "5 maps" in (tmp_path / "site/index.html").read_text()
    table = pd.read_parquet(tmp_path / "site/sm_100a/emulator/mine.parquet")
    assert len(table) == sum(each.map.destination.size for each in LOADS)
    row = table[(table["variant"] == "tcgen05.ld.16x64b.x2") & (table["register_lane"] == 7)]
    assert set(row["tmem_lane"]) == {9}


def test_copies_are_drawn_by_row_and_unchanged_lanes_in_grey() -> None:
    """4x256b brings row r to lane 32*r; of 128 lanes 124 are left as they are."""
    tmem = Space("tmem", (("lane", 128), ("column", 8), ("bit", 32)))
    shared = Space("shared", (("row", 4), ("bit", 256)))

    def row(lane, column, bit):
        return {"row": np.where(lane % 32 == 0, lane // 32, -1), "bit": 32 * column + bit}

    copied = LayoutMap.from_function(tmem, shared, row)
    image = pixels(figures.draw(record(observation("tcgen05.cp.4x256b", copied)))["png"])
    grey = np.array([int(canvas.NOTHING[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    colour = canvas.lane_colours(4, 32)[2, :3]

    def share(wanted: np.ndarray) -> int:
        return int((np.abs(image - wanted).max(axis=-1) < 0.02).sum())

    # The four rows' colours are near each other.
    assert share(grey) > 20 * share(colour) > 0
