"""How much later than others a line of L2 answers, and one of memory, by where it lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Places:
    """Cycles behind the mean, sorted: of so many lines one has each.

    Attributes:
        reads: Of a read that the half of L2 beside the SM answers.
        atomics: Of an atomic, which the half does where the line lies.
        memory: Of a read that memory answers.
    """

    reads: NDArray[np.int32]
    atomics: NDArray[np.int32]
    memory: NDArray[np.int32]


def lines_of_l2() -> Places | None:
    """What the row l2_map says of an H200's lines."""
    return None
