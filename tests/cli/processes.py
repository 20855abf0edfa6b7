"""The command line as a user starts it: a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

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


def refusal(*words: str) -> tuple[int, str]:
    """Run what must fail; return the status and the one line of stderr without its prefix."""
    status, out, err = lanemap(*words)
    assert out == "" and err.startswith("lanemap: ") and err.count("\n") == 1, err
    return status, err.removeprefix("lanemap: ").rstrip("\n")
