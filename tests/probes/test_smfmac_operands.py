"""The probe of SMFMAC's operands finds what AMD's tests say, and what was changed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lanemap.claims import claims_of
from lanemap.devices import open_device
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.probing.mfma.sparse import Sparse, forms, named
from lanemap.probing.mutation.elements import element_mutants
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe
from lanemap.records.files import read_record
from tests.sampled import sampled

from .test_mfma_operands import places
from .test_sources import assemble

RESULTS = Path(__file__).resolve().parents[2] / "results"
TARGETS = ("gfx942", "gfx950")


def said(form: Sparse, operand: str) -> LayoutMap:
    """What ROCm/hip-fpsan says of A and B, and AMD's calculator of the D of dense MFMA."""
    if operand != "D":
        return claims_of(form.variant(operand))[0].map
    side = "16x16x16" if form.side == 16 else "32x32x8"
    claims = claims_of(f"v_mfma_f32_{side}_f16:D")
    return next(each.map for each in claims if "calculator" in each.source)


def met_as_said(form: Sparse, index: tuple[int, int]) -> np.ndarray:
    """Which element of B meets each element of A in each element of D, with one index for all.

    Kept elements 2q and 2q + 1 are those of k = 4q to 4q + 3 that the index names.
    """
    a, b, d = (places(said(form, operand)) for operand in "ABD")
    of_b = np.argsort(b).reshape(form.depth, form.side)
    row, kept = np.divmod(a, form.depth // 2)
    k = kept // 2 * 4 + np.array(index)[kept % 2]
    own, column = np.divmod(d, form.side)
    return np.where(row[:, None] == own, of_b[k][:, column], -1)


DOCUMENTED = [
    form
    for target in TARGETS
    for form in forms(target)
    if target == "gfx950" and claims_of(form.variant("A")) and claims_of(form.variant("B"))
]


@pytest.mark.parametrize("form", sampled(DOCUMENTED, 5), ids=lambda form: form.entry)
def test_the_meetings_that_amds_tests_imply_get_their_names(form: Sparse) -> None:
    found = named(form, np.stack([met_as_said(form, (0, 1)), met_as_said(form, (2, 3))]))
    assert found is not None
    for operand in "ABD":
        np.testing.assert_array_equal(found[operand], places(said(form, operand)))


@pytest.mark.parametrize("form", DOCUMENTED[:2], ids=lambda form: form.entry)
def test_what_the_index_does_not_say_is_no_product(form: Sparse) -> None:
    """Places within four are the index's: with two of them exchanged nothing is named."""
    low, high = met_as_said(form, (0, 1)), met_as_said(form, (2, 3))
    assert named(form, np.stack([high, low])) is None
    assert named(form, np.stack([met_as_said(form, (0, 2)), met_as_said(form, (1, 3))])) is None
    assert named(form, np.stack([low, low])) is None


def test_there_are_all_forms() -> None:
    assert [len(list(forms(target))) for target in TARGETS] == [14, 28]
    assert len(DOCUMENTED) >= 10


@pytest.mark.parametrize("operand", sampled("ABD", {"A"}))
@pytest.mark.parametrize("target", TARGETS)
def test_an_exchange_of_two_elements_is_noticed(target: str, operand: str) -> None:
    name = f"v_smfmac_f32_16x16x32_f16:{operand}"
    mutant = element_mutants(variant(name).map, 1, 1).changed[-1]
    probe = find_probe("smfmac_operands").on(target).with_axes({"type": ["f16"]})
    report = observe(probe, open_device(target, "emulator", models={name: mutant.map}))
    assert not report.agrees


@pytest.mark.parametrize("target", TARGETS)
def test_the_row_holds_every_operand_and_agrees_with_the_model(target: str) -> None:
    row = read_record(RESULTS / target / "emulator" / "smfmac_operands.json")
    observed = {each.variant: each.map for each in row.observations}
    assert set(observed) == {form.variant(operand) for form in forms(target) for operand in "ABD"}
    for name, layout in observed.items():
        assert layout == variant(name).map, name


@pytest.mark.parametrize("target", TARGETS)
def test_clang_assembles_every_kernel(target: str, tmp_path: Path) -> None:
    code = assemble(find_probe("smfmac_operands").sources[target], tmp_path, target)
    for form in forms(target):
        assert f"{form.entry}\0".encode() in code and f"{form.entry}.kd\0".encode() in code
