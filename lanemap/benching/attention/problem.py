"""What attention computes: sizes and types, and what the kernel cannot compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lanemap.benching.gemm.problem import TYPES, type_name
from lanemap.errors import UserError

HEAD_DIMENSIONS = (64, 128)
ELEMENTS = ("bfloat16", "float16")
#: An entry of the schedule has 16 bits for the tile of queries, 16 for the head of a batch.
_MOST_HEADS, _MOST_LENGTH = (1 << 16) - 1, 1 << 22


@dataclass(frozen=True)
class Problem:
    """O = softmax(scale Q @ K.T) @ V for each head of each batch.

    Attributes:
        batch: Of all operands.
        queries: Length of Q and O.
        keys: Length of K and V.
        heads: Of Q and O.
        kv_heads: Of K and V; `heads / kv_heads` adjacent heads of Q share one.
        head_dim: Elements of a row.
        causal: Whether query i sees keys up to i + keys - queries alone.
        element: Name of the type of all operands.
    """

    batch: int
    queries: int
    keys: int
    heads: int
    kv_heads: int
    head_dim: int
    causal: bool = False
    element: str = "bfloat16"

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
        for name, size in (("queries", self.queries), ("keys", self.keys)):
            if not 1 <= size <= _MOST_LENGTH:
                raise UserError(f"there are {size} {name}; 1 to {_MOST_LENGTH} are supported")
        if self.kv_heads < 1 or self.heads < 1 or self.heads % self.kv_heads:
            raise UserError(
                f"{self.heads} heads of q cannot share {self.kv_heads} heads of k and v evenly"
            )
        if not 1 <= self.batch * self.heads <= _MOST_HEADS:
            raise UserError(
                f"batch x heads is {self.batch * self.heads}; 1 to {_MOST_HEADS} are supported"
            )

    @property
    def element_bytes(self) -> int:
        """Of an element."""
        return TYPES[self.element].bytes


def problem_of(q: Any, k: Any, v: Any, causal: bool) -> Problem:
    """Return the attention of arrays of NumPy, CuPy or PyTorch.

    Args:
        q: (batch, queries, heads, head dimension).
        k: (batch, keys, heads of K and V, head dimension).
        v: As k.
        causal: See `Problem`.

    Raises:
        UserError: the arrays do not fit each other, or see `Problem`.
    """
    shapes = tuple(q.shape), tuple(k.shape), tuple(v.shape)
    if any(len(shape) != 4 for shape in shapes):
        raise UserError(
            f"q, k and v are (batch, length, heads, head dimension), not {shapes[0]}, {shapes[1]}, "
            f"{shapes[2]}"
        )
    if shapes[1] != shapes[2] or (shapes[0][0], shapes[0][3]) != (shapes[1][0], shapes[1][3]):
        raise UserError(
            f"q of {shapes[0]} does not fit k of {shapes[1]} and v of {shapes[2]}: k and v have "
            "one shape, and batch and head dimension of q"
        )
    names = [type_name(each) for each in (q, k, v)]
    if len(set(names)) != 1:
        raise UserError(f"q, k and v are {', '.join(names)}; they must have one dtype")
    (batch, queries, heads, dim), (_, keys, kv_heads, _) = shapes[0], shapes[1]
    return Problem(
        int(batch), int(queries), int(keys), int(heads), int(kv_heads), int(dim), bool(causal),
        names[0],
    )  # fmt: skip
