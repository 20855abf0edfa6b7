"""Installs packages as pip would, by uv, which takes a third of the time.

    .venv/bin/python tools/install.py --constraint requirements/ci.txt --editable ".[test]"

uv reads no configuration of pip: its indexes, folders, constraints and certificate are handed on.
Where there is no uv, or it fails, pip installs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

#: The variable of uv that says what an option of pip says, and what stands between its values.
OPTIONS = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "constraint": ("UV_CONSTRAINT", " "),
    "cert": ("SSL_CERT_FILE", " "),
}
PIP = [sys.executable, "-m", "pip"]


def environment(configuration: str) -> dict[str, str]:
    """What uv must be told, by what `pip config list` prints.

    uv takes a package from the first index that has it, pip the best of all indexes.
    """
    said: dict[str, list[str]] = {}
    for line in configuration.splitlines():
        name, _, value = line.partition("=")
        for each in value.strip("'\"").replace("\\n", " ").split():
            values = said.setdefault(name.rpartition(".")[2], [])
            if each not in values:
                values.append(each)
    found = {
        variable: between.join(said[option])
        for option, (variable, between) in OPTIONS.items()
        if option in said
    }
    return {"UV_INDEX_STRATEGY": "unsafe-best-match", **found}


def main(words: list[str]) -> int:
    """Install, and return pip's or uv's exit status."""
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists():
        subprocess.run([*PIP, "install", "--quiet", "uv"], check=False)
    if uv.exists():
        told = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True)
        command = [str(uv), "pip", "install", "--quiet", "--python", sys.executable, *words]
        if subprocess.run(command, env=environment(told.stdout) | os.environ).returncode == 0:
            return 0
        print("uv did not install; pip will", file=sys.stderr)
    return subprocess.run([*PIP, "install", "--quiet", *words]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
