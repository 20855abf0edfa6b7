"""mma.sync and wmma: the probes find the fragments of the ISA, and what was changed in them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.probing.mma.forms import Form
from lanemap.probing.mma.fragments import names
from lanemap.probing.mutation.elements import element_mutants
from lanemap.probing.part import Part
from lanemap.probing.probe import find_probe
from lanemap.probing.run import ProbeReport, observe
from lanemap.records.files import read_record
from tests.emulator.ptx import mma_texts

RESULTS = Path(__file__).resolve().parents[2] / "results"
HALF = Form(16, 16, "f16", "f32")


def probed(name: str, axes: dict[str, list[str]], models: dict[str, LayoutMap]) -> ProbeReport:
    probe = find_probe(name).with_axes(axes).on("sm_90a")
    return observe(probe, open_device("sm_90a", "emulator", models=models))


def met_by_the_isa(form: Form) -> np.ndarray:
    """The meetings of a form with the fragments of the PTX ISA."""
    isa = next(
        each
        for each in mma_texts.forms()
        if (each.rows, each.depth, each.a, each.b, each.d)
        == (form.rows, form.depth, form.kind, form.kind, form.result)
        and each.majors == form.majors
        and "xor" not in each.end
    )
    places = {x: [each.reshape(-1) for each in isa.places(x)] for x in "abd"}
    met = np.full((places["a"][0].size, places["d"][0].size), -1)
    for b, (product, column, k) in enumerate(zip(*places["b"], strict=True)):
        rows = (places["a"][0] == product) & (places["a"][2] == k)
        cells = (places["d"][0] == product) & (places["d"][2] == column)
        same = places["a"][1][:, None] == places["d"][1][None]
        met[rows[:, None] & cells[None] & same] = b
    return met


@pytest.mark.parametrize("form", [
    HALF, Form(8, 4, "f64", "f64"), Form(16, 32, "s8", "s32"), Form(16, 128, "b1", "s32"),
    Form(8, 4, "f16", "f32", ("col", "row")), Form(8, 4, "f16", "f16"),
], ids=lambda form: form.instruction)  # fmt: skip
def test_meetings_of_the_isa_get_the_names_of_the_isa(form: Form) -> None:
    """The order in which rows, columns and k are named is that of the ISA's own numbers."""
    found = names(form, met_by_the_isa(form))
    assert found is not None
    isa = next(
        x
        for x in mma_texts.forms()
        if x.name.startswith(form.instruction.removesuffix(".and.popc"))
    )
    for operand, sizes in (("A", form.depth), ("B", 8), ("D", 8)):
        product, line, other = (each.reshape(-1) for each in isa.places(operand.lower()))
        if operand == "B":
            line, other = other, line
        lines = form.depth if operand == "B" else form.rows
        assert np.array_equal(found[operand], (product * lines + line) * sizes + other), operand


def test_meetings_that_are_no_product_of_matrices_have_no_names() -> None:
    met = met_by_the_isa(HALF)
    met[5, np.flatnonzero(met[5] >= 0)[0]] = -1
    assert names(HALF, met) is None
    assert names(HALF, np.full_like(met, -1)) is None


@pytest.mark.parametrize("operand", ["A", "B", "D"])
def test_the_probe_notices_a_mutant_of_mma(operand: str) -> None:
    name = HALF.variant(operand)
    model = variant(name).map
    mutant = element_mutants(model, 1, 1).changed[-1]
    assert "elements" in mutant.name
    report = probed("mma_sync_fragments", {"type": ["f16"]}, {name: mutant.map})
    assert not report.agrees


def test_the_probe_finds_a_mutant_of_wmma() -> None:
    """An exchange in the second copy of A: only a probe of all eight registers sees it."""
    name = "wmma.m16n16k16.f16:A"
    model = variant(name).map
    table = model.table.reshape(32, 8, 32).copy()
    table[3, [4, 6]] = table[3, [6, 4]]
    changed = LayoutMap(model.destination, model.source, table.reshape(-1))
    report = probed("wmma_fragments", {"operation": ["load"], "pattern": ["row"]}, {name: changed})
    (part,) = [part for part in report.parts if part.variant == name]
    assert part.finding.map == changed and not part.agrees


def test_element_mutants_keep_every_element_once() -> None:
    model = variant("mma.sync.m16n8k32.s8:A").map
    made = element_mutants(model, 5, 3).changed
    assert len({each.name for each in made}) == len(made) == 36 + 5
    for each in made:
        assert np.array_equal(np.sort(each.map.table), np.sort(model.table))
        assert each.map != model


