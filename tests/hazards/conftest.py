"""For all faulty kernels."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.hazards.runner")


@pytest.fixture(autouse=True)
def few_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless loop need not be waited for."""
    monkeypatch.setenv("LANEMAP_INSTRUCTION_LIMIT", "200000")
