"""Which rules a kind's designed dot products can tell apart, and which of them silicon leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.conformance.tensor_cores.designs import highest, lowest
from lanemap.conformance.tensor_cores.inputs import Words
from lanemap.conformance.tensor_cores.kinds import FORMATS, Codes, Kind
from lanemap.conformance.tensor_cores.lowering import published
from lanemap.conformance.tensor_cores.rule import NOTHING, Rule, multiply_add

#: Dot products that are looked at together.
BATCH = 32
#: Rules whose neighbors in the grid decide which dot products are chosen.
BASES = 40
FRACTIONS = range(8, 33)
_OUTER = ("block", "cut", "normalized", "subnormal", "rounding", "last")
Keys = npt.NDArray[np.uint64]


@dataclass
class Grid:
    """A class of rules: all combinations of the values of the parameters.

    Attributes:
        outer: Values of block, cut, normalized, subnormal, rounding and last.
        inner: Values of fraction, zero, bits, overflow and flush, by combination.
        unseen: Parameters that no input of this kind can show, and why.
    """

    outer: list[tuple[Any, ...]]
    inner: dict[str, npt.NDArray[Any]]
    unseen: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many rules there are."""
        return len(self.outer) * len(self.inner["fraction"])

    def columns(self) -> tuple[list[str], list[npt.NDArray[np.int64]]]:
        """The names of the parameters, and for each the number of its value in every rule."""
        width = len(self.inner["fraction"])
        outer = [
            np.unique([str(each) for each in column], return_inverse=True)[1].repeat(width)
            for column in zip(*self.outer, strict=True)
        ]
        inner = [
            np.tile(np.unique(values, return_inverse=True)[1], len(self.outer))
            for values in self.inner.values()
        ]
        return [*_OUTER, *self.inner], [*outer, *inner]

    def rule(self, number: int) -> Rule:
        """One rule by its number."""
        first, second = divmod(number, len(self.inner["fraction"]))
        inner = {name: values[second].item() for name, values in self.inner.items()}
        return _rule(self.outer[first], inner)


def _rule(outer: tuple[Any, ...], inner: dict[str, Any]) -> Rule:
    return Rule(**dict(zip(_OUTER, outer, strict=True)), **inner)


def grid(kind: Kind) -> Grid:
    """The class of rules for a kind."""
    blocks = [1 << n for n in range(kind.depth.bit_length()) if 1 << n <= kind.depth]
    # A product that is normalized has the same exponent however its factors count.
    exponents = ((False, "smallest"), (False, "own"), (True, "own"))
    outer = [
        (block, cut, *exponent, rounding, last)
        for block, cut, exponent, rounding, last in product(
            blocks,
            ("truncate", "floor", "nearest"),
            exponents,
            ("truncate", "nearest"),
            (False, True),
        )
    ]
    least = lowest(kind.d)
    unseen = {}
    zeros = [NOTHING, least, least + 1, least + 3, least + 16, 1 - FORMATS[kind.d].bias]
    if lowest(kind.a) + lowest(kind.b) > least:
        zeros = [published(kind).zero]
        unseen["zero"] = "no product is as small as the exponents in question"
    overflows = [True, False]
    if highest(kind.a) + highest(kind.b) + 2 + kind.depth.bit_length() < highest(kind.d) - 26:
        overflows = [True]
        unseen["overflow"] = "no sum of products reaches half a unit of the largest number"
    bits = [11, 10] if kind.d == "f16" else [24, 23, 14]
    # Where subnormal results become zero, nothing shows the exponent of a zero.
    every = [
        each
        for each in product(FRACTIONS, zeros, bits, overflows, (False, True))
        if not each[4] or each[1] == zeros[0]
    ]
    names = ("fraction", "zero", "bits", "overflow", "flush")
    columns = (np.array(column) for column in zip(*every, strict=True))
    return Grid(outer, dict(zip(names, columns, strict=True)), unseen)


def _results(
    kind: Kind, outer: tuple[Any, ...], inner: dict[str, npt.NDArray[Any]], dots: tuple[Codes, ...]
) -> Codes:
    """The results of many rules: [rule, dot]."""
    a, b, c = dots
    rule = _rule(outer, {name: values[:, None, None, None] for name, values in inner.items()})
    types = (kind.d, kind.a, kind.b, kind.c)
    found = multiply_add(a[:, None], b[:, None], c[:, None, None], types, rule)
    return np.broadcast_to(found, (len(inner["fraction"]), len(a), 1, 1))[:, :, 0, 0]


def _batches(dots: tuple[Codes, ...], size: int = BATCH) -> Iterator[slice]:
    for start in range(0, len(dots[0]), size):
        yield slice(start, start + size)


def _mixed(key: Keys, codes: Codes) -> Keys:
    """Keys that also depend on results: equal for equal results of all dot products so far."""
    with np.errstate(over="ignore"):
        for column in codes.T.astype(np.uint64):
            key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
    return key


