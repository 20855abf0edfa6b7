"""The list of programs of asynchronous copies: inputs, text, and what the oracle expects.

Everything follows from a hash and Python's Mersenne Twister (`chance`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.copies import oracle
from lanemap.conformance.programs.copies.choices import (
    THREADS,
    BulkRing,
    Exchange,
    Part,
    Ring,
    Store,
    draw,
)
from lanemap.conformance.programs.copies.text import Text
from lanemap.conformance.programs.program import PARAMETER_BYTES, Program
from lanemap.conformance.programs.sites import Slot

#: How many programs there are, and the CTAs of their cluster in turn.
COUNT = 48
_CLUSTERS = (1, 2, 1, 4)


@dataclass(frozen=True)
class Copies(Program):
    """A program of one cluster.

    Attributes:
        parts: Its parts.
        expected: The whole output, by the oracle.
    """

    parts: tuple[Part, ...] = ()
    expected: bytes = b""


def _name(part: Part) -> str:
    """Return what a part's slot is called."""
    if isinstance(part, Ring):
        return f"(cp.async ring, {part.completion})"
    if isinstance(part, BulkRing):
        return "(ring of multicast bulk copies)" if part.multicast else "(ring of bulk copies)"
    if isinstance(part, Store):
        return f"(cp.reduce.async.bulk.{part.operation})" if part.operation else "(bulk store)"
    return f"({part.kind}.{part.suffix})" if part.suffix else "(bulk copy to another CTA)"


def _small_floats(operation: str, words: oracle.Words, chance: Chance) -> oracle.Words:
    """Give float reductions small integers; every fourth is so many of the least subnormal number.

    So sums are exact, and no operand is NaN.
    """
    kind = operation.split(".")[-1]
    if kind not in ("f32", "f64", "f16", "bf16"):
        return words
    dtype = oracle.DTYPES[kind]
    count = words.nbytes // np.dtype(dtype).itemsize
    numbers = np.array([chance.below(65) - 32 for _ in range(count)], dtype)
    numbers[::4] *= np.ones(1, f"u{numbers.itemsize}").view(dtype)
    return np.ascontiguousarray(numbers).view(np.uint32)


def _words(chance: Chance, count: int) -> oracle.Words:
    return np.array([chance.bits(32) for _ in range(count)], np.uint32)


def program(number: int) -> Copies:
    """Write one program, with what it leaves."""
    chance = Chance("copies of program", number)
    cluster = _CLUSTERS[number % len(_CLUSTERS)]
    parts = draw(chance, cluster)
    text = Text(cluster)
    inputs: list[oracle.Words] = []
    output: list[oracle.Words] = []
    expected: list[oracle.Words] = []
    slots = []
    end = 0
    for part in parts:
        given, old, left = _values(part, cluster, chance)
        text.write(part, 4 * sum(len(words) for words in inputs), 4 * end)
        inputs.append(given.reshape(-1))
        output.append(old)
        expected.append(left)
        each = 4 * len(left) // (THREADS * cluster)
        slots.append(Slot(_name(part), 4 * end, each, THREADS * cluster, each, True))
        end += len(left)
    return Copies(
        f"copies {number:02d}",
        text.finished(),
        (),
        THREADS * cluster,
        (THREADS, 1, 1),
        np.concatenate(inputs).tobytes(),
        np.concatenate(output).tobytes(),
        bytes(PARAMETER_BYTES),
        tuple(slots),
        (cluster, 1, 1),
        parts,
        np.concatenate(expected).tobytes(),
    )


def _values(
    part: Part, cluster: int, chance: Chance
) -> tuple[oracle.Words, oracle.Words, oracle.Words]:
    """Return a part's inputs, its output before, and what the oracle expects after."""
    count = oracle.words_given(part)
    given = np.stack([_words(chance, count) for _ in range(cluster)])
    if isinstance(part, Store):
        given = np.stack([_small_floats(part.operation, row, chance) for row in given])
        old = np.stack(
            [_small_floats(part.operation, _words(chance, count), chance) for _ in range(cluster)]
        )
        left = old.copy()
        for cta in range(cluster):
            place = 0 if part.together else cta
            left[place] = oracle.of_store(part, given[cta], left[place])
        return given, old.reshape(-1), left.reshape(-1)
    sums = np.empty((cluster, THREADS), np.uint32)
    for cta in range(cluster):
        if isinstance(part, Ring):
            sums[cta] = oracle.of_ring(part, given[cta])
        elif isinstance(part, BulkRing):
            sums[cta] = oracle.of_bulk_ring(part, given[0 if part.multicast else cta])
        else:
            assert isinstance(part, Exchange)
            sums[cta] = oracle.of_exchange(part, given[cta ^ 1])
    return given, np.zeros(cluster * THREADS, np.uint32), sums.reshape(-1)
