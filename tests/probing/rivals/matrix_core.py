"""A planted MFMA: which elements of A and B meet in which element of D, and rivals of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from lanemap.layout import LayoutMap
from lanemap.probing.mfma.forms import Form

from .planted import Integers, Planted, value

LANES = 64
_KINDS = {"fp8": "e4m3", "bf8": "e5m2", "fp6": "e2m3", "bf6": "e3m2", "fp4": "e2m1"}


@dataclass(frozen=True)
class Meetings:
    """What an instruction multiplies.

    Attributes:
        name: What is otherwise than usual.
        met: int64[terms, elements of A, elements of D], elements of B that are multiplied with one
            of A and added in one of D; -1 for none.
        read: What is made of the numbers of D.
    """

    name: str
    met: Integers
    read: Callable[[Any], Any] | None = None


def numbers(layout: LayoutMap) -> Integers:
    """The element of the matrix in each element of the registers."""
    width = layout.source.sizes[-1]
    return layout.table.reshape(-1, width)[:, 0] // width


def product(form: Form, a: Integers, b: Integers, d: Integers) -> Integers:
    """The meetings of a product of matrices, [elements of A, elements of D].

    Args:
        form: The form.
        a: (block * M + row) * K + k of each element; no two alike.
        b: (block * K + k) * N + column.
        d: (block * M + row) * N + column.
    """
    depth, side = form.depth, form.side
    line, k = np.divmod(a, depth)
    row, column = np.divmod(d, side)
    holder = np.full(b.size, -1)
    holder[b] = np.arange(b.size)
    met = holder[(line // side * depth + k)[:, None] * side + column]
    return np.where(line[:, None] == row, met, -1)


def device(form: Form, meetings: Meetings) -> Planted:
    """A planted device that runs the kernel of a form."""
    return Planted(partial(_launch, form, meetings))


def _launch(form: Form, meetings: Meetings, entry: str, args: Sequence[Any]) -> None:
    images, output = args[:2]
    assert entry == form.entry
    bits, kind = form.bits("B"), _KINDS.get(form.kind("B"), form.kind("B"))
    dtype = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[form.result]
    for number, image in enumerate(images):
        octets = np.ascontiguousarray(image.T).view(np.uint8)
        held = np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, bits)
        weights = np.uint64(1) << np.arange(bits, dtype=np.uint64)
        codes = (held.astype(np.uint64) * weights).sum(1, dtype=np.uint64)
        digits = np.append(value(kind, codes), 0.0)  # the last is that of no element
        found = digits[meetings.met].sum(0)
        found = found if meetings.read is None else meetings.read(found)
        shown = found.astype(dtype).reshape(LANES, form.elements("A"), LANES, -1)
        words = np.ascontiguousarray(shown).view(np.uint32)
        output[number] = words.swapaxes(2, 3)


def _bits_exchanged(size: int) -> Iterator[tuple[str, Integers]]:
    place = np.arange(size)
    for low in range(size.bit_length() - 1):
        for high in range(low):
            differ = (place >> low ^ place >> high) & 1
            order = place ^ (differ << low | differ << high)
            yield f"bits {high} and {low} of the element's number exchanged", order


def _pairs_exchanged(size: int, count: int, seed: int) -> Iterator[tuple[str, Integers]]:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        one, two = rng.choice(size, 2, replace=False).tolist()
        order = np.arange(size)
        order[[one, two]] = two, one
        yield f"elements {one} and {two} exchanged", order


def _dropped(met: Integers) -> Integers:
    found = met.copy()
    found[-1] = -1
    return found


#: Numbers that are not those of the elements that meet.
READ: dict[str, Callable[[Any], Any]] = {
    "every product counts twice": lambda d: 2 * d,
    "D is negated": lambda d: -d,
    "one is added to D": lambda d: d + 1,
    "D is zero": np.zeros_like,
    "D is one": np.ones_like,
    "halves are added": lambda d: d + 0.5,
    "the lowest bit is lost": lambda d: d - d % 2,
}


def rivals(form: Form, maps: dict[str, LayoutMap], pairs: int, seed: int) -> Iterator[Meetings]:
    """Every exchange of two bits of an element's number, random exchanges, and sums.

    Args:
        form: The form.
        maps: The usual maps of A, B and D.
        pairs: Random exchanges of elements of each operand.
        seed: Their seed.
    """
    usual = {operand: numbers(layout) for operand, layout in maps.items()}
    for operand, places in usual.items():
        orders = [*_bits_exchanged(places.size), *_pairs_exchanged(places.size, pairs, seed)]
        for name, order in orders:
            changed = usual | {operand: places[order]}
            yield Meetings(f"{operand}: {name}", product(form, *changed.values())[None])
    met = product(form, *usual.values())
    depth, side = form.depth, form.side
    line, k = np.divmod(usual["A"], depth)
    row, column = np.divmod(usual["D"], side)
    of_row = {each: met[:, np.flatnonzero(row == each)] for each in (0, 1)}
    added = np.full_like(met, -1)
    added[:, row == 0] = of_row[1][:, np.argsort(column[row == 1])][:, column[row == 0]]
    first = np.full_like(met, -1)
    first[:, 0] = added[:, 0] if (row == 0)[0] else met[:, 1]
    next_column = row * side + (column + 1) % side
    beside = product(form, usual["A"], usual["B"], next_column)
    wrong_b = np.where((line == 0)[:, None] & (met >= 0), (met + 1) % usual["B"].size, met)
    twice = np.where((k == depth - 1)[:, None], met, -1)
    nothing = np.full_like(met, -1)
    k_of_b = usual["B"] // side % depth
    at_zero = np.full_like(met, -1)
    at_zero[:, row == 0] = np.where(
        (met[:, row == 0] >= 0) & (k_of_b[met[:, row == 0]] == 0), met[:, row == 0], -1
    )
    sums = {
        "row 0 of D also adds row 1": (met, added),
        "one element of D also adds another product": (met, first),
        "each element of D also adds that of the next": (met, beside),
        "row 0 of A meets the next element of B": (wrong_b,),
        "the last k counts twice": (met, twice),
        "the last k does not count": (np.where((k == depth - 1)[:, None], -1, met),),
        "row 0 of D takes k = 0 twice": (met, at_zero),
        "the last element of A is not read": (_dropped(met),),
        "nothing is multiplied": (nothing,),
        "every element of A meets its first partner alone": (
            np.where(met == met.max(1, keepdims=True), met, -1),),
    }  # fmt: skip
    for name, terms in sums.items():
        yield Meetings(name, np.stack(terms))
    for name, read in READ.items():
        if form.result == "i32" and name == "halves are added":
            continue
        yield Meetings(name, met[None], read)
