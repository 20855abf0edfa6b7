"""The verdict and the status of `lanemap check`, however a script and its threads end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lanemap.cli import main
from tests.cli.processes import LANEMAP
from tests.sampled import sampled

pytest.importorskip("triton")
pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "tests/check/scripts/ends.py")
HAZARDS = r"1 launch of 1 kernel, \d hazards?( \(met \d+ times\))?"
CLEAN = "1 launch of 1 kernel, no hazards"
SECOND = r"2 launches of 1 kernel, \d hazards?( \(met \d+ times\))?"
BECAME = r", it became another program \(/bin/true\), which was not checked"


def line(text: str) -> int:
    """The line of the script that has a text."""
    lines = Path(SCRIPT).read_text().splitlines()
    return next(number for number, each in enumerate(lines, 1) if text in each)


@pytest.mark.parametrize(
    ("how", "status", "last"),
    sampled([
        ("_exit", 1, HAZARDS),
        ("_exit, clean", 0, CLEAN),
        ("_exit, 5", 1, f"{CLEAN}, it ended with status 5"),
        ("execv", 1, HAZARDS + BECAME),
        ("execv, clean", 1, CLEAN + BECAME),
        ("killed", 1, f"{HAZARDS}, it was ended by SIGKILL"),
        ("interrupted", 130, "^lanemap: interrupted; 1 launch and 1 hazard so far"),
        ("files closed", 1, HAZARDS),
        ("thread", 0, CLEAN),
        ("pool", 0, CLEAN),
        ("thread, wrong", 1, HAZARDS),
        ("thread, failing", 1, f"{CLEAN}, a thread raised RuntimeError at ends.py:{line('raise')}"),
        ("thread, unknown", 2, "those of Python's module threading, not in others"),
        ("late", 1, SECOND),
        ("at exit", 1, SECOND),
        ("fork", 0, CLEAN),
        ("fork, wrong", 1, SECOND),
        ("multiprocessing", 1, SECOND),
        ("nothing", 2, "nothing was checked; if that is right, say --allow-no-launch"),
    ], 2),
)  # fmt: skip
def test_the_verdict_is_the_last_line(
    how: str, status: int, last: str, capfd: pytest.CaptureFixture[str]
) -> None:
    found = main.run(["check", SCRIPT, how])
    told = capfd.readouterr().err
    assert re.search(f"{last}$", told.splitlines()[-1]), told
    assert found == status
    faulty = how == "interrupted" or last.startswith((HAZARDS, SECOND))
    assert (f"lanemap: hazard: ends.py:{line('tl.store')}: add: " in told) == faulty


def test_a_script_that_launches_nothing_may_be_allowed(capfd: pytest.CaptureFixture[str]) -> None:
    assert main.run(["check", "--allow-no-launch", SCRIPT, "nothing"]) == 0
    assert capfd.readouterr().err.endswith("(NVIDIA B200): no kernel was launched\n")
    assert main.run(["check", "--json", SCRIPT, "nothing"]) == 2
    sys.stdout.flush()
    assert json.loads(capfd.readouterr().out)["passed"] is False


def test_the_report_survives_the_script(capfd: pytest.CaptureFixture[str]) -> None:
    assert main.run(["check", "--json", SCRIPT, "execv"]) == 1
    sys.stdout.flush()
    report = json.loads(capfd.readouterr().out)
    assert (report["passed"], report["launches"]) == (False, {"add": 1})
    assert {each["kind"] for each in report["hazards"]} == {"out-of-bounds"}


WAITS = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)\n"


@pytest.mark.parametrize(
    ("number", "status"),
    sampled([(signal.SIGKILL, -9), (signal.SIGTERM, 1), (signal.SIGINT, 130)], 3),
)
def test_a_signal_ends_the_script_too(number: int, status: int, tmp_path: Path) -> None:
    """It is sent to the process that waits for the script."""
    script = tmp_path / "waits.py"
    script.write_text(WAITS)
    with subprocess.Popen(
        [*LANEMAP, "check", str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as started:
        assert started.stdout is not None and started.stderr is not None
        child = int(started.stdout.readline())
        os.kill(started.pid, number)
        assert started.wait(30) == status
        told = started.stderr.read()  # which ends when no process holds it
    words = {signal.SIGTERM: "it was ended by SIGTERM", signal.SIGINT: "interrupted"}
    assert words.get(signal.Signals(number), "") in told
    for _ in range(100):
        if not Path(f"/proc/{child}").exists():
            return
        time.sleep(0.05)
    pytest.fail("the script goes on")


#: Keeps an object of Triton's compiler alive beyond the interpreter's end, as Gluon's scripts do.
KEEPS = """import ctypes
from triton._C.libtriton import ir
kept = ir.context()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
"""


def test_nothing_complains_after_the_verdict(tmp_path: Path) -> None:
    """Where Triton binds with nanobind, that tells leaks when the interpreter ends."""
    script = tmp_path / "keeps.py"
    script.write_text(KEEPS)
    plain = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    if "nanobind: leaked" not in plain.stderr:
        pytest.skip("this version of Triton tells no leaks")
    done = subprocess.run(
        [*LANEMAP, "check", "--allow-no-launch", str(script)], capture_output=True, text=True,
        check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stderr == (
        "lanemap: keeps.py on the emulator of sm_100a (NVIDIA B200): no kernel was launched\n"
    )
