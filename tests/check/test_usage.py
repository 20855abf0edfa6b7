"""`lanemap check` where it cannot begin: one sentence and a status, without Triton or PyTorch."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from lanemap.cli import main
from lanemap.errors import MissingEnvironment
from lanemap.toolchain import nvrtc


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main.run(["check", *words])
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("lanemap: ") and err.count("\n") == 1, err
    return status, err.removeprefix("lanemap: ").rstrip("\n")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text("raise SystemExit('it began')\n")
    return path


def test_where_nothing_compiles_kernels_it_is_said(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise MissingEnvironment("NVRTC is not here")

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(nvrtc, "version", missing)
    status, sentence = complaint(capsys, str(script))
    needs = "checking a script needs Triton, CuTe DSL or NVRTC: run pip install "
    assert status == 3 and sentence.startswith(needs)


@pytest.mark.skipif(importlib.util.find_spec("cutlass") is not None, reason="CuTe DSL is here")
def test_an_import_that_an_extra_brings_is_named(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("triton")
    pytest.importorskip("torch")
    script.write_text("import cutlass.cute as cute\n")
    status, sentence = complaint(capsys, str(script))
    assert status == 3 and sentence == (
        "script.py imports cutlass, which is not installed: pip install '.[cute]' in lanemap's "
        "checkout"
    )


@pytest.mark.parametrize("version", ["3.5.1", "2.1.0", "3.10.0", "4.0.0"])
def test_versions_that_pass_arguments_otherwise_are_refused(
    version: str, script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def known(package: str) -> str:
        assert package == "triton"
        return version

    monkeypatch.setattr(importlib.util, "find_spec", lambda wanted: wanted)
    monkeypatch.setattr(importlib.metadata, "version", known)
    status, sentence = complaint(capsys, str(script))
    assert status == 3 and sentence.startswith("lanemap checks scripts with Triton 3.6 to 3.9")
    assert sentence.endswith(f"this is {version}")


def test_bad_usage(tmp_path: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("x = 1\nif x\n")
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((tmp_path / "none.py",), "none.py: No such file or directory"),
        ((broken,), "broken.py:2: this is not valid Python: expected ':'"),
        (
            ("--target", "gfx1100", script),
            "no device executes target 'gfx1100'; the targets are gfx9",
        ),
        (("--hazards", "ignore", script), "hazards 'ignore' is neither 'raise' nor 'report'"),
    ]
    for words, sentence in cases:
        if "--hazards" in words:
            pytest.importorskip("triton")
            pytest.importorskip("torch")
        status, found = complaint(capsys, *map(str, words))
        assert status == 2 and sentence in found, found
