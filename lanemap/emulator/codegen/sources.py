"""Hashes of source files, for keys of the object cache."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path


@functools.cache
def source_hash(*folders: Path) -> str:
    """A hash of the Python files and the tables in some folders and in those below them."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.tsv")]):
            digest.update(path.read_bytes())
    return digest.hexdigest()
