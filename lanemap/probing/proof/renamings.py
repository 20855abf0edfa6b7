"""Renamings of memory cells that no program can observe.

A lane of tensor memory has no address that a program can read: one instruction writes it, and
another reads it. If all lanes were renamed, along with the map of every instruction, every program
would give the same results. So a probe observes a load after a store, and learns which *thread's*
word arrives. We number a lane by the thread whose word the reference store puts there. This module
computes which renamings remain once some relations between cells are given: an address that reaches
only some cells, or an instruction that moves cells onto each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.probing.proof.certificates import Certificate

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Relation:
    """A relation between cells that does not depend on their names.

    Attributes:
        name: Its name, in words.
        moves_from: int64[cells]: the cell whose contents each cell receives; None for `reaches`.
        reaches: int64[cells]: a number for each cell; cells with equal numbers are alike.
    """

    name: str
    moves_from: Integers | None = None
    reaches: Integers | None = None


@dataclass(frozen=True)
class Renamings:
    """The renamings of some cells that no program can observe.

    Attributes:
        things: The kind of things renamed, in words: "lanes of a quadrant".
        size: How many there are.
        relations: The relations that a renaming must preserve.
    """

    things: str
    size: int
    relations: tuple[Relation, ...] = ()

    def classes(self) -> Integers:
        """A class number for each cell; no renaming exchanges cells of different classes.

        The classes are refined until they are stable, by what reaches a cell, where its contents
        come from, and which cells receive its contents.
        """
        colour: Integers = np.zeros(self.size, np.int64)
        for relation in self.relations:
            for said in (relation.reaches, relation.moves_from):
                if said is not None and said.shape != (self.size,):
                    raise UserError(f"{relation.name} speaks of {said.size} of {self.size} cells")
            if relation.reaches is not None:
                colour = _numbered(zip(colour.tolist(), relation.reaches.tolist(), strict=True))
        moves = [r.moves_from for r in self.relations if r.moves_from is not None]
        while True:
            refined = colour
            for move in moves:
                itself = (move == np.arange(self.size)).tolist()
                given: list[list[int]] = [[] for _ in range(self.size)]
                for cell, source in enumerate(move.tolist()):
                    given[source].append(int(refined[cell]))
                keys = zip(
                    refined.tolist(),
                    itself,
                    refined[move].tolist(),
                    (tuple(sorted(each)) for each in given),
                    strict=True,
                )
                refined = _numbered(keys)
            if refined.max() == colour.max():
                return refined
            colour = refined

    @property
    def order(self) -> int:
        """How many renamings remain, including the identity.

        Exact if no relation moves cells, or if only the identity remains; otherwise an upper bound.
        """
        return math.prod(math.factorial(n) for n in np.bincount(self.classes()).tolist())

    def certificate(self, of: str, splits: str | None = None) -> Certificate:
        """The certificate; `cells` is 1, because all are renamed together.

        Args:
            of: The instructions whose maps a renaming changes, in words.
            splits: What would leave fewer renamings.
        """
        count, every = self.order, math.factorial(self.size)
        left = [np.flatnonzero(self.classes() == n) for n in range(int(self.classes().max()) + 1)]
        sets = "; ".join(_span(cells) for cells in left if cells.size > 1)
        given = "; ".join(relation.name for relation in self.relations)
        return Certificate(
            f"renamings of the {self.size} {self.things}, common to {of}"
            + (f" (given: {given})" if given else ""),
            1,
            every,
            every // count,
            count == 1,
            f"any exchange within {sets}: these have no other names" if count > 1 else None,
            splits if count > 1 else None,
        )


def _numbered(keys: Iterable[object]) -> Integers:
    """Number keys in the order of their first appearance."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def _span(cells: Integers) -> str:
    breaks: Sequence[Integers] = np.split(cells, np.flatnonzero(np.diff(cells) != 1) + 1)
    return ", ".join(
        f"{run[0]} to {run[-1]}" if run.size > 1 else str(int(run[0])) for run in breaks
    )
