"""Certificates: what a probe's inputs can tell apart, computed from the inputs themselves.

A class of hypotheses is a finite set of rules. Under a probe's actual inputs, each rule predicts
readings. Rules that predict the same readings form one part, and the probe cannot tell them apart.
The certificate is complete if every part is a single rule.

`Partition` works for any class that can be enumerated. Two classes are too large and are counted
exactly instead: all permutations of n cells (`Permutations`) and all F2-affine maps (`AffineMaps`).
`lanemap.probing.proof.gauges` computes groups that no input can split.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

Integers = npt.NDArray[np.int64]
# What a rule predicts for a cell that nothing has written: no input determines its value.
NEVER_WRITTEN = -1


@dataclass(frozen=True)
class Certificate:
    """The partition of one class of hypotheses that a probe's inputs can tell apart.

    Attributes:
        hypotheses: the class, in words.
        cells: destination cells; each cell independently follows some rule of the class.
        rules: how many rules one cell may follow.
        parts: how many parts the inputs divide those rules into.
        complete: every part is a single rule.
        remaining: which rules remain together, in words; None if complete.
        splits: the cheapest extra inputs that would separate them; None if none is known.
    """

    hypotheses: str
    cells: int
    rules: int
    parts: int
    complete: bool
    remaining: str | None = None
    splits: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The certificate as plain JSON values."""
        return {
            "hypotheses": self.hypotheses,
            "cells": self.cells,
            "rules_per_cell": countable(self.rules),
            "parts_per_cell": countable(self.parts),
            "complete": self.complete,
            "remaining": self.remaining,
            "cheapest_split": self.splits,
        }


def countable(number: int) -> int | str:
    """A readable number: exact below 2**53, otherwise "2^90" or "about 10^1166"."""
    if number < 1 << 53:
        return number
    if number & (number - 1) == 0:
        return f"2^{number.bit_length() - 1}"
    return f"about 10^{int(math.log10(number))}"


def rows_as_bytes(table: npt.NDArray[Any]) -> list[bytes]:
    """The bytes of each row of a table, by which equal rows are found."""
    data = table.tobytes()
    size = len(data) // max(len(table), 1)
    return [data[row * size : (row + 1) * size] for row in range(len(table))]


@dataclass(frozen=True)
class Partition:
    """A finite class, divided by what its members predict.

    Attributes:
        part: int64[hypotheses], the part of each hypothesis, numbered in order of first appearance.
    """

    part: Integers

    @staticmethod
    def from_outcomes(outcomes: npt.NDArray[Any]) -> Partition:
        """Divide a class by what each hypothesis predicts, shape (hypotheses, observables)."""
        numbers: dict[bytes, int] = {}
        part = [numbers.setdefault(row, len(numbers)) for row in rows_as_bytes(outcomes)]
        return Partition(np.asarray(part, dtype=np.int64))

    @property
    def count(self) -> int:
        """Number of parts."""
        return int(self.part.max()) + 1 if self.part.size else 0

    @property
    def sizes(self) -> Integers:
        """Number of hypotheses in each part."""
        return np.bincount(self.part, minlength=self.count)

    @property
    def complete(self) -> bool:
        """Whether every part is a single hypothesis."""
        return self.count == self.part.size

    def members(self, part: int) -> Integers:
        """The hypotheses of one part, in order."""
        return np.flatnonzero(self.part == part)

    def parts(self) -> list[Integers]:
        """The hypotheses of every part, in order of first appearance."""
        return [self.members(part) for part in range(self.count)]

    def refined_by(self, other: Partition) -> Partition:
        """The partition of a class under two inputs together."""
        return Partition.from_outcomes(np.stack([self.part, other.part], axis=1))


@dataclass(frozen=True)
class Input:
    """An input that a probe could use in addition to its own.

    Attributes:
        name: what to call it in a certificate.
        cost: its cost in passes, compared only with other inputs.
        outcomes: what each hypothesis predicts under it, (hypotheses, observables).
    """

    name: str
    cost: int
    outcomes: npt.NDArray[Any]


@dataclass(frozen=True)
class Split:
    """Extra inputs, and the partition of a part's members under them."""

    inputs: tuple[str, ...]
    cost: int
    partition: Partition

    def describe(self) -> str:
        """The inputs in words, and whether they suffice."""
        if not self.inputs:
            return "none of the inputs on offer tells any of them apart"
        named = " and ".join(self.inputs)
        left = "" if self.partition.complete else f", leaving {self.partition.count} parts"
        return f"{named} ({self.cost} passes){left}"


