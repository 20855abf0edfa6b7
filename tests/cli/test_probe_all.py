"""`lanemap probe --all --device cuda|hip`: what is here runs, and the rest is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lanemap.cli import main
from lanemap.cli.verbs import probe as verb
from lanemap.errors import MissingEnvironment, UserError
from lanemap.probing import every
from lanemap.probing.probe import Probe, chosen, find_probe
from lanemap.records.files import read_record
from tests.devices.conftest import stand_in

__all__ = ["stand_in"]

#: tr8 has the axis `cell_bits`, tr8_broadcast has not; movmatrix is of NVIDIA's targets.
SCRIPT = """
import sys
from lanemap.cli import main
from lanemap.cli.verbs import probe
from lanemap.probing.probe import chosen
probe._chosen = lambda names, every, target: chosen(["tr8", "tr8_broadcast", "movmatrix"])
if __name__ == "__main__":
    sys.exit(main.run(sys.argv[1:]))
"""


class Gpu:
    """A GPU of one target; it is only opened."""

    name, evidence = "cuda", "silicon"


def opened(target: str, device: str) -> Gpu:
    if target != "sm_90a":
        raise MissingEnvironment(f"device {device} needs a GPU of {target}; the one here is sm_90")
    return Gpu()


def names(probes: tuple[Probe, ...]) -> set[tuple[str, str]]:
    return {(each.name, each.target) for each in probes}


def test_probes_of_other_targets_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those whose row is there already, since a row of silicon is never overwritten."""
    monkeypatch.setattr(every, "open_device", opened)
    probes = chosen(["tr8", "movmatrix", "wgmma_a"])
    found = every.present(probes, "cuda", tmp_path)
    assert names(found.run) == {("movmatrix", "sm_90a"), ("wgmma_a", "sm_90a")}
    assert names(found.elsewhere) == {("tr8", "gfx950")} | {
        ("movmatrix", target) for target in ("sm_75", "sm_80", "sm_89", "sm_100a", "sm_120a")
    }
    assert found.known == ()
    row = tmp_path / "sm_90a" / "cuda" / "movmatrix.json"
    row.parent.mkdir(parents=True)
    row.touch()
    found = every.present(probes, "cuda", tmp_path)
    assert names(found.run) == {("wgmma_a", "sm_90a")}
    assert names(found.known) == {("movmatrix", "sm_90a")}
    assert "6 of targets that are not here (" in found.left_out()
    assert "sm_100a, sm_120a) and 1 whose rows" in found.left_out()
    # With another value of an axis it is another row.
    (axis, values), *_ = find_probe("movmatrix").axes
    again = every.present(probes, "cuda", tmp_path, {axis: values[:1]})
    assert not again.known


def test_a_device_that_executes_none_of_them_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(every, "open_device", opened)
    with pytest.raises(MissingEnvironment, match="the one here is sm_90"):
        every.present(chosen(["movmatrix"], "sm_100a"), "cuda", tmp_path)
    with pytest.raises(UserError, match="device hip executes none of these probes"):
        every.present(chosen(["movmatrix"]), "hip", tmp_path)
    monkeypatch.undo()
    words = ["probe", "--all", "--device", "hip", "--out", str(tmp_path)]
    assert main.run(words) == 3
    err = capsys.readouterr().err
    assert "needs an AMD GPU" in err and err.count("\n") == 1


def run(folder: Path, stand_in: dict[str, str], *words: str) -> Any:
    (folder / "script.py").write_text(SCRIPT)
    root = str(Path(verb.__file__).parents[3])
    return subprocess.run(
        [sys.executable, "script.py", "probe", "--all", "--device", "hip", "--no-figures", *words],
        cwd=folder,
        env={**os.environ, **stand_in, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="hip-python is for Linux")
def test_a_probe_that_fails_does_not_end_the_others(
    tmp_path: Path, stand_in: dict[str, str]
) -> None:
    done = run(tmp_path, stand_in, "--axis", "cell_bits=8")
    assert done.returncode == 2, done.stderr
    assert "lanemap: probe tr8_broadcast on gfx950: " in done.stderr
    assert "has no axis 'cell_bits'" in done.stderr and "Traceback" not in done.stderr
    assert "evidence: emulator" in done.stdout
    last = done.stdout.rstrip().splitlines()[-1]
    assert last == (
        "wrote 1 row below results; 1 probe failed; left out 6 of targets that are not here "
        "(sm_75, sm_80, sm_89, sm_90a, sm_100a, sm_120a)"
    )
    (row,) = (tmp_path / "results").rglob("*.json")
    assert read_record(row).target == "gfx950"


@pytest.mark.skipif(sys.platform != "linux", reason="hip-python is for Linux")
def test_json_has_rows_and_errors(tmp_path: Path, stand_in: dict[str, str]) -> None:
    done = run(tmp_path, stand_in, "--axis", "cell_bits=8", "--json")
    first, second = json.loads(done.stdout)
    assert first["agrees"] is True and first["probe"] == "tr8.cell_bits=8"
    assert (second["probe"], second["target"]) == ("tr8_broadcast", "gfx950")
    assert "no axis 'cell_bits'" in second["error"]
    assert "wrote 1 row below results; 1 probe failed" in done.stderr
