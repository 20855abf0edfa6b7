"""Dot products that tell rules apart: each is a handful of powers of two at chosen places.

A term of a product sum is (k, factor of A, factor of B); factors are exact in their types.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np

from lanemap.conformance.tensor_cores.inputs import Words, chunk
from lanemap.conformance.tensor_cores.kinds import FORMATS, Codes, Kind

Term = tuple[int, float, float]
Design = tuple[list[Term], float]
#: Dot products of random operands that are added to the designed ones unless said otherwise.
RANDOM = 2048
_TYPES: dict[str, Any] = {
    "f32": np.float32, "tf32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
}  # fmt: skip


def lowest(name: str) -> int:
    """The exponent of the smallest number of a type."""
    f = FORMATS[name]
    return 1 - f.bias - (10 if name == "tf32" else f.mantissa)


def highest(name: str) -> int:
    """The exponent of the largest number of a type."""
    f = FORMATS[name]
    return f.largest - f.bias


@dataclass(frozen=True)
class Designer:
    """Designs for one kind: products of given exponents, at places that differ in their blocks."""

    kind: Kind

    def product(self, k: int, exponent: int, sign: int = 1, of: float = 1.0) -> list[Term]:
        """A product sign * of * of * 2^exponent at k; none if no factors have that exponent."""
        a, b = self.kind.a, self.kind.b
        low_a, low_b = (1 - FORMATS[name].bias for name in (a, b))
        if exponent < low_a + low_b:  # below the smallest normal product
            low_a, low_b = lowest(a), lowest(b)
        first = min(max(exponent // 2, low_a, exponent - highest(b)), highest(a), exponent - low_b)
        second = exponent - first
        spare = 0 if of == 1 else 3
        if of * 2 ** min(FORMATS[a].mantissa, FORMATS[b].mantissa) % 1:
            return []
        if not (low_a <= first <= highest(a) and low_b <= second <= highest(b)):
            return []
        if min(first - lowest(a), second - lowest(b)) < spare:
            return []
        return [(k, sign * of * 2.0**first, of * 2.0**second)]

    def places(self) -> list[tuple[int, int, int]]:
        """Triples of k in the same and in different blocks."""
        last, half = self.kind.depth - 1, self.kind.depth // 2
        every = [(0, 1, 2), (0, 1, last), (0, last, 1), (0, half, 1), (0, half, last),
                 (last - 1, last, 0), (1, half, half + 1)]  # fmt: skip
        return [each for each in dict.fromkeys(every) if len(set(each)) == 3]

    @property
    def large(self) -> int:
        """An exponent of a product, far enough from both ends of the range, and of C."""
        both = highest(self.kind.a) + highest(self.kind.b)
        return min(10, both - 2, highest(self.kind.c) - 2)

    def survivors(self) -> Iterator[Design]:
        """A large number and its negative leave a small one, if it was not cut."""
        m = self.large
        for below in range(8, 37):
            for i, j, k in self.places():
                small = self.product(k, m - below)
                for of in (1.0, 1.5):
                    pair = self.product(i, m, 1, of) + self.product(j, m, -1, of)
                    yield [*pair, *small], 0.0
                    if FORMATS[self.kind.a].exponent == 4:  # the range is narrow: begin higher
                        m4 = highest(self.kind.a) + highest(self.kind.b)
                        pair = self.product(i, m4) + self.product(j, m4, -1)
                        yield [*pair, *self.product(k, m4 - below)], 0.0
                yield self.product(j, m, -1) + small, 2.0**m
                if m - below >= lowest(self.kind.c):
                    yield self.product(i, m) + self.product(j, m, -1), 2.0 ** (m - below)

    def many(self) -> Iterator[Design]:
        """Many small numbers of one sign beside a large one, as a product and as C."""
        m, depth = self.large, self.kind.depth
        for below in range(8, 37):
            for sign in (1, -1):
                for of in (1.0, 1.5):
                    small = [self.product(k, m - below, sign, of) for k in range(1, depth)]
                    terms = [term for each in small for term in each]
                    yield self.product(0, m) + terms, 0.0
                    yield terms, 2.0**m
                    yield terms[:1], 2.0**m
                    yield terms[-1:], -(2.0**m)

    def halves(self) -> Iterator[Design]:
        """Sums at and beside the middle between two results."""
        for bits in (11, 14, 15, 23, 24, 25):
            for sign in (1, -1):
                for odd in (0, 1):
                    for tail in (0, 2, 3, 6):
                        one = self.product(0, 0, sign)
                        rest = self.product(1, 1 - bits, sign) if odd else []
                        rest = rest + self.product(2, -bits, sign)
                        rest += self.product(3, -bits - tail, sign) if tail else []
                        yield one + rest, 0.0
                        yield rest, float(sign)
                    for of in (1.125, 1.25, 1.5):
                        yield self.product(2, -bits, sign, of), sign * (1.0 + odd * 2.0**-9)

    def subnormal_factors(self) -> Iterator[Design]:
        """A product with a subnormal factor beside its negative without, and a small number."""
        a, b = self.kind.a, self.kind.b
        for low, high, swap in ((a, b, False), (b, a, True)):
            least = lowest(low)
            for up, below, of in product(
                (min(highest(high), 8), highest(high)), range(40), (1.0, 1.5)
            ):
                exact = self.product(1, least + up, -1)
                if exact:
                    first = (0, 2.0**up, 2.0**least) if swap else (0, 2.0**least, 2.0**up)
                    yield [first, *exact, *self.product(2, least + up - below, of=of)], 0.0

    def ends(self) -> Iterator[Design]:
        """Sums near the smallest and the largest results, and zeros."""
        d = self.kind.d
        for unit in (lowest(d), lowest(d) - 1, lowest(d) + 1, 1 - FORMATS[d].bias):
            for below in range(1, 40):
                for sign in (1, -1):
                    small = self.product(2, unit - below, sign)
                    yield self.product(0, unit) + small, 0.0
                    yield self.product(0, unit) + self.product(1, unit) + small, 0.0
        yield [], 2.0 ** lowest(self.kind.c)
        yield [], 3 * 2.0 ** lowest(self.kind.c)
        largest = float(np.finfo(np.float16 if d == "f16" else np.float32).max)
        top = highest(d)
        for below in range(0, 14):
            yield self.product(0, top - below), largest
            yield self.product(0, top, -1) + self.product(1, top - below, -1), -largest
            yield self.product(0, top) + self.product(1, top) + self.product(2, -below), 0.0

    def all(self) -> Iterator[Design]:
        """Every design; those of which a factor does not exist lack that term."""
        yield from self.survivors()
        yield from self.many()
        yield from self.halves()
        yield from self.subnormal_factors()
        yield from self.ends()


def _encoded(values: Any, name: str) -> Codes:
    with np.errstate(over="ignore"):
        codes = np.asarray(values, np.float64).astype(_TYPES[name])
    if not np.array_equal(codes.astype(np.float64), values):
        raise ValueError(f"a designed operand is not a number of {name}")
    return codes.view(FORMATS[name].dtype)


def designed(kind: Kind, random: int = RANDOM) -> tuple[Codes, Codes, Codes]:
    """Designed and so many random dot products, mixed: A [dot, k], B [dot, k], C [dot]."""
    designs = list(Designer(kind).all())
    a = np.zeros((len(designs), kind.depth))
    b, c = np.zeros_like(a), np.array([each for _, each in designs])
    for n, (terms, _) in enumerate(designs):
        for k, x, y in terms:
            a[n, k], b[n, k] = x, y
    rows, columns, addends = chunk(kind, -1)
    words = Words(f"{kind.name} designs")
    tile, i, j = (words.below(n, random) for n in addends.shape)
    packed = [
        np.concatenate([_encoded(values, name), others])
        for values, name, others in (
            (a, kind.a, rows[tile, i]),
            (b, kind.b, columns[tile, j]),
            (c, kind.c, addends[tile, i, j]),
        )
    ]
    order = np.argsort(words.take(len(packed[2])), kind="stable")
    return packed[0][order], packed[1][order], packed[2][order]
