"""What the figures of all pages share."""

from __future__ import annotations

import textwrap
from pathlib import Path

from lanemap.records.schema import Record

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
WIDTH = 100


def gpu(record: Record) -> str:
    """The GPU of a row of silicon."""
    environment = record.environment or {}
    return str(environment.get("after", environment)["gpu"])


def count(number: int, noun: str) -> str:
    """A number of things; 0 is No."""
    return f"{number or 'No'} {noun}{'' if number in (0, 1) else 's'}"


def filled(text: str) -> str:
    """A paragraph in lines."""
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"
