"""What holds for every test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def width_of_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables heed COLUMNS, which pytest-xdist sets in its workers."""
    monkeypatch.delenv("COLUMNS", raising=False)
