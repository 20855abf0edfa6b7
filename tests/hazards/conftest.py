"""For all faulty kernels."""

from __future__ import annotations

import pytest

from lanemap.emulator.host import machine


@pytest.fixture(autouse=True)
def few_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless loop need not be waited for."""
    monkeypatch.setattr(machine, "DEFAULT_LIMIT", 200_000)
