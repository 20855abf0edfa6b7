"""Texts of real compilers, damaged: loading ends in a program or in one sentence, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanemap.emulator import amdgcn, ptx
from lanemap.errors import UserError

TESTS = Path(__file__).resolve().parents[1]
MOST_CHARACTERS = 20_000
LOADERS: Mapping[str, Callable[[str, str], Any]] = {
    "ptx": ptx.load,
    "amdgcn": amdgcn.load,
}


def texts(suffix: str) -> list[str]:
    found = [path.read_text() for path in sorted(TESTS.rglob(f"*.{suffix}"))]
    return [text for text in found if len(text) < MOST_CHARACTERS]


SIGNS = "{}[](),.;:%$@!*+-0x9fF'\"\\\n \u00e9"
TEXTS = {suffix: texts(suffix) for suffix in LOADERS}


@st.composite
def damaged(draw: st.DrawFn, suffix: str) -> str:
    """Draw a text with one to three deletions, insertions, moved lines or repeated words."""
    text = draw(st.sampled_from(TEXTS[suffix]))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(text) - 1, 0)))
        kind = draw(st.sampled_from("delete insert line word cut".split()))
        if kind == "delete":
            text = text[:at] + text[at + draw(st.integers(1, 12)) :]
        elif kind == "insert":
            text = text[:at] + draw(st.text(SIGNS, max_size=3)) + text[at:]
        elif kind == "line":
            lines = text.split("\n")
            one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            lines[one], lines[other] = lines[other], lines[one]
            text = "\n".join(lines)
        elif kind == "word":
            words = text.split(" ")
            one, other = (draw(st.integers(0, len(words) - 1)) for _ in range(2))
            words[one] = words[other]
            text = " ".join(words)
        else:
            text = text[: max(at, 1)]
    return text


def check(suffix: str, text: str) -> None:
    try:
        loaded = LOADERS[suffix](text, "damaged")
    except UserError as error:
        assert str(error).startswith("damaged") and "\n" not in str(error)
        return
    for kernel in loaded.kernels.values():
        try:
            assert kernel.program.blocks
        except UserError as error:
            assert str(error).startswith("damaged") and "\n" not in str(error)


FUZZ = settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_there_are_texts() -> None:
    assert all(len(found) > 10 for found in TEXTS.values())


@FUZZ
@given(damaged("ptx"))
def test_ptx(text: str) -> None:
    check("ptx", text)


@FUZZ
@given(damaged("amdgcn"))
def test_amdgcn(text: str) -> None:
    check("amdgcn", text)


@pytest.mark.slow
@settings(FUZZ, max_examples=3000)
@given(damaged("ptx"))
def test_much_ptx(text: str) -> None:
    check("ptx", text)


@pytest.mark.slow
@settings(FUZZ, max_examples=3000)
@given(damaged("amdgcn"))
def test_much_amdgcn(text: str) -> None:
    check("amdgcn", text)
