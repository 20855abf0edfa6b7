"""ss_gemm, ts_gemm, fp8_gemm and fmha on the emulator, against bytes that an H200 computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.conformance import kernel_attentions, kernel_products
from lanemap.conformance.agreement import agree
from lanemap.conformance.kernel_bytes import TARGET, TIMES, Case, Launcher, hashes, observe
from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Record
from tests.records.rows import ENVIRONMENT

ROWS = Path(__file__).resolve().parents[2] / "results" / TARGET / "cuda"
BOTH = [pytest.param(each, id=each.NAME) for each in (kernel_products, kernel_attentions)]
#: Groups of cases that share a text. Of GEMMs both kernels, f16 and FP8 in two levels, C of f32 and
#: f16, one of each shape, a tile of FP8 with scales that clusters share, and sums that are waited
#: for; of attention D 128, four warpgroups with D 64, packed sequences with a window.
FAST = {kernel_products: (4, 9, 17, 23, 29), kernel_attentions: (0, 3, 6)}


def groups(kernels: ModuleType) -> list[list[Case]]:
    """All cases by their text."""
    every, size = kernels.cases(), len(kernels.INPUTS)
    return [every[i : i + size] for i in range(0, len(every), size)]


GROUPS = [
    pytest.param(
        kernels,
        same,
        id=f"{kernels.NAME}: {same[0].name}",
        marks=() if i in fast else pytest.mark.slow,
    )
    for kernels, fast in FAST.items()
    for i, same in enumerate(groups(kernels))
]


def seen(kernels: ModuleType) -> Mapping[str, Mapping[str, Any]]:
    """What the row says of each case."""
    findings = read_record(ROWS / f"{kernels.NAME}.json").findings
    assert findings["differing"] == []
    return {each["name"]: each for each in findings[kernels.KIND]}


@pytest.mark.parametrize("kernels", BOTH)
def test_row_is_of_these_cases_and_all_runs_gave_the_same(kernels: ModuleType) -> None:
    row, every = seen(kernels), kernels.cases()
    assert list(row) == [each.name for each in every]
    # No launch gave what another one gave.
    assert len({row[each.name][each.result] for each in every}) == len(every)


def test_a_row_agrees_with_other_tiles_but_not_with_other_bytes() -> None:
    """A tile has more attributes than when the row was made."""
    row = read_record(ROWS / "kernel_products.json")
    first, *others = row.findings["products"]

    def with_first(**changed: Any) -> Record:
        return replace(row, findings={**row.findings, "products": [{**first, **changed}, *others]})

    assert agree(row, with_first(tile={**first["tile"], "more": 0}, ptx="sha256:0"))
    assert not agree(row, with_first(c=others[0]["c"]))


@pytest.mark.parametrize(("kernels", "same"), GROUPS)
def test_the_emulator_gives_the_bytes_of_an_h200(kernels: ModuleType, same: Sequence[Case]) -> None:
    device, row = lanemap.open_device(TARGET, "emulator"), seen(kernels)
    module = device.load(same[0].ptx())
    for case in same:
        launcher = Launcher(device, module, case)
        given = hashes(launcher.host)
        found = {name: row[case.name][name] for name in (*given, case.result)}
        assert given.items() <= found.items(), f"the inputs of {case.name} have changed"
        assert hashes({case.result: launcher.run()}).items() <= found.items(), case.name


def test_operands_of_products_are_finite_and_spread() -> None:
    for case in kernel_products.cases()[::4]:
        given = case.operands()
        for each in (given["a"], given["b"]):
            values = np.abs(each.astype(np.float64))
            assert np.isfinite(values).all()
            low, high = np.quantile(values[values > 0], (0.02, 0.98))
            assert (high / low > 2**9) == (case.inputs != "normal")


def test_the_bytes_depend_on_how_the_tensor_core_adds() -> None:
    """Nearly no element of C is the correctly rounded sum, and cancelling ones are far from it."""
    same = groups(kernel_products)[FAST[kernel_products][2]]
    device = lanemap.open_device(TARGET, "emulator")
    module = device.load(same[0].ptx())
    for case in same:
        launcher = Launcher(device, module, case)
        a, b = (each.astype(np.float64) for each in launcher.host.values())
        c, exact = launcher.run(), a @ b.T
        assert c.dtype == np.float32
        assert np.isfinite(c).all()
        assert (c != exact.astype(np.float32)).mean() > 0.5
        far = np.abs(c - exact) > 0.01 * np.abs(exact)
        assert (far.mean() > 0.5) == (case.inputs == "cancelling")


def test_weights_are_powers_of_two_and_o_is_rescaled() -> None:
    """What makes the bytes comparable, and what makes the comparison say something."""
    assert np.float32(kernel_attentions.SCALE * np.log2(np.e)) == 1
    for near, far in groups(kernel_attentions):
        spread = []
        for case in (near, far):
            q, k, v = (each.astype(np.float64) for each in case.operands().values())
            logits = q[:50] @ k[:50].T
            assert (logits == np.round(logits)).all()
            assert abs(v.mean()) < 0.1 and 0.9 < v.std() < 1.1
            spread.append(np.ptp(logits, axis=1).mean())
        assert spread[1] > 8 > spread[0] / 2


class Gpu:
    """The emulator in the place of a GPU; a `fickle` one changes a bit in its second run."""

    def __init__(self, text: str, argument: int, fickle: bool) -> None:
        """Take what every cubin is compiled from, and which argument the result is."""
        self.text, self.argument, self.fickle, self.launches = text, argument, fickle, 0
        self.emulator: Any = lanemap.open_device(TARGET, "emulator")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.emulator, name)

    def load(self, cubin: bytes) -> Any:
        assert cubin.startswith(b"\x7fELF")
        module = self.emulator.load(self.text)
        (entry,) = module.entries

        def launch(grid: int, block: int, args: Any, shared: int, cluster: Any) -> None:
            module[entry](grid, block, args, shared, cluster)
            self.launches += 1
            if self.fickle and self.launches == 2:
                result = args[self.argument].holds
                values = result.get()
                values.view(np.uint8)[0, 0] ^= 1
                result.set(values)

        return {entry: launch}


@pytest.mark.slow
@pytest.mark.parametrize("fickle", [False, True])
@pytest.mark.parametrize(("kernels", "argument"), [(kernel_products, 2), (kernel_attentions, 3)])
def test_a_case_whose_runs_differ_is_named(
    kernels: ModuleType, argument: int, fickle: bool, tmp_path: Path
) -> None:
    same = groups(kernels)[-1]
    gpu: Any = Gpu(same[0].ptx(), argument, fickle)
    findings, unequal = observe(gpu, same, kernels.KIND)
    names = [each.name for each in same]
    assert gpu.launches == TIMES * len(same)
    assert findings["differing"] == (names[:1] if fickle else [])
    assert unequal == len(findings["differing"])
    environment = {"before": ENVIRONMENT, "after": ENVIRONMENT}
    row = Record(
        kernels.NAME,
        TARGET,
        "cuda",
        "silicon",
        (),
        findings,
        environment=environment,
        kind=kernels.NAME,
    )
    (path,) = write_records([row], tmp_path)
    assert agree(row, read_record(path))
    assert [each["name"] for each in read_record(path).findings[kernels.KIND]] == names
