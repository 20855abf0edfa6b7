"""Mutation scores: would a probe notice if the instruction moved something else?

A mutant takes the place of a variant's model inside the emulator; the unchanged probe runs, with
its decoding, and must find another map than the model's. A map that is affine over F2, on bits or
on packed 6-bit elements, is mutated in its matrix: every single bit, and seeded pairs of bits.
Other maps have seeded cells exchanged or redirected. Mutants that equal the model on every cell are
no mutants; they are proven equivalent by that comparison, excluded and listed.

Executing a mutant takes a run of the probe. Mutants that are not executed are judged by
composition: what the probe's own inputs would have shown under the mutant, against what they
show under the model. The two kinds are counted apart.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from lanemap.errors import Disagreement, UserError
from lanemap.layout import UNDEFINED, F2Fit, LayoutMap, Space, fit_f2
from lanemap.layout.cells import IntArray
from lanemap.layout.f2 import axis_bits, decode, encode

PAIRS = 200
SEED = 950
# Elements that straddle registers: FP6 and BF6.
PACKED_BITS = 6
# What a probe makes of an emulator that holds these maps in place of its models.
RunProbe = Callable[[Mapping[str, LayoutMap]], LayoutMap]
# Which of some mutants the probe's inputs show to be other maps.
Shows = Callable[[Sequence[LayoutMap]], list[bool]]
# Maps judged at a time: what one would show takes megabytes.
BATCH = 16


@dataclass(frozen=True)
class Mutant:
    """One changed map.

    Attributes:
        name: What was changed, in words.
        kind: "one bit", "two bits", "exchange" or "redirect".
        build: Makes the changed table; maps of large memories are too many to keep.
        original: The map that it is a mutant of.
    """

    name: str
    kind: str
    build: Callable[[], IntArray]
    original: LayoutMap

    @property
    def map(self) -> LayoutMap:
        """The changed map, built anew at each use."""
        return LayoutMap(self.original.destination, self.original.source, self.build())


@dataclass(frozen=True)
class Mutants:
    """The mutants of one map.

    Attributes:
        changed: Mutants that differ from the map.
        equivalent: Names of changes that leave every cell as it is.
        outside: Names of changes that would send a cell outside the source, and so are no map.
    """

    changed: tuple[Mutant, ...]
    equivalent: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


def mutants(layout: LayoutMap, pairs: int = PAIRS, seed: int = SEED) -> Mutants:
    """All one-bit mutants of a map's F2 matrix and `pairs` seeded two-bit ones.

    A map whose bits are not affine but whose packed 6-bit elements are has its matrix on elements
    mutated. Any other gets `pairs` exchanges and redirects of cells, seeded too.

    Raises:
        UserError: No cell of the map is defined.
    """
    fit = fit_f2(layout)
    if not isinstance(fit, F2Fit):
        fit = _fit_elements(layout) or fit
    made = (
        _of_matrix(layout, fit, pairs, seed)
        if isinstance(fit, F2Fit)
        else _of_cells(layout, pairs, seed)
    )
    changed: list[Mutant] = []
    equivalent: list[str] = []
    outside: list[str] = []
    for mutant in made:
        table = mutant.build()
        if np.array_equal(table, layout.table):
            equivalent.append(mutant.name)
        elif np.any((table < 0) & layout.defined):
            # Source sizes that are not powers of two leave codes without a cell.
            outside.append(mutant.name)
        else:
            changed.append(mutant)
    return Mutants(tuple(changed), tuple(equivalent), tuple(outside))


def _fit_elements(layout: LayoutMap) -> F2Fit | None:
    """The fit between packed 6-bit elements, where registers and chunks hold whole ones."""
    spaces = []
    for space in (layout.destination, layout.source):
        lanes, *rest = space.axes
        bits = math.prod(size for _, size in rest)
        if bits % PACKED_BITS:
            return None
        axes = (lanes, ("element", bits // PACKED_BITS), ("bit", PACKED_BITS))
        spaces.append(Space(space.name, axes))
    fit = fit_f2(LayoutMap(spaces[0], spaces[1], layout.table))
    return fit if isinstance(fit, F2Fit) else None


def _of_matrix(layout: LayoutMap, fit: F2Fit, pairs: int, seed: int) -> Iterator[Mutant]:
    """Every entry of the matrix flipped, and seeded pairs of entries.

    The fit's spaces may name the layout's cells otherwise, in the same order.
    """
    every = np.arange(layout.destination.size, dtype=np.int64)
    inputs = encode(fit.destination, every)
    outputs = encode(fit.source, np.maximum(layout.table, 0))
    rows, columns = axis_bits(fit.source), axis_bits(fit.destination)

    def flipped(places: Sequence[tuple[int, int]], kind: str) -> Mutant:
        def build() -> IntArray:
            codes = outputs.copy()
            for row, column in places:
                codes ^= ((inputs >> column) & 1) << row
            return np.where(layout.defined, decode(fit.source, codes), UNDEFINED)

        words = []
        for row, column in places:
            verb = "loses" if fit.matrix[row, column] else "gains"
            (to, to_bit), (by, by_bit) = rows[row], columns[column]
            words.append(f"source {to}.{to_bit} {verb} destination {by}.{by_bit}")
        return Mutant(" and ".join(words), kind, build, layout)

    places = list(itertools.product(range(len(rows)), range(len(columns))))
    for place in places:
        yield flipped((place,), "one bit")
    rng = np.random.default_rng(seed)
    drawn: set[tuple[int, int]] = set()
    while len(drawn) < min(pairs, len(places) * (len(places) - 1) // 2):
        first, second = sorted(int(i) for i in rng.choice(len(places), 2, replace=False))
        if (first, second) not in drawn:
            drawn.add((first, second))
            yield flipped((places[first], places[second]), "two bits")


def _of_cells(layout: LayoutMap, number: int, seed: int) -> Iterator[Mutant]:
    """Half of them exchange the sources of two cells, half give one cell another's source."""
    rng = np.random.default_rng(seed)
    cells = np.flatnonzero(layout.defined)
    if cells.size < 2:
        raise UserError("a map of fewer than two defined cells has no mutants")
    for index in range(number):
        one, two = (int(cell) for cell in rng.choice(cells, 2, replace=False))
        first, second = layout.destination.format(one), layout.destination.format(two)
        if index % 2:
            name, kind, sources = f"{first} receives what {second} does", "redirect", (two, two)
        else:
            name, kind, sources = f"{first} exchanges with {second}", "exchange", (two, one)
        yield Mutant(name, kind, partial(_moved, layout.table, (one, two), sources), layout)


