"""A script that takes long: the line on a terminal, and what Ctrl-C says."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_status import read_until

pytest.importorskip("triton", minversion="3.8", reason="older ones leave out fences")
pytest.importorskip("torch")

SCRIPT = Path(__file__).resolve().parent / "scripts/slow.py"


def test_ctrl_c_says_where_the_script_was_and_what_was_found() -> None:
    terminal, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lanemap.cli", "check", str(SCRIPT)], stderr=other,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    os.close(other)
    seen = read_until(terminal, r"lanemap: slow, launch 2: \d+ of 1024 CTAs done")
    assert "hazard: slow.py:12: beyond: " in " ".join(seen.split())
    process.send_signal(signal.SIGINT)
    said = " ".join(read_until(terminal, "so far").split())
    process.communicate()
    assert process.returncode == 130
    ((cta, line),) = re.findall(
        r"lanemap: interrupted in slow, launch 2, CTA (\d+) of 1024 near slow\.py:(\d+); "
        "2 launches and 1 hazard so far",
        said,
    )
    lines = SCRIPT.read_text().splitlines()
    assert int(cta) < 1024 and lines[int(line) - 1].endswith("# here")


def test_ctrl_c_outside_of_launches_says_what_was_found(tmp_path: Path) -> None:
    script = tmp_path / "raises.py"
    script.write_text("raise KeyboardInterrupt\n")
    done = subprocess.run(
        [sys.executable, "-m", "lanemap.cli", "check", str(script)], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr.endswith("lanemap: interrupted; 0 launches and no hazards so far\n")
