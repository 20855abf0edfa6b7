"""ss_gemm and ts_gemm on the emulator, against the bytes that an H200 computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.conformance import kernel_products
from lanemap.conformance.kernel_products import (
    INPUTS,
    TARGET,
    Case,
    Launcher,
    cases,
    groups,
    operands,
)
from lanemap.conformance.silicon import agree
from lanemap.records.files import read_record, write_records
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record
from tests.records.rows import ENVIRONMENT

ROW = Path(__file__).resolve().parents[2] / "results" / "sm_90a" / "cuda" / "kernel_products.json"
GROUPS = groups()
#: Both kernels, f16 and FP8 in two levels, C of f32 and f16: one of each shape.
FAST = (4, 9, 17)


def seen() -> Mapping[str, Mapping[str, Any]]:
    return {each["name"]: each for each in read_record(ROW).findings["products"]}


def test_row_is_of_these_products_and_all_runs_gave_the_same() -> None:
    assert read_record(ROW).findings["differing"] == []
    assert list(seen()) == [each.name for each in cases()]
    # No product gave what another one gave.
    assert len({each["c"] for each in seen().values()}) == len(cases())


def _same_bytes(same: Sequence[Case]) -> None:
    device, row = lanemap.open_device(TARGET, "emulator"), seen()
    module = device.load(same[0].ptx())
    for case in same:
        launcher = Launcher(device, module, case)
        a, b, c = (source_hash(each.tobytes()) for each in (*launcher.host, launcher.run()))
        found = row[case.name]
        assert (a, b) == (found["a"], found["b"]), f"the inputs of {case.name} have changed"
        assert c == found["c"], case.name


@pytest.mark.parametrize("group", FAST, ids=lambda i: GROUPS[i][0].name)
def test_the_emulator_gives_the_bytes_of_an_h200(group: int) -> None:
    _same_bytes(GROUPS[group])


@pytest.mark.slow
@pytest.mark.parametrize(
    "group", sorted(set(range(len(GROUPS))) - set(FAST)), ids=lambda i: GROUPS[i][0].name
)
def test_the_emulator_gives_the_bytes_of_an_h200_for_all(group: int) -> None:
    _same_bytes(GROUPS[group])


def test_inputs_are_finite_and_spread() -> None:
    for case in (cases()[i] for i in range(0, len(cases()), 4)):
        for each in operands(case):
            values = np.abs(each.astype(np.float64))
            assert np.isfinite(values).all()
            low, high = np.quantile(values[values > 0], (0.02, 0.98))
            assert (high / low > 2**9) == (case.inputs != "normal")


def test_the_bytes_depend_on_how_the_tensor_core_adds() -> None:
    """Nearly no element of C is the correctly rounded sum, and cancelling ones are far from it."""
    same = GROUPS[FAST[2]]
    assert same[0].problem.output == "float32"
    device = lanemap.open_device(TARGET, "emulator")
    module = device.load(same[0].ptx())
    for case in same:
        launcher = Launcher(device, module, case)
        a, b = (each.astype(np.float64) for each in launcher.host)
        c, exact = launcher.run(), a @ b.T
        assert np.isfinite(c).all()
        assert (c != exact.astype(np.float32)).mean() > 0.5
        far = np.abs(c - exact) > 0.01 * np.abs(exact)
        assert (far.mean() > 0.5) == (case.inputs == INPUTS[2])


class Gpu:
    """The emulator in the place of a GPU; a `fickle` one changes a bit of C in its second run."""

    def __init__(self, fickle: bool) -> None:
        self.fickle, self.launches = fickle, 0
        self.emulator: Any = lanemap.open_device(TARGET, "emulator")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.emulator, name)

    def load(self, cubin: bytes) -> Any:
        assert cubin.startswith(b"\x7fELF")
        module = self.emulator.load(GROUPS[-1][0].ptx())

        def launch(grid: int, block: int, args: Any, shared: int, cluster: Any) -> None:
            module["ts_gemm"](grid, block, args, shared, cluster)
            self.launches += 1
            if self.fickle and self.launches == 2:
                values = args[2].holds.get()
                values.view(np.uint8)[0, 0] ^= 1
                args[2].holds.set(values)

        return {"ts_gemm": launch}


@pytest.mark.slow
@pytest.mark.parametrize("fickle", [False, True])
def test_a_product_whose_runs_differ_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fickle: bool
) -> None:
    monkeypatch.setattr(kernel_products, "groups", lambda: [GROUPS[-1]])
    findings, unequal = kernel_products.observe(Gpu(fickle))
    names = [each.name for each in GROUPS[-1]]
    assert findings["differing"] == (names[:1] if fickle else [])
    assert unequal == len(findings["differing"])
    environment = {"before": ENVIRONMENT, "after": ENVIRONMENT}
    row = Record(
        "kernel_products", TARGET, "cuda", "silicon", (), findings, environment=environment,
        kind="kernel_products",
    )  # fmt: skip
    (path,) = write_records([row], tmp_path)
    assert agree(row, read_record(path))
    assert [each["name"] for each in read_record(path).findings["products"]] == names
