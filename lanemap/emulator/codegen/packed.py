"""The bytes of a unit in the object cache: its notes, then its code."""

from __future__ import annotations

import json
from typing import Any


def pack_unit(notes: dict[str, Any], code: bytes) -> bytes:
    """Bytes that hold both."""
    head = json.dumps(notes).encode()
    return len(head).to_bytes(8, "little") + head + code


def unpack_unit(packed: bytes) -> tuple[dict[str, Any], bytes]:
    """The notes and the code of a unit."""
    size = int.from_bytes(packed[:8], "little")
    return json.loads(packed[8 : 8 + size]), packed[8 + size :]
