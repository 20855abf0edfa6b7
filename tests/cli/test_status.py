"""Long launches say how far they are on a terminal; Ctrl-C says where they were."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lanemap.devices.status import status_line
from tests import ptx

#: Each CTA counts for a while; the first one reads beyond `out`, which is a hazard, and goes on.
SLOW = ptx.entry(
    """\
  .reg .b32 %r<8>; .reg .pred %p;
  ld.global.u32 %r3, [%out+4096]; // beyond
  mov.u32 %r2, 0;
again:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, %turns;
  @%p bra again;""",
    "out turns:u32",
    name="slow",
    target="sm_100a",
)
(BEYOND,) = ptx.marked(SLOW, "beyond")
CTAS = 4096


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "slow.ptx"
    path.write_text(SLOW)
    return path


def command(kernel: Path) -> list[str]:
    """A launch that takes minutes."""
    return [
        sys.executable,
        "-m",
        "lanemap.cli",
        "run",
        str(kernel),
        "--grid",
        str(CTAS),
        "--block",
        "32",
        "--arg",
        "zeros:u32:64",
        "--arg",
        "u32:1000000",
    ]


def start(kernel: Path, stderr: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(kernel),
        stdout=subprocess.PIPE,
        stderr=stderr,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def read_until(terminal: int, pattern: str, seconds: float = 60) -> str:
    """What a terminal shows, up to the pattern."""
    text, end = "", time.monotonic() + seconds
    while time.monotonic() < end:
        text += os.read(terminal, 4096).decode()
        if re.search(pattern, text):
            return text
    raise AssertionError(text)


def test_a_terminal_shows_how_far_it_is_and_where_ctrl_c_met_it(kernel: Path) -> None:
    terminal, other = pty.openpty()
    process = start(kernel, other)
    os.close(other)
    seen = read_until(terminal, rf"slow, launch 1: \d+ of {CTAS} CTAs done")
    assert "hazard" not in seen
    process.send_signal(signal.SIGINT)
    said = read_until(terminal, "so far")
    assert (process.wait(), process.stdout and process.stdout.read()) == (130, b"")
    assert "\r\x1b[K" in said, "the line is cleared first"
    (place,) = re.findall(
        rf"lanemap: interrupted in slow, launch 1, CTA \d+ of {CTAS} near .*slow\.ptx:(\d+); "
        "1 hazard so far",
        " ".join(said.split()),
    )
    assert BEYOND <= int(place) <= SLOW.count("\n")
    assert f"slow.ptx:{BEYOND}: `ld.global.u32`: 4 bytes at" in " ".join(said.split())


def test_a_pipe_hears_of_nothing_but_where_it_was(kernel: Path) -> None:
    process = start(kernel, subprocess.PIPE)
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    told, where = err.decode().splitlines()
    assert told.startswith("hazard: ") and where.startswith("lanemap: interrupted in slow, launch ")


class Terminal(io.StringIO):
    """What isatty says yes."""

    def isatty(self) -> bool:
        return True


def test_a_moment_shows_nothing() -> None:
    stream = Terminal()
    with status_line(stream, lambda: "k, launch 1"):
        pass
    assert stream.getvalue() == ""


def test_the_line_is_shown_within_the_width_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr("lanemap.devices.status._PATIENCE", 0.01)
    stream = Terminal()
    with status_line(stream, lambda: "k, launch 1: 0 of 12 CTAs done"):
        time.sleep(0.2)
    assert stream.getvalue() == "\r\x1b[Kk, launch 1: 0 of 1\r\r\x1b[K"
