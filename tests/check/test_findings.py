"""Whose line a hazard is at, and which hazards are one."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path

import pytest

from lanemap.check.findings import Findings, Found, own_place
from lanemap.devices.findings import Finding
from lanemap.emulator.api import Access, Facts, Hazard
from lanemap.errors import UserError

STANDARD = "/usr/lib/python3/site-packages/triton/language/standard.py"


def test_the_innermost_line_of_the_users_own_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Triton's `.loc` name a sum: two lines of its library inside one of the kernel."""
    monkeypatch.setattr("lanemap.check.findings._installed", lambda: ("/usr/lib/python3",))
    own = ("/home/me/kernel.py", 15)
    assert own_place([(STANDARD, 287), (STANDARD, 314), own, ("/home/me/kernel.py", 40)]) == own
    assert own_place([("/home/me/kernel.py", 0), own]) == own, "line 0 is no line"
    assert own_place([(STANDARD, 287)]) == (STANDARD, 287)
    assert own_place([]) is None


def found(line: int, here: int, there: int = 0, cause: str = "a barrier is missing") -> Found:
    """A hazard at a line of PTX that stands for one of the script, and its other side."""
    side = Access(2 * there, "ld.shared.b32 %r9, [%r1]", (), "reads", 0, 1) if there else None
    hazard = Hazard(
        "order",
        "is late for `ld.shared.b32 %r9, [%r1]`",
        file="/tmp/k.ptx",
        line=line,
        count=3,
        instruction="@%p1 st.shared.b32 [%r1], %r2 // k.py:3",
        facts=Facts("is late for `ld.shared.b32`", cause, other=side),
    )

    def places(_: str, number: int) -> list[tuple[str, int]]:
        return [("/home/me/k.py", here if number == line else there)]

    return Found.of(Finding((hazard,)), "k", places, ("/home/me/k.py", 9))


def test_a_fault_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever line of PTX met it; at other lines, or of another cause, it is another one."""
    findings = Findings()
    for each in (found(7, 3, 5), found(8, 3, 5), found(7, 3, 4), found(7, 3, 5, "a wait is")):
        findings.add(each)
    assert [*findings.hazards.values()] == [6, 3, 3]
    first, second, _ = capsys.readouterr().err.splitlines()
    assert first == (
        "lanemap: hazard: k.py:3: k: is late for `ld.shared.b32`; the other side is k.py:5 "
        "[`st.shared.b32`, k.ptx:7; launched at k.py:9]"
    )
    assert "the other side is k.py:4" in second


def test_instructions_are_told_whole_if_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    Findings(verbose=True).add(found(7, 3))
    assert capsys.readouterr().err == (
        "lanemap: hazard: k.py:3: k: is late for `ld.shared.b32 %r9, [%r1]` "
        "[`@%p1 st.shared.b32 [%r1], %r2`, k.ptx:7; launched at k.py:9]\n"
    )


def test_json_has_both_sides_at_lines_of_the_script() -> None:
    known = json.loads(json.dumps(found(7, 3, 5).to_json()))
    assert (known["line"], known["ptx_line"], known["kind"]) == (3, 7, "order")
    other = known["other"]
    assert (other["file"], other["line"], other["ptx_line"]) == ("/home/me/k.py", 5, 10)
    assert (other["did"], other["warp"], known["cause"]) == ("reads", 1, "a barrier is missing")


def test_what_is_told_is_not_captured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As pytest captures: another `sys.stderr`, and another file behind its descriptor."""
    told, captured = tmp_path / "told", tmp_path / "captured"
    findings = Findings()
    with told.open("w") as stderr, captured.open("w") as other:
        monkeypatch.setattr(sys, "stderr", stderr)
        with findings.keeping_stderr():
            monkeypatch.setattr(sys, "stderr", other)
            os.dup2(other.fileno(), stderr.fileno())
            findings.say("a hazard")
        findings.say("the end")
    assert (told.read_text(), captured.read_text()) == ("lanemap: a hazard\n", "lanemap: the end\n")


class _OfLine(UserError):
    """An error whose parameters are not its message."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"{line}: {sentence}")
        self.line = line


def test_an_error_goes_from_process_to_process() -> None:
    again = pickle.loads(pickle.dumps(_OfLine(3, "this is no instruction")))
    assert (str(again), again.line) == ("3: this is no instruction", 3)
