"""Readings of `tmem_lanes`: which lanes each warp reaches, and what that proves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.proof.certificates import Certificate, NamedRules
from lanemap.probing.tmem.forms import (
    COLUMNS,
    LANES,
    MEMORY,
    THREADS,
    WARPS,
)
from lanemap.probing.tmem.moves import LANE_RULES, Shown

Integers = npt.NDArray[np.int64]
LaneRule = Callable[[Integers, Integers], Integers]
# The access of each thread, by the lane that its warp names; the lane that it reaches.
ACCESS = Space("access", (("warp", WARPS), ("taddr_lane", LANES), ("lane", THREADS)))
REACHED = Space("tmem", (("lane", LANES),))


@dataclass(frozen=True, eq=False)
class LaneReading:
    """The readings of one launch.

    Attributes:
        launch: The point of the probe's axes, in words.
        named: The lane in taddr of each warp.
        words: uint32[passes, warp 4, lane 32], the words loaded from column 0.
    """

    launch: str
    named: tuple[int, ...]
    words: npt.NDArray[np.uint32]

    def reached(self) -> Integers:
        """The lane that each thread reached, int64[4, 32]; -1 if it is not a word of column 0."""
        number = MEMORY.identify(self.words)
        whole = np.all(number == number[..., :1] + np.arange(32), axis=-1) & (number[..., 0] >= 0)
        word = number[..., 0] // 32
        return np.where(whole & (word % COLUMNS == 0), word // COLUMNS, UNDEFINED)


class Lanes:
    """Explains the readings; lanes that a warp does not name stay undefined."""

    def observe(self, readings: Sequence[LaneReading]) -> LayoutMap:
        """The lane that each thread reaches, for each lane that its warp named."""
        table = np.full(ACCESS.sizes, UNDEFINED, np.int64)
        for reading in readings:
            for warp, (lane, reached) in enumerate(
                zip(reading.named, reading.reached(), strict=True)
            ):
                table[warp, lane] = reached
        return LayoutMap(ACCESS, REACHED, table.reshape(-1))

    def explain(self, readings: Sequence[LaneReading]) -> Finding:
        """The observation, and which meanings of the lane in taddr the inputs can tell apart."""
        told = MEMORY.names_every_bit
        words = Certificate(
            "each thread from any word of tensor memory, as the reference store names it",
            THREADS * WARPS * len(readings),
            LANES * COLUMNS,
            LANES * COLUMNS if told else 0,
            told,
        )
        stands = {name for name, rule in LANE_RULES if _stands(rule, readings)}
        return Finding(
            map=self.observe(readings),
            cell_map=None,
            certificates=(words, _rules(readings)),
            patterns=tuple(
                PatternResult(
                    ",".join(map(str, reading.named)),
                    f"warps 0 to 3 name lanes {', '.join(map(str, reading.named))}",
                    bool(np.all(reading.reached() >= 0)),
                    int((reading.reached() >= 0).sum()),
                    WARPS,
                )
                for reading in readings
            ),
            passes=sum(len(reading.words) for reading in readings),
            facts={"first_lane": {name: name in stands for name, _ in LANE_RULES}},
            lines=tuple(
                f"first lane {name}: {'stands' if name in stands else 'refuted'}"
                for name, _ in LANE_RULES
            ),
            explained=bool(stands),
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[LaneReading]) -> list[Shown]:
        """The readings that maps predict: tags identify every lane, so this is the map itself."""
        asked = self.observe(readings).defined
        return [
            np.where(asked, layout.table, UNDEFINED)[:, None].astype(np.int32) for layout in maps
        ]

    def seen(self, readings: Sequence[LaneReading]) -> tuple[Shown, bool]:
        """The actual readings in that form; accesses that were not made are undefined."""
        return self.observe(readings).table[:, None].astype(np.int32), False


def _first(rule: LaneRule, reading: LaneReading) -> Integers:
    """The first lane of each warp by a rule."""
    return rule(np.arange(WARPS), np.array(reading.named))


def _stands(rule: LaneRule, readings: Sequence[LaneReading]) -> bool:
    """Whether a rule predicts the lanes that were reached."""
    threads = np.arange(THREADS)
    return all(
        np.array_equal(_first(rule, each)[:, None] + threads, each.reached()) for each in readings
    )


def _rules(readings: Sequence[LaneReading]) -> Certificate:
    outcomes = [np.concatenate([_first(rule, each) for each in readings]) for _, rule in LANE_RULES]
    found = NamedRules(tuple(name for name, _ in LANE_RULES), np.stack(outcomes)).certificate()
    splits = "probe tcgen05_ld at base=lane16: forms of 16 lanes" if not found.complete else None
    return Certificate(
        f"first lane, of warp and lane in taddr: {found.hypotheses}",
        found.cells,
        found.rules,
        found.parts,
        found.complete,
        found.remaining,
        splits,
    )
