"""ldmatrix, stmatrix and movmatrix: the probes find what NumPy works out, and what was changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.layout import UNDEFINED, LayoutMap
from lanemap.model import variant
from lanemap.probing.probe import find_probe
from lanemap.probing.run import ProbeReport, observe
from lanemap.probing.warp.tagged import AMBIGUOUS, KEPT, UNEXPLAINED, ZERO, TagReading, decode
from lanemap.records.files import read_record

RESULTS = Path(__file__).resolve().parents[2] / "results"
NAMES = ("ldmatrix", "stmatrix", "movmatrix")
TARGETS = ("sm_90a", "sm_100a")
LOAD, STORE = (f"{verb}.sync.aligned.m8n8.{{}}.shared.b16" for verb in ("ldmatrix", "stmatrix"))


@pytest.fixture(scope="module")
def reports() -> dict[tuple[str, str], ProbeReport]:
    return {
        (name, target): observe(find_probe(name).on(target), open_device(target, "emulator"))
        for name in NAMES
        for target in TARGETS
    }


def found(report: ProbeReport, name: str) -> LayoutMap:
    (part,) = [part for part in report.parts if part.variant == name]
    return part.finding.map


def halves(count: int, trans: bool) -> np.ndarray:
    """The half of 32 rows of 8 that each half of [lane, register] receives.

    PTX ISA, ldmatrix: thread l of a warp receives elements 2*(l%4) and 2*(l%4)+1 of row l/4 of each
    matrix, so that 32 threads hold the 64 elements of a matrix, or of its transpose, in order.
    """
    matrices = np.arange(256).reshape(4, 8, 8)[:count]
    matrices = matrices.transpose(0, 2, 1) if trans else matrices
    return matrices.reshape(count, 32, 2).transpose(1, 0, 2)


def on_bits(elements: np.ndarray, bits: int) -> np.ndarray:
    return (elements.reshape(-1, 1) * bits + np.arange(bits)).reshape(-1)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_halves_are_found_where_the_isa_puts_them(reports, target, count, trans):
    form = f"x{count}{'.trans' if trans else ''}"
    table = on_bits(halves(count, trans), 16)
    assert np.array_equal(found(reports["ldmatrix", target], LOAD.format(form)).table, table)
    stored = np.full(4096, UNDEFINED)
    stored[table] = np.arange(table.size)
    assert np.array_equal(found(reports["stmatrix", target], STORE.format(form)).table, stored)


@pytest.mark.parametrize("target", TARGETS)
def test_movmatrix_is_found_to_transpose_a_matrix_of_the_warp(reports, target):
    given = np.arange(64).reshape(8, 8)  # element e of the warp: half e%2 of lane e/2
    layout = reports["movmatrix", target].finding.map
    assert np.array_equal(layout.table, on_bits(given.T, 16))


@pytest.mark.parametrize(("kind", "width"), [("b6x16_p32", 6), ("b4x16_p64", 4)])
def test_narrow_elements_are_widened_to_bytes_with_zeros_above(reports, kind, width):
    """Rows of 16 elements, packed from bit 0 (PTX ISA, ldmatrix: optional decompression)."""
    layout = found(
        reports["ldmatrix", "sm_100a"], f"ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.{kind}"
    )
    element = np.arange(32 * 16).reshape(4, 32, 4).transpose(1, 0, 2).reshape(-1, 1)
    bit = np.arange(8)
    inside = 128 * (element // 16) + width * (element % 16) + bit
    assert np.array_equal(layout.table, np.where(bit < width, inside, UNDEFINED).reshape(-1))


def test_matrices_of_bytes_are_found_transposed(reports):
    """PTX ISA, figure of .m16n16: two registers hold columns l/4 and l/4 + 8, four rows each."""
    layout = found(
        reports["ldmatrix", "sm_100a"], "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8"
    )
    matrices = np.arange(512).reshape(2, 16, 16).transpose(0, 2, 1)  # [matrix, column, row]
    received = matrices.reshape(2, 2, 8, 4, 4)  # [matrix, register, lane / 4, lane % 4, byte]
    received = received.transpose(2, 3, 0, 1, 4)
    assert np.array_equal(layout.table, on_bits(received, 8))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", NAMES)
def test_every_bit_is_settled_with_complete_certificates(reports, name, target):
    report = reports[name, target]
    assert report.agrees
    for part in report.parts:
        assert part.finding.settles_all
        assert all(each.complete for each in part.finding.certificates)
        assert all(each.agrees for each in part.finding.patterns)
    assert {each.target for each in (report.probe, report.record)} == {target}


def test_rows_that_no_lane_addresses_are_left_unchanged(reports):
    (part,) = [p for p in reports["stmatrix", "sm_90a"].parts if ".x1.shared" in p.variant]
    assert part.finding.facts == {"bits_without_source": {"unchanged": 24 * 128}}
    (part,) = [
        p for p in reports["ldmatrix", "sm_100a"].parts if "m8n16.x1.shared.b8x16.b4" in p.variant
    ]
    assert part.finding.facts == {"bits_without_source": {"zero": 32 * 16}}


@pytest.mark.parametrize(
    ("probe", "name"), [("ldmatrix", LOAD.format("x2")), ("stmatrix", STORE.format("x4.trans"))]
)
def test_another_rule_in_the_models_place_is_found_as_it_is(probe, name):
    """The transpose for the plain form and the reverse; bits of a half turned around."""
    trans = (
        name.replace(".shared", ".trans.shared")
        if ".trans" not in name
        else name.replace(".trans", "")
    )
    rival = variant(trans).map
    turned = LayoutMap(
        rival.destination, rival.source, rival.table.reshape(-1, 16)[:, ::-1].reshape(-1)
    )
    for layout in (rival, turned):
        device = open_device("sm_90a", "emulator", models={name: layout})
        report = observe(find_probe(probe), device)
        assert found(report, name) == layout
        assert not report.agrees


def test_consecutive_rows_alone_leave_leaders_possible():
    probe = find_probe("ldmatrix").with_axes({"pattern": ["consecutive"]})
    report = observe(probe, open_device("sm_90a", "emulator"))
    inside, free = report.parts[0].finding.certificates
    assert inside.complete and not free.complete
    assert free.remaining == f"lanes {', '.join(map(str, range(32)))}"


# -- the decoding, on readings made by hand --------------------------------------------------------


def reading(received: list[int], offered: list[int], before: list[int] | None = None) -> TagReading:
    held = None if before is None else np.array(before)
    return TagReading("v", "p", "", 1, 6, np.array(received), np.array(offered), held)


def test_a_bit_has_the_source_that_explains_every_reading():
    first = reading([7, 7, 8, -1, 20, 9], [7, 7, 8], [20, 21, 22, 23, 20, 25])
    assert decode([first]).tolist() == [AMBIGUOUS, AMBIGUOUS, 2, ZERO, KEPT, UNEXPLAINED]
    second = reading([5, 6, 8, -1, 30, 9], [5, 6, 8], [30, 31, 32, 33, 30, 35])
    assert decode([first, second]).tolist() == [0, 1, 2, ZERO, KEPT, UNEXPLAINED]
    assert decode([first, replace(second, received=second.received[::-1])])[2] == UNEXPLAINED


# -- what silicon showed ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_h200_showed_the_maps_of_the_emulators_row(name):
    silicon = read_record(RESULTS / "sm_90a" / "cuda" / f"{name}.json")
    emulator = read_record(RESULTS / "sm_90a" / "emulator" / f"{name}.json")
    assert silicon.evidence == "silicon" and "H200" in silicon.environment["gpu"]
    assert silicon.environment["host"]["revision"] and silicon.findings["explained"]
    shown, executed = ({o.variant: o.map for o in r.observations} for r in (silicon, emulator))
    assert shown == executed and len(shown) == (1 if name == "movmatrix" else 6)
    assert not any(observation.partial for observation in silicon.observations)
