"""Names that only instructions give: what programs can and cannot show of the cells of a memory.

A lane of tensor memory has no name but through instructions: what one writes, another reads. If
the lanes were renamed and every instruction's map with them, every program would show the same. So
an observation of a load is one of a load after a store, and says which *thread's* word arrives; to
say "lane" is to call a lane after the thread whose word the reference store puts there. This module
computes which renamings are left when some relations between cells are taken as given: addresses
that reach one part of them alone, or an instruction that moves cells onto each other.
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
    """Something that ties cells together without naming them.

    Attributes:
        name: What it is, in words.
        moves_from: int64[cells]: the cell whose contents each cell receives; None for `reaches`.
        reaches: int64[cells]: a number for each cell, equal where it cannot tell them apart.
    """

    name: str
    moves_from: Integers | None = None
    reaches: Integers | None = None


@dataclass(frozen=True)
class Renamings:
    """The renamings of some cells that change nothing that programs can show.

    Attributes:
        things: What is renamed, in words: "lanes of a quadrant".
        size: How many there are.
        relations: What is taken as given.
    """

    things: str
    size: int
    relations: tuple[Relation, ...] = ()

    def classes(self) -> Integers:
        """A number for each cell; cells of different numbers can never change places.

        Numbers are refined until they settle: by what reaches a cell, where its contents come from
        and which cells receive its own. A renaming that leaves every relation as it is keeps them.
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
        """How many renamings are left, the one that changes nothing included.

        Exact where no relation moves cells, or where nothing is left; else an upper bound.
        """
        return math.prod(math.factorial(n) for n in np.bincount(self.classes()).tolist())

    def certificate(self, of: str, splits: str | None = None) -> Certificate:
        """The certificate; `cells` is 1, because all are renamed together.

        Args:
            of: The instructions that all take part in a renaming, in words.
            splits: What would show more.
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
    """Keys numbered in the order of their first appearance."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def _span(cells: Integers) -> str:
    breaks: Sequence[Integers] = np.split(cells, np.flatnonzero(np.diff(cells) != 1) + 1)
    return ", ".join(
        f"{run[0]} to {run[-1]}" if run.size > 1 else str(int(run[0])) for run in breaks
    )
