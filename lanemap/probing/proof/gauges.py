"""Groups of maps that no input can split, because the operation's result does not depend on them.

An MMA computes D[i][j] = sum over k of A[i][k] * B[k][j]. The k that a register slot holds affects
D in only two ways: it decides which slot of A is multiplied by which slot of B, and, with block
scales, which scale applies to a slot. Two pairs of operand maps that agree on both give the same D
for every input. The choice between them is a gauge: a matter of naming that cannot be observed.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Gauge:
    """A group of renamings that changes nothing observable.

    Attributes:
        name: the group, in the words of certificates.
        orbits: the sets of k that may be permuted freely within themselves.
    """

    name: str
    orbits: tuple[tuple[int, ...], ...]

    @property
    def order(self) -> int:
        """Number of renamings, including the identity."""
        return math.prod(math.factorial(len(orbit)) for orbit in self.orbits)

    def describe(self) -> str:
        """The group with its size, for a certificate's `remaining`."""
        sizes = sorted({len(orbit) for orbit in self.orbits})
        shape = " x ".join(f"S_{size}" for size in sizes)
        return f"{self.name} ({len(self.orbits)} orbits, {shape}); no input can split it"


def meetings(a: Integers, b: Integers) -> npt.NDArray[np.bool_]:
    """Which slot of A is multiplied by which slot of B.

    Args:
        a: the k that each slot of an A row holds, shape (k,).
        b: the k that each slot of a B column holds, shape (k,).

    Returns:
        bool[(slot of A, slot of B)].
    """
    met: npt.NDArray[np.bool_] = a[:, None] == b[None, :]
    return met


def observable(a: Integers, b: Integers, block: int | None) -> tuple[bytes, bytes, bytes]:
    """Everything that D can depend on: the products of slots, and the scale of every slot.

    Args:
        a: the k that each slot of an A row holds.
        b: the k that each slot of a B column holds.
        block: consecutive k that share a scale; None for an MMA without scales.
    """
    if block is None:
        return meetings(a, b).tobytes(), b"", b""
    return meetings(a, b).tobytes(), (a // block).tobytes(), (b // block).tobytes()


def mma_gauge(a: Integers, b: Integers, block: int | None = None) -> Gauge:
    """The renamings of k, common to both operands, that no input can show.

    The exchanges of two k that change nothing observable generate the group.

    Args:
        a: the k that each slot of an A row holds, a permutation of 0..K-1.
        b: the same for a B column.
        block: consecutive k that share a scale; None for an MMA without scales.

    Raises:
        UserError: the maps are not permutations of the same k, or the block does not divide K.
    """
    size = a.size
    if not (np.array_equal(np.sort(a), np.arange(size)) and np.array_equal(np.sort(b), np.sort(a))):
        raise UserError("the operand maps must be permutations of the same k values")
    if block is not None and (block < 1 or size % block):
        raise UserError(f"a scale block of {block} does not divide K = {size}")
    shown = observable(a, b, block)
    orbit = list(range(size))
    for one, two in itertools.combinations(range(size), 2):
        if orbit[one] == orbit[two]:
            continue
        rename = np.arange(size)
        rename[[one, two]] = two, one
        if observable(rename[a], rename[b], block) == shown:
            orbit = [orbit[one] if o == orbit[two] else o for o in orbit]
    orbits = tuple(tuple(k for k in range(size) if orbit[k] == o) for o in sorted(set(orbit)))
    if len(orbits) == 1:
        return Gauge("k permutations common to both operands", orbits)
    return Gauge("k permutations inside a scale block, common to both operands", orbits)
