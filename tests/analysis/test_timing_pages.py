"""Pages of instructions, of a sample of the stored rows, against these rows."""

from __future__ import annotations

import html
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from analysis import report, timing_pages
from analysis.pages import Site
from analysis.timing_plots import over_n
from analysis.timing_sources import Curve, decoded, sources
from lanemap.records.files import read_record
from tests.analysis.test_report import Links, leads_somewhere

ROOT = Path(__file__).resolve().parents[2]
ROWS = Path("results/sm_90a/cuda")
HMMA = "HMMA.16816.F32"
CLAIM: dict[str, Any] = {
    "source": "someone", "citation": "page 7", "chip": "H800", "words": "latency of mma",
    "cycles": [24.1, 24.1], "ours": 11.0, "other": None, "verdict": "measured something else",
    "called": {"from_event": f"issue of {HMMA}", "to_event": f"issue of {HMMA} with D as C"},
    "measured": None, "reading": "a loop",
}  # fmt: skip


def row(name: str) -> Any:
    return read_record(ROOT / ROWS / f"timing_{name}.json")


def rendered(template: str, filled: dict[str, Any]) -> str:
    """A page of a site that has no other."""
    site = Site(Path("site"))
    site.page("page.html", template, **filled)
    return str(site.files()[Path("site/page.html")])


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture(scope="module")
def hmma() -> str:
    told = {"published": [CLAIM], "ptx": {HMMA: ["mma.sync.aligned.m16n8k16"]}}
    (filled,) = [page for _, page in timing_pages.pages([row("mma")], told, only=[HMMA])]
    return rendered("timing_instruction.html", filled)


def test_a_page_has_figure_plot_window_certificates_and_command(hmma: str) -> None:
    """From D to C 11 cycles, proven with stall counts of 10 and fewer, as the row has them."""
    held = json.loads((ROOT / ROWS / "timing_mma.json").read_text())["findings"]["series"]
    series = next(each for each in held if each["name"] == f"{HMMA} D to C")
    shares = {int(cycles): share for cycles, share in series["stalls"].items()}
    least = 1 + max(cycles for cycles, share in shares.items() if share)
    cycles = {int(n): int(text.split("x")[0]) for n, text in series["least_cycles"].items()}
    slope = np.polyfit(list(cycles), list(cycles.values()), 1)[0]
    text = text_of(hmma)
    for words in (
        "11 cycles fixed latency",
        f"A link adds {slope:.4g} cycles (least stall counts; n = 8, 12, 16, 28, 44)",
        f"With stall counts of {least} cycles and more between two, no result changes.",
        "A link adds exactly 1 HMMA.16816.F32;",
        "All 132 SMs took the same, at every n.",
        "lanemap timing mma --device cuda",
        f"lanemap timing {HMMA}",
        "mma.sync.aligned.m16n8k16",
        "someone page 7 H800 latency of mma a loop 24.1 11 measured something else",
    ):
        assert words in text, words
    assert '<span class="tag silicon">silicon</span>' in hmma
    assert hmma.count("<svg") == len(re.findall('<details class="figure"', hmma)) == 7
    assert re.search(r"<b> +15 +- .*HMMA.16816.F32 R16, R8, R4, R16 +\(8 times\)</b>", hmma)


def test_plots_are_whole_pictures(hmma: str) -> None:
    for found in re.findall(r"<svg.*?</svg>", hmma, re.DOTALL):
        picture = ElementTree.fromstring(found)
        _, _, width, height = map(float, picture.attrib["viewBox"].split())
        for mark in picture.iter("circle"):
            assert 0 < float(mark.attrib["cx"]) < width and 0 < float(mark.attrib["cy"]) < height


def test_a_plot_shows_what_is_off_the_line() -> None:
    """Cycles 5 + 10 n, of 132 SMs; of 28 links, two SMs take 3 cycles more."""
    points = {n: {5 + 10 * n: 132} for n in (8, 12, 16, 28, 44)}
    even = ElementTree.fromstring(over_n([Curve("whole", points)], "cycles", "SMs"))
    assert len(list(even.iter("circle"))) == 5
    words = [each.text for each in even.iter("text")]
    assert "whole: 10 a link" in words and not [each for each in words if "+" in str(each)]
    points[28] = {285: 130, 288: 2}
    uneven = over_n([Curve("whole", points)], "cycles", "SMs")
    assert ">+3<" in uneven and ">whole: 10 a link<" in uneven
    assert ">whole: 12,345 a link<" in over_n(
        [Curve("whole", {n: {12_345 * n: 9} for n in points})], "ns", "runs"
    )
    assert ">whole: 2.5 a link<" in over_n([Curve("whole", points)], "cycles", "SMs", trips=4)


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("W1 R- wait 100001 stall 4 yield  LDS R7, [R7]", ["4", "yes", "1", "-", "0,5", "LDS"]),
        ("W- R3 wait 000000 stall 13  STS [R2], R3", ["13", "-", "-", "3", "-", "STS"]),
        # Launches keep a guard's place before the opcode.
        (
            "W- R- wait 000000 stall 1 yield   LDC R1, c[0x0][0x28]",
            ["1", "yes", "-", "-", "-", "LDC"],
        ),
        ("W0 R- wait 000110 stall 2 yield  EXIT ", ["2", "yes", "0", "-", "1,2", "EXIT"]),
    ],
)
def test_control_words_are_read(line: str, columns: list[str]) -> None:
    """Bit 0 of the mask stands right; W and R name the barrier that is set, as `Control` says."""
    assert decoded(line).split()[:6] == columns


