"""The probe of MFMA's operands finds what AMD's own documents say, and what was changed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lanemap.claims import claims_of
from lanemap.devices import open_device
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.probing.mfma.forms import PROBED, Form, code, every_form, forms
from lanemap.probing.mma.fragments import names
from lanemap.probing.mutation.elements import element_mutants
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe
from lanemap.records.files import read_record
from tests.sampled import sampled

RESULTS = Path(__file__).resolve().parents[2] / "results"


def documented(form: Form, operand: str) -> LayoutMap:
    """What the ISA's tables or AMD's matrix instruction calculator say."""
    said = [claim for claim in claims_of(form.variant(operand)) if "AMD" in claim.source]
    return said[0].map


def places(layout: LayoutMap) -> np.ndarray:
    """The element of the matrix that each element of the registers holds, in their order."""
    width = layout.source.sizes[-1]
    return layout.table.reshape(-1, width)[:, 0] // width


def met_as_documented(form: Form) -> np.ndarray:
    """Which element of B meets each element of A in each element of D, by the documents' maps."""
    a, b, d = (places(documented(form, operand)) for operand in "ABD")
    side, depth = form.side, form.depth
    met = np.full((a.size, d.size), -1)
    of_b = np.argsort(b).reshape(-1, depth, side)
    block, row, column = d // side**2, d // side % side, d % side
    for element, held in enumerate(a):
        k, line = held % depth, held // depth
        cells = (block == line // side) & (row == line % side)
        met[element, cells] = of_b[line // side, k, column[cells]]
    return met


DOCUMENTED = [
    form
    for form in {form.entry: form for form in every_form()}.values()
    if form.kinds[0] == form.kinds[1]
    and form.products * form.side * form.depth <= 2048
    and all(claims_of(form.variant(operand)) for operand in "ABD")
]


@pytest.mark.parametrize("form", DOCUMENTED, ids=lambda form: form.entry)
def test_the_documents_meetings_get_the_documents_names(form: Form) -> None:
    found = names(form, met_as_documented(form))
    assert found is not None
    for operand in "ABD":
        np.testing.assert_array_equal(found[operand], places(documented(form, operand)))


def test_codes_of_small_integers() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kinds = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "fp8": ml_dtypes.float8_e4m3fn,
             "bf8": ml_dtypes.float8_e5m2, "fp6": ml_dtypes.float6_e2m3fn,
             "bf6": ml_dtypes.float6_e3m2fn, "fp4": ml_dtypes.float4_e2m1fn}  # fmt: skip
    for kind, dtype in kinds.items():
        width = np.dtype(dtype).itemsize
        for value in range(4):
            mine = np.array([code(kind, value)]).astype(f"u{width}").view(dtype)
            assert float(mine[0]) == value
    for kind, dtype in (("fp8", ml_dtypes.float8_e4m3fnuz), ("bf8", ml_dtypes.float8_e5m2fnuz)):
        for value in range(4):
            assert float(np.array([code(kind, value, True)], np.uint8).view(dtype)[0]) == value


def test_spellings_and_blocks_of_each_target() -> None:
    """AMD MI200 ISA: of bf16 the names in _1k are those that later ISAs have without."""
    spelled = {
        target: {form.instruction: form.spelled for form in forms(target)} for target in PROBED
    }
    assert list(spelled) == ["gfx90a", "gfx942", "gfx950"]
    oldest = spelled["gfx90a"]
    assert oldest["v_mfma_f32_32x32x4_2b_bf16"] == "v_mfma_f32_32x32x4bf16_1k"
    assert oldest["v_mfma_f32_32x32x4bf16"] == "v_mfma_f32_32x32x4bf16"
    assert oldest["v_mfma_f64_4x4x4_4b_f64"] == "v_mfma_f64_4x4x4f64"
    assert "v_mfma_f32_16x16x32_fp8_fp8" not in oldest
    assert {name for name in spelled["gfx942"] if "xf32" in name} == {
        "v_mfma_f32_16x16x8_xf32", "v_mfma_f32_32x32x4_xf32",
    }  # fmt: skip
    assert not any("xf32" in name for name in (*oldest, *spelled["gfx950"]))


@pytest.mark.parametrize("operand", sampled("ABD", {"B"}))
@pytest.mark.parametrize(
    ("target", "kind", "form"),
    [
        ("gfx950", "f16", "v_mfma_f32_16x16x16_f16"),
        ("gfx942", "xf32", "v_mfma_f32_16x16x8_xf32"),
        ("gfx90a", "bf16", "v_mfma_f32_32x32x4bf16"),
    ],
)
def test_an_exchange_of_two_elements_is_noticed(
    target: str, kind: str, form: str, operand: str
) -> None:
    name = f"{form}:{operand}"
    mutant = element_mutants(variant(name).map, 1, 1).changed[-1]
    probe = find_probe("mfma_operands").on(target).with_axes({"type": [kind]})
    report = observe(probe, open_device(target, "emulator", models={name: mutant.map}))
    assert not report.agrees


@pytest.mark.parametrize("target", PROBED)
def test_the_row_holds_every_operand_and_agrees_with_the_model(target: str) -> None:
    row = read_record(RESULTS / target / "emulator" / "mfma_operands.json")
    observed = {each.variant: each.map for each in row.observations}
    assert set(observed) == {form.variant(operand) for form in forms(target) for operand in "ABD"}
    for name, layout in observed.items():
        assert layout == variant(name).map, name
