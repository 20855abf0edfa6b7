"""The problem of attention: sizes, types, mask, and the limits of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lanemap.benching.gemm.problem import TYPES
from lanemap.errors import UserError

#: Elements of a row of Q and K, and of V and O where those have fewer.
HEAD_DIMENSIONS, FEWER_VALUES = (64, 96, 128, 192, 256), ((192, 128),)
#: What can be done to the logits beside scaling and masking them, in the order in which it is done.
ADDITIONS = ("softcap", "alibi", "sinks")
#: The type of O, by that of Q, K and V.
OUTPUTS = {"bfloat16": "bfloat16", "float16": "float16", "float8_e4m3fn": "bfloat16"}
#: An entry of the schedule has 16 bits for the tile of queries, 16 for the head of a sequence.
_MOST_HEADS, _MOST_LENGTH = (1 << 16) - 1, 1 << 22
#: Lengths of packed sequences that are in memory of the device.
UNKNOWN = "unknown"
#: Keys on one side of a query's own: all of them, and what the kernel is given for that.
ALL, _FAR = -1, 1 << 24


@dataclass(frozen=True)
class Problem:
    """O = softmax(scale Q @ K.T) @ V for each head of each sequence.

    Key j is query i's own if i and j are equally far from the ends of their sequences, so the last
    query's own key is the last one. A window (left, right) hides all but the query's own key, so
    many before it and so many after it; a causal mask is the window (-1, 0).

    Attributes:
        batch: Sequences.
        queries: Length of Q and O; of all sequences together if `lengths` are given.
        keys: Length of K and V, likewise.
        heads: Heads of Q and O.
        kv_heads: Heads of K and V; `heads / kv_heads` adjacent heads of Q share one.
        head_dim: Elements of a row.
        left: Keys that a query sees before its own; -1 is all.
        right: Keys that it sees after its own, likewise.
        element: Name of the type of Q, K and V.
        lengths: Queries and keys of each sequence, such as "150x200/1x300", where they have
            lengths of their own and lie one after another; `UNKNOWN` where only the device knows
            them; else "".
        value_dim: Elements of a row of V and O; 0 is `head_dim`.
        added: Which of `ADDITIONS` there are, such as "softcap+sinks".
    """

    batch: int
    queries: int
    keys: int
    heads: int
    kv_heads: int
    head_dim: int
    left: int = ALL
    right: int = ALL
    element: str = "bfloat16"
    lengths: str = ""
    value_dim: int = 0
    added: str = ""

    def __post_init__(self) -> None:
        """Check that the kernel can compute it.

        Raises:
            UserError: a type or size that it does not support.
        """
        if self.element not in OUTPUTS:
            raise UserError(
                f"q, k and v are of dtype {self.element}; supported are {', '.join(OUTPUTS)}"
            )
        dims = self.head_dim, self.values
        if dims[0] not in HEAD_DIMENSIONS or (dims[0] != dims[1] and dims not in FEWER_VALUES):
            words = f"{dims[0]}" if dims[0] == dims[1] else f"{dims[0]}, and {dims[1]} of v"
            raise UserError(
                f"the head dimension is {words}; supported are "
                f"{', '.join(map(str, HEAD_DIMENSIONS))}, and 192 with 128 of v"
            )
        if self.additions != tuple(each for each in ADDITIONS if each in self.additions):
            raise UserError(f"added is {self.added!r}; it must be some of {'+'.join(ADDITIONS)}")
        for name, size in (("queries", self.queries), ("keys", self.keys)):
            if not 1 <= size <= _MOST_LENGTH:
                raise UserError(f"there are {size} {name}; 1 to {_MOST_LENGTH} are supported")
        if self.kv_heads < 1 or self.heads < 1 or self.heads % self.kv_heads:
            raise UserError(
                f"q has {self.heads} heads, which is not a multiple of the {self.kv_heads} heads "
                "of k and v"
            )
        if not 1 <= self.batch * self.heads <= _MOST_HEADS:
            raise UserError(
                f"batch x heads is {self.batch * self.heads}; 1 to {_MOST_HEADS} are supported"
            )
        if self.left < ALL or self.right < ALL:
            raise UserError(
                f"window_size is {(self.left, self.right)}; each side is a number of keys, or -1 "
                "for all"
            )
        if self.lengths and self.lengths != UNKNOWN:
            totals = self.batch, self.queries, self.keys
            sums = len(self.sequences), *map(sum, zip(*self.sequences, strict=True))
            if totals != sums:
                raise UserError(
                    f"lengths {self.lengths} give batch, queries and keys {sums}, but the problem "
                    f"has {totals}"
                )

    @property
    def element_bytes(self) -> int:
        """Bytes of an element of Q, K and V."""
        return TYPES[self.element].bytes

    @property
    def values(self) -> int:
        """Elements of a row of V and O."""
        return self.value_dim or self.head_dim

    @property
    def additions(self) -> tuple[str, ...]:
        """Which of `ADDITIONS` there are."""
        return tuple(self.added.split("+")) if self.added else ()

    @property
    def output(self) -> str:
        """Name of the type of O."""
        return OUTPUTS[self.element]

    @property
    def causal(self) -> bool:
        """Whether a query sees no key after its own, so that tiles differ in their work."""
        return self.right != ALL

    @property
    def reach(self) -> tuple[int, int]:
        """The window with a number that no length reaches for -1."""
        left, right = (_FAR if side == ALL else min(side, _FAR) for side in (self.left, self.right))
        return left, right

    @cached_property
    def sequences(self) -> tuple[tuple[int, int], ...]:
        """Queries and keys of each sequence.

        Raises:
            UserError: `lengths` are not written as they must be.
        """
        if not self.lengths:
            return ((self.queries, self.keys),) * self.batch
        found = []
        for part in self.lengths.split("/"):
            queries, by, keys = part.partition("x")
            if not (by and queries.isdecimal() and keys.isdecimal()):
                raise UserError(f"lengths {self.lengths!r} must be written like 150x200/1x300")
            found.append((int(queries), int(keys)))
        return tuple(found)

    @property
    def pairs(self) -> int:
        """Pairs of a query and a key that it sees, of one head of all sequences together."""
        left, right = self.reach
        total = 0
        for (queries, keys), count in _counted(self.sequences):
            own = keys - queries
            seen = sum(
                max(0, min(keys, i + own + right + 1) - max(0, i + own - left))
                for i in range(queries)
            )
            total += count * seen
        return total

    @property
    def flops(self) -> int:
        """Two products of a row for each pair that is seen."""
        return 2 * self.pairs * self.heads * (self.head_dim + self.values)

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: Q, K and V read once, O and log_sum_exp written once."""
        rows = self.queries if self.lengths else self.batch * self.queries
        keys = self.keys if self.lengths else self.batch * self.keys
        of_keys = keys * self.kv_heads * (self.head_dim + self.values)
        read = (rows * self.heads * self.head_dim + of_keys) * self.element_bytes
        return read + rows * self.heads * (self.values * TYPES[self.output].bytes + 4)


def _counted(
    sequences: tuple[tuple[int, int], ...],
) -> list[tuple[tuple[int, int], int]]:
    """Return each pair of lengths once, with how many sequences have it."""
    return [(each, sequences.count(each)) for each in dict.fromkeys(sequences)]