def test_every_figure_has_its_points() -> None:
    """The points of a figure give its cycles again, by a fit that NumPy makes."""
    for name in ("sync", "issue"):
        for source in sources(row(name)):
            medians = source.curves[0].medians
            slope = np.polyfit(list(medians), list(medians.values()), 1)[0]
            each = slope / source.trips / source.held["operations_of_a_link"]
            value = source.figure["value"]
            assert abs(each - value) <= 0.001 * abs(value) + 1e-6, source.figure["chain"]
            assert abs(source.curves[0].line[0] - slope) < 1e-6 * max(abs(slope), 1)


def test_the_site_has_a_page_for_each_instruction_and_an_index(tmp_path: Path) -> None:
    place = tmp_path / ROWS
    place.mkdir(parents=True)
    shutil.copy(ROOT / ROWS / "timing_issue.json", place)
    site = tmp_path / "site"
    report.build(tmp_path / "results", site)
    figures = row("issue").findings["figures"]
    names = {each["instruction"] for each in figures}
    folder = site / "sm_90a/cuda/timing"
    assert {path.stem for path in folder.glob("*.html")} == {*names, "index"}
    index = (folder / "index.html").read_text()
    assert all(f"<code>{name}</code>" in index for name in names) and 'id="search"' in index
    assert 'href="sm_90a/cuda/timing/index.html"' in (site / "cycles.html").read_text()
    assert 'href="timing/index.html"' in (site / "sm_90a/cuda/timing_issue.html").read_text()
    for page in sorted(site.rglob("*.html")):
        for link in Links(page.read_text()).found:
            leads_somewhere(page, link)
    opened = [each for each in figures if not each["explained"]]
    assert opened
    for each in opened:
        page = text_of((folder / timing_pages.file_name(each["instruction"])).read_text())
        assert "not explained" in page
        assert all(why in page for why in each["certificates"].values() if why)


def test_a_sweep_is_a_table_whose_common_axes_stand_once() -> None:
    """wgmma was measured over N, A and more; the values of A and B were the same in all."""
    name = "HGMMA.64xNx16.F32"
    (filled,) = [page for _, page in timing_pages.pages([row("wgmma")], {}, only=[name])]
    pair = next(each for each in filled["pairs"] if "wait_group 0 passed" in each["to"])
    assert pair["many"] and "values" not in pair["axes"] and "values" in pair["at"]
    assert {"A", "N"} <= set(pair["axes"])
    shown = [each["axes"]["N"] for each in pair["figures"] if each["axes"]["A"] == "registers"]
    assert shown == sorted(shown) and len(set(shown)) > 4


def test_later_runs_stand_on_the_page() -> None:
    record = row("issue")
    name = record.findings["figures"][0]["instruction"]
    run = {
        "gpu": "NVIDIA H200", "uuid": "GPU-2", "same_gpu": False, "figures": 9,
        "time": "2026-11-24T03:00:00+00:00",
        "differing": [f"issue of {name} to something: 4 and 5 cycles", "issue of OTHER to x"],
    }  # fmt: skip
    record = replace(record, findings={**record.findings, "again": [run]})
    (filled,) = [page for _, page in timing_pages.pages([record], {}, only=[name])]
    text = text_of(rendered("timing_instruction.html", filled))
    assert f"another GPU: 9 figures of the group measured again, 2 differences, 1 of {name}" in text
    assert "4 and 5 cycles" in text and "OTHER" not in text


def test_a_name_leads_to_no_other_folder(tmp_path: Path) -> None:
    record = row("issue")
    hostile = {**record.findings["figures"][0], "instruction": "../../x <b>"}
    record = replace(record, findings={**record.findings, "figures": [hostile]})
    site = Site(tmp_path)
    timing_pages.build([record], site, {})
    files = {path: text for path, text in site.files().items() if path.suffix == ".html"}
    folders = {path.parent.relative_to(tmp_path).as_posix() for path in files}
    assert len(files) == 3 and folders == {".", "sm_90a/cuda/timing"}
    assert not [page for page in files.values() if "<b>" in str(page).split("<pre")[0]]
