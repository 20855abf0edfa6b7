"""The entry point: what goes wrong is one sentence on stderr and the right status."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from lanemap.cli import main, verbs
from lanemap.errors import Disagreement, LanemapError, MissingEnvironment, UserError


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
        (["run", "there_is_none.s", "--arg", "x"], "--arg x: write i32:7, zeros"),
    ],
)
def test_bad_usage_has_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    status, errors = complain(capsys, *arguments)
    assert status == 2
    assert sentence in errors


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
    assert {row["target"] for row in rows} == {"gfx950"}
    assert main.run(["list", "probes", "--target", "sm_1"]) == 0
    assert capsys.readouterr().out == "there are no probes of target sm_1\n"


def test_listing_variants_counts_the_forms_of_ptx(capsys: pytest.CaptureFixture[str]) -> None:
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
    equal = sum(family["equal"] for family in forms["families"])
    assert 0 < equal <= executed and f"{equal}" in printed, "results/ has a row of silicon"
    elsewhere = ["list", "variants", "--target", "sm_90a", "--results", "none", "--json"]
    assert main.run(elsewhere) == 0
    assert "equal" not in capsys.readouterr().out.replace('"equal on": null', "")


def test_importing_lanemap_loads_nothing_heavy() -> None:
    code = (
        "import sys, lanemap; lanemap.__version__; "
        "print([m for m in ('numpy', 'llvmlite', 'typer', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m lanemap.cli --help | head -c 1"
    start = time.monotonic()
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stderr == "" and len(done.stdout) == 1
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("verb", main.verbs())
def test_ctrl_c_is_one_line_and_status_130(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def command() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "import_module", lambda name: SimpleNamespace(command=command))
    assert complain(capsys, verb) == (130, "lanemap: interrupted\n")


def test_ctrl_c_ends_a_launch(tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text(
        ".version 8.8\n.target sm_90a\n.address_size 64\n"
        '.visible .entry k() { .reg .b32 i; mov.u32 i, 0; L: add.u32 i, i, 1; bra L; }\n'
    )
    command = [sys.executable, "-m", "lanemap.cli", "run", str(tmp_path / "k.ptx")]
    process = subprocess.Popen(
        [*command, "--limit", str(1 << 60)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(4)
    process.send_signal(signal.SIGINT)
    begun = time.perf_counter()
    out, err = process.communicate(timeout=30)
    assert time.perf_counter() - begun < 1
    assert (process.returncode, out, err) == (130, b"", b"lanemap: interrupted\n")
