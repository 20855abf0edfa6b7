"""Pipes, full disks, Ctrl-C and progress, through the real process."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import resource
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from lanemap.cli import main
from tests import ptx
from tests.cli.processes import LANEMAP, lanemap

RESULTS = Path(__file__).resolve().parents[2] / "results"
KERNEL = ptx.entry("", "")


@pytest.mark.parametrize("count", [1, 900])
@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "list variants wgmma",
        pytest.param("list variants --json", marks=pytest.mark.slow),
        "where ds_read_b64_tr_b8 --lane 3",
    ],
)
def test_a_reader_that_goes_away_is_no_error(words: str, count: int) -> None:
    command = f"{shlex.join(LANEMAP)} {words} | head -c {count}"
    shell = ["bash", "-o", "pipefail", "-c", command]
    done = subprocess.run(shell, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr, len(done.stdout)) == (0, b"", count)


def test_a_reader_that_reads_nothing_is_no_error() -> None:
    command = f"{shlex.join(LANEMAP)} where ds_read_b64_tr_b8 --lane 3 --bit 0 | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "words", ["list variants wgmma", "where ds_read_b64_tr_b8 --lane 3", "--help"]
)
def test_a_full_device_on_stdout_is_a_sentence(words: str) -> None:
    with open("/dev/full", "w") as full:
        status, _, err = lanemap(*words.split(), stdout=full.fileno())
    assert err == "lanemap: cannot write the standard output: No space left on device\n"
    assert status == 3


def no_more_space() -> None:
    """Let every write to a file fail, as on a full disk (EFBIG in place of ENOSPC)."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("emit ds_read_b64_tr_b8 --out {}/map.h", "map.h"),
        ("probe tr8 --device emulator --no-figures --out {}", "gfx950/emulator/tr8.json"),
        ("run {}/k.ptx --arg zeros:f32:4@{}/out.npy", "out.npy"),
        ("run {}/k.ptx --arg zeros:f32:4 --trace {}/trace.csv", "trace.csv"),
    ],
)
def test_a_full_disk_is_a_sentence_that_names_the_file(
    words: str, file: str, tmp_path: Path
) -> None:
    (tmp_path / "k.ptx").write_text(KERNEL.replace("k()", "k(.param .u64 p)"))
    status, _, err = lanemap(*words.format(tmp_path, tmp_path).split(), prepare=no_more_space)
    assert (status, err) == (3, f"lanemap: cannot write {tmp_path / file}: File too large\n")
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert left == ["k.ptx"], "neither the file nor a part of it is left"


def test_a_compiler_on_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text("void k(int *out) { *out = 7; }\n")
    words = ("run", str(tmp_path / "k.c"), "--target", "gfx950")
    status, _, err = lanemap(*words, prepare=no_more_space)
    assert status == 3 and err.startswith("lanemap: cannot make a temporary folder: ")
    assert err.count("\n") == 1


def through_terminal(words: Sequence[str]) -> str:
    """Run with a terminal on stderr; return what it showed."""
    terminal, theirs = pty.openpty()
    process = subprocess.Popen([*LANEMAP, *words], stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the terminal's other end was closed
        while piece := os.read(terminal, 4096):
            shown += piece
    os.close(terminal)
    assert process.wait(60) == 0
    return shown.decode()


def test_progress_of_several_probes_is_shown_to_a_terminal_only(tmp_path: Path) -> None:
    options = ["--device", "emulator", "--no-figures", "--out", str(tmp_path)]
    words = ["probe", "tr8", "tr16", *options]
    shown = through_terminal(words)
    assert shown == "probe 1 of 2: tr8 on gfx950\r\nprobe 2 of 2: tr16 on gfx950\r\n"
    assert through_terminal([*words, "--json"]) == ""
    assert through_terminal(["probe", "tr8", *options]) == ""
    status, _, err = lanemap(*words)
    assert (status, err) == (0, "")


ENDLESS = ptx.entry(".reg .b32 i; mov.u32 i, 0; L: add.u32 i, i, 1; bra L;", "")
# What each verb does until it prints, where a full pipe stops it; of others, its help.
INTERRUPTED = {
    "compare": ["ds_read_b64_tr_b8"],
    "doctor": [],
    "emit": ["ds_read_b64_tr_b8"],
    "list": ["probes"],
    "plan": ["d:128x128:f32", "--load", "16x256b"],
    "probe": ["tr8", "--device", "emulator", "--no-figures", "--out", "{}/out"],
    "report": ["--results", "{}", "--site", "{}/site", "--only", "tr_b8"],
    "run": ["{}/k.ptx"],
    "where": ["ds_read_b64_tr_b8", "--lane", "3"],
}


def is_waiting(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process uses no processor for a while; it ends meanwhile only by a mistake."""
    used = []
    for _ in range(4):
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        used.append((fields[0], int(fields[11]) + int(fields[12])))
        time.sleep(0.2)
    return len(set(used)) == 1 and used[0][0] == "S" and used[0][1] > 5


@pytest.mark.parametrize(
    "verb",
    [
        # Each waits a while until the verb is seen to do nothing; these three differ most.
        verb if verb in ("probe", "run", "where") else pytest.param(verb, marks=pytest.mark.slow)
        for verb in main.verbs()
    ],
)
def test_ctrl_c_in_every_verb_is_one_line_and_status_130(verb: str, tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text(KERNEL)
    record = Path("gfx950/emulator/tr8.json")
    (tmp_path / record).parent.mkdir(parents=True)
    (tmp_path / record).write_bytes((RESULTS / record).read_bytes())
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(512))
    os.set_blocking(writer, True)
    words = [verb, *(word.format(tmp_path) for word in INTERRUPTED.get(verb, ["--help"]))]
    process = subprocess.Popen(
        [*LANEMAP, *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    while not is_waiting(process):
        assert process.poll() is None and time.monotonic() < deadline
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    os.close(reader)
    os.close(writer)
    assert (process.returncode, err) == (130, b"lanemap: interrupted\n")


def test_ctrl_c_ends_a_launch(tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text(ENDLESS)
    process = subprocess.Popen(
        [*LANEMAP, "run", str(tmp_path / "k.ptx"), "--limit", str(1 << 60)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(4)
    process.send_signal(signal.SIGINT)
    begun = time.perf_counter()
    out, err = process.communicate(timeout=30)
    assert time.perf_counter() - begun < 1
    assert (process.returncode, out) == (130, b"")
    assert re.fullmatch(
        rb"lanemap: interrupted in \w+, launch 1, CTA 0 of 1 near .*k\.ptx:\d+; "
        rb"no hazards so far\n",
        err,
    )
