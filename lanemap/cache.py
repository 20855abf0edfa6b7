"""The cache of compiled objects and of tables; another user cannot have put there what it returns.

Objects lie under `$LANEMAP_CACHE` (default `$XDG_CACHE_HOME/lanemap` or `~/.cache/lanemap`), named
by a key. Each begins with a hash of its key and its bytes; an object that does not match is
compiled again. The folder must belong to the user, and nobody else may write to it. Otherwise a
private folder replaces it until the process ends. An unreadable or read-only cache costs only time.

The folder has a bound, `$LANEMAP_CACHE_BYTES`, beyond which the objects that were not used for the
longest time go; 0 means no cache. When an object was used last is its file's time of access, which
`lookup` sets. Any number of processes may use one folder: objects come and go whole, and one that
is gone is made again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lanemap.errors import UserError

_HASH_BYTES = hashlib.sha256().digest_size
DEFAULT_BYTES = 2 << 30
#: What one byte of the file `written` stands for.
_UNIT_BYTES = 4096
#: A trim leaves this part free, and the next one comes when so much has been written.
_SLACK = 8
#: A time of access is set again after so long.
_USED_NS = 3600 * 10**9


def bound_bytes() -> int:
    """Return the bytes that the cache may have.

    Raises:
        UserError: LANEMAP_CACHE_BYTES is no number of bytes.
    """
    given = os.environ.get("LANEMAP_CACHE_BYTES")
    if not given:
        return DEFAULT_BYTES
    if not given.isdecimal():
        raise UserError(
            f"LANEMAP_CACHE_BYTES is {given!r}; give a number of bytes, or 0 for no object cache"
        )
    return int(given)


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
    root = wanted_folder() if bound_bytes() else None
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
        status = os.fstat(descriptor)
        if _reason_against(status) is not None:
            return None
        try:
            content = file.read()
        except OSError:
            return None
        now = time.time_ns()
        if now - status.st_atime_ns > _USED_NS:
            with contextlib.suppress(OSError):
                os.utime(descriptor, ns=(now, status.st_mtime_ns))
    data = content[_HASH_BYTES:]
    return data if content[:_HASH_BYTES] == _digest(key, data) else None


def keep(key: str, data: bytes) -> None:
    """Keep bytes under `key`, whole or not at all; a cache that cannot be written is left alone."""
    import tempfile  # not where all is kept already

    folder = _safe_folder(key)
    if folder is None:
        return
    # a private folder ends with the process, and has no bound
    if folder.name == key[:2] and not _has_room(folder.parent, _HASH_BYTES + len(data)):
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


def _has_room(root: Path, more: int) -> bool:
    """Note that so many bytes will be written; trim the cache where they might exceed its bound."""
    bound = bound_bytes()
    if more > bound // _SLACK:
        return False
    units = -(-more // _UNIT_BYTES)
    try:
        descriptor = os.open(
            root / "written", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600
        )
    except OSError:
        return False  # nor can the object be written
    try:
        before = os.fstat(descriptor).st_size
        # of a folder without that file nothing is known
        if not before or (before + units) * _UNIT_BYTES > bound // _SLACK:
            _trim(root, descriptor, bound - bound // _SLACK)
        os.write(descriptor, bytes(units))
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _objects(root: Path) -> Iterator[tuple[int, int, str]]:
    """When each file of the cache was used last, its bytes on the disk, and its path."""
    for number in range(256):
        with contextlib.suppress(OSError), os.scandir(root / f"{number:02x}") as entries:
            for entry in entries:
                with contextlib.suppress(OSError):  # another process removed it
                    status = entry.stat(follow_symlinks=False)
                    size = -(-status.st_size // _UNIT_BYTES) * _UNIT_BYTES
                    yield max(status.st_atime_ns, status.st_mtime_ns), size, entry.path


def _trim(root: Path, written: int, most: int) -> None:
    """Remove what was not used for the longest time, down to `most` bytes.

    Args:
        root: The cache's folder.
        written: Descriptor of its file `written`, whose lock one process has at a time.
        most: Bytes that may be left.
    """
    import fcntl

    try:
        fcntl.flock(written, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return  # another process trims
    objects = sorted(_objects(root))
    size = sum(each[1] for each in objects)
    for _, each, path in objects:
        if size <= most:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
            size -= each
    os.ftruncate(written, 0)
    fcntl.flock(written, fcntl.LOCK_UN)


def cached(key: str, make: Callable[[], bytes]) -> bytes:
    """The bytes kept under `key`, made and kept if they are not there."""
    data = lookup(key)
    if data is None:
        data = make()
        keep(key, data)
    return data
