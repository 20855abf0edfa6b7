"""Hashes that tie a row of results/ to the source text and the model that it was made from."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from lanemap.layout.cells import LayoutMap


def source_hash(source: str | bytes) -> str:
    """Return `sha256:` and 64 hexadecimal digits of a text (as UTF-8) or of bytes."""
    data = source.encode() if isinstance(source, str) else source
    return "sha256:" + hashlib.sha256(data).hexdigest()


def model_hash(layout: LayoutMap) -> str:
    """Return the hash of a layout map: its two spaces and its table as little-endian int64."""
    spaces = [
        [space.name, [list(axis) for axis in space.axes]]
        for space in (layout.destination, layout.source)
    ]
    table = np.ascontiguousarray(layout.table, dtype="<i8").tobytes()
    return source_hash(json.dumps(spaces).encode() + b"\0" + table)
