"""Pages of instructions: their permalinks, and what their data holds."""

from __future__ import annotations

import base64
import json
import shutil
import zlib
from pathlib import Path

import numpy as np
import pytest

from analysis import instruction_pages, report
from analysis.pages import Site, slug
from lanemap.cli.told.instructions import instructions
from lanemap.drawing.grid import drawn_units
from lanemap.drawing.packed import packed
from lanemap.model import variant, variants
from lanemap.model.names import base

ROOT = Path(__file__).resolve().parents[2]
PERMALINKS = Path(__file__).with_name("permalinks.txt")
NAMES = {base(each.name) for each in variants()}


def test_every_published_link_leads_somewhere() -> None:
    """An instruction that is renamed gets a line in moved.tsv; a new one a line in the list."""
    published = PERMALINKS.read_text().split()
    slugs = {slug(name) for name in NAMES}
    moved = dict(line.split("\t") for line in instruction_pages.MOVED.read_text().splitlines())
    assert len(slugs) == len(NAMES)
    lost = [each for each in published if each not in slugs and moved.get(each) not in slugs]
    assert lost == []
    assert sorted(slugs - set(published)) == [], f"add them to {PERMALINKS}"


def test_a_moved_page_leads_to_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = tmp_path / "moved.tsv"
    moved.write_text("old-name\tnew-name\nolder\tmissing\n")
    monkeypatch.setattr(instruction_pages, "MOVED", moved)
    site = Site(tmp_path)
    site.page("v/new-name.html", "moved.html", to="x.html")
    instruction_pages.build(site, (), {})
    assert 'href="new-name.html"' in str(site.files()[tmp_path / "v/old-name.html"])
    assert not site.has("v/older.html")


@pytest.mark.parametrize(
    "name",
    ["mma.sync.m16n8k16.f16:A", "ds_read_b64_tr_b8", "wgmma.m64n80.f16:D",
     "shared.k_major.128b.16bit", "tcgen05.cp.32x128b.warpx4"],
)  # fmt: skip
def test_packed_cells_are_those_of_the_map(name: str) -> None:
    layout = variant(name).map
    held = json.loads(json.dumps(packed(layout)))
    steps = np.frombuffer(zlib.decompress(base64.b64decode(held["cells"])), "<i4")
    units = drawn_units(layout)
    place = np.cumsum(steps).reshape(units.place.shape)
    assert np.array_equal(place < 0, units.place < 0)
    there = place >= 0
    assert np.array_equal(place[there] // units.there.count, units.place[there])
    assert np.array_equal(place[there] % units.there.count, units.unit[there])


def test_a_family_shows_the_pictures_of_its_instructions(tmp_path: Path) -> None:
    """A row of many maps has no figure for each; the pages of its instructions have one."""
    place = tmp_path / "results/sm_75/emulator"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "results/sm_75/emulator/mma_sync_fragments.json", place)
    told = instructions(tmp_path / "results", {}, "mma.sync.m16n8k8.f16")
    report.build(tmp_path / "results", tmp_path / "site", instructions=told)
    page = (tmp_path / "site/sm_75/emulator/mma_sync_fragments.html").read_text()
    for link in ("v/mma.sync.m16n8k8.f16.html", "v/mma.sync.m16n8k8.f16.png"):
        assert f'"../../{link}"' in page and (tmp_path / "site" / link).is_file()
