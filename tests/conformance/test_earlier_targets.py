"""Texts of earlier targets: on an emulator in the place of the GPU, and what a row says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import lanemap
from lanemap.conformance.earlier_targets import plan, trial
from lanemap.conformance.programs.crew import emulate
from lanemap.conformance.programs.program import Program
from lanemap.conformance.tensor_cores.kinds import KINDS
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Record
from lanemap.toolchain import ptxas
from tests.records.rows import ENVIRONMENT
from tests.sampled import sampled

MOVE = "movmatrix.sync.aligned.m8n8.trans.b16"
#: The first programs of a target, and few kinds.
FEW = 2
A_MAP = "mma.sync.m16n8k8.f16:A"
FEW_KINDS = ("mma.sync.m16n8k8.f32.f16.f16.f32", "mma.sync.m8n8k16.s32.u8.s8.s32")


class InPlace:
    """A GPU for programs that the emulator stands for, with other answers if asked."""

    def __init__(self, answer: Callable[[bytes], tuple[bytes, str]] = lambda out: (out, "")):
        self._answer = answer

    def run(self, program: Program, image: bytes | None) -> tuple[bytes, str]:
        assert image is not None, "ptxas takes the text"
        return self._answer(emulate(program)[0])


def of_target(target: str, monkeypatch: Any, gpu: Any = None, models: Any = None) -> dict[str, Any]:
    chosen = tuple(kind for kind in plan.kinds(target) if kind.name in FEW_KINDS)
    monkeypatch.setattr(plan, "kinds", lambda target: chosen)
    devices = [lanemap.open_device(plan.GPU, "emulator", models=each) for each in (None, models)]

    def run(jobs: Sequence[tuple[str, str]]) -> list[tuple[bool, str]]:
        return [trial.product(target, KINDS[name], devices, str, 1) for target, name in jobs]

    return trial.of_target(
        target, devices[1], gpu or InPlace(), run, assemble=str, count=FEW, chunks=1
    )


@pytest.mark.parametrize("target", sampled(["sm_75", "sm_90"], 2))
def test_an_emulator_agrees_with_itself(target: str, monkeypatch: Any, tmp_path: Any) -> None:
    found = of_target(target, monkeypatch)
    assert trial.disagreements(found) == 0
    assert found["programs"]["compared"] > 50 and found["probes"] == {
        "ldmatrix": True,
        MOVE[:9]: True,
    }
    assert len(found["products"]["kinds"]) == 2
    environment = {"before": ENVIRONMENT, "after": ENVIRONMENT}
    findings = trial.findings([found], "ptxas 13.0.88")
    name = "earlier_targets"
    row = Record(
        name, plan.GPU, "cuda", "silicon", (), findings, environment=environment, kind=name
    )
    (path,) = write_records([row], tmp_path)
    assert read_record(path).findings["targets"][0]["target"] == target


def test_what_differs_is_counted(monkeypatch: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Outputs of programs, an instruction's map, products of wrong places."""
    wrong = InPlace(lambda out: (bytes([each ^ 255 for each in out]), ""))
    stays = {MOVE: LayoutMap.identity(variant(MOVE).map.destination)}
    swapped = variant(A_MAP).map.table.reshape(32, -1)[::-1].reshape(-1)
    own = variant(A_MAP).map
    stays[A_MAP] = LayoutMap(own.destination, own.source, swapped.copy())
    found = of_target("sm_80", monkeypatch, wrong, stays)
    assert len(found["programs"]["differing"]) > 50
    assert found["probes"] == {"ldmatrix": True, "movmatrix": False}
    assert found["products"]["differing"] == [FEW_KINDS[0]]
    assert trial.disagreements(found) == len(found["programs"]["differing"]) + 2
    assert "differs" in capsys.readouterr().out


def test_a_program_that_fails_is_counted(monkeypatch: Any) -> None:
    found = of_target("sm_86", monkeypatch, InPlace(lambda out: (b"", "ended")))
    assert len(found["programs"]["failed"]) == trial.disagreements(found) == FEW


@pytest.mark.parametrize("target", plan.TARGETS)
def test_texts_are_of_their_target(target: str) -> None:
    """And ptxas takes them for it and for the GPU; each form is in one program."""
    for number in plan.numbers(target, FEW):
        text = plan.program(number).text
        assert f".target {target}\n" in text
        assert ptxas.judge(text, target)[0] and ptxas.judge(text, plan.GPU)[0]
    for name in plan.PROBES:
        assert ptxas.judge(plan.probe(name, target).source, target)[0]
    names = [form.name for form in plan.forms(target)]
    used = [name for n in range(plan.PROGRAMS) for name in plan.names(target, n)]
    assert sorted(names) == sorted(used) and len(names) > 10_000


def test_the_kinds_are_those_of_the_target() -> None:
    names = {target: {kind.name for kind in plan.kinds(target)} for target in plan.TARGETS}
    fp8 = "mma.sync.m16n8k32.f32.e4m3.e4m3.f32"
    assert fp8 in names["sm_89"] and fp8 not in names["sm_86"]
    assert "mma.sync.m16n8k16.f32.bf16.bf16.f32" not in names["sm_75"]
    assert names["sm_75"] < names["sm_80"] == names["sm_86"] < names["sm_89"] < names["sm_90"]