@pytest.mark.parametrize("name, variants", [("mma_sync_fragments", 83), ("wmma_fragments", 47)])
def test_the_h200_showed_the_maps_of_the_emulators_row(name: str, variants: int) -> None:
    silicon = read_record(RESULTS / "sm_90a" / "cuda" / f"{name}.json")
    emulator = read_record(RESULTS / "sm_90a" / "emulator" / f"{name}.json")
    assert silicon.evidence == "silicon" and "H200" in silicon.environment["gpu"]
    assert silicon.environment["host"]["revision"] and silicon.findings["explained"]
    shown, executed = ({o.variant: o.map for o in r.observations} for r in (silicon, emulator))
    assert shown == executed and len(shown) == variants
    for each, layout in shown.items():
        assert layout == variant(each).map


@pytest.mark.parametrize("target", ["sm_75", "sm_80", "sm_89", "sm_120a"])
def test_other_targets_have_the_fragments_that_the_h200_showed(target: str) -> None:
    silicon = read_record(RESULTS / "sm_90a" / "cuda" / "mma_sync_fragments.json")
    row = read_record(RESULTS / target / "emulator" / "mma_sync_fragments.json")
    shown, executed = ({o.variant: o.map for o in r.observations} for r in (silicon, row))
    shared = shown.keys() & executed.keys()
    assert len(shared) >= 20 and row.findings["explained"]
    assert all(shown[each] == executed[each] for each in shared)
    alone = executed.keys() - shown.keys()
    assert bool(alone) == (target == "sm_120a")
    assert all(re.search(r"\.(e3m2|e2m3|e2m1):|m16n8k64.f32:D", each) for each in alone)


def test_elements_of_a_byte_lie_where_the_isa_has_them() -> None:
    """PTX ISA, .kind::f8f6f4: bits 0 to 5 of a byte, 2 to 5 of e2m1; the others are padding."""
    row = read_record(RESULTS / "sm_120a" / "emulator" / "mma_sync_fragments.json")
    found = {each.variant: each.map for each in row.observations}
    for kind, bits in (("e3m2", range(6)), ("e2m3", range(6)), ("e2m1", range(2, 6))):
        held = found[f"mma.sync.m16n8k32.{kind}:A"]
        defined = held.defined.reshape(32, 4, 4, 8)
        assert (defined == np.isin(np.arange(8), bits)).all()


def test_an_axis_has_the_values_of_its_target() -> None:
    probe = find_probe("mma_sync_fragments")
    assert "e4m3" not in dict(probe.on("sm_80").axes)["type"]
    with pytest.raises(UserError, match="cannot be e2m1 on sm_89, which has f64, tf32, .*e5m2"):
        probe.with_axes({"type": ["e2m1"]}).on("sm_89")


def scales(name: str, models: dict[str, LayoutMap]) -> Part:
    blocks = re.search(r"vec::(\d)X", name)
    assert blocks
    probe = find_probe("mma_sync_scales").with_axes({"blocks": [blocks[1]]}).on("sm_120a")
    report = observe(probe, open_device("sm_120a", "emulator", models=models))
    return next(part for part in report.parts if part.variant == name)


@pytest.mark.parametrize("name", [
    "mma.sync.m16.scale_vec::1X.byte2.thread1:SFA", "mma.sync.n8.scale_vec::4X.byte0.thread3:SFB",
])  # fmt: skip
def test_scales_lie_in_the_byte_and_the_threads_that_the_selectors_name(name: str) -> None:
    """PTX ISA, Block Scaling for mma.sync; and a mutant of the model is found as it is."""
    held = scales(name, {}).finding.map
    assert held is not None
    lane, byte = np.nonzero(held.defined.reshape(32, 4, 8).all(-1))
    cell = held.table.reshape(32, 4, 8)[lane, byte, 0] // 8
    if name.endswith("SFA"):
        assert set(byte) == {2} and set(lane % 4) == {2, 3}
        assert np.array_equal(cell, lane // 4 + 8 * (lane % 2))
    else:
        assert set(lane % 4) == {3}
        assert np.array_equal(cell, lane // 4 * 4 + byte)
    mutant = element_mutants(variant(name).map, 1, 1).changed[-1]
    part = scales(name, {name: mutant.map})
    assert not part.agrees and part.finding.map == mutant.map
