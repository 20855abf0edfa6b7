"""Faults in products and attention of CuTe DSL, found at their lines in the stored PTX.

cute_faults/build.py stores the texts, which `make cute` compares with what CuTe DSL makes. Without
their faults the kernels are clean (test_cute_dsl_product.py).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from pathlib import Path

import pytest

import lanemap
from lanemap.devices.emulator import Hazard
from tests.emulator.ptx import cute_dsl_cases
from tests.emulator.ptx.cute_dsl_cases import CASES
from tests.emulator.ptx.cute_faults.table import FAULTS, ProductFault

HERE = Path(__file__).resolve().parent / "cute_faults"
KERNELS = cute_dsl_cases.HERE
MADE = json.loads((HERE / "made.json").read_text())


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_found_at_its_line(
    fault: ProductFault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"{fault.job}.{fault.target}.ptx"
    shutil.copy(HERE / f"{fault.name}.ptx", path)
    monkeypatch.setattr(cute_dsl_cases, "HERE", tmp_path)
    device = lanemap.open_device(fault.target, "emulator", "report")
    # A fault may end in a deadlock, or in a wrong result.
    with contextlib.suppress(Hazard, AssertionError):
        CASES[fault.target][fault.job](device, fault.job, fault.target)
    module = device.load(path)
    source = fault.changed((KERNELS / f"{fault.file}.py").read_text()).splitlines()
    found = [hazard for hazard in device.hazards if fault.says in str(hazard)]
    lines = [
        source[number - 1]
        for hazard in found
        for line in (hazard.line, hazard.facts.other.line if hazard.facts.other else 0)
        if line
        for file, number in module.places(line)
        if Path(file).stem == fault.file
    ]
    assert any(fault.line in each for each in lines), (list(map(str, device.hazards)), lines)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_text_belongs_to_its_source(fault: ProductFault) -> None:
    about = MADE[fault.name]
    for key, path in (
        ("text_sha256", HERE / f"{fault.name}.ptx"),
        ("source_sha256", KERNELS / f"{fault.file}.py"),
    ):
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        assert found == about[key], f"build {fault.name} again"


def test_each_text_is_tried() -> None:
    assert {path.stem for path in HERE.glob("*.ptx")} == {fault.name for fault in FAULTS}
