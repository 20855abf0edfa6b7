"""The build hooks: one compiles the emulator's C, the other writes the package index's README.

An environment that builds has ziglang and no dependency of lanemap, so the packages around the
builder are entered without what their `__init__` imports.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatch calls before it collects files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the C, unless what was built is up to date."""
        package = "lanemap.emulator.runtime"
        folder = Path(self.root)
        parents = package.split(".")
        for depth, name in enumerate(parents, 1):
            folder = folder / name
            module = ModuleType(".".join(parents[:depth]))
            module.__path__ = [str(folder)]
            sys.modules[module.__name__] = module
        import_module(f"{package}.build").main()


class CustomMetadataHook(MetadataHookInterface):
    """What hatch asks for the fields of pyproject.toml that are dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Give the README, whose links and pictures a package index finds on GitHub."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, published(Path(self.root))),
        }


def absolute(text: str, place: tuple[str, str] | None) -> str:
    """A page with links and pictures of its folder made absolute.

    Args:
        text: The page, in Markdown.
        place: The owner and name of its repository on GitHub, and a revision; None leaves all as
            it is.
    """
    if place is None:
        return text
    repository, revision = place
    raw = f"https://raw.githubusercontent.com/{repository}/{revision}/"
    page = f"https://github.com/{repository}/blob/{revision}/"
    text = re.sub(r"(!\[[^\]]*\]\()([\w./-]+\))", rf"\g<1>{raw}\g<2>", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()([\w./-]+(?:#[\w-]+)?\))", rf"\g<1>{page}\g<2>", text)


def published(root: Path) -> tuple[str, str] | None:
    """Repository and revision on GitHub, by git's `origin`; None where there is none."""
    if not (root / ".git").exists():
        return None
    origin, revision = (
        subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
        for words in (("remote", "get-url", "origin"), ("rev-parse", "HEAD"))
    )
    found = re.search(r"github\.com[:/]([\w.-]+/[\w-]+)", origin.stdout)
    return (found[1], revision.stdout.strip()) if found else None
