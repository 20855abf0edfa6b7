"""What holds for every test."""

from __future__ import annotations

import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def heed_interrupts() -> None:
    """A background job of a shell ignores SIGINT, and so would every process that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def width_of_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables heed COLUMNS, which pytest-xdist sets in its workers."""
    monkeypatch.delenv("COLUMNS", raising=False)
