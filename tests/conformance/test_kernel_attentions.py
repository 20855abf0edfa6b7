"""The bytes that an H200 computed with fmha, and those of the emulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching.attention.problem import Problem
from lanemap.conformance import kernel_attentions
from lanemap.conformance.kernel_attentions import (
    FORMS,
    INPUTS,
    KERNEL,
    SCALE,
    TARGET,
    Case,
    Launcher,
    cases,
    operands,
)
from lanemap.records.files import read_record, write_records
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record

ROW = Path(__file__).resolve().parents[2] / "results/sm_90a/cuda/kernel_attentions.json"
EVERY = cases()
#: D 128, four warpgroups with D 64, packed sequences with a window.
FAST = (0, 3, 6)


def seen() -> Mapping[str, Mapping[str, Any]]:
    return {each["name"]: each for each in read_record(ROW).findings["problems"]}


def test_row_is_of_these_problems_and_all_runs_gave_the_same() -> None:
    assert read_record(ROW).findings["differing"] == []
    assert list(seen()) == [each.name for each in EVERY]
    assert len({each["o"] for each in seen().values()}) == len(EVERY)


def _same_bytes(same: Sequence[Case]) -> None:
    device, row = lanemap.open_device(TARGET, "emulator"), seen()
    module = device.load(KERNEL.ptx(same[0].problem, same[0].tiling))
    for case in same:
        launcher = Launcher(device, module, case)
        found = row[case.name]
        given = [source_hash(each.tobytes()) for each in launcher.host]
        assert given == [found["q"], found["k"], found["v"]], f"inputs of {case.name} have changed"
        assert source_hash(launcher.run().tobytes()) == found["o"], case.name


def _of(form: int) -> list[Case]:
    return EVERY[form * len(INPUTS) : (form + 1) * len(INPUTS)]


@pytest.mark.parametrize("form", FAST, ids=lambda i: _of(i)[0].name)
def test_the_emulator_gives_the_bytes_of_an_h200(form: int) -> None:
    _same_bytes(_of(form))


@pytest.mark.slow
@pytest.mark.parametrize(
    "form", sorted(set(range(len(FORMS))) - set(FAST)), ids=lambda i: _of(i)[0].name
)
def test_the_emulator_gives_the_bytes_of_an_h200_for_all(form: int) -> None:
    _same_bytes(_of(form))


def test_weights_are_powers_of_two_and_o_is_rescaled() -> None:
    """What makes the bytes comparable, and what makes the comparison say something."""
    assert np.float32(SCALE * np.log2(np.e)) == 1
    for near, far in (_of(i) for i in range(len(FORMS))):
        spread = []
        for case in (near, far):
            q, k, v = (each.astype(np.float64) for each in operands(case))
            logits = q[:50] @ k[:50].T
            assert (logits == np.round(logits)).all()
            assert abs(v.mean()) < 0.1 and 0.9 < v.std() < 1.1
            spread.append(np.ptp(logits, axis=1).mean())
        assert spread[1] > 8 > spread[0] / 2


class Gpu:
    """The emulator in the place of a GPU; a `fickle` one changes an element in its second run."""

    def __init__(self, fickle: bool) -> None:
        self.fickle, self.launches = fickle, 0
        self.emulator: Any = lanemap.open_device(TARGET, "emulator")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.emulator, name)

    def load(self, cubin: bytes) -> Any:
        assert cubin.startswith(b"\x7fELF")
        module = self.emulator.load(KERNEL.ptx(EVERY[0].problem, EVERY[0].tiling))

        def launch(grid: int, block: int, args: Any, shared: int, cluster: Any) -> None:
            module["fmha"](grid, block, args, shared, cluster)
            self.launches += 1
            if self.fickle and self.launches == 2:
                launcher = self.last
                o = launcher._o.get()
                o[0, 0] += o.dtype.type(1)
                launcher._o.set(o)

        return {"fmha": launch}


@pytest.mark.slow
@pytest.mark.parametrize("fickle", [False, True])
def test_a_difference_between_runs_is_kept(fickle: bool, monkeypatch: Any, tmp_path: Path) -> None:
    small = Case(Problem(1, 100, 100, 1, 1, 128), FORMS[0][1], "near", 5)
    monkeypatch.setattr(kernel_attentions, "cases", lambda: [small])
    gpu = Gpu(fickle)
    made = Launcher.__init__

    def remember(self: Launcher, *args: Any) -> None:
        made(self, *args)
        gpu.last = self

    monkeypatch.setattr(Launcher, "__init__", remember)
    findings, unequal = kernel_attentions.observe(gpu)
    assert gpu.launches == 3 and unequal == fickle
    assert findings["differing"] == ([small.name] if fickle else [])
    environment = dict(read_record(ROW).environment or {})
    row = Record(
        "kernel_attentions", TARGET, "cuda", "silicon", (), findings, environment=environment,
        kind="kernel_attentions",
    )  # fmt: skip
    (path,) = write_records([row], tmp_path)
    assert read_record(path).findings == findings
