"""The probes of tcgen05.mma find what the PTX ISA and CUTLASS state, on the emulator."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.errors import MissingEnvironment
from lanemap.probing.compare.comparison import compare
from lanemap.probing.mutation.scoring import score
from lanemap.probing.probe import find_probe
from lanemap.probing.run import ProbeReport, observe
from lanemap.records.files import read_record
from lanemap.toolchain import places, ptxas, sass
from tests.sampled import sampled

RESULTS = Path(__file__).resolve().parents[2] / "results"
ROWS = RESULTS / "sm_100a" / "emulator"
PROBES = {
    "mma_d": {
        "form": [
            "tcgen05.mma.cta_group::1.m64n32.f16:D",
            "tcgen05.mma.cta_group::2.m128n32.s32:D",
            "tcgen05.mma.ws.cta_group::1.m32n64.f32:D",
        ]
    },
    "mma_a_tmem": {
        "form": [
            "tcgen05.mma.cta_group::1.kind::f8f6f4.m64.e2m1:A",
            "tcgen05.mma.cta_group::2.kind::f16.m128.f16:A",
            "tcgen05.mma.cta_group::2.kind::mxf4.m256.e2m1:A",
        ]
    },
    "scale_factors": {
        "scales": [
            "tcgen05.mma.cta_group::1.m128.scale_vec::2X.id2:SFA",
            "tcgen05.mma.cta_group::1.n64.scale_vec::4X.id0:SFB",
            "tcgen05.mma.cta_group::2.m128.n256.scale_vec::1X.id3:SFB",
            "tcgen05.mma.cta_group::2.m256.scale_vec::4X.id0:SFA",
            "tcgen05.mma.cta_group::2.m256.n128.scale_vec::2X.id2:SFB",
        ]
    },
    "smem_descriptor": {
        "layout": ["shared.k_major.32b.4bit", "shared.mn_major.128b_atom32b.32bit"],
    },
}


@pytest.fixture(scope="module")
def device() -> Any:
    return lanemap.open_device("sm_100a", device="emulator", hazards="report")


@pytest.fixture(scope="module")
def reports(device: Any) -> dict[str, ProbeReport]:
    return {
        name: observe(find_probe(name).with_axes(axes), device) for name, axes in PROBES.items()
    }


def _stored(name: str) -> dict[str, Any]:
    return {each.variant: each for each in read_record(ROWS / f"{name}.json").observations}


@pytest.mark.parametrize("name", PROBES)
def test_everything_is_explained_and_settled(reports: dict[str, ProbeReport], name: str) -> None:
    assert reports[name].agrees
    for part in reports[name].parts:
        assert part.finding.settles_all and part.finding.certificates[0].complete
        assert not all(each.complete for each in part.finding.certificates)


@pytest.mark.parametrize("name", PROBES)
def test_the_stored_row_says_the_same(reports: dict[str, ProbeReport], name: str) -> None:
    shown = _stored(name)
    assert read_record(ROWS / f"{name}.json").findings["explained"]
    for part in reports[name].parts:
        assert np.array_equal(shown[part.variant].map.table, part.finding.map.table)


def test_the_only_hazard_of_d_is_the_half_that_f16_leaves_undefined() -> None:
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    observe(find_probe("mma_d").with_axes(PROBES["mma_d"]), device)
    said = [str(each) for each in device.hazards]
    assert len(said) == 1 and "host reads are undefined, the first is byte 2 of" in said[0]


def _of_d(name: str) -> tuple[bool, int, int, int, str]:
    found = re.fullmatch(r"tcgen05\.mma(\.ws)?\.cta_group::(\d)\.m(\d+)n(\d+)\.(\w+):D", name)
    assert found
    return bool(found[1]), int(found[2]), int(found[3]), int(found[4]), found[5]


def test_d_lies_as_the_isa_draws_it() -> None:
    """PTX ISA, Data Path Layout Organization: layouts A, B, D to G, from figure to formula."""
    stored = _stored("mma_d")
    assert len(stored) == 59
    layouts = {_of_d(name)[:3] for name in stored}
    assert len(layouts) == 7
    for name, each in stored.items():
        ws, ctas, rows, columns, kind = _of_d(name)
        m, n = np.indices((rows, columns))
        own = rows // ctas
        cta, row = m // own, m % own
        blocks = 128 // own if ws or (ctas, rows) == (2, 128) else 1
        lane = row + own * (n // (columns // blocks))
        if (ws, ctas, rows) == (False, 1, 64):  # 16 lanes of each warp
            lane = row // 16 * 32 + row % 16
        width = 16 if kind == "f16" else 32
        bits = np.arange(width)
        place = (cta * 128 + lane) * (columns // blocks) + n % (columns // blocks)
        want = np.full(each.map.destination.size, -1)
        want[place[..., None] * 32 + bits] = (m * columns + n)[..., None] * width + bits
        assert np.array_equal(each.map.table, want), name


#: Bits of the place of an element, and its lowest bit there, where they are not its own.
PLACES = {("f8f6f4", "e2m3"): (8, 1), ("f8f6f4", "e3m2"): (8, 1), ("f8f6f4", "e2m1"): (8, 2)}


def test_a_lies_in_tensor_memory_as_the_isa_packs_it() -> None:
    """PTX ISA, packing formats of A: rows as those of D, low bits first, narrow types apart.

    TileLang, FlashMLA and CUTLASS store two 16-bit elements in a column, as `(k // 2, k % 2)`.
    """
    stored = _stored("mma_a_tmem")
    assert len(stored) == 56
    for name, each in stored.items():
        found = re.fullmatch(
            r"tcgen05\.mma(\.ws)?\.cta_group::(\d)\.kind::(\w+)\.m(\d+)\.(\w+):A", name
        )
        assert found
        ctas, kind, rows, element = int(found[2]), found[3], int(found[4]), found[5]
        depth, width = each.map.source.sizes[1:]
        holder, low = PLACES.get((kind, element), (width, 0))
        m, k, bit = np.indices((rows, depth, width))
        own = rows // ctas
        lane = m % own
        if (bool(found[1]), ctas, rows) == (False, 1, 64):
            lane = lane // 16 * 32 + lane % 16
        want = np.full(each.map.destination.size, -1)
        # Where D's columns lie in two blocks of 64 lanes, each block has a copy of A.
        for copy in range(2 if own == 64 and (found[1] or ctas == 2) else 1):
            place = ((m // own * 128 + lane + 64 * copy) * 8 + k * holder // 32) * 32
            place = place + k * holder % 32 + low + bit
            want[place] = (m * depth + k) * width + bit
        assert np.array_equal(each.map.table, want), name


def test_the_certificate_of_a_names_what_no_input_shows_of_k() -> None:
    for name, each in _stored("mma_a_tmem").items():
        told = each.certificate["classes"][1]["remaining"]
        assert ("inside a scale block" in told) == ("mxf4" in name)


def test_scales_lie_as_cutlass_has_them() -> None:
    """CUTLASS, mma_traits_sm100.hpp, tmem_sf_frg: 32 rows a column, in all four groups of lanes.

    Of M = 128 with two CTAs, those of B's second half lie on lanes 64 to 127.
    """
    stored = _stored("scale_factors")
    assert len(stored) == 35 + 21
    for name, each in stored.items():
        if ".m256." in name:
            continue
        found = re.search(r"(\.m128)?\.[mn](\d+)\.scale_vec::(\d)X\.id(\d):SF", name)
        assert found
        rows, vector, first = (int(number) for number in found.groups()[1:])
        row, block, bit = np.indices((rows, vector, 8))
        here = row % (rows // 2) if found[1] else row
        columns = each.map.destination.sizes[1]
        want = np.full(each.map.destination.size, -1)
        for copy in range(4):
            # Lanes of the other half have scales of their own.
            mine = row // (rows // 2) == copy // 2 if found[1] else np.full(row.shape, True)
            place = (here % 32 + 32 * copy) * columns + here // 32
            place = place * 32 + 8 * (first + block) + bit
            want[place[mine]] = ((row * vector + block) * 8 + bit)[mine]
        assert np.array_equal(each.map.table, want), name


def test_a_pair_with_m_256_has_scales_in_each_cta() -> None:
    """CUTLASS, mma_traits_sm100.hpp, SM100_MMA_MXF4_2x1SM_SS::MMA_ScaleFactor; DeepGEMM.

    Each CTA has those of one CTA with M = 128: of its own rows of A, of all rows of B.
    """
    stored = _stored("scale_factors")
    for name, each in stored.items():
        if ".m256." not in name:
            continue
        of_a, tail = name.endswith("SFA"), name.split(".m256.")[1]
        single = "m128." + tail if of_a else tail
        one = stored[f"tcgen05.mma.cta_group::1.{single}"].map
        first, second = each.map.table.reshape(2, -1)
        assert np.array_equal(first, one.table), name
        # Of B, scales of D's upper and lower half of rows are counted apart.
        assert np.array_equal(second, np.where(one.table < 0, -1, one.table + one.source.size))
        sizes = (256, *one.source.sizes[1:]) if of_a else (2, *one.source.sizes)
        assert each.map.source.sizes == sizes


def test_a_copy_that_differs_is_a_hazard_and_the_row_says_so(reports: dict[str, Any]) -> None:
    for part in reports["scale_factors"].parts:
        facts = part.finding.facts
        assert list(facts["copies"].values()) == ["no product is made"] * 4
        assert all(
            "differ between groups of 32 lanes" in each for each in facts["hazards_of_copies"]
        )
        assert len(facts["hazards_of_copies"]) >= 1


#: Swizzles: bytes of a row, its address bits, where these go, and k of an atom if MN-major.
SWIZZLES = {"none": (16, 0, 4, 8), "32b": (32, 1, 4, 8), "64b": (64, 3, 4, 8),
            "128b": (128, 7, 4, 8), "128b_atom32b": (128, 3, 5, 4)}  # fmt: skip


def test_operands_lie_in_shared_memory_as_cutlass_has_them() -> None:
    """CUTLASS, mma_sm100_desc.hpp: canonical layouts; of tiles without gaps, two atoms wide."""
    stored = _stored("smem_descriptor")
    assert len(stored) == 25
    for name, each in stored.items():
        _, major, swizzle, _ = name.split(".")
        width, mask, shift, group = SWIZZLES[swizzle]
        rows, depth, bits = each.map.source.sizes
        row, k, bit = np.indices((rows, depth, bits))
        if major == "k_major":
            inside, chunk = (k * bits, 0) if mask else (k * bits % 128, k * bits // 128)
            byte = row // 8 * (8 * width if mask else 256) + row % 8 * width + chunk * 128
        else:
            inside = row * bits % (8 * width)
            atom, each_k = row * bits // (8 * width), k // group
            outer, inner = (2 * group * width, group * width) if mask else (128, 1024)
            byte = atom * outer + each_k * inner + k % group * width
        byte = byte + inside // 8
        byte ^= (byte >> 7 & mask) << shift
        want = np.full(each.map.destination.size, -1)
        want[byte * 8 + inside % 8 + bit] = (row * depth + k) * bits + bit
        assert np.array_equal(each.map.table, want), name


def test_every_meaning_of_a_descriptors_fields_is_told_apart() -> None:
    for each in _stored("smem_descriptor").values():
        last = each.certificate["classes"][-1]
        assert last["complete"] and last["rules_per_cell"] >= 6


@pytest.mark.parametrize("name", sampled(PROBES, 2))
def test_a_replaced_map_is_noticed(name: str) -> None:
    for each in score(find_probe(name).with_axes(PROBES[name]), 2, pairs=3):
        assert (each.executed, each.noticed) == (2, 2), each.variant


@pytest.mark.parametrize("name", sampled(PROBES, 3))
def test_others_are_compared_with_the_row(name: str) -> None:
    variant = next(iter(_stored(name)))
    held = compare(variant, results=RESULTS)
    assert held.agrees
    assert any(each.party.kind == "observation" for each in held.standings)


#: What nvdisasm calls the products, by kind.
MACHINE = {
    "f16": "UTCHMMA", "tf32": "UTCHMMA", "i8": "UTCIMMA", "f8f6f4": "UTCQMMA",
    "mxf8f6f4": "UTCQMMA", "mxf4": "UTCOMMA", "mxf4nvf4": "UTCOMMA",
}  # fmt: skip


@pytest.mark.parametrize("name", sampled(PROBES, 2))
def test_ptxas_makes_the_product_that_is_asked_of(name: str) -> None:
    try:
        places.find_program("ptxas", ptxas.PACKAGE)
        places.find_program("nvdisasm", sass.PACKAGE)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))
    functions = sass.disassemble(ptxas.assemble(find_probe(name).source, "sm_100a"))
    for kernel, code in functions.items():
        kind = re.search(r"_kind_([a-z0-9]+)", kernel)
        products = [each.opcode for each in code if re.match(r"UTC.MMA", each.opcode)]
        assert kind and len(products) == 1 and products[0].startswith(MACHINE[kind[1]]), kernel
