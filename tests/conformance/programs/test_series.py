"""A series of programs on a GPU that a second emulator stands for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lanemap.conformance.programs.copies import plan
from lanemap.conformance.programs.crew import emulate
from lanemap.conformance.programs.program import Program
from lanemap.conformance.programs.series import Series

TIMES = 3


class MadeUp:
    """A GPU that does what `answer` says in its n-th run."""

    def __init__(self, answer: Callable[[int, bytes], tuple[bytes, str]]) -> None:
        self.answer, self.runs = answer, 0

    def run(self, program: Program, image: bytes | None) -> tuple[bytes, str]:
        self.runs += 1
        return self.answer(self.runs, emulate(program)[0])


def outcomes(gpu: Any, keep: Path | None = None) -> list[Any]:
    (found,) = Series(plan.program, (1,), TIMES).run(gpu, keep)
    return found


def test_every_run_is_kept(tmp_path: Path) -> None:
    found = outcomes(MadeUp(lambda run, output: (output, "")), tmp_path)
    assert len(found) == TIMES and all(each.number == 1 for each in found)
    expected = plan.program(1).expected
    assert not any(each.differences for each in found)
    assert all(each.errors == ("", "") for each in found) and expected
    assert sorted(each.suffix for each in tmp_path.iterdir()) == [".emulator", ".ptx", ".silicon"]
    (text,) = tmp_path.glob("*.ptx")
    assert " " not in text.name and text.read_text() == plan.program(1).text


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_run_that_fails_is_the_last(failing: int) -> None:
    gpu = MadeUp(lambda run, output: (b"", "lost") if run == failing else (output, ""))
    found = outcomes(gpu)
    assert len(found) == gpu.runs == failing
    assert found[-1].errors == ("", "lost") and not found[-1].differences


def test_a_run_that_differs_is_seen() -> None:
    def answer(run: int, output: bytes) -> tuple[bytes, str]:
        return (output[:-1] + b"\x5a" if run == 2 else output), ""

    found = outcomes(MadeUp(answer))
    assert [bool(each.differences) for each in found] == [False, True, False]
