"""What hand-made rows of results/ need to follow their schemas."""

from __future__ import annotations

from typing import Any

from lanemap.records.files import dumps
from lanemap.records.hashes import source_hash

HASH = source_hash("the source of a test")
ENVIRONMENT = {
    "gpu": "a test's GPU",
    "architecture": "gfx950:sramecc+:xnack-",
    "host": {
        "time": "2026-01-02T03:04:05+00:00",
        "system": "a system",
        "python": "3.11.0",
        "lanemap": "0.1.0",
        "revision": None,
        "source": HASH,
        "packages": {"numpy": None},
    },
}


def findings(variant: str, **more: Any) -> dict[str, Any]:
    """The findings that every probe's row has, and more."""
    return {
        "variant": variant,
        "question": "Which byte arrives where?",
        "command": "lanemap probe mine --target gfx950 --device emulator",
        "axes": {"pattern": ["near"]},
        "explained": True,
        **more,
    }


def file_text(data: dict[str, Any]) -> str:
    """The text of a file that holds this, with its hash, whatever it claims."""
    contents = {key: value for key, value in data.items() if key != "hash"}
    return dumps({**contents, "hash": source_hash(dumps(contents))})
