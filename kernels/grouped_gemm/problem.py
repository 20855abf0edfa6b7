"""The problem of a grouped product: sizes, types, and how groups lie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lanemap.benching.arrays import require_arrays
from lanemap.benching.gemm import problem as gemm
from lanemap.benching.gemm.problem import OUTPUTS, TYPES, type_name
from lanemap.benching.gemm.scales import BLOCK, ELEMENT, check_scales
from lanemap.errors import UserError

#: A dimension of a tensor map, and what keeps the number of tiles within 32 bits.
_MOST_GROUPS = 1 << 16


@dataclass(frozen=True)
class Problem:
    """C = A @ B[g].T for the rows of each group g.

    Attributes:
        rows: Rows of A and C; if `masked`, those that each group has room for.
        n: Rows of a matrix of B, columns of C.
        k: Columns of A and B.
        groups: Matrices of B.
        masked: Whether each group has a matrix of A and C of its own, of which it uses the first
            rows; else groups lie one after another.
        element: Name of the type of A and B.
        output: Name of the type of C.
        scaled: Whether elements are FP8 whose blocks have scales: 128 elements of a row of A, and
            128 x 128 of each matrix of B.
        sizes: Rows of each group, such as "128/0/300", for benchmarks; "" draws them. A call has
            them in memory, and no text or launch depends on them.
    """

    rows: int
    n: int
    k: int
    groups: int
    masked: bool = False
    element: str = "bfloat16"
    output: str = "bfloat16"
    scaled: bool = False
    sizes: str = ""

    def __post_init__(self) -> None:
        """Check that the kernel can compute it.

        Raises:
            UserError: a type or size that it does not support.
        """
        if not 1 <= self.groups <= _MOST_GROUPS:
            raise UserError(
                f"B has {self.groups} matrices; 1 to {_MOST_GROUPS} groups are supported"
            )
        assert self.product

    @cached_property
    def product(self) -> gemm.Problem:
        """The product of all rows with one matrix of B: the same types and limits.

        Raises:
            UserError: a type or size that no GEMM of lanemap supports.
        """
        sums = "two_level" if self.scaled else "fast"
        return gemm.Problem(self.rows, self.n, self.k, self.element, self.output, sums)

    @cached_property
    def drawn(self) -> tuple[int, ...]:
        """Rows of each group of a benchmark.

        Raises:
            UserError: `sizes` are not written as they must be, or do not fit.
        """
        if not self.sizes:
            return _drawn(self)
        parts = self.sizes.split("/")
        if not all(part.isdecimal() for part in parts):
            raise UserError(f"sizes {self.sizes!r} must be written like 128/0/300")
        found = tuple(map(int, parts))
        most = max(found) if self.masked else sum(found)
        if len(found) != self.groups or most > self.rows:
            raise UserError(
                f"sizes {self.sizes} do not fit {self.groups} groups and {self.rows} rows"
            )
        return found

    @property
    def flops(self) -> int:
        """A multiplication and an addition for each element of A and column of C."""
        return 2 * sum(self.drawn) * self.n * self.k

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: used rows and matrices of B read once, C written once."""
        element, output = TYPES[self.element].bytes, TYPES[self.output].bytes
        used, rows = sum(1 for each in self.drawn if each), sum(self.drawn)
        scales = (rows + used * -(-self.n // BLOCK)) * -(-self.k // BLOCK) * 4 * self.scaled
        return (rows + used * self.n) * self.k * element + rows * self.n * output + scales


def _drawn(problem: Problem) -> tuple[int, ...]:
    """Draw sizes as routers leave them: some groups have several times the rows of others."""
    rng = np.random.default_rng(problem.groups)
    shares = rng.gamma(2.0, size=problem.groups)
    if problem.masked:
        return tuple(int(each) for each in (shares / shares.max() * problem.rows))
    return tuple(int(each) for each in rng.multinomial(problem.rows, shares / shares.sum()))


def problem_of(
    a: Any, b: Any, sizes: Any, output: str | None, scales: tuple[Any, Any] = (None, None)
) -> Problem:
    """Return the problem that arrays of NumPy, CuPy or PyTorch state.

    Args:
        a: (rows, K), or (groups, room of each, K).
        b: (groups, N, K).
        sizes: (groups,) of int32.
        output: Name of C's type; by default the first of `OUTPUTS`.
        scales: Those of A and of B, or None for both.

    Raises:
        UserError: the arrays do not fit each other, or `Problem` refuses them.
    """
    require_arrays(A=a, B=b, sizes=sizes)
    of_a, of_b = (tuple(int(size) for size in each.shape) for each in (a, b))
    if len(of_a) not in (2, 3) or len(of_b) != 3 or of_a[-1] != of_b[-1]:
        raise UserError(
            "a grouped product needs A of (rows, K) or (groups, rows, K) and B of (groups, N, K), "
            f"not {of_a}, {of_b}"
        )
    if len(of_a) == 3 and of_a[0] != of_b[0]:
        raise UserError(f"A has {of_a[0]} groups and B {of_b[0]}")
    names = type_name(a), type_name(b)
    if names[0] != names[1]:
        raise UserError(f"A is {names[0]} and B is {names[1]}; both must have one dtype")
    if tuple(sizes.shape) != of_b[:1] or type_name(sizes) != "int32":
        raise UserError(
            f"sizes is {type_name(sizes)} of {tuple(sizes.shape)}; it must be int32 of "
            f"{of_b[:1]}, the rows of each group"
        )
    output = output or OUTPUTS.get(names[0], ("",))[0]
    (rows, k), n = of_a[-2:], of_b[1]
    blocks = -(-k // BLOCK)
    wanted = (*of_a[:-1], blocks), (of_b[0], -(-n // BLOCK), blocks)
    scaled = _scaled(names[0], scales, wanted)
    return Problem(rows, n, k, of_b[0], len(of_a) == 3, names[0], output, scaled)


def _scaled(
    element: str, scales: tuple[Any, Any], wanted: tuple[tuple[int, ...], tuple[int, ...]]
) -> bool:
    """Say whether there are scales.

    Raises:
        UserError: there are those of one operand alone, of another type, or of other shapes.
    """
    named = dict(zip(("a_scales", "b_scales"), scales, strict=True))
    given = {name: each for name, each in named.items() if each is not None}
    if not given:
        return False
    if len(given) == 1:
        raise UserError(f"{next(iter(given))} is given alone; A and B both have scales, or none")
    if element != ELEMENT:
        raise UserError(f"A and B are {element}; only {ELEMENT} has a_scales and b_scales")
    require_arrays(**given)
    check_scales(given, wanted)
    return True