def cheapest_split(members: Integers, inputs: Sequence[Input]) -> Split:
    """The cheapest inputs that separate all members of a part.

    If no set of inputs separates them all, the cheapest set that separates as many as all inputs
    together do.

    Args:
        members: the hypotheses of the part.
        inputs: the available inputs, at most 12, because every subset is considered.

    Raises:
        UserError: more than 12 inputs.
    """
    if len(inputs) > 12:
        raise UserError(
            f"cheapest_split tries every subset of at most 12 inputs; {len(inputs)} were given"
        )
    single = [Partition.from_outcomes(each.outcomes[members]) for each in inputs]
    together = _joint(single, members.size)
    subsets = (
        s for n in range(len(inputs) + 1) for s in itertools.combinations(range(len(inputs)), n)
    )
    # The sort is stable: for equal costs, fewer inputs win, then earlier ones.
    for subset in sorted(subsets, key=lambda chosen: sum(inputs[i].cost for i in chosen)):
        partition = _joint([single[i] for i in subset], members.size)
        if partition.count == together.count:
            cost = sum(inputs[i].cost for i in subset)
            return Split(tuple(inputs[i].name for i in subset), cost, partition)
    raise AssertionError("the set of all inputs is one of the subsets")


def _joint(partitions: Iterable[Partition], size: int) -> Partition:
    """The partition of `size` hypotheses under several inputs together (one part under none)."""
    joint = Partition(np.zeros(size, dtype=np.int64))
    for partition in partitions:
        joint = joint.refined_by(partition)
    return joint


@dataclass(frozen=True)
class Permutations:
    """All one-to-one maps between n source cells and n destination cells, under given inputs.

    Two permutations predict the same readings if and only if they differ by exchanges of source
    cells that hold the same value in every pass. So all parts have one size, the order of that
    group.

    Attributes:
        shown: what each source cell holds in each pass, shape (n, passes).
    """

    shown: npt.NDArray[Any]

    def alike(self) -> list[Integers]:
        """The sets of two or more source cells that hold the same value in every pass."""
        return [cells for cells in Partition.from_outcomes(self.shown).parts() if cells.size > 1]

    @property
    def part_size(self) -> int:
        """Number of permutations that no reading can tell from a given one, including itself."""
        return math.prod(math.factorial(cells.size) for cells in self.alike())

    @property
    def part_count(self) -> int:
        """Number of parts: n! divided by the size of a part."""
        return math.factorial(len(self.shown)) // self.part_size

    def certificate(self) -> Certificate:
        """The certificate; `cells` is 1, because a permutation is chosen as a whole."""
        alike, n = self.alike(), len(self.shown)
        remaining = None
        if alike:
            sets = "; ".join(
                "{" + ", ".join(map(str, cells[:8])) + ("..}" if cells.size > 8 else "}")
                for cells in alike[:4]
            )
            more = f" and {len(alike) - 4} more sets" if len(alike) > 4 else ""
            remaining = f"any exchange of source cells within {sets}{more}"
        return Certificate(
            f"all {n}! one-to-one maps of {n} cells",
            1,
            math.factorial(n),
            self.part_count,
            not alike,
            remaining,
        )


