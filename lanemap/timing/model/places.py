"""How much later than others a line of L2 answers, and one of memory, by where it lies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap import paths
from lanemap.records.files import read_record
from lanemap.timing.model.parameters import Parameter, Parameters, Reading
from lanemap.timing.model.rows import TARGET


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


#: The row; its kind has this name too.
ROW = "l2_map"


def lines_of_l2(parameters: Parameters) -> Places:
    """What the row l2_map says of an H200's lines.

    Of the SM whose reads take the median, all lines that it asked; which of them a line of a kernel
    is like is not known, since physical addresses decide that.
    """
    found = _measured()
    each = Fraction(found["requests"])
    own = int(np.argsort(np.mean(found["reads"], axis=1))[len(found["sms"]) // 2])
    reads, atomics = (
        _behind(parameters, name, np.array(found[name][own]), each) for name in ("reads", "atomics")
    )
    memory = _behind(parameters, "memory", _expanded(found["memory"]), Fraction(1))
    return Places(reads, atomics, memory)


@cache
def _measured() -> Mapping[str, Any]:
    path = paths.find("results") / TARGET / "cuda" / f"{ROW}.json"
    findings: Mapping[str, Any] = read_record(path).findings
    return findings


def _expanded(counts: Mapping[str, int]) -> NDArray[np.int64]:
    return np.repeat(np.array(list(map(int, counts))), list(counts.values()))


def _behind(
    parameters: Parameters, name: str, cycles: NDArray[np.int64], each: Fraction
) -> NDArray[np.int32]:
    """Cycles of one request behind their mean, sorted; the ledger has the least and the most."""
    behind = np.sort(cycles - cycles.mean()) / float(each)
    label = f"{name} of a line, behind the mean of lines"
    ends = Fraction(round(float(behind[0]))), Fraction(round(float(behind[-1])))
    reading = Reading(ROW, name, over=each, how="of one SM, less their mean; requests")
    parameters.ledger[label] = Parameter(label, Fraction(0), ends, reading)
    found: NDArray[np.int32] = np.rint(behind).astype(np.int32)
    return found
