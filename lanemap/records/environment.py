"""The host's part of the environment that a row of silicon carries."""

from __future__ import annotations

import platform
import subprocess
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lanemap import __version__

PACKAGES = ("numpy", "hip-python", "ziglang")


def host_environment() -> dict[str, Any]:
    """Return time (UTC), operating system, versions of Python and packages, and the revision.

    The revision is the commit of the checkout that lanemap runs from, with "+" where files differ
    from it; None where it runs from no checkout.
    """
    return {
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "system": platform.platform(),
        "python": platform.python_version(),
        "lanemap": __version__,
        "revision": revision(Path(__file__).resolve().parent),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def revision(folder: Path) -> str | None:
    """Return the commit that `folder` is checked out at; None outside of a repository."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None or _git(folder, "ls-files", "--error-unmatch", ".") is None:
        return None  # no repository, or one that only happens to lie around this folder
    return commit + ("+" if _git(folder, "status", "--porcelain", "-uno") else "")


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
