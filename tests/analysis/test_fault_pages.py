"""Pages of faults: what a compiler sees of either version, and every kind has what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis import fault_pages
from analysis.pages import Site
from lanemap.check.sarif import RULES
from lanemap.cli.told import faults
from lanemap.conformance.museum.exhibit import exhibits
from lanemap.records.files import read_record

ROOT = Path(__file__).resolve().parents[2]
TEXT = """one
#ifdef FAULTY
two
#else
three
#endif
#ifdef OTHER
four
#ifndef FAULTY
five
#endif
#endif"""


@pytest.mark.parametrize(
    ("faulty", "seen"),
    [(True, ["one", "two", "#ifdef OTHER", "four", "#endif"]),
     (False, ["one", "three", "#ifdef OTHER", "four", "five", "#endif"])],
)  # fmt: skip
def test_conditions_on_the_fault_alone_are_resolved(faulty: bool, seen: list[str]) -> None:
    lines = [*enumerate(TEXT.splitlines(), 1)]
    assert [text for _, text in faults._preprocessed(lines, faulty)] == seen


def test_every_exhibit_and_every_kind_has_a_page_with_its_report(tmp_path: Path) -> None:
    rows = sorted((ROOT / "results").glob("*/*/museum*.json"))
    told = {"museum": faults.museum(), "hazards": faults.hazards(), "kernels": faults.kernels()}
    site = Site(tmp_path)
    fault_pages.build(site, told, [read_record(path) for path in rows])
    pages = {path.relative_to(tmp_path).as_posix(): text for path, text in site.files().items()}
    for name in exhibits():
        assert str(pages[f"museum/{name}.html"]).count('class="report"') == 1, name
    shown = [kind for kind in RULES if 'class="report"' in str(pages[f"hazard/{kind}.html"])]
    assert {*RULES} - {*shown} == {"read-only", "too-many-outstanding"}
    assert "right in 500 launches, by luck" in str(pages["museum/state_store.html"])
    assert "cuBLASLt" not in str(pages["kernel/ss_gemm.html"])