def _moved(table: IntArray, cells: Sequence[int], sources: Sequence[int]) -> IntArray:
    """The table with some cells receiving what others do."""
    changed: IntArray = table.copy()
    changed[list(cells)] = table[list(sources)]
    return changed


@dataclass(frozen=True)
class Count:
    """How many of some mutants were noticed, and which were not."""

    tried: int = 0
    noticed: int = 0
    survivors: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.noticed} of {self.tried}"

    def to_json(self) -> dict[str, Any]:
        """The count as plain JSON values."""
        return {"tried": self.tried, "noticed": self.noticed, "survivors": list(self.survivors)}


@dataclass(frozen=True)
class MutationScore:
    """What became of the mutants of one variant under one probe.

    Attributes:
        variant: The variant.
        executed: Mutants that took the model's place in the emulator.
        composed: Mutants judged by what the probe's inputs would have shown.
        identified: Executed mutants of which the probe found the very map.
        equivalent: Changes proven to leave every cell as it is; not counted.
        outside: Changes that make no map; not counted.
        refused: Executed mutants under which the device disagreed with itself, with its words;
            counted as noticed.
    """

    variant: str
    executed: Count
    composed: Count
    identified: int
    equivalent: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    refused: tuple[str, ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Whether no mutant survived."""
        return not (self.executed.survivors or self.composed.survivors)

    def to_json(self) -> dict[str, Any]:
        """The score as plain JSON values."""
        return {
            "variant": self.variant,
            "executed": self.executed.to_json(),
            "composed": self.composed.to_json(),
            "identified": self.identified,
            "equivalent": list(self.equivalent),
            "outside": list(self.outside),
            "refused": list(self.refused),
            "complete": self.complete,
        }


def score(
    variant: str,
    layout: LayoutMap,
    run: RunProbe,
    shows: Shows | None = None,
    execute: int | None = None,
    pairs: int = PAIRS,
    seed: int = SEED,
) -> MutationScore:
    """Run a probe against the mutants of a variant's map.

    Args:
        variant: The variant's name, under which mutants take the model's place.
        layout: The model's map.
        run: The probe; it gets {variant: mutant} and returns the map that it finds.
        shows: Judges mutants by composition; needed unless all are executed.
        execute: How many mutants to execute, evenly drawn from all; None for all.
        pairs: Two-bit mutants (exchanges and redirects of a map that is not affine).
        seed: Of those.

    Raises:
        UserError: `run` does not find the model's own map, or mutants are left over and there is
            no `shows`.
    """
    found = run({variant: layout}).first_difference(layout)
    if found is not None:
        raise UserError(f"the probe does not find the model of {variant} itself: {found}")
    made = mutants(layout, pairs, seed)
    chosen = spread(len(made.changed), execute)
    rest = [each for i, each in enumerate(made.changed) if i not in chosen]
    if rest and shows is None:
        raise UserError(f"{len(rest)} mutants of {variant} are neither executed nor composed")
    survivors: list[str] = []
    refused: list[str] = []
    identified = 0
    for index in sorted(chosen):
        mutant = made.changed[index]
        try:
            observed = run({variant: mutant.map})
        except Disagreement as error:
            refused.append(f"{mutant.name}: {error}")
            continue
        if observed.first_difference(layout) is None:
            survivors.append(mutant.name)
        identified += observed.first_difference(mutant.map) is None
    survived = missed(rest, shows) if shows is not None else []
    return MutationScore(
        variant,
        Count(len(chosen), len(chosen) - len(survivors), tuple(survivors)),
        Count(len(rest), len(rest) - len(survived), tuple(survived)),
        identified,
        made.equivalent,
        made.outside,
        tuple(refused),
    )


def missed(rest: Sequence[Mutant], shows: Shows) -> list[str]:
    """The mutants that composition does not show."""
    unseen: list[str] = []
    for start in range(0, len(rest), BATCH):
        batch = rest[start : start + BATCH]
        told = shows([each.map for each in batch])
        unseen += [each.name for each, shown in zip(batch, told, strict=True) if not shown]
    return unseen


def spread(total: int, wanted: int | None) -> set[int]:
    """So many of the numbers below `total`, evenly spread."""
    if wanted is None or wanted >= total:
        return set(range(total))
    return {int(i) for i in np.linspace(0, total - 1, wanted).round()} if wanted > 0 else set()


def score_probe(
    name: str, execute: int | None = None, pairs: int = PAIRS, seed: int = SEED
) -> MutationScore:
    """The score of one of the probes, its mutants executed on the emulator.

    Args:
        name: The probe.
        execute: How many mutants to execute; the rest are judged by composition. None for all.
        pairs: As for `score`.
        seed: As for `score`.

    Raises:
        UserError: There is no such probe, it asks of several variants, or it does not find the
            model.
    """
    from lanemap import model
    from lanemap.devices import open_device
    from lanemap.probing.probe import find_probe

    probe = find_probe(name)
    layout = model.variant(probe.variant).map
    plain = open_device(probe.target, device="emulator")
    readings = probe.readings(plain)
    (reference,) = probe.analysis.shown_by([layout], readings)

    def run(models: Mapping[str, LayoutMap]) -> LayoutMap:
        device = open_device(probe.target, device="emulator", models=dict(models))
        return probe.analysis.observe(probe.readings(device))

    def shows(maps: Sequence[LayoutMap]) -> list[bool]:
        shown = probe.analysis.shown_by(maps, readings)
        return [not np.array_equal(each, reference) for each in shown]

    return score(probe.variant, layout, run, shows, execute, pairs, seed)
