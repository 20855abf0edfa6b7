"""The stored PTX of Triton is what the stored command makes of the stored sources."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent / "triton"
ROOT = FOLDER.parents[3]


def test_each_text_has_its_command() -> None:
    texts = sorted(FOLDER.glob("*.ptx"))
    assert texts and {path.with_suffix(".json") for path in texts} == set(FOLDER.glob("*.json"))
    for path in texts:
        name = path.name.split(".")[0]
        command = json.loads(path.with_suffix(".json").read_text())["command"]
        assert command == f"python {FOLDER.relative_to(ROOT)}/build.py {name}"


@pytest.mark.slow
def test_stored_texts_are_what_the_command_makes(tmp_path: Path) -> None:
    triton = pytest.importorskip("triton")
    stored = json.loads((FOLDER / "matmul_f16.sm_100a.json").read_text())["triton"]
    if triton.__version__ != stored:
        pytest.skip(f"the texts are those of Triton {stored}, this is {triton.__version__}")
    command = [sys.executable, str(FOLDER / "build.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {p.name: p.read_text() for p in FOLDER.iterdir() if p.suffix in (".ptx", ".json")}
    assert made.keys() == kept.keys()
    assert [name for name in made if made[name] != kept[name]] == []
