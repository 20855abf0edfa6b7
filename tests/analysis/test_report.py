from __future__ import annotations

import html
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lanemap import paths
from lanemap.cli.folders import module
from lanemap.errors import UserError
from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Record
from tests.analysis.records import bare, layout, record, settles_nothing
from tests.records.rows import ENVIRONMENT, HASH

report = module("analysis", "report")
tables = module("analysis", "tables")
ROOT = Path(__file__).resolve().parents[2]
LANE, BYTE = np.meshgrid(np.arange(64), np.arange(8), indexing="ij")
OWN = layout(LANE, 7 - BYTE, 8)


class Links(HTMLParser):
    """The links of a page, and whether its tags are closed in order."""

    VOID = {"meta", "link", "br", "img", "input"}
    ELSEWHERE = ("https://", "data:")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.found += [
            value
            for name, value in attrs
            if name in ("href", "src", "action") and not value.startswith(self.ELSEWHERE)
        ]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def approximation(form: str, distance: int) -> dict[str, object]:
    return {
        "form": form,
        "inputs": 4,
        "unit": "f32 values",
        "largest_distance": distance,
        "distances": {"0": 4},
        "worst": [],
    }


FROM_SILICON = Record(
    "approximations",
    "sm_90a",
    "cuda",
    "silicon",
    findings={"add": approximation("add", 7), "mul": approximation("mul", 5)},
    environment={**ENVIRONMENT, "gpu": "a <card>", "clocks": {"sm_mhz": 1980}},
    kind="approximations",
)


def program(name: str, emulator: str = "", gpu: str = "") -> dict[str, object]:
    return {
        "name": name,
        "threads": 32,
        "structured": False,
        "ptx": HASH,
        "inputs": HASH,
        "cubin": HASH,
        "output": None if gpu else HASH,
        "slots": None if gpu else "AAAA",
        "errors": [emulator, gpu],
    }


def mbarriers(*programs: dict[str, object]) -> Record:
    forms = {"kind": "bits", "names": ["mbarrier.init"], "forms": 1, "programs": 1,
             "fewest_lanes": 32}  # fmt: skip
    found = {"compiler": None, "runs": 5, "programs": list(programs),
             "forms": [forms | {"lanes": 32, "equal": 32}, forms | {"lanes": 9, "equal": 8}],
             "disagreements": [], "states": {"states": 3, "the same each time": 3},
             "opaque": {"runs": 5}}  # fmt: skip
    return replace(FROM_SILICON, probe="mbarriers", kind="mbarriers", findings=found)


@pytest.fixture
def site(tmp_path):
    write_records([record(OWN), bare(OWN), settles_nothing(), FROM_SILICON], tmp_path / "results")
    report.build(tmp_path / "results", tmp_path / "site")
    return tmp_path / "site"


def leads_somewhere(page: Path, link: str) -> None:
    """A link leads to a file, or to a part of its own page."""
    if link.startswith("#"):
        assert f'id="{link[1:]}"' in page.read_text(), f"{page} has no part {link}"
        return
    assert (page.parent / link).is_file(), f"{page} links to {link}"


def test_every_link_of_every_page_leads_to_a_file(site):
    pages = sorted(site.rglob("*.html"))
    assert [p.relative_to(site).as_posix() for p in pages] == [
        "evidence.html",
        "explorer.html",
        "gfx950/emulator/bare.html",
        "gfx950/emulator/hidden.html",
        "gfx950/emulator/mine.html",
        "index.html",
        "sm_90a/cuda/approximations.html",
    ]
    for page in pages:
        for link in Links(page.read_text()).found:
            leads_somewhere(page, link)


def test_a_page_bears_evidence_command_fit_and_certificate(site):
    page = (site / "gfx950/emulator/mine.html").read_text()
    for words in (
        '<span class="tag emulator">emulator</span>',
        "lanemap probe mine --target gfx950 --device emulator",
        "chunk.byte = lane &amp; 7",
        "any &lt;lane&gt; &amp; any offset",
        "cannot tell apart: 8 parts",
        "pattern=apart (3 passes)",
        "lane 1 register 0 bit 0",
        "model | a twin",
        "another = its copy",
        "sha256:11",
        "nothing had written in lanes 1 to 7.",
    ):
        assert words in page, words


