"""The entry point: what goes wrong is one sentence on stderr and the right status."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lanemap.benching import find
from lanemap.cli import main, verbs
from lanemap.errors import Disagreement, LanemapError, MissingEnvironment, UserError
from lanemap.model import variant
from lanemap.records.files import write_records
from lanemap.records.schema import Observation, Record
from tests import ptx
from tests.cli.processes import here, refusal
from tests.records.rows import ENVIRONMENT, HASH, findings


def complain(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run the command line; return the status and stderr, which is one line."""
    status = main.run(arguments)
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1 and errors.startswith("lanemap: ")
    assert "Traceback" not in errors
    return status, errors


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lst"], "No such command 'lst'. Did you mean 'list'?"),
        (["list", "--nothing"], "No such option: --nothing"),
        (["list", "fish"], "'fish' is not one of"),
        (["where"], "Missing argument 'VARIANT'"),
        (["run"], "Missing argument"),
        (["run", "there_is_none.s"], "cannot read there_is_none.s: No such file or directory"),
        (
            ["where", "ds_read_b64_tr_b8", "--lane", "3", "--results", "nowhere"],
            "--results nowhere: there is no such folder",
        ),
        (["probe", "tr8", "--mutants", "0"], "greater than or equal to 1"),
        (["emit", "ds_read_b64_tr_b8", "--cells", "word"], "lane 0 bit 7 and lane 2 bit 0 beside"),
        (["run", "there_is_none.s", "--arg", "x"], "--arg x: write i32:7, zeros"),
    ],
)
def test_bad_usage_has_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    status, errors = complain(capsys, *arguments)
    assert status == 2
    assert sentence in errors


def test_an_error_is_a_sentence_with_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["where", "nothing", "--json"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("lanemap: there is no variant 'nothing'; ")


@pytest.mark.parametrize(
    ("error", "status"), [(UserError, 2), (Disagreement, 1), (MissingEnvironment, 3)]
)
def test_each_error_has_its_status(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: type[LanemapError],
    status: int,
) -> None:
    def build(names: object) -> object:
        raise error("two\nlines")

    monkeypatch.setattr(main, "build", build)
    assert complain(capsys, "list") == (status, "lanemap: two lines\n")


def test_a_fault_of_lanemap_is_a_sentence_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "build", lambda names: {}[0])
    monkeypatch.delenv(main.TRACEBACK_VARIABLE, raising=False)
    status, errors = complain(capsys, "list")
    assert status == 1
    assert "KeyError: 0" in errors and main.TRACEBACK_VARIABLE in errors
    monkeypatch.setenv(main.TRACEBACK_VARIABLE, "1")
    with pytest.raises(KeyError):
        main.run(["list"])


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([]) == main.run(["--help"]) == main.run(["--version"]) == 0
    out = capsys.readouterr().out
    for verb in ("doctor", "list", "probe", "run", "where"):
        assert verb in out


def test_help_has_no_line_ends_of_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["bench", "--help"]) == 0
    assert "published rates imply. On a GPU:" in " ".join(capsys.readouterr().out.split())


