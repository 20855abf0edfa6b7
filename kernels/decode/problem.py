"""The problem of decode attention: sizes, types, window, and the limits of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lanemap.benching.attention.problem import ALL
from lanemap.benching.gemm.problem import TYPES
from lanemap.errors import UserError

ELEMENTS = ("bfloat16", "float16")
HEAD_DIMENSIONS = (64, 128)
#: Queries of a sequence; keys of one.
MOST_QUERIES, MOST_KEYS = 64, 1 << 22
#: A page has a multiple of so many keys.
PAGE_STEP = 8
#: What the kernel is given for a window's side that is ALL.
_FAR = 1 << 24


@dataclass(frozen=True)
class Problem:
    """O = softmax(scale Q @ K.T) @ V for few queries of each sequence.

    Key j is query i's own if both are equally far from the ends of their sequences.

    Attributes:
        batch: Sequences.
        queries: Of each sequence.
        keys: Of each sequence at most: those of an array, or of a row of the block table.
        heads: Heads of Q and O.
        kv_heads: Heads of K and V; `heads / kv_heads` adjacent heads of Q share one.
        head_dim: Elements of a row.
        page: Keys of a page; 0 where the keys of a sequence lie in one piece.
        left: Keys that a query sees before its own; -1 is all.
        right: Keys that it sees after its own, likewise.
        element: Name of the type.
        lengths: Keys of each sequence, such as "100/8192", where a benchmark has some that are
            shorter; else "". Calls have them in memory of the device.
    """

    batch: int
    queries: int
    keys: int
    heads: int
    kv_heads: int
    head_dim: int
    page: int = 0
    left: int = ALL
    right: int = ALL
    element: str = "bfloat16"
    lengths: str = ""

    def __post_init__(self) -> None:
        """Check that the kernel can compute it.

        Raises:
            UserError: a type or size that it does not support.
        """
        if self.element not in ELEMENTS:
            raise UserError(
                f"q, k and v are of dtype {self.element}; supported are {', '.join(ELEMENTS)}"
            )
        if self.head_dim not in HEAD_DIMENSIONS:
            raise UserError(f"the head dimension is {self.head_dim}; 64 and 128 are supported")
        most = (("queries", self.queries, MOST_QUERIES), ("keys", self.keys, MOST_KEYS))
        for name, size, largest in most:
            if not 1 <= size <= largest:
                raise UserError(f"there are {size} {name}; 1 to {largest} are supported")
        if self.kv_heads < 1 or self.heads < 1 or self.heads % self.kv_heads:
            raise UserError(
                f"q has {self.heads} heads, which is not a multiple of the {self.kv_heads} heads "
                "of k and v"
            )
        if self.page < 0 or self.page % PAGE_STEP:
            raise UserError(f"a page has {self.page} keys; it must have a multiple of {PAGE_STEP}")
        if self.left < ALL or self.right < ALL:
            raise UserError(
                f"window_size is {(self.left, self.right)}; each side is a number of keys, or -1 "
                "for all"
            )
        if self.batch < 1 or self.batch * self.heads * self.keys >= 1 << 37:
            raise UserError(
                f"there are {self.batch} sequences of {self.keys} keys and {self.heads} heads; "
                f"the product of the three must be less than 2^37, and not 0"
            )
        if len(self.of_each) != self.batch or not all(0 <= n <= self.keys for n in self.of_each):
            raise UserError(
                f"lengths {self.lengths} must be {self.batch} numbers from 0 to {self.keys}"
            )

    @property
    def group(self) -> int:
        """Heads of Q that share one of K and V."""
        return self.heads // self.kv_heads

    @property
    def reach(self) -> tuple[int, int]:
        """The window with a number that no length reaches for -1."""
        left, right = (_FAR if side == ALL else min(side, _FAR) for side in (self.left, self.right))
        return left, right

    @cached_property
    def of_each(self) -> tuple[int, ...]:
        """Keys of each sequence.

        Raises:
            UserError: `lengths` are not written as they must be.
        """
        if not self.lengths:
            return (self.keys,) * self.batch
        parts = self.lengths.split("/")
        if not all(each.isdecimal() for each in parts):
            raise UserError(f"lengths {self.lengths!r} must be written like 100/8192")
        return tuple(map(int, parts))

    @property
    def seen(self) -> int:
        """Keys of all sequences that some query sees."""
        left = self.reach[0]
        return sum(keys - max(0, keys - self.queries - left) for keys in self.of_each)

    @property
    def flops(self) -> int:
        """Two products of a row for each pair of a query and a key that it sees."""
        left, right = self.reach
        pairs = 0
        for keys in self.of_each:
            owns = range(keys - self.queries, keys)
            pairs += sum(max(0, min(keys, o + right + 1) - max(0, o - left)) for o in owns)
        return 4 * pairs * self.heads * self.head_dim

    @property
    def key_bytes(self) -> int:
        """Bytes of the rows of K and V that some query sees."""
        return 2 * self.seen * self.kv_heads * self.head_dim * TYPES[self.element].bytes

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: Q, K and V read once, O and log_sum_exp written once."""
        rows = self.batch * self.queries * self.heads
        return self.key_bytes + rows * (2 * self.head_dim * TYPES[self.element].bytes + 4)
