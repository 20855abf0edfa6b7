"""Cost of `pip install .`: seconds with and without downloads, and size with dependencies.

    python benchmarks/install.py

pip begins with an empty cache, so the first install downloads everything, ziglang for the build
among it; the second takes it from that cache, and compiles the C again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def install(folder: Path, cache: Path) -> float:
    """Seconds of an install of a clone of this checkout's commit into a fresh environment."""
    subprocess.run(["git", "clone", "-q", ROOT, folder / "clone"], check=True)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    began = time.perf_counter()
    subprocess.run(
        [
            folder / "venv/bin/python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--cache-dir",
            cache,
            folder / "clone",
        ],
        check=True,
    )
    return time.perf_counter() - began


def main() -> None:
    """Print both times and the size."""
    with tempfile.TemporaryDirectory() as scratch:
        places = [Path(scratch) / name for name in ("first", "second")]
        seconds = [install(place, Path(scratch) / "cache") for place in places]
        files = [
            path
            for path in (places[0] / "venv").rglob("*")
            if path.is_file() and not path.is_symlink()
        ]
        size = sum(path.stat().st_size for path in files)
        print(f"{seconds[0]:.0f} s with downloads, {seconds[1]:.0f} s without; {size / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
