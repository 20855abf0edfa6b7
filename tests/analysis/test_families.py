"""Pages and pictures of families, on maps made here from the ISA's fragments."""

from __future__ import annotations

from lanemap.cli.folders import module
from lanemap.layout import LayoutMap, Space
from lanemap.records.files import write_records
from lanemap.records.schema import Observation, Record
from tests.analysis.records import CERTIFICATE
from tests.records.rows import HASH, findings

figures = module("analysis", "figures")
tables = module("analysis", "tables")
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


def test_one_picture_for_each_shape_and_the_same_bytes_again() -> None:
    packed = observation("tcgen05.ld.16x64b.x2.pack::16b", load(2, halves=True))
    first = figures.draw(record(*LOADS, packed))
    assert set(first) == {"ld.16x64b.x16.png", "ld.16x64b.x2.packed.png"}
    assert figures.draw(record(*LOADS, packed)) == first


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
    assert "odd: 3" in page and "2 claims" in page and 'src="mine.ld.16x64b.x16.png"' in page
    assert "There are 79 mutants" in page and "9 of them were executed" in page
    assert "noticed 7." in page and "lane.3 loses bit.1" in page and "bit.0: hangs" in page
    # One certificate is said by all five.
    assert page.count("any &lt;lane&gt; &amp; any offset") == 1
    assert "5 maps" in (tmp_path / "site/evidence.html").read_text()
    table = pd.read_parquet(tmp_path / "site/sm_100a/emulator/mine.parquet")
    assert len(table) == sum(each.map.destination.size for each in LOADS)
    row = table[(table["variant"] == "tcgen05.ld.16x64b.x2") & (table["register_lane"] == 7)]
    assert set(row["tmem_lane"]) == {9}
