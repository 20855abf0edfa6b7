"""`lanemap probe` end to end on the emulator, and what goes wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from lanemap import paths
from lanemap.cli import main
from lanemap.records.files import read_record
from tests.sampled import sampled

FILES = ("tr8.json", "tr8.png", "tr8.svg")


def test_tr8_is_mapped_written_and_the_same_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["probe", "tr8", "--device", "emulator", "--out", str(tmp_path)]
    assert main.run(words) == 0
    out = capsys.readouterr().out
    assert "ds_read_b64_tr_b8" in out and "evidence: emulator" in out
    folder = tmp_path / "gfx950" / "emulator"
    assert sorted(os.listdir(folder)) == sorted(FILES)
    before = {name: (folder / name).read_bytes() for name in FILES}
    # Lane l's byte j, as lowerDsReadTr of Triton's AMD back end (MemoryOpToLLVM.cpp) has it.
    lane, byte, bit = np.meshgrid(np.arange(64), np.arange(8), np.arange(8), indexing="ij")
    source = (lane & 48) + 2 * byte + ((lane >> 3) & 1)
    expected = source * 64 + (lane & 7) * 8 + bit
    layout = read_record(folder / "tr8.json").observations[0].map
    assert np.array_equal(layout.table, expected.reshape(-1))
    assert main.run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["agrees"] is True
    assert {name: (folder / name).read_bytes() for name in FILES} == before


def test_a_probe_that_settles_no_cell_says_so_without_a_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["probe", "tr8", "--axis", "pattern=uniform", "--out", str(tmp_path)]
    assert main.run(words) == 0
    out = capsys.readouterr().out
    assert "INCOMPLETE" in out and "pattern=consecutive" in out
    folder = tmp_path / "gfx950" / "emulator"
    assert os.listdir(folder) == ["tr8.pattern=uniform.json"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name the probes to run or give --all"),
        (["tr8", "--all"], "name the probes to run or give --all"),
        (["tr88"], "there is no probe 'tr88'; did you mean tr8"),
        (["tr8", "--target", "sm_100a"], "runs on gfx950, not on sm_100a"),
        (["--all", "--target", "sm_1"], "there are no probes of target sm_1"),
        (["tr8", "--device", "cuba"], "device 'cuba' is not one of auto, emulator, "),
        (["tr8", "--axis", "pattern"], "--axis pattern is not understood"),
        (["tr8", "--axis", "colour=red"], "no axis 'colour'"),
        (["tr8", "--axis", "pattern=spiral"], "spiral"),
    ],
)
def test_bad_usage_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], sentence: str
) -> None:
    assert main.run(["probe", *words, "--out", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_without_an_amd_gpu_hip_has_status_3(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main.run(["probe", "tr8", "--device", "hip", "--out", str(tmp_path)]) == 3
    err = capsys.readouterr().err
    assert "needs an AMD GPU" in err and err.count("\n") == 1


def test_an_out_that_cannot_be_written_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    words = ["probe", "tr8", "--device", "emulator", "--out", str(tmp_path / "file")]
    assert main.run(words) == 2
    assert "cannot write" in capsys.readouterr().err


def test_a_new_probe_is_one_new_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The example of docs/adding-a-probe.md, alone in a folder of probes."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "adding-a-probe.md").read_text()
    example = text.split("```python\n")[1].split("```")[0]
    (tmp_path / "probes").mkdir()
    (tmp_path / "probes" / "read64.py").write_text(example)
    found = paths.find
    monkeypatch.setattr(paths, "find", lambda f: tmp_path / f if f == "probes" else found(f))
    assert main.run(["list", "probes"]) == 0
    assert "read64" in capsys.readouterr().out
    words = ["probe", "read64", "--device", "emulator", "--out", str(tmp_path / "out")]
    assert main.run(words) == 0
    layout = read_record(tmp_path / "out/gfx950/emulator/read64.json").observations[0].map
    assert np.array_equal(layout.table, np.arange(4096)), "a plain read moves nothing"


_WITHOUT_MAP = '''
from lanemap.probing.finding import Finding
from lanemap.probing.probe import probe
from lanemap.probing.proof.certificates import Certificate

SOURCE = """
.version 8.0
.target sm_90a
.address_size 64
.visible .entry lanes(.param .u64 output_at) {{
    .reg .b32 lane;
    .reg .b64 at, far;
    ld.param.u64 at, [output_at];
    mov.u32 lane, %laneid;
    mul.wide.u32 far, lane, 4;
    add.s64 at, at, far;
    atom.global.exch.b32 lane, [at], 1;
    ret;
}}
"""


class Lanes:
    def explain(self, readings):
        found = int(readings[0].sum())
        return Finding(
            certificates=(Certificate("any number of lanes up to 64", 1, 64, 64, True),),
            patterns=(),
            passes=1,
            facts={{"lanes": found}},
            lines=(f"a warp has {{found}} lanes",),
        )


@probe("{variant}", target="sm_90a", source=SOURCE, analysis=Lanes())
def lanes(state):
    """How many lanes has a warp?"""
    output = state.device.zeros(64, "uint32")
    state.entry("lanes")(1, 64, (output,))
    return [output.get()]
'''


@pytest.mark.parametrize(
    "variant", sampled(["mov.laneid", "movmatrix.sync.aligned.m8n8.trans.b16"], 2)
)
def test_a_probe_without_a_map_passes_every_verb(
    variant: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """The model has a map of movmatrix, which this probe neither shows nor contradicts."""
    (tmp_path / "probes").mkdir()
    (tmp_path / "probes" / "lanes.py").write_text(_WITHOUT_MAP.format(variant=variant))
    found = paths.find
    monkeypatch.setattr(paths, "find", lambda f: tmp_path / f if f == "probes" else found(f))

    def said(*words: str) -> str:
        assert main.run(words) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    out = tmp_path / "out"
    results = ["--results", str(out)]
    assert "lanes" in said("list", "probes")
    told = said("probe", "lanes", "--device", "emulator", "--out", str(out))
    assert "found        a warp has 32 lanes" in told and "rules  " not in told
    assert [path.name for path in (out / "sm_90a/emulator").iterdir()] == ["lanes.json"]
    record = read_record(out / "sm_90a/emulator/lanes.json")
    assert record.kind == "readings" and record.findings["lanes"] == 32
    shown = json.loads(said("probe", "lanes", "--device", "emulator", "--out", str(out), "--json"))
    assert shown[0]["agrees"] is True
    assert "lanes.json" not in said("compare", "movmatrix.sync.aligned.m8n8.trans.b16", *results)
    said("report", *results, "--site", str(tmp_path / "site"), "--only", "tr_b8")
    pages = "".join(path.read_text() for path in (tmp_path / "site").rglob("*.html"))
    assert "How many lanes has a warp?" in pages
    # A mutant of movmatrix's map is one that this probe cannot notice.
    status = main.run(["probe", "lanes", "--mutants", "1", "--out", str(out)])
    seen = capsys.readouterr()
    if variant == "mov.laneid":
        assert status == 2 and seen.err.startswith("lanemap: there is no variant of 'mov.laneid'")
    else:
        assert status == 1 and "lanes: noticed 0 of 1 executed mutants" in seen.out


def test_mutants_are_scored_stored_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path)]
    assert main.run(["probe", "tr16", "--mutants", "1", *out]) == 0
    assert "tr16: noticed 1 of 1 executed mutants (there are 344)" in capsys.readouterr().out
    assert main.run(["probe", "tr8", "--mutants", "1", *out]) == 0
    capsys.readouterr()
    assert main.run(["list", "scores", "--results", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    # The second run keeps what the first one stored.
    assert [(row["probe"], row["mutants"], row["executed"], row["noticed"]) for row in rows] == [
        ("tr16", "344", "1", "1"),
        ("tr8", "344", "1", "1"),
    ]
    assert all(row["survivors"] == "0" for row in rows)


@pytest.mark.parametrize(
    ("name", "axis"),
    [
        ("tcgen05_ld", "base=foo"),
        ("tcgen05_st", "shape=9x9b"),
        ("tcgen05_cp", "form=2x2b"),
        ("tcgen05_cp", "source=far"),
        ("tmem_lanes", "named=mine"),
        ("tcgen05_pack", "shape=8x8b"),
        ("tcgen05_alloc", "sequence=none"),
    ],
)
def test_an_unknown_value_of_an_axis_is_one_sentence(
    name: str, axis: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["probe", name, "--axis", axis, "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    wrong = axis.partition("=")[2]
    assert f"axis {axis.partition('=')[0]} must be one of " in error and f"not '{wrong}'" in error
    assert not list(tmp_path.iterdir())


def test_long_names_are_printed_whole_and_parts_of_formulas_as_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["probe", "ldmatrix", "--target", "sm_100a", "--device", "emulator", "--no-figures"]
    assert main.run([*words, "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "…" not in out and ":;" not in out
    assert "where bit < 6: chunk.lane" in " ".join(out.split())
    assert main.run(["list", "variants", "ldmatrix.sync.aligned.m16n16"]) == 0
    assert "…" not in capsys.readouterr().out


def test_all_probes_of_a_target_write_the_stored_rows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["probe", "--all", "--target", "sm_75", "--device", "emulator", "--no-figures"]
    assert main.run([*words, "--out", str(tmp_path)]) == 0
    out, rows = capsys.readouterr().out, ("ldmatrix", "mma_sync_fragments", "movmatrix")
    # Processes run side by side; what they say comes in order.
    assert sorted(rows, key=out.index) == list(rows)
    stored, written = Path("sm_75", "emulator"), tmp_path / "sm_75" / "emulator"
    assert sorted(os.listdir(written)) == [f"{row}.json" for row in rows]
    for row in rows:
        text = (written / f"{row}.json").read_bytes()
        assert text == (paths.find("results") / stored / f"{row}.json").read_bytes()
