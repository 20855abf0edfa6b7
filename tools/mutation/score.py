"""The stored score of a front end: what became of its mutants, and what that adds up to.

`mutants.py` judges mutants. A score names the hashes of the files whose mutants were judged. What a
file's mutants did is of no account any more when the file has changed.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tools.mutation.session import Verdict
from tools.mutation.sites import files, is_docstring, mutants, relative

KIND = "mutation of instruction semantics"
FOLDER = Path(__file__).parent
#: Why no program can distinguish a mutant from the original, by the mutant's name.
ARGUED = FOLDER / "argued.json"
STATUSES = ("killed", "survived", "unreached", "unchanged", "same code", "refused")
#: Of the order in which mutants are judged.
SEED = 1
#: How many killed mutants of a front end a score names, with the tests that killed them.
CHECKED = 50


def stored(front_end: str) -> Path:
    """The file of a front end's score."""
    return FOLDER / f"{front_end}.json"


@cache
def arguments() -> dict[str, str]:
    """`ARGUED`."""
    found: dict[str, str] = json.loads(ARGUED.read_text())
    return found


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
    """What became of the mutants of a front end.

    Attributes:
        files: Of each file its hash, how many mutants it has, and how many of each status.
        survived: Mutants that change the code of tests, all of which pass.
        unreached: Mutants of statements that no test executes.
        killed: Some of the mutants that a test notices, and the test.
    """

    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    survived: list[str] = field(default_factory=list)
    unreached: list[str] = field(default_factory=list)
    killed: dict[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> Counter[str]:
        """How many mutants have each status."""
        return Counter(
            {status: sum(row.get(status, 0) for row in self.files.values()) for status in STATUSES}
        )

    @property
    def mutants(self) -> int:
        """How many there are, judged or not."""
        return sum(row["mutants"] for row in self.files.values())

    @property
    def argued(self) -> list[str]:
        """Those that no program can distinguish from the original."""
        return [name for name in (*self.survived, *self.unreached) if name in arguments()]

    @property
    def unnoticed(self) -> list[str]:
        """Mutants that change the code, as far as known, are not argued, and no test noticed."""
        return [name for name in (*self.survived, *self.unreached) if name not in arguments()]

    @property
    def share(self) -> float:
        """The part of the mutants to be noticed that was."""
        killed = self.counts["killed"]
        return killed / (killed + len(self.unnoticed))


def scored(front_end: str, verdicts: Iterable[Verdict]) -> Score:
    """The score that verdicts on mutants of the present text add up to."""
    told = {each.name: each for each in verdicts}
    found: dict[str, Verdict] = {}
    score = Score()
    for path in files(front_end):
        names = [each.name for each in mutants(path)]
        own = {name: told[name] for name in names if name in told}
        if names:
            row = {"sha256": file_hash(path), "mutants": len(names)}
            score.files[relative(path)] = row | dict(Counter(e.status for e in own.values()))
        found |= own
    by_status = {status: [n for n, v in found.items() if v.status == status] for status in STATUSES}
    score.survived, score.unreached = sorted(by_status["survived"]), sorted(by_status["unreached"])
    some = sorted(by_status["killed"], key=lambda name: order(name, SEED))[:CHECKED]
    score.killed = {name: found[name].by for name in some}
    return score


def order(name: str, seed: int) -> bytes:
    """Return the key that mutants are sorted by when some are chosen."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()


def file_of(name: str) -> str:
    """The file of a mutant, from its name."""
    return name.partition(":")[0]


def text(front_end: str, score: Score) -> str:
    """A score as sorted JSON."""
    content = {"kind": KIND, "front end": front_end, **asdict(score)}
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def read(path: Path) -> Score:
    """The score that a file holds.

    Raises:
        ValueError: the file holds something else.
    """
    content: dict[str, Any] = json.loads(path.read_text())
    if content.pop("kind") != KIND:
        raise ValueError(f"{path} is no {KIND}")
    del content["front end"]
    return Score(**content)
