"""Hashes: of a row's own contents, and of the source text and the model that it was made from."""

from __future__ import annotations

import hashlib
import json
import re

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap

# The line of a row's file that holds the hash of all others, never the first one. Deeper keys stand
# further right, and strings of JSON hold no line ends. It begins with what `re` searches for fast.
_OWN = re.compile(r'\n  "hash": "(sha256:[0-9a-f]{64})",(?=\n)')


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


def check_own_hash(text: str) -> None:
    """Check the text of a row's file against the hash that it carries, of its other lines.

    This finds accidents, such as a value changed by hand; it is no protection against intent.

    Raises:
        UserError: there is no such hash, or it is of other lines.
    """
    lines = _OWN.findall(text)
    if len(lines) != 1:
        raise UserError(
            "it carries no hash of its contents, so it was written by hand or by an older lanemap; "
            "write it again with the command that wrote it"
        )
    if source_hash(_OWN.sub("", text)) != lines[0]:
        raise UserError(
            "its hash does not match its contents, so it was changed after it was written; restore "
            "the original, or write it again with the command that wrote it"
        )
