"""tcgen05.cp, shift and what warps reach, on the emulator against rows and lanes by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lanemap import model
from lanemap.devices import open_device
from lanemap.errors import MissingEnvironment
from lanemap.layout import LayoutMap
from lanemap.probing.compare.comparison import compare
from lanemap.probing.probe import Probe, find_probe
from lanemap.probing.run import ProbeReport, observe
from lanemap.probing.tmem.copies import SOURCES
from lanemap.records.files import write_records
from lanemap.toolchain import places, ptxas, sass

# Rows, columns, and the lanes of a row (apache/tvm at 5d4dc87, tests of tcgen05.cp on a B200).
COPIES = {
    "128x256b": (128, 8, lambda r: [r]),
    "4x256b": (4, 8, lambda r: [32 * r]),
    "128x128b": (128, 4, lambda r: [r]),
    "64x128b.warpx2::02_13": (64, 4, lambda r: [r, r + 64]),
    "64x128b.warpx2::01_23": (64, 4, lambda r: [r % 32 + 64 * (r // 32) + d for d in (0, 32)]),
    "32x128b.warpx4": (32, 4, lambda r: [r + d for d in (0, 32, 64, 96)]),
}


def run(probe: Probe, models: dict[str, LayoutMap] | None = None) -> ProbeReport:
    return observe(probe, open_device("sm_100a", "emulator", models=models or {}))


@pytest.fixture(scope="module")
def copies() -> ProbeReport:
    return run(find_probe("tcgen05_cp"))


@pytest.mark.parametrize("form", COPIES)
def test_rows_arrive_on_their_lanes(copies: ProbeReport, form: str) -> None:
    rows, columns, lanes = COPIES[form]
    wanted = np.full((128, columns, 32), -1)
    for row in range(rows):
        for lane in lanes(row):
            wanted[lane] = row * columns * 32 + np.arange(columns * 32).reshape(columns, 32)
    (part,) = [each for each in copies.parts if each.variant == f"tcgen05.cp.{form}"]
    assert np.array_equal(part.finding.map.table, wanted.reshape(-1))
    assert part.agrees and part.finding.settles_all
    unchanged = int((wanted < 0).sum())
    facts = part.finding.facts.get("frame_bits_without_source", {})
    assert facts == ({"unchanged": unchanged} if unchanged else {})


def test_the_descriptors_tell_their_fields_apart(copies: ProbeReport) -> None:
    """A row of 16 bytes has no second chunk that LBO could place; 4 rows no second group."""
    left = {
        part.variant.removeprefix("tcgen05.cp."): part.finding.certificates[1].remaining
        for part in copies.parts
    }
    assert left["128x256b"] is None
    assert left["4x256b"] == "as the ISA says = SBO ignored: 128 bytes"
    assert left["32x128b.warpx4"] == "as the ISA says = LBO ignored: 16 bytes"


def test_a_canonical_layout_by_hand() -> None:
    """Row 13, second 16 bytes: group 1, row 5 of it."""
    near, swizzled = SOURCES["near"], SOURCES["swizzled"]
    assert near.byte(np.array(13), np.array(1)) == 256 + 5 * 16 + 128
    linear = 1024 + 5 * 128 + 16
    assert swizzled.byte(np.array(13), np.array(1)) == linear ^ (5 << 4)
    assert near.descriptor == 8 << 16 | 16 << 32 | 1 << 46


def test_a_rival_copy_is_found_as_it_is() -> None:
    """The rows of 64x128b, 02_13, in the place of 01_23's."""
    one, other = (f"tcgen05.cp.64x128b.warpx2::{pairs}" for pairs in ("01_23", "02_13"))
    probe = find_probe("tcgen05_cp").with_axes({"form": [one.removeprefix("tcgen05.cp.")]})
    report = run(probe, {one: model.variant(other).map})
    assert report.finding.map == model.variant(other).map
    assert not report.agrees


@pytest.fixture(scope="module")
def shift() -> ProbeReport:
    return run(find_probe("tcgen05_shift"))


