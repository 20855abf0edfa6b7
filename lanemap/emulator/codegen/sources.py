"""Hashes of source files, for keys of the object cache."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from lanemap import cache


@functools.cache
def source_hash(*folders: Path) -> str:
    """A hash of the Python files and the tables in some folders and in those below them.

    It is kept by names, sizes and times of the files, so that a later process reads none of them.
    """
    files = sorted(each for folder in folders for each in _sources(str(folder)))
    key = hashlib.sha256(f"sources {files}".encode()).hexdigest()
    return cache.cached(key, lambda: _contents([name for name, *_ in files])).decode()


def _sources(folder: str) -> Iterator[tuple[str, int, int, int]]:
    """The path of each file, its size, and when it and what is known of it were changed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".tsv")):
                now = entry.stat()
                yield entry.path, now.st_size, now.st_mtime_ns, now.st_ctime_ns
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _sources(entry.path)


def _contents(paths: list[str]) -> bytes:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(Path(path).read_bytes())
    return digest.hexdigest().encode()
