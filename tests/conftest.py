"""What holds for every test."""

from __future__ import annotations

import gc
import signal
from collections.abc import Generator, Iterator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let garbage collections leave alone what lives as long as the session, and come less often.

    With Python's settings they take a quarter of the time of tests that compile, with a hundred
    thousand objects a tenth. What they leave behind costs memory: with a million a worker grew to
    eight gigabytes.
    """
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(300_000, 10, 10)
    gc.enable()
    return result


@pytest.fixture(autouse=True, scope="session")
def heed_interrupts() -> None:
    """A background job of a shell ignores SIGINT, and so would every process that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def few_objects() -> Iterator[None]:
    """What a module leaves behind, tables that were read and code, is looked through once."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def width_of_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables heed COLUMNS, which pytest-xdist sets in its workers."""
    monkeypatch.delenv("COLUMNS", raising=False)
