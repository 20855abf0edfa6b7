"""`lanemap run` warns of timed waits that ptxas translates wrongly, and of nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lanemap
from tests import ptx
from tests.sampled import sampled

HERE = Path(__file__).parent
TEXTS = sorted(
    path for folder in ("triton", "cute_dsl", "texts") for path in (HERE / folder).glob("*.ptx")
)
BEGIN = """\
.reg .b32 %a, %v;
.reg .pred %p;
.shared .align 8 .b64 m;
mov.u32 %a, m;
"""
TIMED = "mbarrier.try_wait.parity.shared::cta.b64 %p, [%a], 0, 1000;\n"
UNTIMED = "mbarrier.try_wait.parity.shared::cta.b64 %p, [%a], 0;\n"
SYNC = "bar.warp.sync 0xffffffff;\n"


def text(body: str) -> str:
    return ptx.entry(BEGIN + body, "")


def warnings(body: str) -> tuple[str, ...]:
    return lanemap.open_device("sm_90a", device="emulator").load(text(body)).warnings("k")


@pytest.mark.parametrize("behind", [
    SYNC, "shfl.sync.bfly.b32 %v, %a, 1, 31, -1;\n", "redux.sync.add.u32 %v, %a, -1;\n",
    "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n", "bar.sync 0;\n",
    f"@%p bra over;\nmov.u32 %v, 1;\nover:\n{SYNC}",
])  # fmt: skip
def test_a_timed_wait_before_something_of_the_whole_warp_is_named(behind: str) -> None:
    (sentence,) = warnings(TIMED + behind)
    line = 1 + text(TIMED + behind).splitlines().index(TIMED.strip())
    assert f":{line}: ptxas 13.0 to 13.5 can run `" in sentence
    assert "put the wait into a loop until it returns true, or leave out the time" in sentence


@pytest.mark.parametrize("body", [
    UNTIMED + SYNC,
    f"again:\n{TIMED}@!%p bra again;\n{SYNC}",
    f"{SYNC}{TIMED}mov.u32 %v, 1;\n",
    TIMED,
])  # fmt: skip
def test_nothing_is_said_of_waits_without_time_in_loops_or_at_the_end(body: str) -> None:
    assert warnings(body) == ()


@pytest.mark.parametrize("path", sampled(TEXTS, 4, lambda path: f"{path.parent.name}/{path.name}"))
def test_compilers_own_kernels_have_no_such_wait(path: Path) -> None:
    made = path.read_text()
    target = next(line.split()[1] for line in made.splitlines() if line.startswith(".target"))
    module = lanemap.open_device(target.strip(","), device="emulator").load(made)
    assert module.entries
    assert [module.warnings(entry) for entry in module.entries] == [()] * len(module.entries)


def test_the_command_line_warns_on_stderr_and_runs(tmp_path: Path) -> None:
    path = tmp_path / "waits.ptx"
    body = "mbarrier.init.shared::cta.b64 [m], 1;\n" + TIMED + SYNC
    path.write_text(text(body))
    done = subprocess.run(
        [sys.executable, "-m", "lanemap.cli", "run", str(path), "--block", "1"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert f"lanemap: warning: {path}:" in done.stderr
    assert "k ran on emulator: no hazards" in done.stdout
    assert done.returncode == 0