@dataclass(frozen=True)
class AffineMaps:
    """All F2-affine maps x -> A x + c from n destination bits to m source bits, under inputs.

    Attributes:
        destination_bits: n, the number of bits of a destination cell's index.
        shown: what each of the 2**m source cells holds in each pass, shape (2**m, passes).
    """

    destination_bits: int
    shown: npt.NDArray[Any]

    def __post_init__(self) -> None:
        """Refuse a source whose number of cells is not a power of two.

        Raises:
            UserError: the number is not a power of two.
        """
        if len(self.shown) & (len(self.shown) - 1) or not len(self.shown):
            raise UserError(f"an F2-affine map needs 2**m source cells, not {len(self.shown)}")

    @property
    def source_bits(self) -> int:
        """Number of bits of a source cell's index, m."""
        return int(len(self.shown)).bit_length() - 1

    def invisible(self) -> Integers:
        """The source differences d with shown[y ^ d] == shown[y] for every y: a subspace."""
        part = Partition.from_outcomes(self.shown).part
        cells = np.arange(part.size, dtype=np.int64)
        return np.asarray(
            [d for d in range(part.size) if np.array_equal(part[cells ^ d], part)], dtype=np.int64
        )

    @property
    def uniform(self) -> bool:
        """Whether the cells that look alike are the cosets of `invisible`, as for bit slices."""
        sizes = Partition.from_outcomes(self.shown).sizes
        return bool(np.all(sizes == self.invisible().size))

    @property
    def part_size(self) -> int:
        """Number of affine maps in every part.

        Raises:
            UserError: the parts differ in size (see `uniform`); ask `mates` about one map.
        """
        if not self.uniform:
            raise UserError(
                "the parts differ in size under these inputs; call mates() about one map"
            )
        hidden_bits = int(self.invisible().size).bit_length() - 1
        return 1 << (hidden_bits * (self.destination_bits + 1))

    def certificate(self) -> Certificate:
        """The certificate; `cells` is 1, because an affine map is chosen as a whole.

        Raises:
            UserError: the parts differ in size under these inputs.
        """
        rules = 1 << (self.source_bits * (self.destination_bits + 1))
        hidden = self.invisible()
        remaining = None
        if self.part_size > 1:
            remaining = (
                "adding to the offset and to any column of the matrix any of the "
                f"{hidden.size} source differences that no pass shows: "
                + ", ".join(map(str, hidden[:8]))
                + (", .." if hidden.size > 8 else "")
            )
        return Certificate(
            f"all F2-affine maps of {self.destination_bits} to {self.source_bits} bits",
            1,
            rules,
            rules // self.part_size,
            self.part_size == 1,
            remaining,
        )

    def mates(
        self, columns: Sequence[int], offset: int, limit: int = 10_000
    ) -> list[tuple[int, ...]]:
        """The affine maps that predict the same readings as a given one, including itself.

        Args:
            columns: source index (its linear part) of each destination bit, lowest bit first.
            offset: source index of destination cell 0.
            limit: the most maps to list.

        Returns:
            Tuples (offset, column 0, column 1, ..), sorted.

        Raises:
            UserError: there are more than `limit` maps; `invisible` then describes the group.
        """
        part = Partition.from_outcomes(self.shown).part
        target = np.asarray([offset], dtype=np.int64)
        found: list[tuple[tuple[int, ...], Integers]] = [
            ((int(c),), np.asarray([c], dtype=np.int64))
            for c in np.flatnonzero(part == part[offset])
        ]
        for column in columns:
            step = target ^ column
            grown = []
            for chosen, values in found:
                # At the new basis point g must look like f; then its whole new half must, too.
                for image in np.flatnonzero(part == part[step[0]]):
                    delta = int(image) ^ chosen[0]
                    if np.array_equal(part[values ^ delta], part[step]):
                        grown.append(((*chosen, delta), np.concatenate([values, values ^ delta])))
                        if len(grown) > limit:
                            raise UserError(f"more than {limit} affine maps show the same")
            target, found = np.concatenate([target, step]), grown
        return sorted(chosen for chosen, _ in found)


@dataclass(frozen=True)
class NamedRules:
    """A list of named rules, under given inputs.

    Attributes:
        names: the rules.
        outcomes: what each rule predicts, shape (rules, ...).
    """

    names: tuple[str, ...]
    outcomes: npt.NDArray[Any]

    def groups(self) -> list[tuple[str, ...]]:
        """The names of the rules in each part."""
        partition = Partition.from_outcomes(self.outcomes.reshape(len(self.names), -1))
        return [tuple(self.names[i] for i in members) for members in partition.parts()]

    def against(
        self, observed: npt.NDArray[Any], anything: int | None = None
    ) -> dict[str, Integers | None]:
        """The first place where each rule is refuted; None for a rule that agrees throughout.

        Args:
            observed: the readings, of the shape of one rule's outcomes.
            anything: an outcome that agrees with any reading; None for no such outcome.
        """
        verdicts: dict[str, Integers | None] = {}
        for name, outcome in zip(self.names, self.outcomes, strict=True):
            differs = np.asarray(outcome) != observed
            if anything is not None:
                differs &= outcome != anything
            differing = np.argwhere(differs)
            verdicts[name] = differing[0] if differing.size else None
        return verdicts

    def certificate(self) -> Certificate:
        """The certificate; `cells` is 1, because one rule holds for all cells."""
        groups = self.groups()
        left = [group for group in groups if len(group) > 1]
        together = "; ".join(" = ".join(group) for group in left) or None
        return Certificate(
            f"the {len(self.names)} named rules",
            1,
            len(self.names),
            len(groups),
            not left,
            together,
        )
