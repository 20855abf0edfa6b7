"""The notebooks, executed on records of stand-in devices."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from lanemap import paths
from lanemap.cli.folders import module
from lanemap.errors import Disagreement
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe, write
from tests.probes.test_tr8_broadcast import device as broadcast
from tests.probing.lds.standin import StandIn, chunk_rule, grid

execute = module("analysis", "execute")


def transpose(width: int, cells: int) -> StandIn:
    """Lane i of 16 receives column i of the 16-column matrix that their chunks make up."""
    lane, cell = grid(cells)
    element = 16 * cell + lane % 16
    return StandIn(chunk_rule(lane // 16 * 16 + element // cells, element % cells, width))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    out = tmp_path_factory.mktemp("results")
    devices = {
        "tr16": transpose(16, 4),
        "tr8": transpose(8, 8),
        "tr4": transpose(4, 16),
        "tr6": transpose(6, 16),
        "tr8_broadcast": broadcast("transpose of 16 lanes"),
    }
    for name, device in devices.items():
        write(observe(find_probe(name), device), out, {})
    # The row with HMMA, and one that no notebook is about.
    for name in ("cuda/timing_mma.json", "emulator/movmatrix.json"):
        other = Path("sm_90a", name)
        (out / other).parent.mkdir(parents=True)
        shutil.copy(paths.find("results") / other, out / other)
    return out


def page_of(stem: str, results: Path, out: Path) -> str:
    """The notebook's page, executed."""
    (path,) = (each for each in execute.notebooks() if each.stem == stem)
    (page,) = execute.build(results, out, [path])
    text: str = page.read_text()
    assert "Traceback" not in text
    return text


@pytest.mark.slow
def test_the_layout_maps_are_drawn_and_follow_one_rule(results, tmp_path):
    text = page_of("layout_maps", results, tmp_path)
    # One figure for each of the four reads and one for the broadcast.
    pictures = re.findall("<img[^>]+data:image/(png|svg)", text)
    assert sorted(pictures) == ["png", "svg", "svg", "svg", "svg", "svg"]
    assert text.count("a permutation of index bits") == 4
    assert text.index("data:image/svg") < text.index(">numpy<"), "it begins with a picture"
    assert "<td>rocRoller</td>" in text and "<td>Modular</td>" in text
    assert text.count("element 16 j + i everywhere: True") == 4
    assert "left together:" in text
    assert "<td>sm_90a</td>" not in text, "the notebook is about gfx950"


@pytest.mark.slow
def test_the_latency_of_hmma_is_proven_from_the_row(results, tmp_path):
    """11 cycles, where ptxas leaves 24; the published 24.1 is of other events."""
    text = page_of("hmma_latency", results, tmp_path)
    assert "with D as C: 11 cycles (silicon)" in text
    assert "as ptxas assembled it: 24 cycles for one more HMMA" in text
    assert "right from 10 on; wrong with 9" in text
    assert "the emulator's equal the H200's: True" in html.unescape(text)
    assert "measured something else" in text and "24.1" in text
    assert len(re.findall("<svg[^>]+class=.plot", text)) == 1


@pytest.mark.slow
def test_three_gpus_are_shown_before_anything_is_imported(results, tmp_path):
    text = page_of("three_gpus", results, tmp_path)
    assert len(re.findall("<img[^>]+data:image/svg", text)) == 3
    assert text.index("data:image/svg") < text.index(">pandas<")
    assert text.count("moves index bits and computes nothing: True") == 3


@pytest.mark.slow
def test_silicon_is_held_against_the_emulator_and_what_was_published(tmp_path):
    """The counts of docs/verified.md, which another test holds to the rows."""
    text = page_of("silicon", paths.find("results"), tmp_path)
    page = (paths.find("docs") / "verified.md").read_text()
    (dots,) = re.findall(r"([\d,]+) dot\s+products, at least", page)
    assert f"{dots} dot products, 0 chunks differ" in text
    assert "measured something else" in text


@pytest.mark.slow
def test_no_kernel_is_faster_than_its_bound(tmp_path):
    text = page_of("kernels", paths.find("results"), tmp_path)
    assert "<td>ss_gemm</td>" in text and "H200 Tensor Core GPU datasheet" in text
    assert len(re.findall("<img[^>]+data:image/png", text)) == 1


def test_every_notebook_has_its_test():
    tested = Path(__file__).read_text()
    for path in execute.notebooks():
        assert f'page_of("{path.stem}"' in tested, path.stem


@pytest.mark.slow
def test_a_notebook_that_fails_is_one_sentence(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("# %%\nassert RESULTS == 'nowhere', 'no such place'\n")
    with pytest.raises(Disagreement, match=r"wrong\.py fails: AssertionError: no such place"):
        execute.execute(wrong, tmp_path)


def test_the_stand_ins_follow_the_rule_that_the_notebook_states():
    lane, cell = grid(8)
    rule = transpose(8, 8).rule(8 * np.arange(64), 64)[:, ::8] // 8
    assert np.array_equal(rule, 8 * ((lane & 48) + 2 * cell + (lane >> 3 & 1)) + (lane & 7))
