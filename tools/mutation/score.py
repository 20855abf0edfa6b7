"""The score of a front end, a row of results/: what became of its mutants, and what that makes.

`mutants.py` judges mutants. A score names the hashes of the files whose mutants were judged. What a
file's mutants did is of no account any more when the file has changed.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lanemap.records.files import read_record, record_path
from lanemap.records.schema import Record
from tools.mutation.session import Verdict
from tools.mutation.sites import files, is_docstring, mutants, relative

KIND = "instruction_mutants"
RESULTS = Path(__file__).resolve().parents[2] / "results"
#: Of each front end the target whose row it is: the one that has most of its instructions.
TARGETS = {"ptx": "sm_100a", "amdgcn": "gfx950"}
#: Why no program can distinguish a mutant from the original, by the mutant's name.
ARGUED = Path(__file__).with_name("argued.json")
#: Statuses of verdicts, and what rows call them.
STATUSES = {
    "killed": "noticed", "survived": "survived", "unreached": "unreached", "unchanged": "same_ir",
    "same code": "same_code", "refused": "refused",
}  # fmt: skip
#: Of the order in which mutants are judged.
SEED = 1
#: How many noticed mutants of a front end a score names, with the tests that noticed them.
CHECKED = 50


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
        front_end: The front end.
        files: Of each file its hash, how many mutants it has, and how many of each status.
        survivors: Mutants that no test notices, and whether a test executes the statement.
        noticed: Some of the mutants that a test notices, and the test.
    """

    front_end: str
    files: dict[str, dict[str, str | int]] = field(default_factory=dict)
    survivors: dict[str, bool] = field(default_factory=dict)
    noticed: dict[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> Counter[str]:
        """How many mutants have each status."""
        return Counter(
            {name: sum(int(row[name]) for row in self.files.values()) for name in STATUSES.values()}
        )

    @property
    def mutants(self) -> int:
        """How many there are, judged or not."""
        return sum(int(row["mutants"]) for row in self.files.values())

    @property
    def argued(self) -> list[str]:
        """Those that no program can distinguish from the original."""
        return [name for name in self.survivors if name in arguments()]

    @property
    def unnoticed(self) -> list[str]:
        """Mutants that change the code, as far as known, are not argued, and no test noticed."""
        return [name for name in self.survivors if name not in arguments()]

    @property
    def share(self) -> float:
        """The part of the mutants to be noticed that was."""
        noticed = self.counts["noticed"]
        return noticed / (noticed + len(self.unnoticed))

    @property
    def record(self) -> Record:
        """It as a row."""
        target = TARGETS[self.front_end]
        survivors = [
            {"mutant": name, "reached": reached, "argument": arguments().get(name, "")}
            for name, reached in sorted(self.survivors.items())
        ]
        findings = {
            "front_end": self.front_end,
            "files": [{"file": name, **row} for name, row in sorted(self.files.items())],
            "survivors": survivors,
            "noticed": [{"mutant": m, "test": t} for m, t in sorted(self.noticed.items())],
        }
        return Record(KIND, target, "emulator", "emulator", (), findings, kind=KIND)


def scored(front_end: str, verdicts: Iterable[Verdict]) -> Score:
    """The score that verdicts on mutants of the present text add up to."""
    told = {each.name: each for each in verdicts}
    found: dict[str, Verdict] = {}
    score = Score(front_end)
    for path in files(front_end):
        names = [each.name for each in mutants(path)]
        own = {name: told[name] for name in names if name in told}
        if names:
            counts = Counter(STATUSES[each.status] for each in own.values())
            statuses = {name: counts[name] for name in STATUSES.values()}
            row = {"sha256": file_hash(path), "mutants": len(names)}
            score.files[relative(path)] = row | statuses
        found |= own
    reached = {"survived": True, "unreached": False}
    score.survivors = {n: reached[v.status] for n, v in found.items() if v.status in reached}
    killed = sorted((n for n, v in found.items() if v.status == "killed"), key=order)
    score.noticed = {name: found[name].by for name in killed[:CHECKED]}
    return score


def order(name: str) -> bytes:
    """Return the key that mutants are sorted by when some are chosen."""
    return hashlib.sha256(f"{SEED} {name}".encode()).digest()


def file_of(name: str) -> str:
    """The file of a mutant, from its name."""
    return name.partition(":")[0]


def stored(front_end: str) -> Score:
    """The score in results/.

    Raises:
        UserError: there is none, or it is damaged.
    """
    place = record_path(Record(KIND, TARGETS[front_end], "emulator", "emulator"), RESULTS)
    told = read_record(place).findings
    return Score(
        front_end,
        {row["file"]: {k: v for k, v in row.items() if k != "file"} for row in told["files"]},
        {each["mutant"]: each["reached"] for each in told["survivors"]},
        {each["mutant"]: each["test"] for each in told["noticed"]},
    )
