"""Rules of banks: how many passes an access takes, and the fit of a rule to observed passes.

A rule has parts, and each part is read from inputs of its own:

* the phases: the lanes that are served together. Two lanes want one word whose bank another word of
  their phase needs. That is one pass more if the two lanes share a phase, two if they do not.
* the banks: one lane wants a word at each distance from that of the others. A pass more means the
  same bank.
* the masks: consecutive pairs of phases are served together if, for one of the masks, every lane
  and the lane whose number differs by it give the same address, or one of them is inactive.
* idle phases: what a phase without an active lane costs.

A lane in the fit's `ignored` gives an address that does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from lanemap.probing.banks.forms import Access
from lanemap.probing.banks.inputs import INACTIVE, distances, masks

Integers = npt.NDArray[np.int64]
Phases = tuple[tuple[int, ...], ...]
Idle = Literal["least", "none", "each"]
#: What idle phases cost, in words.
IDLE: Mapping[Idle, str] = {
    "least": "an access takes at least as many passes as it has phases, with or without lanes",
    "none": "a phase without an active lane takes no pass",
    "each": "a phase without an active lane takes a pass",
}
MOST_WORD_SHIFT, BANK_SHIFTS = 4, range(9)
WORD_BYTES = 4
# The address bits that may choose a bank.
BANK_BITS = range(2, 14)


@dataclass(frozen=True)
class Rule:
    """How banks serve one form of access.

    Attributes:
        phases: Lanes that are served together, in order.
        banks: Number of banks.
        word_bytes: Width of a bank; lanes that want the same word share it.
        masks: Masks under which agreeing lanes join phases 2i and 2i + 1.
        idle: Cost of a phase without an active lane; None where every lane takes part.
    """

    phases: Phases
    banks: int
    word_bytes: int
    masks: tuple[int, ...] = ()
    idle: Idle | None = None

    def passes(self, access: Access, offsets: Integers) -> int:
        """Passes that an access at these offsets takes."""
        phases = self.phases
        if len(phases) > 1 and any(agrees(offsets, mask) for mask in self.masks):
            phases = tuple(
                tuple(lane for phase in phases[at : at + 2] for lane in phase)
                for at in range(0, len(phases), 2)
            )
        degrees = [self._degree(access, offsets[list(phase)]) for phase in phases]
        if self.idle == "each":
            return sum(max(degree, 1) for degree in degrees)
        return max(sum(degrees), len(phases) if self.idle == "least" else 0)

    def _degree(self, access: Access, offsets: Integers) -> int:
        """The most words that one bank has to serve for these lanes."""
        steps = np.arange(0, access.size, min(access.size, self.word_bytes))
        words = np.unique((offsets[offsets != INACTIVE][:, None] + steps) // self.word_bytes)
        return int(np.bincount(words % self.banks).max()) if words.size else 0


def agrees(offsets: Integers, mask: int) -> bool:
    """Whether each lane and lane XOR mask give the same address, or one of them is inactive."""
    other = offsets[np.arange(offsets.size) ^ mask]
    return bool(np.all((offsets == other) | (offsets == INACTIVE) | (other == INACTIVE)))


@dataclass(frozen=True)
class BankFit:
    """The rule that observed passes show.

    Attributes:
        rule: The rule; None where the inputs of one part contradict each other.
        ignored: Lanes whose addresses do not count.
        chosen: Rules of each part that match the passes, in words; one each, if all is well.
        wrong: Inputs whose passes the rule does not give, by family.
    """

    rule: Rule | None
    ignored: tuple[int, ...]
    chosen: Mapping[str, tuple[str, ...]]
    wrong: Mapping[str, int]

    @property
    def explained(self) -> bool:
        """Whether one rule gives all passes."""
        alone = all(len(names) == 1 for names in self.chosen.values())
        return self.rule is not None and alone and not any(self.wrong.values())


def fit(access: Access, inputs: Mapping[str, Integers], passes: Mapping[str, Integers]) -> BankFit:
    """Fit a rule to the passes of every family of inputs; negative where no whole."""
    phases, ignored = _phases(access.wave, passes)
    if phases is None:
        return BankFit(None, ignored, {"phases": ()}, {})
    banks = {
        f"{count} banks of {width} bytes": (count, width)
        for count, width in _bank_fields(access, len(phases), passes["distances"])
    }
    chosen = {"phases": (_in_words(phases),), "banks": tuple(banks)}
    if not banks:
        return BankFit(None, ignored, chosen, {})
    size = next(iter(banks.values()))
    joining = _masks(access, phases, passes)
    rule = Rule(phases, *size, joining)
    if "active" in inputs and len(phases) > 1:
        known = {idle: Rule(phases, *size, joining, idle) for idle in IDLE}
        costs = [
            idle
            for idle, each in known.items()
            if _matches(each, access, inputs["active"], passes["active"])
        ]
        chosen["idle phases"] = tuple(costs)
        rule = known[costs[0]] if costs else rule
    wrong = {
        family: int(np.sum(_predicted(rule, access, rows) != passes[family]))
        for family, rows in inputs.items()
    }
    return BankFit(rule, ignored, chosen, wrong)


def _predicted(rule: Rule, access: Access, rows: Integers) -> Integers:
    return np.array([rule.passes(access, row) for row in rows], np.int64)


def _matches(rule: Rule, access: Access, rows: Integers, passes: Integers) -> bool:
    return bool(np.array_equal(_predicted(rule, access, rows), passes))


def _phases(wave: int, passes: Mapping[str, Integers]) -> tuple[Phases | None, tuple[int, ...]]:
    """The partition of the lanes that the families `single` and `pairs` show, and ignored lanes."""
    more = passes["single"] - passes["base"][0]
    ignored = tuple(int(lane) for lane in np.flatnonzero(more == 0))
    first, second = np.triu_indices(wave, 1)
    together = np.eye(wave, dtype=bool)
    extra = passes["pairs"] - passes["base"][0]
    together[first, second] = together[second, first] = extra == 1
    taking = np.flatnonzero(more == 1)
    among = np.isin(first, taking) & np.isin(second, taking)
    groups = {tuple(int(other) for other in taking[together[lane][taking]]) for lane in taking}
    whole = sum(map(len, groups)) == taking.size  # an equivalence: the groups are disjoint
    sane = np.all(np.isin(more, (0, 1))) and np.all(np.isin(extra[among], (1, 2)))
    return (tuple(sorted(groups)) if whole and sane and groups else None), ignored


def _bank_fields(access: Access, phases: int, passes: Integers) -> list[tuple[int, int]]:
    """How many banks of how many bytes give the passes of the distances."""
    return [
        in_words(access, 1 << count, 1 << width)
        for count, width in fields(access)
        if np.array_equal(at_distances(access, phases, count, width)[1:], passes[1:])
    ]


def fields(access: Access) -> list[tuple[int, int]]:
    """2**count banks of 2**width bytes, at least as wide as the access.

    An aligned access covers narrower banks whole, so that 32 banks of 4 bytes and 8 banks of 16
    bytes look the same to accesses of 16 bytes.
    """
    widths = range(access.size.bit_length() - 1, MOST_WORD_SHIFT + 1)
    return [(count, width) for width in widths for count in BANK_SHIFTS]


def in_words(access: Access, count: int, width: int) -> tuple[int, int]:
    """Banks as wide as the access, in banks of 4 bytes, which look the same to it."""
    if width == access.size > WORD_BYTES:
        return count * width // WORD_BYTES, WORD_BYTES
    return count, width


def at_distances(access: Access, phases: int, count: int, width: int) -> Integers:
    """Passes at each distance but 0, for 2**count banks of 2**width bytes.

    One phase serves two addresses, the others one. At distance 0, phases may join.
    """
    steps = np.arange(0, access.size, min(access.size, 1 << width))
    lanes = np.stack([np.zeros_like(distances(access)), distances(access)], axis=1)
    words = ((lanes[:, :, None] + steps) >> width).reshape(len(lanes), -1)
    same = words[:, :, None] == words[:, None, :]
    bank = words & ((1 << count) - 1)
    # Each word counts once, however many lanes want it.
    share = (bank[:, :, None] == bank[:, None, :]) / same.sum(axis=1)[:, None, :]
    degrees: Integers = np.rint(share.sum(axis=2).max(axis=1)).astype(np.int64)
    passes: Integers = degrees + (phases - 1) * degrees[0]
    return passes


def _masks(access: Access, phases: Phases, passes: Mapping[str, Integers]) -> tuple[int, ...]:
    """The masks under which agreement takes fewer passes than the phases."""
    fewer = passes["masks"] < len(phases)
    return tuple(mask for mask, less in zip(masks(access), fewer, strict=True) if less)


def _in_words(phases: Phases) -> str:
    return "; ".join(spans(phase) for phase in phases)


def spans(lanes: tuple[int, ...]) -> str:
    """Lanes as ranges: "0 to 7, 12"."""
    from lanemap.probing.lds.chunk_rules import spans as as_ranges

    return as_ranges(np.array(lanes, np.int64))
