"""`make interop` without compilers: how texts are compared, and what the table says of a run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.interop import COMPILERS, Compiler, compared

ROOT = Path(__file__).resolve().parents[2]
CUTE = COMPILERS[1]


class Installed(Compiler):
    """A compiler of a version."""

    @property
    def installed(self) -> str:
        return "1.1"


@pytest.mark.parametrize(
    ("stored_by", "made", "sentence", "good"),
    [
        ("1.1", "text", "equal", True),
        ("1.1", "another", "differs from what the same version stored", False),
        ("1.0", "text", "equal; stored by 1.0", True),
        ("1.0", "another", "other text; stored by 1.0", True),
        ("1.0", None, "no: it failed", False),
    ],
)
def test_a_text_is_held_against_the_stored_one(
    tmp_path: Path, stored_by: str, made: str | None, sentence: str, good: bool
) -> None:
    stored, again = tmp_path / "k.sm_100a.ptx", tmp_path / "again.ptx"
    stored.write_text("text")
    (tmp_path / "made.json").write_text(json.dumps({"package": stored_by}))
    if made is not None:
        again.write_text(made)
    compiler = Installed("Name", "package", tmp_path, (), ())
    assert compared(compiler, stored, again, {"k": "it failed"}) == (sentence, good)


_RUN = """
import dataclasses, pathlib, sys
from tools import interop
folder = pathlib.Path(sys.argv.pop())
interop.COMPILERS = tuple(
    dataclasses.replace(c, folder=folder) if c.package == "nvidia-cutlass-dsl" else c
    for c in interop.COMPILERS
)
sys.exit(interop.main())
"""


def _table(folder: Path, words: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", _RUN, "--stored", "-k", words, str(folder)], cwd=ROOT,
        capture_output=True, text=True,
    )  # fmt: skip
    return done.returncode, done.stdout.splitlines()


@pytest.mark.slow
def test_what_is_stored_is_right_and_clean() -> None:
    status, lines = _table(CUTE.folder, "test_axpy or test_square")
    assert status == 0 and lines[-1] == "4 of 4 kernels pass; 0 false alarms"
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith(" ")}
    assert rows["axpy.sm_90a"] == "CuTe DSL 4.8.1 not again yes yes 0 0".split()


def test_a_wrong_result_and_a_hazard_are_counted(tmp_path: Path) -> None:
    """One kernel rounds another way; one lacks its barrier."""
    for path in CUTE.folder.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    wrong, racing = tmp_path / "axpy.sm_100a.ptx", tmp_path / "transpose.sm_100a.ptx"
    text = wrong.read_text()
    assert "fma.rn.f32" in text
    wrong.write_text(text.replace("fma.rn.f32", "fma.rz.f32"))
    text = racing.read_text()
    assert "bar.sync" in text
    racing.write_text(text.replace("bar.sync", "// bar.sync"))
    words = "(test_axpy or test_transpose) and default and sm_100a"
    status, lines = _table(tmp_path, words)
    rows = {line.split()[0]: line.split()[-4:] for line in lines if line.startswith(" ")}
    assert status == 1
    assert rows["axpy.sm_100a"] == ["yes", "no", "0", "0"]
    hazards = int(rows["transpose.sm_100a"][2])
    assert hazards > 0 and rows["transpose.sm_100a"][1] in ("yes", "no")
    assert any("without being ordered" in line for line in lines)
