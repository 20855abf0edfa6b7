"""What a shell is told completes a word, by the protocol of click's scripts; help; widths."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from lanemap.cli import main
from lanemap.cli.cells import legal_options
from lanemap.model import variants
from tests.cli.processes import LANEMAP
from tests.sampled import sampled


def completions(line: str) -> list[str]:
    """What bash offers for the last word of a line."""
    environment = {
        "_LANEMAP_COMPLETE": "complete_bash", "COMP_WORDS": line.replace(" ", "\n"),
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }  # fmt: skip
    done = subprocess.run(
        LANEMAP, capture_output=True, text=True, env=os.environ | environment, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lanemap w", {"when", "where"}),
        ("lanemap ", set(main.verbs())),
        ("lanemap run --gr", {"--grid"}),
        ("lanemap probe tr", {"tr4", "tr6", "tr8", "tr8_broadcast", "tr16"}),
        ("lanemap bench s", {"ss_gemm"}),
        ("lanemap where ds_read_b64_tr", {f"ds_read_b64_tr_b{n}" for n in (4, 8, 16)}),
        ("lanemap explain a b --used movm", {"movmatrix.sync.aligned.m8n8.trans.b16"}),
        ("lanemap timing HMMA.16816.F32.", {"HMMA.16816.F32.BF16"}),
        ("lanemap banks ds_read_b64_tr", {f"ds_read_b64_tr_b{n}" for n in (4, 8, 16)}),
        ("lanemap check --target gfx9", {"gfx90a", "gfx942", "gfx950"}),
        ("lanemap run --target sm_1", {"sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a"}),
    ],
)
def test_a_word_is_completed(line: str, expected: set[str]) -> None:
    assert set(completions(line)) == expected


@pytest.mark.parametrize(
    ("shell", "shown"),
    [
        ("zsh", '"mma.sync.m16n8k16.bf16\\\\:A"'),  # zsh takes ':' for the begin of a description
        ("fish", "mma.sync.m16n8k16.bf16:A"),
    ],
)
def test_other_shells_are_told_names_with_colons(shell: str, shown: str) -> None:
    environment = {
        "_LANEMAP_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "lanemap where mma.sync.m16n8k16.bf16:",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run(
        LANEMAP, capture_output=True, text=True, env=os.environ | environment, check=False
    )
    assert shown in done.stdout and done.stderr == ""


@pytest.fixture(scope="module")
def script() -> str:
    environment = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(
        [*LANEMAP, "--show-completion", "bash"],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return done.stdout


def test_the_shells_script_asks_lanemap(script: str) -> None:
    assert "_LANEMAP_COMPLETE=complete_bash" in script
    assert script.rstrip().endswith("lanemap")


STORE = "lanemap where tcgen05.st.32x32b.x4.unpack"
PRODUCT = "lanemap where mma.sync.m16n8k4.f32"


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("first", "wanted"),
    [
        ("", {STORE: f"{STORE}::16b", f"{STORE}::": f"{STORE}::16b", f"{PRODUCT}:": f"{PRODUCT}:D",
              f"{STORE}::16b --js": f"{STORE}::16b --json"}),
        ("COMP_WORDBREAKS=${COMP_WORDBREAKS//:}", {f"{STORE}::1": f"{STORE}::16b"}),
    ],
    ids=["as it is", "words hold colons"],
)  # fmt: skip
def test_bash_completes_names_with_colons(
    script: str, first: str, wanted: dict[str, str], tmp_path: Path
) -> None:
    """bash takes ':' for the end of a word, unless COMP_WORDBREAKS says otherwise."""
    shim, source = tmp_path / "lanemap", tmp_path / "complete.sh"
    shim.write_text(f'#!/bin/sh\nexec {shlex.join(LANEMAP)} "$@"\n')
    shim.chmod(0o755)
    source.write_text(script)
    terminal, theirs = pty.openpty()
    environment = os.environ | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TERM": "dumb",
        "COLUMNS": "500",
        "PYTHONPATH": os.getcwd(),
        "INPUTRC": os.devnull,
    }
    shell = subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-i"], stdin=theirs, stdout=theirs, stderr=theirs,
        env=environment, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    # Each line is completed, and shown by what is put before it (Ctrl-A) once it is whole.
    typed = "".join(f"{line}\t\x01echo = \n" for line in wanted)
    os.write(terminal, f"source {source}; {first}\n{typed}exit\n".encode())
    said = b""
    while True:
        try:
            said += os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
    shell.wait()
    assert re.findall(r"^= (.*?)\s*$", said.decode(), re.M) == list(wanted.values())


def test_wheres_help_names_every_option_of_every_variant(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main.run(["where", "--help"]) == 0
    shown = capsys.readouterr().out
    named = set(re.findall(r"--([a-z-]+)", shown))
    spaces = {name.partition("-")[0] for name in named if "-" in name}
    kinds = {
        (
            each.map.destination.name,
            each.map.destination.names,
            each.map.source.name,
            each.map.source.names,
        ): each.map
        for each in variants()
        if each.name.count(".") < 6
    }
    assert len(kinds) > 20
    for layout in kinds.values():
        for option in legal_options(layout):
            space, dash, axis = option.partition("-")
            known = space in spaces and (not dash or axis in named)
            assert option in named or known, option


@pytest.mark.parametrize(
    ("columns", "width"),
    sampled([("100", 100), ("60", 60), ("", 160), ("0", 20), ("x", 160)], 2),
)
def test_a_pipe_is_as_wide_as_columns_says(columns: str, width: int) -> None:
    done = subprocess.run(
        [*LANEMAP, "list", "probes"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": columns},
    )
    widths = [len(line) for line in done.stdout.splitlines()]
    assert max(widths) <= width
    assert max(widths) > width - 30 or width == 20
    assert json.loads(
        subprocess.run(
            [*LANEMAP, "list", "probes", "--json"],
            capture_output=True,
            check=True,
            env=os.environ | {"COLUMNS": columns},
        ).stdout
    )
