"""Claims: a source's statement about an instruction, as an executable map with its citation.

A source often describes many variants at once. A `Statement` selects them by a pattern over variant
names, and builds the map of each. Claims use the spaces of the variants' own maps, with the same
names of axes; sizes may differ if a source covers more or fewer cells. Nothing here uses the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from lanemap.layout import LayoutMap

Build = Callable[[re.Match[str]], LayoutMap]


class Level(Enum):
    """The basis of a claim, from the strongest; only what we observed on silicon is verified."""

    HW = "HW"
    HW_CI = "HW-CI"
    HW_RUN = "HW-RUN"
    EXEC = "EXEC"
    ISA = "ISA"
    CODE = "code"
    SIMULATOR = "simulator"
    DOCUMENT = "document"

    @property
    def words(self) -> str:
        """The level in words."""
        return _WORDS[self]

    @property
    def evidence(self) -> str:
        """Which of the words for evidence applies: emulator, published or documented."""
        if self is Level.EXEC:
            return "emulator"
        return "published" if self in (Level.HW, Level.HW_CI, Level.HW_RUN) else "documented"


_WORDS = {
    Level.HW: "measured on silicon by the source",
    Level.HW_CI: "code whose owners run it on GPUs in CI",
    Level.HW_RUN: "code whose authors ran it on a GPU",
    Level.EXEC: "someone else's compiled kernel, executed here and right only under this map",
    Level.ISA: "the vendor's ISA document",
    Level.CODE: "code, no run on a GPU known to us",
    Level.SIMULATOR: "a simulator's code",
    Level.DOCUMENT: "a document or notes",
}


@dataclass(frozen=True)
class Statement:
    """A source's statement about all variants whose whole names match a pattern.

    Attributes:
        source: Name of the source; each source has one name.
        citation: Where, with revision and place.
        level: The basis of the statement.
        covers: Regular expression over whole variant names.
        build: Makes the map of a variant from the match of its name.
        reading: How text, a figure or code was read as a map; empty if the source states the map.
        condition: What must hold for the map to be what the source says; empty for nothing.
        follows: The source that this one copies, by its own account; empty for none.
    """

    source: str
    citation: str
    level: Level
    covers: str
    build: Build
    reading: str = ""
    condition: str = ""
    follows: str = ""

    def claim(self, variant: str) -> Claim | None:
        """Return the claim about a variant, or None if the source says nothing about it."""
        match = re.fullmatch(self.covers, variant)
        return None if match is None else Claim(variant, self, match)


@dataclass(frozen=True)
class Claim:
    """The claim of one source about one variant.

    Attributes:
        variant: The variant's name.
        statement: The statement that it is an instance of, with citation and level.
        match: The match of the variant's name.
    """

    variant: str
    statement: Statement
    match: re.Match[str]

    @property
    def source(self) -> str:
        """Name of the source."""
        return self.statement.source

    @property
    def citation(self) -> str:
        """Where."""
        return self.statement.citation

    @property
    def level(self) -> Level:
        """The basis of the claim."""
        return self.statement.level

    @property
    def evidence(self) -> str:
        """The word for what it rests on: published, documented or emulator."""
        return self.statement.level.evidence

    @property
    def root(self) -> str:
        """The source that counts: its own, or the one that it copies."""
        return self.statement.follows or self.statement.source

    @cached_property
    def map(self) -> LayoutMap:
        """The map, built on first use; undefined where the source says nothing."""
        return self.statement.build(self.match)
