"""What a GPU says of the doors' scripts: their exit status, by a process each."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.records.hashes import source_hash
from lanemap.records.kinds.doors import DoorFindings
from tools import doors


def test_a_script_that_fails_is_named_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "right": "import sys\nassert __name__ == '__main__' and sys.argv[1] == __file__\n",
        "wrong": "import numpy as np\nassert np.row_stack is np.vstack\nraise ValueError(1)\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setattr(doors.pairs, "HERE", tmp_path.parent)
    monkeypatch.setitem(doors.DOORS, tmp_path.name, doors.DOORS["numba"])
    found = doors.judged(tmp_path.name, jobs=2)
    assert found["scripts"] == {
        "right": {"text": source_hash(texts["right"]), "why": None},
        "wrong": {
            "text": source_hash(texts["wrong"]),
            "why": "it ended with status 1: ValueError: 1",
        },
    }
    assert "numpy" in found["packages"]
    DoorFindings.model_validate(found)


def test_a_machine_without_a_gpu_is_told_what_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert doors.main(["cupy"]) == 3
    assert capsys.readouterr().err.startswith("lanemap: device cuda needs")
