"""The problem of lds_attention: sizes, types, and the limits of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lanemap.benching.arrays import require_arrays, warn_of_heads_first
from lanemap.benching.gemm.problem import type_name
from lanemap.errors import UserError

ELEMENT = "float8_e4m3fn"
HEAD_DIMENSIONS = (64, 128)
OUTPUTS = ("bfloat16", "float16")
#: Bytes that 32-bit offsets of a buffer reach, less a tile of rows beyond the last one.
_MOST_BYTES = (1 << 32) - (1 << 26)
#: Sizes of a grid's second and third dimension.
_MOST_HEADS = (1 << 16) - 1


@dataclass(frozen=True)
class Problem:
    """O = softmax(scale Q @ K.T) @ V for each head of each batch.

    Attributes:
        batch: Batch size of all operands.
        queries: Length of Q and O.
        keys: Length of K and V.
        heads: Heads of Q and O.
        kv_heads: Heads of K and V; `heads / kv_heads` adjacent heads of Q share one.
        head_dim: Elements of a row.
        causal: Whether query i sees keys up to i + keys - queries alone.
        output: Name of O's type.
    """

    batch: int
    queries: int
    keys: int
    heads: int
    kv_heads: int
    head_dim: int
    causal: bool = False
    output: str = "bfloat16"

    def __post_init__(self) -> None:
        """Check that the kernel can compute it.

        Raises:
            UserError: a type or size that it does not support.
        """
        if self.output not in OUTPUTS:
            raise UserError(f"out_dtype {self.output} is not one of {', '.join(OUTPUTS)}")
        if self.head_dim not in HEAD_DIMENSIONS:
            raise UserError(f"the head dimension is {self.head_dim}; 64 and 128 are supported")
        if self.kv_heads < 1 or self.heads < 1 or self.heads % self.kv_heads:
            raise UserError(
                f"q has {self.heads} heads, which is not a multiple of the {self.kv_heads} heads "
                "of k and v"
            )
        for name, size in (("heads", self.heads), ("batches", self.batch)):
            if not 1 <= size <= _MOST_HEADS:
                raise UserError(f"there are {size} {name}; 1 to {_MOST_HEADS} are supported")
        rows = (("queries", self.queries, 2 * self.heads), ("keys", self.keys, self.kv_heads))
        for name, size, elements in rows:
            most = _MOST_BYTES // (elements * self.head_dim)
            if not 1 <= size <= most:
                raise UserError(f"there are {size} {name}; 1 to {most} are supported")

    @property
    def flops(self) -> int:
        """Operations of both products, for the keys that each query sees."""
        pairs = self.queries * self.keys
        if self.causal:
            beyond = self.keys - self.queries + 1
            seen = (min(max(query + beyond, 0), self.keys) for query in range(self.queries))
            pairs = sum(seen)
        return 4 * self.batch * self.heads * pairs * self.head_dim


def problem_of(q: Any, k: Any, v: Any, causal: bool, output: str) -> Problem:
    """Return the attention of arrays of NumPy or PyTorch.

    Args:
        q: (batch, queries, heads, head dimension).
        k: (batch, keys, heads of K and V, head dimension).
        v: As k.
        causal: See `Problem`.
        output: See `Problem`.

    Raises:
        UserError: the arrays do not fit each other, or `Problem` refuses them.
    """
    require_arrays(q=q, k=k, v=v)
    shapes = tuple(q.shape), tuple(k.shape), tuple(v.shape)
    warn_of_heads_first(shapes[1], callers=3)
    if any(len(shape) != 4 for shape in shapes):
        raise UserError(
            "q, k and v must have shape (batch, length, heads, head dimension), not "
            f"{shapes[0]}, {shapes[1]}, {shapes[2]}"
        )
    if shapes[1] != shapes[2] or (shapes[0][0], shapes[0][3]) != (shapes[1][0], shapes[1][3]):
        raise UserError(
            f"q has shape {shapes[0]}, k {shapes[1]} and v {shapes[2]}; k and v must have the "
            "same shape, with the batch and head dimension of q"
        )
    names = [type_name(each) for each in (q, k, v)]
    if set(names) != {ELEMENT}:
        hint = "; gfx950 reads OCP's FP8, not gfx942's" if "float8_e4m3fnuz" in names else ""
        raise UserError(f"q, k and v are {', '.join(names)}; they must be {ELEMENT}{hint}")
    (batch, queries, heads, dim), (_, keys, kv_heads, _) = shapes[0], shapes[1]
    return Problem(
        int(batch),
        int(queries),
        int(keys),
        int(heads),
        int(kv_heads),
        int(dim),
        bool(causal),
        output,
    )
