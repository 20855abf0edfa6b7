"""The page of one sweep, from its summary."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lanemap.errors import UserError

from .pages import Site

SUMMARY = "summary.json"


def page(summary: Mapping[str, Any], folder: Path) -> dict[Path, str | bytes]:
    """The files of the page, `index.html` and what it needs, below a folder."""
    site = Site(folder)
    add(site, "index.html", summary)
    return site.files()


def add(site: Site, place: str, summary: Mapping[str, Any], section: str = "") -> None:
    """Add the page of a sweep to a site."""
    rate = summary["items"] / summary["task_seconds"] if summary["task_seconds"] else None
    site.page(place, "sweep.html", section=section, about=summary["about"], summary=summary,
              rate=rate)  # fmt: skip


def summaries(folder: Path) -> dict[str, Any]:
    """The summaries of the sweeps whose results lie in a folder, by name; none without it.

    Raises:
        UserError: a summary cannot be read.
    """
    found = {}
    for path in sorted(folder.glob(f"*/{SUMMARY}")):
        try:
            found[path.parent.name] = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise UserError(f"{path} is no summary of a sweep: {error}") from error
        if "about" not in found[path.parent.name]:
            raise UserError(f"{path} is from an older lanemap; run its sweep again, or remove it")
    return found
