"""The C header with the numbers of rules.tsv (runtime/built.py)."""

from __future__ import annotations

from pathlib import Path

from lanemap.emulator.runtime.rules import Rules


def headers() -> dict[str, str]:
    """Each header by its name."""
    rules = Rules(Path(__file__).resolve().parent / "rules.tsv")
    return {"mbarrier_rules.h": "#pragma once\n" + rules.header("Mbarrier")}
