"""The host's part of the environment that a row of silicon carries."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lanemap.version import __version__

_PACKAGE = Path(__file__).resolve().parent.parent
_SOURCES = (".py", ".c", ".h", ".cu", ".ll", ".json", ".txt")
#: What a driver library whose GPU is the emulator calls that GPU; no row of it is silicon.
STAND_IN = "lanemap emulator"
PACKAGES = ("numpy", "hip-python", "ziglang")


def host_environment() -> dict[str, Any]:
    """Return time (UTC), operating system, versions of Python and packages, and the revision.

    `source` is the hash of the files of lanemap themselves, which is the same wherever they lie.
    """
    return {
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "system": platform.platform(),
        "python": platform.python_version(),
        "lanemap": __version__,
        "revision": own_revision(),
        "source": _own_hash(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


@cache
def _own_hash() -> str:
    """Return the hash of lanemap's files as they were when it was first asked for."""
    return package_hash()


def own_revision() -> str | None:
    """Return the commit of lanemap.

    It is that of the checkout, with "+" where files differ from it; outside of a checkout what the
    environment variable LANEMAP_REVISION says, else what `git archive` wrote into revision.txt,
    else None.
    """
    archived = Path(__file__).with_name("revision.txt").read_text().strip()
    told = os.environ.get("LANEMAP_REVISION") or (None if "$" in archived else archived)
    return revision(_PACKAGE) or told


def revision(folder: Path) -> str | None:
    """Return the commit that `folder` is checked out at; None outside of a repository."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None or _git(folder, "ls-files", "--error-unmatch", ".") is None:
        return None  # no repository, or one that only happens to lie around this folder
    return commit + ("+" if _git(folder, "status", "--porcelain", "-uno") else "")


def package_hash(folders: Sequence[Path] = (_PACKAGE,)) -> str:
    """Return `sha256:` and the hash of the sources in folders, by their names and contents.

    Args:
        folders: Those of lanemap's own files unless given.
    """
    whole = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SOURCES and path.name != "revision.txt":
                whole.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                whole.update(hashlib.sha256(path.read_bytes()).digest())
    return "sha256:" + whole.hexdigest()


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
