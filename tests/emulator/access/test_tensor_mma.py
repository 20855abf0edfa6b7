"""The matrix of hazards for operands of tcgen05.mma in shared and in tensor memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulator.access.cells import complaints
from tests.emulator.access.tensor_mma_cells import FORMS, LAYOUTS, SHARED, TARGET, TENSOR, text


def _cells() -> Iterator[Any]:
    for hazard, make in SHARED.items():
        for layout in LAYOUTS:
            yield pytest.param(make, layout, id=f"{hazard}: shared memory, {layout}")
    for hazard, make in TENSOR.items():
        for form in FORMS:
            yield pytest.param(make, form, id=f"{hazard}: tensor memory, {form}")


@pytest.mark.parametrize(("make", "what"), list(_cells()))
def test_a_cell(make: Any, what: str) -> None:
    cell = make(what)
    found = list(complaints(cell))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


@pytest.mark.parametrize("form", FORMS)
def test_ptxas_assembles_the_texts(form: str) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    cubin, messages = ptxas.judge(text(form), TARGET)
    assert cubin is not None, messages