def test_a_shift_brings_each_lane_the_next_ones_and_orders_them(shift: ProbeReport) -> None:
    found = shift.finding.map.table.reshape(32, 8 * 32)
    own = np.arange(32 * 8 * 32).reshape(32, 8 * 32)
    assert np.array_equal(found, np.concatenate([own[1:], own[31:]]))
    assert shift.agrees and all(each.complete for each in shift.finding.certificates)
    assert not shift.finding.facts


def test_a_shift_that_moves_nothing_orders_nothing() -> None:
    probe = find_probe("tcgen05_shift").with_axes({"lane": [32], "column": [0]})
    still = LayoutMap.identity(model.variant("tcgen05.shift.down").map.destination)
    report = run(probe, {"tcgen05.shift.down": still})
    assert report.finding.map == still and not report.agrees
    assert not report.finding.certificates[1].complete


def test_lane_zero_and_any_other_reach_the_warps_own_quadrant(tmp_path: Path) -> None:
    report = run(find_probe("tmem_lanes"))
    found = report.finding.map
    for warp in range(4):
        for named in (0, 32, 64, 96):
            place = found.source_of(warp=warp, taddr_lane=named, lane=9)
            assert place == {"lane": 32 * warp + 9}
    assert report.finding.facts["first_lane"] == {
        "32*(warp%4) + lane%32": True,
        "lane": False,
        "32*(warp%4)": True,
    }
    assert all(verdict.stands for verdict in report.parts[0].verdicts)
    write_records([report.record], tmp_path)
    held = compare("tcgen05.ld.32x32b:taddr", results=tmp_path)
    observed = [each for each in held.standings if each.party.kind == "observation"]
    assert len(observed) == 1 and observed[0].relation.agrees is not False


def test_naming_the_own_quadrant_alone_leaves_every_rule_together() -> None:
    report = run(find_probe("tmem_lanes").with_axes({"named": ["own"]}))
    assert "lane%32 = lane = 32*(warp%4)" in (report.finding.certificates[1].remaining or "")


# What nvdisasm calls the copies: data paths and bits, and which local warps share a row.
MACHINE = {
    "128x256b": "UTCCP.T.S",
    "4x256b": "UTCCP.T.S.4dp256bit",
    "128x128b": "UTCCP.T.S.128dp128bit",
    "64x128b.warpx2::02_13": "UTCCP.T.S.2x64dp128bit_lw02_lw13",
    "64x128b.warpx2::01_23": "UTCCP.T.S.2x64dp128bit_lw01_lw23",
    "32x128b.warpx4": "UTCCP.T.S.4x32dp128bit",
}


def machine_code(name: str) -> dict[str, list[str]]:
    """Opcodes of tensor memory and the tensor core in each kernel of a probe."""
    try:
        places.find_program("ptxas", ptxas.PACKAGE)
        places.find_program("nvdisasm", sass.PACKAGE)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))
    functions = sass.disassemble(ptxas.assemble(find_probe(name).source, "sm_100a"))
    return {
        kernel: [i.opcode for i in code if i.opcode.startswith(("UTC", "LDTM", "STTM"))]
        for kernel, code in functions.items()
        if kernel.startswith(name)
    }


def test_the_machine_copies_in_the_form_that_is_asked_of() -> None:
    kernels = machine_code("tcgen05_cp")
    assert len(kernels) == len(MACHINE)
    for form, opcode in MACHINE.items():
        kernel = "tcgen05_cp_" + form.replace(".", "_").replace("::", "_")
        copies = [each for each in kernels[kernel] if each.startswith("UTCCP")]
        assert copies == [opcode], form
        assert "UTCBAR" in kernels[kernel] and "UTCATOMSWS.FIND_AND_SET.ALIGN" in kernels[kernel]


def test_the_machine_shifts_down_and_loads() -> None:
    (shift,) = machine_code("tcgen05_shift").values()
    assert shift.count("UTCSHIFT.DOWN") == 1 and "UTCBAR" in shift
    (lanes,) = machine_code("tmem_lanes").values()
    assert lanes.count("LDTM") == 1 and "STTM" in lanes