COMPARISON = {
    "variant": "ds_read_b64_tr_b8",
    "agrees": True,
    "support": {"words": "2 claims, 1 kernel"},
    "standings": [
        {
            "name": "a dissenter",
            "citation": "page 7",
            "notes": ["as worded"],
            "evidence": "documented",
            "rests_on": "a document",
            "cells_compared": 4096,
            "cells_of_reference": 4096,
            "partial": False,
            "agrees": False,
            "first_difference": {
                "cell": "lane 1",
                "verb": "receives",
                "mine": "lane 0 bit 8",
                "theirs": "lane 1 bit 0",
            },
        }
    ],
}


def test_comparisons_are_shown_where_they_are_given(tmp_path):
    write_records([record(OWN)], tmp_path / "results")
    held = {"ds_read_b64_tr_b8": COMPARISON}
    report.build(tmp_path / "results", tmp_path / "site", held)
    page = " ".join((tmp_path / "site/gfx950/emulator/mine.html").read_text().split())
    assert "differs: lane 1 receives lane 1 bit 0, by the model lane 0 bit 8" in page
    assert "page 7" in page and "as worded" in page
    assert "2 claims, 1 kernel" in (tmp_path / "site/evidence.html").read_text()


def test_the_index_says_that_nothing_was_seen_on_silicon(site):
    page = (site / "evidence.html").read_text()
    assert "No map here was observed on silicon." in page
    assert "no map determined" in page


def test_a_row_of_silicon_shows_its_values_and_its_environment(site):
    page = (site / "sm_90a/cuda/approximations.html").read_text()
    assert '<span class="tag silicon">silicon</span>' in page
    assert "Approximate instructions: their largest distance" in page
    number = '<td class="number">'
    assert f"<td>add</td>{number}4</td>{number}7</td><td>f32 values</td>" in page
    assert f"<td>mul</td>{number}4</td>{number}5</td><td>f32 values</td>" in page
    assert "<th>clocks.sm_mhz</th><td>1980</td>" in page and "a &lt;card&gt;" in page
    assert 'href="sm_90a/cuda/approximations.html"' in (site / "evidence.html").read_text()


def test_lists_of_a_row_are_tables_that_are_cut() -> None:
    rows = [{"name": f"program {n}", "errors": ["a", "b"]} for n in range(tables.MOST_ROWS + 5)]
    timed = [{"us": {"ours": 1.5, "others": [2, 3]}, "more": {f"n{n}": n for n in range(7)}}]
    lists = {"programs": rows, "disagreements": [], "timed": timed}
    lists["stops"] = {"trap": ["one", "two"]}
    record = replace(FROM_SILICON, findings=lists, kind="programs")
    programs, disagreements, times = tables.lists(record)
    assert times["columns"] == ["us, ours", "us, others", "more"]
    assert times["rows"] == [["1.5", "2, 3", "n0 0; n1 1; n2 2; n3 3; n4 4; n5 5; n6 6"]]
    assert programs["columns"] == ["name", "errors"] and programs["more"] == 5
    assert programs["rows"][0] == ["program 0", "a, b"]
    assert (disagreements["rows"], disagreements["more"]) == ([], 0)
    assert tables.values(record).to_dict("records") == [{"entry": "stops", "trap": "one, two"}]


def test_the_full_table_has_every_cell(site):
    table = pd.read_parquet(site / "gfx950/emulator/mine.parquet")
    assert len(table) == 4096
    row = table[
        (table.register_lane == 9) & (table.register_register == 1) & (table.register_bit == 3)
    ]
    # Byte 4 of lane 9 is byte 3 of its own chunk: bit 35 comes from bit 27.
    assert row[["chunk_lane", "chunk_bit"]].to_numpy().tolist() == [[9, 27]]


def test_undefined_cells_are_minus_one_in_the_table():
    observation = record(OWN).observations[0]
    table = OWN.table.copy()
    table[0] = -1
    hidden = type(OWN)(OWN.destination, OWN.source, table)
    cells = tables.cells(type(observation)("v", hidden, "", None, 1))
    assert cells[["chunk_lane", "chunk_bit"]].to_numpy()[:2].tolist() == [[-1, -1], [0, 57]]


def test_building_twice_changes_no_byte(site, tmp_path):
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    report.build(tmp_path / "results", site)
    assert {path: path.read_bytes() for path in before} == before


def test_no_records_is_one_sentence(tmp_path):
    with pytest.raises(UserError, match="run lanemap probe --all first"):
        report.build(tmp_path, tmp_path / "site")


