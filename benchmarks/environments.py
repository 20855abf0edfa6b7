"""How large the environments are that targets of make have made in this checkout.

    python benchmarks/environments.py --write

`--write` keeps the sizes in environments.json, which README shows: of those that are here now, and
of others as they were kept before.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = ROOT / "benchmarks" / "environments.json"
#: The target of make that makes each folder.
FOLDERS = {".venv": "test", ".venv-doors": "doors", ".venv-tilelang": "tilelang"}


def size(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    files = (each for each in folder.rglob("*") if each.is_file() and not each.is_symlink())
    return sum(each.stat().st_size for each in files)


def main() -> None:
    """Print the sizes, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep them in {SIZES.name}")
    found = {
        target: size(ROOT / name) for name, target in FOLDERS.items() if (ROOT / name).is_dir()
    }
    for target, count in found.items():
        print(f"make {target}: {count / 1e9:.2f} GB")
    if parser.parse_args().write:
        known = json.loads(SIZES.read_text()) if SIZES.exists() else {}
        SIZES.write_text(json.dumps(known | found, indent=2) + "\n")


if __name__ == "__main__":
    main()
