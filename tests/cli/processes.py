"""The command line as a user starts it, a process of its own; and within this process."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from collections.abc import Callable

from lanemap.cli import main

LANEMAP = [sys.executable, "-m", "lanemap.cli"]


def lanemap(
    *words: str, stdout: int = subprocess.PIPE, prepare: Callable[[], None] | None = None
) -> tuple[int, str, str]:
    """Run the command line; return the status, stdout and stderr."""
    done = subprocess.run(
        [*LANEMAP, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        preexec_fn=prepare,
    )
    return done.returncode, done.stdout or "", done.stderr


def here(*words: str) -> tuple[int, str, str]:
    """The same in this process, which takes a tenth of the time."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        status = main.run(words)
    return status, out.getvalue(), err.getvalue()


def refusal(*words: str, by: Callable[..., tuple[int, str, str]] = lanemap) -> tuple[int, str]:
    """Run what must fail; return the status and the one line of stderr without its prefix."""
    status, out, err = by(*words)
    assert out == "" and err.startswith("lanemap: ") and err.count("\n") == 1, err
    return status, err.removeprefix("lanemap: ").rstrip("\n")
