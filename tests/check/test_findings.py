"""Whose line a hazard is at, and which hazards are one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lanemap.check.findings import Findings, Found, own_place

STANDARD = "/usr/lib/python3/site-packages/triton/language/standard.py"


def test_the_innermost_line_of_the_users_own_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Triton's `.loc` name a sum: two lines of its library inside one of the kernel."""
    monkeypatch.setattr("lanemap.check.findings._installed", lambda: ("/usr/lib/python3",))
    own = ("/home/me/kernel.py", 15)
    assert own_place([(STANDARD, 287), (STANDARD, 314), own, ("/home/me/kernel.py", 40)]) == own
    assert own_place([("/home/me/kernel.py", 0), own]) == own, "line 0 is no line"
    assert own_place([(STANDARD, 287)]) == (STANDARD, 287)
    assert own_place([]) is None


def test_a_hazard_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    def met(byte: int, line: int) -> Found:
        hazard = SimpleNamespace(
            kind="order", sentence=f"writes byte {byte}", file="/tmp/k.ptx", line=line,
            instruction="st.shared.b32 [%r1], %r2 // k.py:3",
        )  # fmt: skip
        return Found.of(hazard, "k", [("/home/me/k.py", 3)], ("/home/me/k.py", 9))

    findings = Findings()
    for found in (met(0, 7), met(4, 7), met(0, 8)):
        findings.add(found)
    assert sorted(findings.hazards.values()) == [1, 2]
    first, second = capsys.readouterr().err.splitlines()
    assert first == (
        "lanemap: hazard: k.py:3: k: writes byte 0 [`st.shared.b32 [%r1], %r2`, k.ptx:7; "
        "launched at k.py:9]"
    )
    assert "k.ptx:8" in second


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
