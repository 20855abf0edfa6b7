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
from analysis.instruction_timings import Timings
from analysis.pages import Site, slug
from lanemap.cli.told.instructions import instructions
from lanemap.drawing.grid import drawn_units
from lanemap.drawing.packed import packed
from lanemap.model import variant, variants
from lanemap.model.names import base
from lanemap.records.files import read_record

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
    instruction_pages.build(site, (), {}, Timings((), {}))
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


PTX = {
    "HMMA.16816.F16": ["mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"],
    "HMMA.16816.F32": ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"],
    "HMMA.16816.F32.BF16": ["mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"],
    "HMMA.SP.16832.F32": [
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"],
    "HGMMA.64xNx16.F32": ["wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"],
    "LDSM.16.M88.4": ["ldmatrix.sync.aligned.m8n8.x4.shared.b16"],
    "F2FP.F16.E4M3.UNPACK_B": [
        "cvt.rn.f16x2.e4m3x2", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"],
}  # fmt: skip


@pytest.fixture(scope="module")
def timings() -> Timings:
    place = ROOT / "results/sm_90a/cuda"
    rows = [read_record(place / f"timing_{name}.json")
            for name in ("mma", "mma_fp8", "wgmma", "smem", "alu")]  # fmt: skip
    return Timings(rows, PTX)


@pytest.mark.parametrize(
    ("name", "operands", "opcodes"),
    [
        ("mma.sync.m16n8k16.f16", "ABD", {"HMMA.16816.F16", "HMMA.16816.F32"}),
        ("mma.sync.m16n8k16.f32", "D", {"HMMA.16816.F32", "HMMA.16816.F32.BF16"}),
        ("mma.sync.m16n8k16.bf16", "AB", {"HMMA.16816.F32.BF16"}),
        ("mma.sync.m16n8k8.f16", "ABD", set()),
        ("mma.sync.m16n8k32.f16", "D", set()),  # a sparse one has that shape, and no D of f16
        ("mma.sp.m16n8k32.f16.selector1", "E", {"HMMA.SP.16832.F32"}),
        ("mma.sync.m16n8k32.e4m3", "AB", {"F2FP.F16.E4M3.UNPACK_B"}),
        ("wgmma.m64n128.f32", "D", {"HGMMA.64xNx16.F32"}),
        ("wgmma.m64k16.f16", "A", {"HGMMA.64xNx16.F32"}),
        ("wgmma.m64n80.f32", "D", set()),
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "", {"LDSM.16.M88.4"}),
        ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "", set()),
    ],
)
def test_an_instruction_is_the_opcode_of_its_shape_and_type(
    timings: Timings, name: str, operands: str, opcodes: set[str]
) -> None:
    found, why = timings.of(name, list(operands), ["sm_90a"])
    assert {each["opcode"] for each in found} == opcodes
    assert bool(why) == (not opcodes)


def test_cycles_are_those_of_the_row(timings: Timings) -> None:
    """D to C of HMMA takes 11 cycles; of a wgmma only the figures with its N are shown."""
    found, _ = timings.of("mma.sync.m16n8k16.f16", ["A"], ["sm_90a"])
    d_to_c = [each for each in found if each["to"] == "issue of HMMA.16816.F32 with D as C"
              and each["kind"] == "fixed latency"]  # fmt: skip
    assert [each["time"] for each in d_to_c] == ["11"]
    assert d_to_c[0]["page"].startswith("sm_90a/cuda/timing/HMMA.16816.F32.html#pair-")
    rows = json.loads((ROOT / "results/sm_90a/cuda/timing_wgmma.json").read_text())["findings"]
    own = [each for each in rows["figures"] if each["instruction"] == "HGMMA.64xNx16.F32"
           and each["axes"].get("N") == 128 and each["explained"]]  # fmt: skip
    found, _ = timings.of("wgmma.m64n128.f32", ["D"], ["sm_90a"])
    assert sum(each["figures"] for each in found) == len(own)
    _, why = timings.of("tcgen05.ld.32x32b.x8", [], ["sm_100a"])
    assert "no GPU that has it was timed" in why and "sm_90a" in why
