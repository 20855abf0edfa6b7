"""Certificates of bank probes: the parts of a rule that their inputs determine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from lanemap.probing.banks.forms import Access
from lanemap.probing.banks.inputs import distances, masks
from lanemap.probing.banks.rules import (
    BANK_BITS,
    IDLE,
    Rule,
    at_distances,
    fields,
)
from lanemap.probing.proof.certificates import Certificate, NamedRules, Partition

Integers = npt.NDArray[np.int64]
# Lanes of the smallest phase that the inputs can show.
LEAST_PHASE = 4


def certificates(
    access: Access, rule: Rule, ignored: int, inputs: Mapping[str, Integers]
) -> Iterator[Certificate]:
    """One certificate for each part of the rule, the other parts being those of the fit.

    Args:
        access: The form.
        rule: The rule that was fitted.
        ignored: How many lanes take no part.
        inputs: Every family of inputs.
    """
    yield _of_phases(access.wave, rule, access.wave - ignored, inputs)
    yield _of_fields(access, rule)
    if access.size <= 4:
        yield _of_bits(access)
    if len(rule.phases) > 1:
        yield _of_masks(access, rule, inputs)
    if "active" in inputs and len(rule.phases) > 1:
        predicted = [
            [
                Rule(rule.phases, rule.banks, rule.word_bytes, rule.masks, idle).passes(access, row)
                for row in inputs["active"]
            ]
            for idle in IDLE
        ]
        named = NamedRules(tuple(IDLE.values()), np.array(predicted)).certificate()
        yield Certificate(
            f"what an idle phase costs: {named.hypotheses}",
            1,
            named.rules,
            named.parts,
            named.complete,
            named.remaining,
        )


def _of_phases(wave: int, rule: Rule, lanes: int, inputs: Mapping[str, Integers]) -> Certificate:
    """Which pairs of lanes are asked whether they share a phase.

    A row of two lanes at a far word of the bank that others need, and a single lane elsewhere,
    takes one pass more than the base if the two share a phase of four lanes or more, else two.
    """
    asked = set()
    for row in inputs["pairs"]:
        words = row // rule.word_bytes
        far = tuple(int(lane) for lane in np.flatnonzero(words == words.max()))
        conflict = words.max() % rule.banks == 0 and words.max() > 0
        if conflict and len(far) == 2 and int(np.sum(words == 0)) >= wave - 3:
            asked.add(far)
    open_pairs = wave * (wave - 1) // 2 - len(asked)
    rules = _partitions(lanes)
    return Certificate(
        f"any partition of the {lanes} lanes that take part into phases of four lanes or more",
        lanes,
        rules,
        1 if open_pairs else rules,
        not open_pairs,
        f"{open_pairs} pairs of lanes" if open_pairs else None,
    )


@cache
def _partitions(lanes: int) -> int:
    """The number of partitions of a set into parts of four elements or more."""
    counts = [1]
    for size in range(1, lanes + 1):
        sizes = range(LEAST_PHASE, size + 1)
        counts.append(sum(math.comb(size - 1, part - 1) * counts[size - part] for part in sizes))
    return counts[lanes]


def _of_fields(access: Access, rule: Rule) -> Certificate:
    rules = fields(access)
    outcomes = [at_distances(access, len(rule.phases), *each)[1:] for each in rules]
    found = Partition.from_outcomes(np.stack(outcomes))
    alike = [
        " = ".join(f"{1 << count} banks of {1 << width} bytes" for count, width in part)
        for members in found.parts()
        if len(part := [rules[member] for member in members]) > 1
    ]
    return Certificate(
        f"1 to 256 banks of {access.size} to 16 bytes, both powers of two, words in turn",
        1,
        len(rules),
        found.count,
        found.complete,
        "; ".join(alike) or None,
    )


@cache
def _of_bits(access: Access) -> Certificate:
    """Any set of address bits as the number of the bank."""
    distance = np.array(distances(access))
    sets = (np.arange(1 << len(BANK_BITS)) << BANK_BITS[0])[:, None]
    conflicts = ((distance & sets) == 0) & (distance >> BANK_BITS[0] != 0)
    packed = np.packbits(conflicts, axis=1)
    parts = np.unique(packed, axis=0).shape[0]
    return Certificate(
        f"words of 4 bytes, the bank chosen by any set of address bits {BANK_BITS[0]} to "
        f"{BANK_BITS[-1]}",
        1,
        sets.size,
        parts,
        parts == sets.size,
        None if parts == sets.size else f"{sets.size - parts} sets like others",
    )


def _of_masks(access: Access, rule: Rule, inputs: Mapping[str, Integers]) -> Certificate:
    """Any set of masks that join phases: each mask has an input of its own."""
    apart = len(rule.phases)
    open_masks = []
    for mask, row in zip(masks(access), inputs["masks"], strict=True):
        with_mask = Rule(rule.phases, rule.banks, rule.word_bytes, (mask,)).passes(access, row)
        others = tuple(other for other in masks(access) if other != mask)
        without = Rule(rule.phases, rule.banks, rule.word_bytes, others).passes(access, row)
        if not with_mask < without == apart:
            open_masks.append(mask)
    return Certificate(
        "phases join where each lane and lane XOR m agree, for any set of masks m from 1 to "
        f"{access.wave - 1}",
        1,
        1 << len(masks(access)),
        1 << (len(masks(access)) - len(open_masks)),
        not open_masks,
        f"masks {', '.join(map(str, open_masks))}" if open_masks else None,
    )
