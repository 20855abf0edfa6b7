"""The page of one sweep, from its summary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .pages import Site


def page(summary: Mapping[str, Any], about: str, folder: Path) -> dict[Path, str | bytes]:
    """The files of the page, `index.html` and what it needs, below a folder."""
    site = Site(folder)
    rate = summary["items"] / summary["task_seconds"] if summary["task_seconds"] else None
    site.page("index.html", "sweep.html", about=about, summary=summary, rate=rate)
    return site.files()
