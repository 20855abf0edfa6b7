"""`lanemap doctor`: what is here and what is missing, each with what to do about it."""

from __future__ import annotations

import importlib.util
import json

import pytest

from lanemap.cli import main
from lanemap.devices import emulator
from lanemap.errors import MissingEnvironment, extra
from lanemap.targets import TARGETS
from lanemap.toolchain import ptxas


def examine(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, dict[str, object]]]:
    status = main.run(["doctor", "--json"])
    return status, {check["name"]: check for check in json.loads(capsys.readouterr().out)}


def test_every_device_of_every_target_is_examined(capsys: pytest.CaptureFixture[str]) -> None:
    status, checks = examine(capsys)
    assert status == 0
    for target, devices in ((name, each.devices) for name, each in TARGETS.items()):
        assert {f"{device} {target}" for device in devices} <= set(checks)
    assert checks["emulator gfx950"]["here"] and checks["lanemap"]["here"]
    assert all(check["detail"] for check in checks.values())


def test_what_is_missing_says_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    missing = ("pandas", "triton")
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in missing else found(name)
    )
    status, checks = examine(capsys)
    assert status == 0, "the emulator needs no pandas"
    assert not checks["analysis"]["here"]
    detail = str(checks["analysis"]["detail"])
    assert detail.startswith("pandas") and "run pip install '.[analysis]'" in detail
    assert "pip install '.[check]'" in str(checks["Triton and PyTorch"]["detail"])


def test_the_tools_of_cuda_are_examined(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_none(name: str, package: str) -> str:
        raise MissingEnvironment(f"{name} is not installed: run {extra('nvidia')}")

    monkeypatch.setattr(ptxas, "find_program", find_none)
    _, checks = examine(capsys)
    assert not checks["ptxas"]["here"] and "'.[nvidia]'" in str(checks["ptxas"]["detail"])
    assert {"NVRTC", "nvdisasm"} <= set(checks)


def test_without_an_emulator_the_status_is_3(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_none(*_: object) -> object:
        raise MissingEnvironment("no llvmlite here")

    monkeypatch.setattr(emulator, "EmulatorDevice", open_none)
    status, checks = examine(capsys)
    assert status == 3
    assert checks["emulator gfx950"]["detail"] == "no llvmlite here"
