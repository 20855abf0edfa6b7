"""Mistakes in the operands of a product: each made on purpose, and its result compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
#: Bits of an address from 7 on that a swizzle of 32, 64 and 128 bytes takes.
_SWIZZLES = {32: 1, 64: 3, 128: 7}
_STEPS = (8, 16, 32, 64, 128)
_CHUNK_BYTES = 16


@dataclass(frozen=True)
class Mistake:
    """A mistake, and the product that it makes.

    Attributes:
        name: A short name.
        sentence: What happened.
        change: What makes the result right.
        size: How much it supposes.
        result: The product with the mistake.
    """

    name: str
    sentence: str
    change: str
    size: int
    result: Floats


def mistakes(a: Floats, b: Floats, element_bytes: int) -> Iterator[Mistake]:
    """Every mistake of the library, made with A (M x K) and B (K x N).

    Args:
        a: A.
        b: B, or the operand that stands for it, K x N.
        element_bytes: Size of their elements in memory.
    """
    yield from _transposed(a, b)
    yield from _steps(a, b)
    yield from _order_of_k(a, b)
    for letter in "AB":
        yield from _blocks_transposed(a, b, letter)
        yield from _blocks_exchanged(a, b, letter)
        yield from _swizzled(a, b, letter, element_bytes)
        yield from _order_of_lines(a, b, letter)


def _product(a: Floats, b: Floats, letter: str, changed: Floats) -> Floats:
    return changed @ b if letter == "A" else a @ changed


def _transposed(a: Floats, b: Floats) -> Iterator[Mistake]:
    square = {"A": a.shape[0] == a.shape[1], "B": b.shape[0] == b.shape[1]}
    for letter in "AB":
        if square[letter]:
            changed = (a if letter == "A" else b).T
            yield Mistake(
                f"transposed {letter}",
                f"{letter} is read transposed",
                f"swap the majors of {letter}: .trans of ldmatrix, the descriptor's major, or "
                "strides",
                1,
                _product(a, b, letter, changed),
            )
        else:  # read with the other's leading dimension
            own = a if letter == "A" else b
            yield Mistake(
                f"transposed {letter}",
                f"{letter} is read as if its other index were contiguous",
                f"swap the majors of {letter}",
                2,
                _product(a, b, letter, own.T.reshape(own.shape)),
            )
    if a.shape == b.shape[::-1]:
        yield Mistake(
            "swapped operands", "A and B have changed places", "swap A and B", 2, b.T @ a.T
        )


def _blocks_transposed(a: Floats, b: Floats, letter: str) -> Iterator[Mistake]:
    """Every 8 x 8 block is read transposed, in its place: ldmatrix moves such blocks."""
    own = a if letter == "A" else b
    if own.shape[0] % 8 or own.shape[1] % 8:
        return
    blocks = own.reshape(own.shape[0] // 8, 8, own.shape[1] // 8, 8).swapaxes(1, 3)
    yield Mistake(
        f"8 x 8 blocks of {letter} transposed",
        f"every 8 x 8 block of {letter} is read transposed, in its place",
        "use ldmatrix.trans where it is not used, and leave it out where it is",
        1,
        _product(a, b, letter, blocks.reshape(own.shape)),
    )


def _blocks_exchanged(a: Floats, b: Floats, letter: str) -> Iterator[Mistake]:
    """Two 8 x 8 blocks of every 16 x 16 change places: the second and third matrix of ldmatrix."""
    own = a if letter == "A" else b
    if own.shape[0] % 16 or own.shape[1] % 16:
        return
    # By row: block of 16, half of it, and the 8; by column the same.
    blocks = own.reshape(own.shape[0] // 16, 2, 8, own.shape[1] // 16, 2, 8)
    yield Mistake(
        f"matrices of {letter} exchanged",
        f"in every 16 x 16 block of {letter} the second and the third 8 x 8 block have changed "
        "places",
        "exchange the second and third register of the fragment, or the addresses of their rows",
        1,
        _product(a, b, letter, blocks.swapaxes(1, 4).reshape(own.shape)),
    )


def _steps(a: Floats, b: Floats) -> Iterator[Mistake]:
    """Steps of k that are left out, come twice, or are those of the step before."""
    depth = a.shape[1]
    for step in (each for each in _STEPS if each < depth and depth % each == 0):
        parts = [a[:, at : at + step] @ b[at : at + step] for at in range(0, depth, step)]
        whole = sum(parts[1:], parts[0])
        for number in (0, len(parts) - 1):
            which = "first" if number == 0 else "last"
            yield Mistake(
                f"{which} step left out",
                f"the {which} step of k ({step} elements) is not added",
                f"add the {which} step: a loop that begins late or ends early, or D cleared late",
                2,
                whole - parts[number],
            )
            yield Mistake(
                f"{which} step twice",
                f"the {which} step of k ({step} elements) is added twice",
                f"add the {which} step once",
                3,
                whole + parts[number],
            )
        for letter in "AB":
            yield _stale(a, b, letter, step)
        yield _stale(a, b, "AB", step)


def _stale(a: Floats, b: Floats, letters: str, step: int) -> Mistake:
    """Every step but the first reads the stage before its own."""
    k = np.arange(a.shape[1])
    before = np.where(k < step, k, k - step)
    changed_a = a[:, before] if "A" in letters else a
    changed_b = b[before] if "B" in letters else b
    who = " and ".join(letters)
    return Mistake(
        f"stale stage of {who}",
        f"every step of k ({step} elements) reads the stage of {who} before its own",
        "wait for the stage that is read: its mbarrier and phase, or its group of copies",
        3,
        changed_a @ changed_b,
    )


def _order_of_k(a: Floats, b: Floats) -> Iterator[Mistake]:
    """Orders of k that only one operand has. Each is its own inverse: A's or B's is the same."""
    depth = a.shape[1]
    bits = depth.bit_length() - 1
    if depth != 1 << bits:
        return
    k = np.arange(depth)
    orders = [
        (f"bit {x} of k is inverted (blocks of {1 << x} are swapped)", 2, k ^ 1 << x)
        for x in range(bits)
    ]
    for low, high in combinations(range(bits), 2):
        differ = (k >> low ^ k >> high) & 1
        swapped = k ^ (differ << low | differ << high)
        orders.append((f"bits {low} and {high} of k are swapped", 3, swapped))
    orders.append(("k is reversed", 3, k[::-1]))
    for words, size, order in orders:
        yield Mistake(
            "k order",
            f"A and B have different orders of k: in one of them {words}",
            "give both the same order of k",
            size,
            a[:, order] @ b,
        )


def _swizzled(a: Floats, b: Floats, letter: str, element_bytes: int) -> Iterator[Mistake]:
    """K-major operands written with one swizzle and read with another."""
    own = a if letter == "A" else b.T
    unit = _CHUNK_BYTES // element_bytes
    line, k = np.indices(own.shape)
    for width, mask in _SWIZZLES.items():
        elements = width // element_bytes
        if own.shape[1] % elements:
            continue
        # Rows of `width` bytes: bits 7 and up of the address are XORed into bits 4 and up.
        row = line * width // 128
        changed = np.take_along_axis(own, k ^ ((row & mask) * unit), axis=1)
        yield Mistake(
            f"swizzle of {letter}",
            f"{letter} is written or read with a {width}-byte swizzle, and the other side has none",
            f"use one swizzle on both sides of {letter}: the tensor map's and the descriptor's",
            2,
            _product(a, b, letter, changed if letter == "A" else changed.T),
        )


def _order_of_lines(a: Floats, b: Floats, letter: str) -> Iterator[Mistake]:
    """Rows of A, or columns of B, of which some are others."""
    lines = a.shape[0] if letter == "A" else b.shape[1]
    what = "rows" if letter == "A" else "columns"
    number = np.arange(lines)
    for step in (each for each in (1, 2, 4, 8, 16, 32, 64) if lines % (2 * each) == 0):
        order = number & ~step
        changed = a[order] if letter == "A" else b[:, order]
        yield Mistake(
            f"replicated {what} of {letter}",
            f"{what} of {letter} with bit {step} set are those without it",
            f"load the other {what} too",
            3,
            _product(a, b, letter, changed),
        )
