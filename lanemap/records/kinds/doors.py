"""The kind that says how a door's scripts ended on a GPU, by the library itself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lanemap.records.kinds.base import Hash, Strict, TableFile, Word


class ScriptOnGpu(Strict):
    """How a script ended: `why` is None where it was right; `text` is the hash of the script."""

    text: Hash
    why: Word | None


class DoorFindings(Strict):
    """The scripts of one door, and the packages that they ran with."""

    packages: dict[Word, Word]
    prepared: Word | None = None
    scripts: dict[Word, ScriptOnGpu] = Field(min_length=1)


class DoorFile(TableFile):
    """Scripts of docs/doors.md, which check their own results, on a GPU."""

    kind: Literal["door"]
    evidence: Literal["silicon"]
    findings: DoorFindings
