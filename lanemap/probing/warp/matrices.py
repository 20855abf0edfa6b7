"""The readings of ldmatrix and stmatrix: one launch for each form and address pattern."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lanemap.probing.probe import State
from lanemap.probing.warp.forms import STORING, TARGETS, Form, forms
from lanemap.probing.warp.kernel import (
    HEAD,
    MEMORY_BYTES,
    PATTERNS,
    ROW_BYTES,
    TAGS,
    Integers,
    RowPattern,
    Words,
    images,
    launch,
    matrix_kernel,
    register_numbers,
    row_numbers,
)
from lanemap.probing.warp.tagged import Geometry, TaggedMoves, TagReading
from lanemap.probing.warp.tagged import Words as Naming

_NAMING = {
    "ldmatrix": Naming(
        "register bit",
        "bit of the rows at the 32 lanes' addresses",
        "zero or one",
        "register bit from",
    ),
    "stmatrix": Naming(
        "bit of the rows at the 32 lanes' addresses",
        "register bit of the warp",
        "its own (unchanged), zero or one",
        "register bit to",
    ),
}


def sources(op: str) -> dict[str, str]:
    """The text of the probe of a load or store, by target."""
    return {
        target: HEAD.format(target=target) + "".join(map(matrix_kernel, forms(op, target)))
        for target in (STORING if op == "stmatrix" else TARGETS)
    }


def analysis(op: str) -> TaggedMoves:
    """The analysis of the readings of a load or store."""
    geometry = {}
    for target in TARGETS:
        for form in forms(op, target):
            register, chunk = form.spaces()
            spaces = (register, chunk) if op == "ldmatrix" else (chunk, register)
            geometry[form.variant] = Geometry(*spaces, form.cell_bits)
    return TaggedMoves(geometry, TAGS, _NAMING[op], MEMORY_BYTES * 8)


def readings(state: State, op: str) -> list[TagReading]:
    """Launch every form of the device's target at one point of the axis `pattern`."""
    pattern = state.choose("pattern", PATTERNS)
    read = _loaded if op == "ldmatrix" else _stored
    found: list[TagReading] = []
    for form in forms(op, state.device.target):
        words = launch(state.device, state.entry(form.entry), pattern, op == "stmatrix")
        found += read(form, pattern, words)
    return found


def _loaded(form: Form, pattern: RowPattern, words: Words) -> Iterator[TagReading]:
    for warp, addresses in enumerate(pattern.addresses()):
        received = TAGS.identify(words[:, warp, :, : form.registers])
        yield TagReading(
            form.variant,
            pattern.name,
            pattern.description,
            pattern.warps,
            TAGS.passes,
            received.reshape(-1),
            row_numbers(addresses),
            addresses=addresses,
        )


def _stored(form: Form, pattern: RowPattern, words: Words) -> Iterator[TagReading]:
    number = TAGS.identify(words).reshape(-1)
    elsewhere = _changed_elsewhere(pattern.addresses(), words)
    for warp, addresses in enumerate(pattern.addresses()):
        bits = addresses[:, None] * 8 + np.arange(8 * ROW_BYTES)
        yield TagReading(
            form.variant,
            pattern.name,
            pattern.description,
            pattern.warps,
            TAGS.passes,
            number[bits.reshape(-1)],
            register_numbers(warp, form.registers),
            before=row_numbers(addresses),
            addresses=addresses,
            changed_elsewhere=elsewhere if warp == 0 else 0,
        )


def _changed_elsewhere(addresses: Integers, words: Words) -> int:
    """Words outside of all rows that a launch of stores changed."""
    changed = np.any(words != images(), axis=0)
    rows = (addresses.reshape(-1, 1) // 4 + np.arange(ROW_BYTES // 4)).reshape(-1)
    changed[rows] = False
    return int(changed.sum())