def test_programs_that_fault_on_the_gpu_alone_stand_on_their_page(tmp_path):
    """A page that says that nothing differs must say what could not be compared."""
    clean, fault = program("one"), program("two", gpu="stopped by a fault")
    for programs, well in (((clean, clean), 2), ((clean, fault, fault), 1)):
        write_records([mbarriers(*programs)], tmp_path / str(well))
        report.build(tmp_path / str(well), tmp_path / "site")
        page = " ".join((tmp_path / "site/sm_90a/cuda/mbarriers.html").read_text().split())
        assert f"{len(programs)} generated programs" in page
        assert f"{well} ended well on both" in page
        assert "2 forms were compared in these, and 1 gave the same result in every lane" in page
        alone = "programs fault on the GPU and not on the emulator" in page
        assert alone is (well == 1)
        assert ("<td>two</td><td>ends well</td><td>stopped by a fault</td>" in page) is alone
        assert "Results that differ, of the programs that ended well on both" in page


def test_names_of_records_lead_to_no_other_folder(tmp_path):
    """Pages, figures and tables of a probe called ../../x lie where all others do."""
    out, name = tmp_path / "a/b/site", "../../x"
    hostile = replace(record(OWN), probe=name, target="..")
    write_records([hostile, replace(mbarriers(program("p")), probe="<b>/..")], tmp_path / "results")
    report.build(tmp_path / "results", out)
    assert {path.name for path in tmp_path.iterdir()} == {"a", "results"}
    assert [path.name for path in (tmp_path / "a/b").iterdir()] == ["site"]
    pages = sorted(out.rglob("*.html"))
    assert len(pages) == 5
    for page in pages:
        for link in Links(page.read_text()).found:
            assert (page.parent / link).resolve().is_relative_to(out.resolve())
            leads_somewhere(page, link)
    index = (out / "evidence.html").read_text()
    assert name in index and "<b>" not in index


def test_a_partial_row_is_called_partial_on_its_page_and_in_the_index(tmp_path):
    table = OWN.table.copy()
    table[1:] = -1
    full = record(OWN)
    one = replace(full.observations[0], map=type(OWN)(OWN.destination, OWN.source, table))
    write_records([replace(full, observations=(one,))], tmp_path / "results")
    report.build(tmp_path / "results", tmp_path / "site")
    for name in ("evidence.html", "gfx950/emulator/mine.html"):
        assert "partial: 1 of 4096 bits" in (tmp_path / "site" / name).read_text()
    page = (tmp_path / "site/gfx950/emulator/mine.html").read_text()
    assert "equal to the observation on every cell that it defines" in page
    pair = replace(full, observations=(one, full.observations[0]), kind="layout_family")
    assert tables.reach(pair.observations) == "partial: 1 of 4096 bits in 1 of 2 maps"
    marked = replace(one, without_source=table < 0)
    assert tables.reach([marked]) == ""


def test_a_page_follows_the_kind_and_not_the_name_or_the_number_of_maps(tmp_path):
    """A family of which one variant was asked is a family; a probe may be called as it likes."""
    family = replace(record(OWN), kind="layout_family", probe="mutation_scores")
    write_records([family], tmp_path / "results")
    report.build(tmp_path / "results", tmp_path / "site")
    page = (tmp_path / "site/gfx950/emulator/mutation_scores.html").read_text()
    assert "<h2>Variants</h2>" in page and "1 variants" in page


def test_a_page_of_mutants_lists_those_that_no_test_notices(tmp_path):
    row = read_record(ROOT / "results" / "gfx950" / "emulator" / "instruction_mutants.json")
    write_records([row], tmp_path / "results")
    report.build(tmp_path / "results", tmp_path / "site")
    page = (tmp_path / "site/gfx950/emulator/instruction_mutants.html").read_text()
    argued, _, open_ = page.partition("<h2>Not noticed</h2>")
    for each in row.findings["survivors"]:
        named = html.escape(each["mutant"])
        assert named.replace("&#x27;", "&#39;") in (argued if each["argument"] else open_)
        assert html.escape(each["argument"]).replace("&#x27;", "&#39;") in argued


