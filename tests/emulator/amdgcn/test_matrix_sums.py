"""How MFMA adds: the emulator's assumption, and rivals that no source excludes for gfx950.

Sixteen dot products of v_mfma_f32_16x16x16_f16 tell the rivals apart. Each rival is computed here
with fractions, apart from the emulator.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from lanemap.model import variant

from .machine import run
from .test_matrix import C, in_registers, outputs, random_words, text

NAME, DEPTH = "v_mfma_f32_16x16x16_f16", 16
DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "tensor-core-numerics.md"
Dot = tuple[dict[int, tuple[float, float]], float]
NAN = float("nan")
#: Products by k, and C. Large and small ones stand in one half, in both, and beside C.
DOTS: list[Dot] = [
    ({0: (4096, 4096), 1: (1, 1), 2: (-4096, 4096)}, 0.0),
    ({0: (1, 1), 5: (4096, 4096), 15: (-4096, 4096)}, 0.0),
    ({0: (1, 1), 9: (-1, 1)}, 2.0**-30),
    ({0: (2.0**-12, 2.0**-12), 4: (2.0**-12, 2.0**-12)}, 1.0),
    (dict.fromkeys(range(DEPTH), (2.0 ** (-12), 2.0 ** (-13))), 1.0),
    ({0: (1, 2.0**-14), 1: (2.0**-10, 2.0**-10)}, 1024.0),
    ({0: (-1, 2.0**-14), 1: (-(2.0**-10), 2.0**-10)}, -1024.0),
    ({0: (1, 2.0**-14)}, 1024.0),
    ({3: (2.0**-20, 1)}, 0.0),
    ({0: (1, 1), 1: (2.0**-12, 2.0**-12)}, 2.0**-30),
    ({}, -(2.0**-140)),
    ({0: (-0.0, 1.0), 1: (0.0, -1.0)}, -0.0),
    ({0: (2.0, -1.0), 1: (1.0, 2.0)}, -0.0),
    ({4: (NAN, 1.0)}, 0.0),
    ({0: (60000, 60000), 1: (-60000, 60000)}, 3.0e38),
    ({0: (1, 1), 4: (2.0**-12, 2.0**-13), 8: (2.0**-12, 2.0**-13), 9: (-1, 1)}, 2.0**-26),
]
assert len(DOTS) == DEPTH


def rounded(number: Fraction, bits: int = 24, way: str = "even", least: int = -149) -> Fraction:
    """A number of so many significant bits, no finer than 2^least."""
    if not number:
        return number
    size = abs(number)
    exponent = math.frexp(float(size))[1]
    unit = Fraction(2) ** max(exponent - bits, least)
    whole, rest = divmod(size / unit, 1)
    up = {
        "even": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1),
        "away": rest >= Fraction(1, 2),
        "zero": False,
        "up": rest > 0 and number > 0,
        "down": rest > 0 and number < 0,
    }[way]
    return (whole + up) * unit * (1 if number > 0 else -1)


Adds = Callable[[list[Fraction], Fraction], Fraction]


def at_once(way: str, products: list[Fraction], c: Fraction) -> Fraction:
    return rounded(sum(products, c), way=way)


def in_order(order: Sequence[int], products: list[Fraction], c: Fraction) -> Fraction:
    """Fused multiply-adds, each rounded."""
    for k in order:
        c = rounded(c + products[k])
    return c


def in_blocks(size: int, products: list[Fraction], c: Fraction) -> Fraction:
    """C and a block of products exactly, rounded, and the next block."""
    for first in range(0, len(products), size):
        c = rounded(sum(products[first : first + size], c))
    return c


def c_last(products: list[Fraction], c: Fraction) -> Fraction:
    return rounded(rounded(sum(products, Fraction(0))) + c)


def in_pairs(products: list[Fraction], c: Fraction) -> Fraction:
    """A tree of rounded sums of four, added to C: as published of CDNA2, without its flushes."""
    for first in range(0, len(products), 4):
        one, two, three, four = products[first : first + 4]
        c = rounded(c + rounded(rounded(one + two) + rounded(three + four)))
    return c


def aligned(size: int, kept: int, way: str, products: list[Fraction], c: Fraction) -> Fraction:
    """Blocks aligned to the largest exponent, lower bits cut, and rounded."""
    for first in range(0, len(products), size):
        addends = [*products[first : first + size], c]
        most = max((math.frexp(float(abs(each)))[1] for each in addends if each), default=0)
        unit = Fraction(2) ** (most - 1 - kept)
        c = rounded(sum((math.trunc(each / unit) * unit for each in addends), Fraction(0)), way=way)
    return c


def narrow(bits: int, products: list[Fraction], c: Fraction) -> Fraction:
    """One sum whose accumulator keeps so many bits."""
    return rounded(sum(products, c), bits)


#: Each with what it does to numbers, and to small operands and results, zeros and NaN.
ONCE: Adds = partial(at_once, "even")
SUMS: dict[str, Adds] = {
    "rounded once, toward zero": partial(at_once, "zero"),
    "rounded once, up": partial(at_once, "up"),
    "rounded once, down": partial(at_once, "down"),
    "rounded once, ties away from zero": partial(at_once, "away"),
    "a fused multiply-add for each k, in order": partial(in_order, range(DEPTH)),
    "a fused multiply-add for each k, backward": partial(in_order, range(DEPTH)[::-1]),
    "blocks of 4 exactly, each rounded": partial(in_blocks, 4),
    "blocks of 8 exactly, each rounded": partial(in_blocks, 8),
    "C added last": c_last,
    "rounded pairs of pairs, added to C": in_pairs,
    "blocks of 8 aligned, 24 bits kept, rounded to nearest": partial(aligned, 8, 24, "even"),
    "blocks of 16 aligned, 24 bits kept, rounded to nearest": partial(aligned, 16, 24, "even"),
    "blocks of 16 aligned, 25 bits kept, rounded toward zero": partial(aligned, 16, 25, "zero"),
    "an accumulator of 22 bits": partial(narrow, 22),
}
#: Products of f16 are multiples of 2^-48, so that a result is subnormal only where C is.
FLUSHES = ("subnormal f16 operands are zero", "a subnormal C or result is zero")
SIGNS = ("a sum of zeros is +0 whatever their signs", "a canceled sum is -0")
NANS = {"NaN is 0x7fffffff": 0x7FFFFFFF, "NaN is 0x7fc00000": 0x7FC00000,
        "NaN is 0xffc00000": 0xFFC00000}  # fmt: skip
PAYLOAD = 0x7E55  # a quiet NaN of f16


def answer(rival: str, dot: Dot) -> int:
    """Bits of the result; "" names what the emulator assumes."""
    given, c = dot
    if any(math.isnan(each) for pair in given.values() for each in pair):
        return NANS.get(rival, 0x7F800000 | (PAYLOAD & 0x3FF) << 13)  # its payload, widened
    small = rival == FLUSHES[0]
    pairs = {
        k: [0.0 if small and abs(e) < 2.0**-14 else e for e in pair] for k, pair in given.items()
    }
    products = [Fraction(0)] * DEPTH
    for k, (one, two) in pairs.items():
        products[k] = Fraction(one) * Fraction(two)
    start = 0.0 if rival == FLUSHES[1] and abs(c) < 2.0**-126 else c
    found = SUMS.get(rival, ONCE)(products, Fraction(start))
    if found:
        return int(np.float32(float(found)).view(np.uint32))
    signs = [math.copysign(1, one) * math.copysign(1, two) for one, two in given.values()]
    all_negative = bool(given) and all(s < 0 for s in signs) and math.copysign(1, c) < 0
    canceled = any(products) and not found
    if rival == SIGNS[1] and canceled:
        return 0x80000000
    return 0x80000000 if all_negative and not any(products) and rival != SIGNS[0] else 0


RIVALS = [*SUMS, *FLUSHES, *SIGNS, *NANS]


def of_the_emulator() -> list[int]:
    """The results of all dot products: the diagonal of one D."""
    a, b, c = np.zeros((16, DEPTH)), np.zeros((DEPTH, 16)), np.zeros((16, 16), np.float32)
    for number, (given, start) in enumerate(DOTS):
        c[number, number] = start
        for k, (one, two) in given.items():
            a[number, k], b[k, number] = one, two
        others = [k for k in range(DEPTH) if k not in given]
        if math.copysign(1, start) < 0 and not any(one * two for one, two in given.values()):
            a[number, others] = -0.0  # all products are -0
    codes = a.astype(np.float16)
    codes.view(np.uint16)[np.isnan(codes)] = PAYLOAD
    words = random_words(("f16", "f16"), 1)
    for first, matrix, operand in ((0, codes, "A"), (8, b.astype(np.float16), "B"), (16, c, "D")):
        held = in_registers(matrix, variant(f"{NAME}:{operand}").map)
        words[first : first + len(held)] = held
    found = run(text(NAME, (2, 2, 4)), list(words), outputs(4))
    layout = variant(f"{NAME}:D").map
    places = np.argsort(layout.table.reshape(-1, 32)[:, 0])
    flat = np.ascontiguousarray(found.T).reshape(-1)[places].reshape(16, 16)
    return [int(each) for each in np.diagonal(flat)]


def answers(rival: str) -> list[int]:
    return [answer(rival, dot) for dot in DOTS]


def test_the_emulator_rounds_one_exact_sum() -> None:
    assert C == 26
    found = of_the_emulator()
    assert [f"{each:08x}" for each in found] == [f"{each:08x}" for each in answers("")]


def test_sixteen_dot_products_tell_every_rival_from_the_others() -> None:
    told = {name: tuple(answers(name)) for name in ("", *RIVALS)}
    alike = [pair for pair in itertools.combinations(told, 2) if told[pair[0]] == told[pair[1]]]
    assert not alike


@pytest.mark.parametrize("rival", RIVALS)
def test_the_document_names_what_no_source_excludes(rival: str) -> None:
    assert f"| {rival} |" in DOCUMENT.read_text()