def test_a_new_verb_is_one_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = 'def command(count: int) -> int:\n    """Greet."""\n    print(count)\n    return 1\n'
    (tmp_path / "greet.py").write_text(text)
    monkeypatch.setattr(verbs, "__path__", [*verbs.__path__, str(tmp_path)])
    assert main.run(["greet", "5"]) == 1
    assert main.run(["--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("5\n") and "Greet." in out


def test_listing_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["list", "probes", "--json", "--target", "gfx950"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"name", "target", "variant", "question"} <= set(rows[0])
    assert "tr8" in [row["name"] for row in rows]
    assert all("gfx950" in row["target"].split(", ") for row in rows)
    assert main.run(["list", "probes", "--target", "sm_1"]) == 0
    assert capsys.readouterr().out == "there are no probes of target sm_1\n"


def test_a_gpu_names_the_target_of_an_option(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    listed = []
    for name in ("gfx950", "MI355X"):
        assert main.run(["list", "probes", "--target", name, "--json"]) == 0
        listed.append(json.loads(capsys.readouterr().out))
    assert listed[0] == listed[1] != []
    status, errors = complain(capsys, "bench", "ss_gemm", "--target", "MI355X")
    assert status == 2 and "ss_gemm has no benchmarks for gfx950" in errors
    status, errors = complain(capsys, "probe", "tr8", "--target", "h200")
    assert status == 2 and "runs on gfx950, not on sm_90a" in errors
    (tmp_path / "k.ptx").write_text(ptx.entry("", "", target="sm_90"))
    status, errors = complain(capsys, "run", str(tmp_path / "k.ptx"), "--target", "MI355X")
    assert status == 2 and "--target gfx950 does not execute it" in errors
    assert main.run(["run", str(tmp_path / "k.ptx"), "--target", "B200"]) == 0


def test_listing_variants_counts_the_forms_of_ptx(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main.run(["list", "variants", "--target", "sm_90a", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert all("sm_90a" in row["target"].split(", ") for row in listed["variants"])
    forms = listed["forms"]["sm_90a"]
    accepted = sum(family["accepted"] for family in forms["families"])
    executed = sum(family["executed"] for family in forms["families"])
    assert accepted - executed == len(forms["not executed"])
    assert main.run(["list", "variants", "--target", "sm_90a"]) == 0
    printed = capsys.readouterr().out
    assert f"{accepted}" in printed and f"{executed}" in printed
    assert all(reason in printed for reason in forms["not executed"].values())
    equal = sum(family["equal"] or 0 for family in forms["families"])
    assert 0 < equal <= executed and f"{equal}" in printed, "results/ has a row of silicon"
    elsewhere = ["list", "variants", "--target", "sm_90a", "--results", str(tmp_path), "--json"]
    assert main.run(elsewhere) == 0
    counted = json.loads(capsys.readouterr().out)["forms"]["sm_90a"]
    assert counted["equal on"] is None
    assert {each["equal"] for each in counted["families"]} == {None}


def test_listing_variants_says_what_they_were_observed_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "ds_read_b64_tr_b8"
    true = variant(name).map
    table = true.table.copy()
    table[5:] = -1
    some = type(true)(true.destination, true.source, table)
    for device, evidence, layout, environment in (
        ("emulator", "emulator", true, None),
        ("hip", "silicon", some, ENVIRONMENT),
    ):
        seen = (Observation(name, layout, HASH, None, 1),)
        told = findings(name)
        row = Record("mine", "gfx950", device, evidence, seen, told, environment)
        write_records([row], tmp_path)
    listing = ["list", "variants", name, "--results", str(tmp_path), "--json"]
    assert main.run(listing) == 0
    (found,) = json.loads(capsys.readouterr().out)["variants"]
    assert found["observed"] == "emulator, silicon (gfx950) (partial: 5 of 4096 cells)"


def test_importing_lanemap_loads_nothing_heavy() -> None:
    code = (
        "import sys, lanemap; lanemap.__version__; "
        "print([m for m in ('numpy', 'llvmlite', 'typer', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("verb", main.verbs())
def test_ctrl_c_is_one_line_and_status_130(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def command() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "import_module", lambda name: SimpleNamespace(command=command))
    assert complain(capsys, verb) == (130, "lanemap: interrupted\n")


def names(*words: str) -> list[str]:
    status, out, err = here("list", *words, "--json")
    assert (status, err) == (0, "")
    listed = json.loads(out)
    return [row["name"] for row in (listed["variants"] if words[0] == "variants" else listed)]


@pytest.mark.slow
def test_a_pattern_may_be_a_family_or_have_a_target() -> None:
    transposes = [*(f"ds_read_b64_tr_b{bits}" for bits in (16, 4, 8)), "ds_read_b96_tr_b6"]
    assert names("variants", "LDS transpose") == transposes
    assert names("variants", "v_mfma_f32_32x32x16_bf16", "--target", "gfx950") == [
        f"v_mfma_f32_32x32x16_bf16:{operand}" for operand in "ABD"
    ]


def test_kernels_are_listed_with_the_targets_that_they_bench_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.run(["list", "kernels", "--json"]) == 0
    for row in json.loads(capsys.readouterr().out):
        targets = {each.target for each in find.benchmarks(row["name"])}
        assert set(row["target"].split(", ")) == targets and Path(row["page"]).is_file()
        assert row["title"] and row["name"] not in row["title"]
    assert main.run(["list", "kernels", "--target", "gfx950", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["lds_attention"]


def test_a_pattern_chooses_what_is_listed() -> None:
    reads = [f"ds_read_b64_tr_b{bits}" for bits in (16, 4, 8)]
    assert names("variants", "DS_read_b64") == reads, "text, in either case"
    assert names("variants", "tcgen05.ld*x32b.x4") == ["tcgen05.ld.32x32b.x4"], "a glob"
    pasted = "wgmma.mma_async.sync.aligned.m64n40k16.f32.f16.f16"
    assert names("variants", pasted) == ["wgmma.m64k16.f16:A", "wgmma.m64n40.f32:D"]
    assert "tr8" in names("probes", "tr") and "tcgen05_ld" not in names("probes", "tr*")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("variants wgmma.m64n40.f32 --target gfx950", "gfx950 has no variant 'wgmma.m64n40.f32'"),
        (
            "variants v_mfma_f32_5x5x5_f16",
            "there is no variant 'v_mfma_f32_5x5x5_f16'; the nearest",
        ),
        ("probes zebra", "no probes match 'zebra'; `lanemap list probes` shows all"),
        ("variants --targ gfx950", "No such option: --targ"),
    ],
)
def test_a_pattern_that_fits_nothing_is_a_sentence(words: str, sentence: str) -> None:
    status, said = refusal("list", *words.split(), by=here)
    assert status == 2 and said.startswith(sentence)


def test_operands_are_printed_as_text() -> None:
    # rich turns `:B:` into a picture unless it is told not to.
    status, out, err = here("compare", "v_mfma_f32_32x32x16_bf16")
    assert (status, err) == (0, "")
    for operand in "ABD":
        assert f"v_mfma_f32_32x32x16_bf16:{operand}: held against model" in out


def test_emitting_needs_one_operand() -> None:
    status, said = refusal("emit", "v_mfma_f32_32x32x16_bf16", by=here)
    assert status == 2 and "names 3 maps; choose one of" in said
    status, out, _ = here("emit", "v_mfma_f32_32x32x16_bf16:A", "--json")
    assert status == 0 and json.loads(out)["variant"] == "v_mfma_f32_32x32x16_bf16:A"
