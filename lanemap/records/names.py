"""File names made from names: the only way from a name in a record to a path."""

from __future__ import annotations

import hashlib
import re

_UNSAFE = re.compile(r"^[.-]|[^A-Za-z0-9._=,-]")
_LONGEST = 200  # file systems take 255 bytes; a figure's suffix and a temporary name must fit too
_KEPT = 160


def file_name(name: str) -> str:
    """Return a safe file name for a name, whatever characters the name holds.

    Letters, digits and `. _ = , -` stay. Every other character, and a dot or a minus at the
    beginning, becomes `~` and two hexadecimal digits for each of its bytes in UTF-8. The result is
    one path component, never hidden, never a step up, and needs no quoting in a URL. Different
    names give different file names; of a very long one the end is replaced by a hash.

    Raises:
        ValueError: the name is empty.
    """
    if not name:
        raise ValueError("an empty name makes no file name")
    data = name.encode("utf-8", "surrogatepass")
    safe = _UNSAFE.sub(
        lambda match: "".join(f"~{byte:02x}" for byte in match[0].encode("utf-8", "surrogatepass")),
        name,
    )
    if len(safe) <= _LONGEST:
        return safe
    # Two tildes in a row occur in no other file name.
    return f"{safe[:_KEPT].rstrip('~')}~~{hashlib.sha256(data).hexdigest()[:32]}"
