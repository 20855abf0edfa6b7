"""What README.md shows is run: every command, and the Python."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from lanemap.cli import main
from lanemap.toolchain import amdgpu

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = re.findall(r"^    lanemap (.*?)(?:  .*)?$", README, re.MULTILINE)

SCALE = """
extern "C" __attribute__((global)) void scale(float *x, float *y, float a) {
  int i = __builtin_amdgcn_workitem_id_x();
  y[i] = a * x[i];
}
"""
ONES = """
extern "C" __global__ void ones(float *y) { y[threadIdx.x] = 1; }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_are_found() -> None:
    verbs = {command.split()[0] for command in COMMANDS}
    assert verbs == set(main.verbs())


@pytest.mark.parametrize("command", [c for c in COMMANDS if not c.startswith("report")])
def test_every_command_works(command: str, folder: Path) -> None:
    (folder / "kernel.cu").write_text(ONES)
    assert main.run(shlex.split(command)) == 0


def test_the_python_works(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "kernel.s").write_text(amdgpu.compile_to_assembly(SCALE, "gfx950"))
    (text,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(text, {})
    assert capsys.readouterr().out.split()[:4] == ["[", "0.", "2.", "4."]


def test_the_pages_that_it_names_are_there() -> None:
    for name in re.findall(r"\]\(([\w./-]+)\)", README):
        assert (ROOT / name).exists(), name
