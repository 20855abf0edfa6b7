"""The probes of wgmma find what CUTLASS states, on the emulator and in what an H200 showed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.probing.probe import find_probe
from lanemap.probing.run import ProbeReport, observe
from lanemap.records.files import read_record
from tests.emulator.ptx.wgmma_operands import bit_place, offsets

ROW = Path(__file__).resolve().parents[2] / "results" / "sm_90a" / "cuda"
PROBES = {
    "wgmma_d": {"form": ["wgmma.m64n80.f32:D", "wgmma.m64n16.f16:D", "wgmma.m64n8.s32:D"]},
    "wgmma_a": {"form": ["wgmma.m64k16.bf16:A", "wgmma.m64k32.e5m2:A", "wgmma.m64k256.b1:A"]},
    "wgmma_descriptor": {"layout": ["shared.k_major.64b.8bit", "shared.mn_major.128b.16bit"]},
}  # fmt: skip
SWIZZLES = {"none": 0, "128b": 1, "64b": 2, "32b": 3}


@pytest.fixture(scope="module")
def reports() -> dict[str, ProbeReport]:
    device = lanemap.open_device("sm_90a", device="emulator")
    return {
        name: observe(find_probe(name).with_axes(axes), device) for name, axes in PROBES.items()
    }


def _silicon(name: str) -> dict[str, Any]:
    return {each.variant: each for each in read_record(ROW / f"{name}.json").observations}


@pytest.mark.parametrize("name", PROBES)
def test_everything_is_explained_and_settled(reports: dict[str, ProbeReport], name: str) -> None:
    assert reports[name].agrees
    for part in reports[name].parts:
        assert part.finding.settles_all
        assert [certificate.complete for certificate in part.finding.certificates][0]


@pytest.mark.parametrize("name", PROBES)
def test_an_h200_showed_the_same(reports: dict[str, ProbeReport], name: str) -> None:
    shown = _silicon(name)
    assert read_record(ROW / f"{name}.json").findings["explained"]
    for part in reports[name].parts:
        assert np.array_equal(shown[part.variant].map.table, part.finding.map.table)


def test_d_lies_as_cutlass_says() -> None:
    """CUTLASS, CLayout_64xN: T128 x V, ((4,8,4),(2,2,N/8)):((128,1,16),(64,8,512))."""
    for variant, each in _silicon("wgmma_d").items():
        n, bits = each.map.source.sizes[1:]
        warp, lane, register, bit = np.indices(each.map.destination.sizes)
        value = (32 * register + bit) // bits
        index = lane % 4 * 128 + lane // 4 + 16 * warp
        index = index + value % 2 * 64 + value // 2 % 2 * 8 + value // 4 * 512
        row, column = index % 64, index // 64
        want = (row * n + column) * bits + bit % bits
        assert np.array_equal(each.map.table, want.reshape(-1)), variant


def test_operands_lie_as_cutlass_says() -> None:
    found = _silicon("wgmma_descriptor")
    assert len(found) == 16
    for variant, each in found.items():
        _, major, swizzle, _ = variant.split(".")
        rows, depth, bits = each.map.source.sizes
        row, k, bit = np.indices((rows, depth, bits))
        mn = major == "mn_major"
        step = offsets(SWIZZLES[swizzle], mn, bits, rows, depth)
        places = bit_place(SWIZZLES[swizzle], mn, bits, row, k, 0, *step) + bit
        want = np.full(each.map.destination.size, -1)
        want[places.reshape(-1)] = np.arange(want.size)
        assert np.array_equal(each.map.table, want), variant


def test_the_certificate_names_what_no_input_shows() -> None:
    for each in _silicon("wgmma_a").values():
        classes = each.certificate["classes"]
        assert [one["complete"] for one in classes] == [True, False, False]
        assert "k permutations common to both operands" in classes[1]["remaining"]


def test_every_meaning_of_the_fields_is_told_apart() -> None:
    for each in _silicon("wgmma_descriptor").values():
        last = each.certificate["classes"][-1]
        assert last["complete"] and last["rules_per_cell"] >= 6