def test_coverage_shows_each_family(tmp_path):
    listed = {"family": "all", "accepted": 26, "executed": 19, "equal": 18, "share": "73 %"}
    counts = {
        "target": "sm_90a",
        "gpu": "a GPU",
        "any_nan": 2,
        "total": listed,
        "families": [
            listed | {"family": "logic", "accepted": 2000, "share": "95 %"},
            {"family": "wgmma", "accepted": 6, "executed": 0, "equal": None, "share": "0 %"},
        ],
    }
    write_records([record(OWN)], tmp_path / "results")
    report.build(tmp_path / "results", tmp_path / "site", None, [counts])
    page = " ".join((tmp_path / "site/coverage.html").read_text().split())
    plain = page.replace(' class="number"', "")
    assert "<td>logic</td><td>2,000</td><td>19</td> <td>18</td><td>95 %</td>" in plain
    assert "<td>wgmma</td><td>6</td><td>0</td> <td>not in programs</td><td>0 %</td>" in plain
    assert 'href="coverage.html"' in (tmp_path / "site/evidence.html").read_text()
    Links(page)


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (
            "sm_90a/cuda/compiler_faults.json",
            [
                "ptxas 13.5.37",
                "0xf0 0xf0 0xf0 0xf0 .. (64 words)",
                "CUDA_ERROR_LAUNCH_FAILED",
                "CUDA_ERROR_ILLEGAL_ADDRESS",
            ],
        ),
        ("gfx950/emulator/compiler_faults.json", ["as promised", "another fault: "]),
    ],
)
def test_faults_of_compilers_stand_beside_what_is_promised(
    tmp_path: Path, place: str, shown: list[str]
) -> None:
    """The figures are those of docs/found.md, which another test holds to the rows."""
    (tmp_path / "results" / place).parent.mkdir(parents=True)
    shutil.copy(ROOT / "results" / place, tmp_path / "results" / place)
    report.build(tmp_path / "results", tmp_path / "site")
    page = (tmp_path / "site" / place).with_suffix(".html").read_text()
    assert all(each in page for each in shown)


@pytest.mark.slow
def test_each_form_of_d_has_a_fit_and_says_what_becomes_of_other_bits(tmp_path):
    """f16 takes the lower half of a column (PTX ISA, tcgen05, data path layouts)."""
    stored = paths.find("results") / "sm_100a" / "emulator" / "mma_d.json"
    (tmp_path / "results" / "sm_100a" / "emulator").mkdir(parents=True)
    (tmp_path / "results" / "sm_100a" / "emulator" / "mma_d.json").write_bytes(stored.read_bytes())
    report.build(tmp_path / "results", tmp_path / "site")
    page = html.unescape((tmp_path / "site/sm_100a/emulator/mma_d.html").read_text())
    head, body = page.split("<h2>Variants</h2>")[1].split("<tbody>")
    assert "fit, if there is one: equal to the observation on every bit that receives" in head
    rows = body.split("</tbody>")[0].split("</tr>")[:-1]
    assert len(rows) == len(read_record(stored).observations)
    assert not [row for row in rows if "matrix.row = " not in row]
    name = "<code>tcgen05.mma.cta_group::2.m256n16.f16:D</code>"
    (row,) = [each for each in rows if name in each]
    for line in (
        "matrix.row = (cta << 7) | lane",
        "matrix.column = column",
        "matrix.bit = bit & 15",
        "defined where ((bit >> 4) & 1) == 0",
    ):
        assert f"<code>{line}</code>" in row
    assert "65,536 bits receive nothing and are left undefined" in row


def test_rows_that_capsules_brought_are_marked() -> None:
    text = '{% from "evidence_tag.html" import evidence_of %}{{ evidence_of(record) }}'
    own = module("analysis", "pages").templates().from_string(text)
    row = read_record(ROOT / "results" / "sm_90a" / "cuda" / "ldmatrix.json")
    assert "contributed" not in own.render(record=row)
    once = row.contributed_again({"by": "one"})
    assert "contributed, one card</span>" in own.render(record=once)
    twice = once.contributed_again({"by": "two"})
    assert "contributed</span>" in own.render(record=twice)


def test_each_sweep_has_a_page_that_the_index_of_rows_links(tmp_path: Path) -> None:
    counted = {"tasks": 3, "done": 3, "items": 15, "ran": 3, "left": 0, "seconds": 1.0}
    told = {"wrong": [], "failed": [], "unstable": [], "counts": {}, "hosts": {"a": 3}}
    named = {"sweep": "squares.py", "about": "squares", "where": "here", "digest": "0" * 64}
    summary = counted | told | named | {"task_seconds": 3.0}
    results = tmp_path / "results"
    write_records([record(OWN)], results)
    report.build(results, tmp_path / "site", sweeps={"squares": summary})
    index = (tmp_path / "site/evidence.html").read_text()
    assert 'href="sweeps/squares.html"' in index
    page = (tmp_path / "site/sweeps/squares.html").read_text()
    assert "15 items in 3 of 3 tasks" in page and 'href="../style.css' in page
