"""The cache of compiled objects and of tables; another user cannot have put there what it returns.

Objects lie under `$LANEMAP_CACHE` (default `$XDG_CACHE_HOME/lanemap` or `~/.cache/lanemap`), named
by a key. Each begins with a hash of its key and its bytes; an object that does not match is
compiled again. The folder must belong to the user, and nobody else may write to it. Otherwise a
private folder replaces it until the process ends. An unreadable or read-only cache costs only time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

_HASH_BYTES = hashlib.sha256().digest_size


def wanted_folder() -> Path | None:
    """Return the folder for objects; None if the user has no home."""
    explicit = os.environ.get("LANEMAP_CACHE")
    if explicit:
        return Path(explicit)
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base) / "lanemap"
    try:
        return Path.home() / ".cache" / "lanemap"
    except RuntimeError:  # no HOME, and no entry of the user in the system's table
        return None


def _reason_against(status: os.stat_result) -> str | None:
    """Why a file or folder is not safe to take code from; None if it is."""
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by other users"
    return None


@functools.cache
def _private_folder(instead_of: str, reason: str) -> Path:
    """A folder of this process alone, in place of one that is not safe; warns once."""
    import atexit
    import shutil
    import tempfile
    import warnings

    folder = Path(tempfile.mkdtemp(prefix="lanemap-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    warnings.warn(
        f"the object cache {instead_of} is not used, since it {reason}; make it writable by you "
        "alone (chmod go-w) or name another folder in LANEMAP_CACHE",
        RuntimeWarning,
        stacklevel=2,
    )
    return folder


def _safe_folder(key: str) -> Path | None:
    """The folder for a key's object, made if it is not there; None if there can be none."""
    root = wanted_folder()
    if root is None:
        return None
    for folder in (root, root / key[:2]):
        with contextlib.suppress(OSError):  # it may be there, with a parent that is closed
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            reason = _reason_against(folder.stat())
        except OSError:
            return None
        if reason is not None:
            return _private_folder(str(folder), reason)
    return root / key[:2]


def _digest(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + data).digest()


def lookup(key: str) -> bytes | None:
    """The bytes kept under `key`; None where there are none, or damaged or unsafe ones."""
    folder = _safe_folder(key)
    if folder is None:
        return None
    try:
        descriptor = os.open(folder / key, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if _reason_against(os.fstat(descriptor)) is not None:
            return None
        try:
            content = file.read()
        except OSError:
            return None
    data = content[_HASH_BYTES:]
    return data if content[:_HASH_BYTES] == _digest(key, data) else None


def keep(key: str, data: bytes) -> None:
    """Keep bytes under `key`, whole or not at all; a cache that cannot be written is left alone."""
    import tempfile  # not where all is kept already

    folder = _safe_folder(key)
    if folder is None:
        return
    try:
        descriptor, name = tempfile.mkstemp(dir=folder)
    except OSError:
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_digest(key, data) + data)
        os.replace(name, folder / key)
    except OSError:  # a full disk, for one: the run needs only `data`
        with contextlib.suppress(OSError):
            os.unlink(name)


def cached(key: str, make: Callable[[], bytes]) -> bytes:
    """The bytes kept under `key`, made and kept if they are not there."""
    data = lookup(key)
    if data is None:
        data = make()
        keep(key, data)
    return data
