"""The readings of wmma: every matrix loaded, and every result stored, with all bits tagged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.layout import Space
from lanemap.probing.probe import State
from lanemap.probing.tags.bits import BitTags
from lanemap.probing.warp.tagged import Geometry, TaggedMoves, TagReading, Words
from lanemap.probing.wmma import kernel
from lanemap.probing.wmma.forms import Matrix, matrices
from lanemap.targets import probed

Integers = npt.NDArray[np.int64]
LANES = 32
TARGETS = probed("matrices of sm_80")
MOST_REGISTERS, MEMORY_WORDS = 8, 2048
REGISTER_WORDS = MOST_REGISTERS * LANES
# Registers come first in the numbering, then memory.
TAGS = BitTags(REGISTER_WORDS + MEMORY_WORDS)
NAMING = Words("register bit", "bit of the matrix", "zero or one")


@dataclass(frozen=True)
class Pattern:
    """How a matrix lies in memory.

    Attributes:
        name: Its name on the axis.
        major: "row" or "col".
        pad: Bytes between one row (or column) and the next.
    """

    name: str
    major: str
    pad: int

    @property
    def description(self) -> str:
        """In words."""
        lines = "rows" if self.major == "row" else "columns"
        return f"{lines}, {self.pad} bytes apart" if self.pad else f"{lines}, one after the other"

    def stride(self, matrix: Matrix) -> int:
        """Elements from one row (or column) to the next."""
        return matrix.contiguous(self.major) + 8 * self.pad // matrix.bits


PATTERNS = {
    each.name: each
    for each in (
        Pattern("row", "row", 0),
        Pattern("col", "col", 0),
        Pattern("row_padded", "row", 16),
        Pattern("col_padded", "col", 48),
    )
}


def variant(matrix: Matrix) -> str:
    """The name of a fragment; C lies as D does."""
    operand = {"a": "A", "b": "B"}.get(matrix.operand, "D")
    return f"wmma.{matrix.spelled}.{matrix.kind}:{operand}"


def geometry(matrix: Matrix) -> Geometry:
    """The registers of a warp, and the matrix."""
    first, second = {"a": ("row", "k"), "b": ("k", "column")}.get(matrix.operand, ("row", "column"))
    return Geometry(
        Space("register", (("lane", LANES), ("register", matrix.words), ("bit", 32))),
        Space("matrix", ((first, matrix.rows), (second, matrix.columns), ("bit", matrix.bits))),
        matrix.bits if matrix.bits in (8, 16, 32) else 1,
    )


def analysis() -> TaggedMoves:
    """The analysis of the readings."""
    known = {variant(matrix): geometry(matrix) for matrix in matrices()}
    return TaggedMoves(known, TAGS, NAMING, MEMORY_WORDS * 32)


def _entry(verb: str, matrix: Matrix, pattern: Pattern) -> str:
    return f"{verb}_{matrix.operand}_{matrix.spelled}_{matrix.kind}_{pattern.name}"


def _cases() -> Iterator[tuple[str, Matrix, Pattern]]:
    for matrix in matrices():
        for pattern in PATTERNS.values():
            if pattern.major in matrix.majors():
                yield "load", matrix, pattern
                if matrix.operand == "c":
                    yield "store", matrix, pattern


def sources() -> dict[str, str]:
    """The text of the probe, by target."""
    body = ""
    for verb, matrix, pattern in _cases():
        write = kernel.load if verb == "load" else kernel.store
        name = _entry(verb, matrix, pattern)
        body += write(matrix, pattern.major, pattern.stride(matrix), name)
    return {target: kernel.HEAD.format(target=target) + body for target in TARGETS}


def _places(matrix: Matrix, pattern: Pattern) -> Integers:
    """The bit of memory of each bit of the matrix."""
    row, column, bit = np.indices((matrix.rows, matrix.columns, matrix.bits))
    line, along = (row, column) if pattern.major == "row" else (column, row)
    places: Integers = (line * pattern.stride(matrix) + along) * matrix.bits + bit
    return places.reshape(-1)


def _words(matrix: Matrix) -> Integers:
    """Where the kernel keeps each word of a fragment: int64[lane, register]."""
    lane, register = np.indices((LANES, matrix.words))
    words: Integers = register * LANES + lane
    if matrix.kind == "f64":
        words = (register // 2 * LANES + lane) * 2 + register % 2
    return words


@cache
def _images(words: int, first: int) -> npt.NDArray[np.uint32]:
    return np.ascontiguousarray(TAGS.show(first + np.arange(words)))


def _launch(state: State, name: str, given: Any, out: int) -> npt.NDArray[np.uint32]:
    output = state.device.zeros((TAGS.passes, out), np.uint32)
    state.entry(name)((TAGS.passes, 1, 1), (LANES, 1, 1), [state.device.array(given), output])
    received: npt.NDArray[np.uint32] = output.get()
    return received


def _loaded(state: State, matrix: Matrix, pattern: Pattern) -> Integers:
    """The number that each register bit received."""
    size = matrix.bytes_of(pattern.major, pattern.stride(matrix)) // 4
    given = _images(size, REGISTER_WORDS)
    words = _launch(state, _entry("load", matrix, pattern), given, matrix.words * LANES)
    return TAGS.identify(words[:, _words(matrix)]).reshape(-1)


def _stored(state: State, matrix: Matrix, pattern: Pattern) -> Integers:
    """The number of the memory bit that received each register bit, one more than all otherwise."""
    size = matrix.bytes_of(pattern.major, pattern.stride(matrix)) // 4
    given = _images(matrix.words * LANES, 0)
    words = _launch(state, _entry("store", matrix, pattern), given, size)
    places = _places(matrix, pattern)
    register = TAGS.identify(words).reshape(-1)[places]
    found = np.full(REGISTER_WORDS * 32, 32 * TAGS.words, np.int64)
    named = register >= 0
    found[register[named]] = 32 * REGISTER_WORDS + places[named]
    at = _words(matrix)[:, :, None] * 32 + np.arange(32)
    return np.asarray(found[at.reshape(-1)], np.int64)


def readings(state: State) -> list[TagReading]:
    """Load or store every matrix that has the layout of one point of the axes."""
    pattern = state.choose("pattern", PATTERNS)
    found = []
    for verb, matrix, each in _cases():
        if each is not pattern or verb != state["operation"]:
            continue
        read = _loaded if verb == "load" else _stored
        found.append(
            TagReading(
                variant(matrix),
                f"{verb} {pattern.name}",
                f"wmma.{verb}: {pattern.description}",
                1,
                TAGS.passes,
                read(state, matrix, pattern),
                32 * REGISTER_WORDS + _places(matrix, pattern),
            )
        )
    return found
