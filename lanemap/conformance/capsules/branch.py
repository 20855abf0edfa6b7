"""Writes rows to a branch of a checkout. Its files, its index and its HEAD stay as they are."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lanemap.errors import MissingEnvironment, UserError


class Checkout:
    """A git repository, read and written through its objects alone."""

    def __init__(self, folder: Path) -> None:
        """Find the repository of a folder.

        Raises:
            UserError: the folder is in none.
            MissingEnvironment: there is no git.
        """
        self._folder = folder
        self._folder = Path(self._git("rev-parse", "--show-toplevel"))
        self.head = self._git("rev-parse", "--verify", "HEAD^{commit}")

    def _git(self, *arguments: str, given: str = "", index: str = "") -> str:
        environment = {**os.environ, **({"GIT_INDEX_FILE": index} if index else {})}
        command = ["git", "-C", str(self._folder), *arguments]
        try:
            done = subprocess.run(
                command, input=given, capture_output=True, text=True, check=False, env=environment
            )
        except OSError as error:
            raise MissingEnvironment("git is not here; install it") from error
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["it gives no reason"])[-1]
            raise UserError(f"git {arguments[0]}: {why}")
        return done.stdout.rstrip("\n")

    def text(self, place: str) -> str | None:
        """Return a file of HEAD; None if there is none."""
        if not self._git("ls-tree", self.head, "--", place):
            return None
        return self._git("cat-file", "blob", f"{self.head}:{place}") + "\n"

    def write(self, branch: str, files: Mapping[str, str], message: str) -> str:
        """Make a branch that has HEAD's files and these, by one commit; return the commit.

        Raises:
            UserError: there is such a branch, or git does not know who commits.
        """
        with tempfile.TemporaryDirectory() as folder:
            index = str(Path(folder) / "index")
            self._git("read-tree", self.head, index=index)
            for place, text in files.items():
                blob = self._git("hash-object", "-w", "--stdin", given=text)
                self._git(
                    "update-index", "--add", "--cacheinfo", f"100644,{blob},{place}", index=index
                )
            tree = self._git("write-tree", index=index)
        commit = self._git("commit-tree", tree, "-p", self.head, "-F", "-", given=message)
        nothing = "0" * len(commit)
        self._git("update-ref", f"refs/heads/{branch}", commit, nothing)
        return commit