@dataclass
class Partition:
    """The parts of a grid that dot products tell apart.

    Attributes:
        part: The part of each rule, by the rule's number.
        parts: How many there are.
        single: How many of them are one rule.
    """

    part: npt.NDArray[np.int64]
    parts: int
    single: int

    def members(self, number: int) -> npt.NDArray[np.int64]:
        """The rules in the part of one rule, by number."""
        return np.flatnonzero(self.part == self.part[number])


def partition(kind: Kind, rules: Grid, dots: tuple[Codes, ...]) -> Partition:
    """Divide a grid by what its rules give; rules that are alone already are not asked again."""
    width = len(rules.inner["fraction"])
    keys = np.zeros(rules.size, np.uint64)
    open_ = np.ones(rules.size, bool)
    for batch in _batches(dots):
        part = tuple(operand[batch] for operand in dots)
        for n, outer in enumerate(rules.outer):
            chosen = np.flatnonzero(open_[n * width : (n + 1) * width])
            if len(chosen):
                inner = {name: values[chosen] for name, values in rules.inner.items()}
                codes = _results(kind, outer, inner, part)
                keys[n * width + chosen] = _mixed(keys[n * width + chosen], codes)
        _, back, counts = np.unique(keys, return_inverse=True, return_counts=True)
        open_ = counts[back] > 1
        if not open_.any():
            break
    return Partition(back, len(counts), int((counts == 1).sum()))


def _neighbors(rules: Grid) -> list[npt.NDArray[np.int64]]:
    """Some rules, each with all that differ from it in one parameter: numbers by their outer."""
    width = len(rules.inner["fraction"])
    outer = {values: n for n, values in enumerate(rules.outer)}
    inner = [tuple(row) for row in np.stack(list(rules.inner.values()), axis=1).tolist()]
    place = {values: n for n, values in enumerate(inner)}
    found: dict[int, set[int]] = {}
    for number in (Words("neighbors").below(rules.size, BASES)).tolist():
        first, second = divmod(number, width)
        near = inner[second]
        for n, values in enumerate(zip(*inner, strict=True)):
            others = {(*near[:n], value, *near[n + 1 :]) for value in set(values)}
            found.setdefault(first, set()).update(place[each] for each in others & place.keys())
        here = rules.outer[first]
        for n, values in enumerate(zip(*rules.outer, strict=True)):
            others = {(*here[:n], value, *here[n + 1 :]) for value in set(values)}
            for each in others & outer.keys():
                found.setdefault(outer[each], set()).add(second)
    return [np.array(sorted(found.get(n, ())), np.int64) for n in range(len(rules.outer))]


def chosen(kind: Kind, rules: Grid, dots: tuple[Codes, ...]) -> npt.NDArray[np.int64]:
    """Numbers of dot products that tell all of some rules apart that the others tell apart."""
    codes = []
    for outer, near in zip(rules.outer, _neighbors(rules), strict=True):
        if len(near):
            inner = {name: values[near] for name, values in rules.inner.items()}
            codes.append(
                np.concatenate(
                    [
                        _results(kind, outer, inner, tuple(o[b] for o in dots))
                        for b in _batches(dots, 16 * BATCH)
                    ],
                    axis=1,
                )
            )
    table = np.concatenate(codes)
    kinds = np.array([len(np.unique(column)) for column in table.T])
    part, count, kept = np.zeros(len(table), np.int64), 1, []
    for n in np.argsort(-kinds, kind="stable").tolist():
        _, codes_of = np.unique(table[:, n], return_inverse=True)
        _, finer = np.unique(part * len(table) + codes_of, return_inverse=True)
        if finer.max() + 1 > count:
            part, count = finer, int(finer.max()) + 1
            kept.append(n)
    return np.array(kept)


def settled(kind: Kind, left: list[Rule]) -> Rule | None:
    """The rule that is left; None if there are several that some input tells apart.

    Rules that differ in `zero` alone are one where no product has a bit that any of them would cut.
    """
    lowest_bit = lowest(kind.a) + lowest(kind.b)
    same = {replace(rule, zero=None) for rule in left}
    if len(same) != 1:
        return None
    if len(left) > 1 and any(rule.zero - rule.fraction > lowest_bit for rule in left):
        return None
    return (
        left[0]
        if len(left) == 1
        else next((rule for rule in left if rule == published(kind)), left[0])
    )


def surviving(
    kind: Kind, rules: Grid, dots: tuple[Codes, ...], seen: Codes
) -> npt.NDArray[np.int64]:
    """The numbers of the rules that give what was seen for every dot product."""
    width = len(rules.inner["fraction"])
    alive = np.ones(rules.size, bool)
    first = slice(0, BATCH // 8)  # refutes most rules, which the other dot products need not
    for batch in (first, *_batches(dots)):
        part = tuple(operand[batch] for operand in dots)
        for n, outer in enumerate(rules.outer):
            chosen = np.flatnonzero(alive[n * width : (n + 1) * width])
            if len(chosen):
                inner = {name: values[chosen] for name, values in rules.inner.items()}
                codes = _results(kind, outer, inner, part)
                alive[n * width + chosen] = (codes == seen[batch]).all(axis=1)
    return np.flatnonzero(alive)
