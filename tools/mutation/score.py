"""The stored score of a front end: what became of each mutant of a sample, and what it adds up to.

A score names the hashes of the files whose mutants it judged. What a file's mutants did is of no
account any more when the file has changed.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.mutation.session import Verdict
from tools.mutation.sites import EMULATOR, files, is_docstring, mutants, relative

KIND = "mutation of instruction semantics"
FOLDER = Path(__file__).parent
STATUSES = ("killed", "survived", "unreached", "unchanged", "same code", "refused")


def stored(front_end: str) -> Path:
    """The file of a front end's score."""
    return FOLDER / f"{front_end}.json"


def file_hash(path: Path) -> str:
    """Return the hash of a file's syntax tree: comments, docstrings and layout do not count."""
    return hashlib.sha256(repr(_plain(ast.parse(path.read_bytes()))).encode()).hexdigest()


def _plain(node: object) -> object:
    """A syntax tree as tuples, without docstrings and the fields that are empty.

    Versions of Python differ in those that they add.
    """
    if isinstance(node, list):
        return [_plain(each) for each in node if not is_docstring(each)]
    if not isinstance(node, ast.AST):
        return node
    fields = [(name, _plain(value)) for name, value in ast.iter_fields(node) if name != "kind"]
    return (
        type(node).__name__,
        *((name, value) for name, value in fields if value not in (None, [])),
    )


@dataclass
class Score:
    """The outcomes of a sample's mutants.

    Attributes:
        front_end: "ptx" or "amdgcn".
        seed: Seed of the order in which mutants are taken; in each file those judged are
            the first.
        hashes: File -> `file_hash` when its mutants were judged.
        verdicts: Mutant -> what became of it.
        by_line: Files whose mutants were drawn when names counted lines instead of statements.
        argued: Survivor -> why no program can distinguish it from the original, in a sentence.
    """

    front_end: str
    seed: int
    hashes: dict[str, str] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    by_line: set[str] = field(default_factory=set)
    argued: dict[str, str] = field(default_factory=dict)

    def names(self, status: str) -> list[str]:
        """The mutants of one status, sorted."""
        return sorted(name for name, each in self.verdicts.items() if each.status == status)

    @property
    def unnoticed(self) -> list[str]:
        """Mutants that change the code, as far as known, are not argued, and no test noticed."""
        open_ = {*self.names("survived"), *self.names("unreached")} - set(self.argued)
        return sorted(open_)

    @property
    def share(self) -> float:
        """The part of the mutants to be noticed that was."""
        killed = len(self.names("killed"))
        return killed / (killed + len(self.unnoticed))

    def forget(self, statuses: Container[str] = (), only: str = "") -> None:
        """Drop verdicts of files that have changed, and of mutants that are not made any more.

        Drop those of some statuses too, of mutants whose name contains `only`.
        """
        made = {each.name for path in files(self.front_end) for each in mutants(path)}
        current = {relative(path): file_hash(path) for path in files(self.front_end)}
        self.verdicts = {
            name: each
            for name, each in self.verdicts.items()
            if self.hashes.get(file_of(name)) == current.get(file_of(name), "")
            and not (each.status in statuses and only in name)
            and name in made
        }
        self.hashes = {file: current[file] for file in map(file_of, self.verdicts)}
        self.by_line &= self.hashes.keys()

    def add(self, verdict: Verdict) -> None:
        """Take what became of a mutant of the present text."""
        file = file_of(verdict.name)
        self.verdicts[verdict.name] = verdict
        self.hashes[file] = file_hash(EMULATOR / file)

    def write(self, path: Path) -> None:
        """Write the score as sorted JSON."""
        settled = set(self.verdicts) - {*self.names("survived"), *self.names("unreached")}
        argued = {name: why for name, why in self.argued.items() if name not in settled}
        by_status = {status: self.names(status) for status in STATUSES[1:]}
        files_ = {
            file: {
                "sha256": hash_,
                "mutants": len(list(mutants(EMULATOR / file))),
                "chosen": sum(file_of(name) == file for name in self.verdicts),
            }
            for file, hash_ in self.hashes.items()
        }
        content = {
            "kind": KIND, "front end": self.front_end, "seed": self.seed,
            "files": files_, "argued": argued, "drawn by line": sorted(self.by_line),
            "killed": {name: self.verdicts[name].by for name in self.names("killed")},
            "counts": {status: len(self.names(status)) for status in STATUSES},
            "noticed": round(self.share, 4),
            **by_status,
        }  # fmt: skip
        path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")


def order(name: str, seed: int) -> bytes:
    """Return the key that mutants are sorted by when some are chosen."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()


def file_of(name: str) -> str:
    """The file of a mutant, from its name."""
    return name.partition(":")[0]


def read(path: Path) -> Score:
    """The score that a file holds."""
    content: dict[str, Any] = json.loads(path.read_text())
    if content["kind"] != KIND:
        raise ValueError(f"{path}: {content['kind']!r} is not {KIND!r}")
    score = Score(content["front end"], content["seed"])
    score.hashes = {file: row["sha256"] for file, row in content["files"].items()}
    for name, by in content["killed"].items():
        score.verdicts[name] = Verdict(name, "killed", by)
    for status in STATUSES[1:]:
        for name in content[status]:
            score.verdicts[name] = Verdict(name, status)
    score.argued = content["argued"]
    score.by_line = set(content["drawn by line"])
    return score
