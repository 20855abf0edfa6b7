"""The problem of a matrix product: sizes, types, accumulation, and the limits of the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from lanemap.errors import UserError

#: Bytes to which TMA wants rows and addresses aligned (cuTensorMapEncodeTiled).
ALIGNMENT = 16
#: A dimension of a tensor map, and of the schedule's tile numbers.
MOST = 1 << 22


@dataclass(frozen=True)
class Type:
    """An element type.

    Attributes:
        name: NumPy's, ml_dtypes' or PyTorch's name of it.
        ptx: As instructions name it.
        dtype: The type of NumPy arrays.
        bits: Significant bits, the hidden one included.
    """

    name: str
    ptx: str
    dtype: np.dtype[Any]
    bits: int

    @property
    def bytes(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def map_type(self) -> str:
        """The type in tensor maps: cuTensorMapEncodeTiled has no FP8, and a copy moves bytes."""
        return "uint8" if self.bytes == 1 else self.name


TYPES = {
    each.name: each
    for each in (
        Type("bfloat16", "bf16", np.dtype(ml_dtypes.bfloat16), 8),
        Type("float16", "f16", np.dtype(np.float16), 11),
        Type("float8_e4m3fn", "e4m3", np.dtype(ml_dtypes.float8_e4m3fn), 4),
        Type("float32", "f32", np.dtype(np.float32), 24),
    )
}
#: What C may be, by the type of A and B; the first is what it is unless asked for otherwise.
OUTPUTS = {
    "bfloat16": ("bfloat16", "float32"),
    "float16": ("float16", "float32"),
    "float8_e4m3fn": ("bfloat16", "float32"),
}
#: How sums of FP8 products are kept: in the tensor core, which keeps 14 bits of them, or with each
#: 128 products' sum added in f32.
ACCUMULATIONS = ("fast", "two_level")


#: What C's elements go through, by the number that the source has for it.
ACTIVATIONS = {"none": 0, "relu": 1, "gelu": 2, "gelu_tanh": 3, "silu": 4}


@dataclass(frozen=True)
class Epilogue:
    """What happens to A @ B.T before it is rounded.

    Attributes:
        bias: Whether a bias of each column is added.
        activation: What comes after that, of `ACTIVATIONS`.
    """

    bias: bool = False
    activation: str = "none"

    def __post_init__(self) -> None:
        """Check the activation.

        Raises:
            UserError: there is none of that name.
        """
        if self.activation not in ACTIVATIONS:
            raise UserError(
                f"activation {self.activation!r} is not one of {', '.join(ACTIVATIONS)}"
            )


#: C is A @ B.T itself.
PLAIN = Epilogue()


@dataclass(frozen=True)
class Problem:
    """C = A @ B.T.

    Attributes:
        m: Rows of A and C.
        n: Rows of B, columns of C.
        k: Columns of A and B.
        element: Name of the type of A and B.
        output: Name of the type of C.
        accumulation: One of `ACCUMULATIONS`.
    """

    m: int
    n: int
    k: int
    element: str = "bfloat16"
    output: str = "bfloat16"
    accumulation: str = "fast"

    def __post_init__(self) -> None:
        """Check that some kernel can compute it.

        Raises:
            UserError: a type, size or alignment that no kernel supports.
        """
        if self.element not in OUTPUTS:
            raise UserError(
                f"A and B are of dtype {self.element}; supported are {', '.join(OUTPUTS)}"
            )
        if self.output not in OUTPUTS[self.element]:
            raise UserError(
                f"C of dtype {self.output} is not supported for {self.element}; "
                f"it is {' or '.join(OUTPUTS[self.element])}"
            )
        if self.accumulation not in ACCUMULATIONS:
            raise UserError(
                f"accumulation {self.accumulation!r} is not one of {', '.join(ACCUMULATIONS)}"
            )
        if self.accumulation == "two_level" and self.element != "float8_e4m3fn":
            raise UserError(f"accumulation two_level is for float8_e4m3fn, not {self.element}")
        for name, size in (("M", self.m), ("N", self.n), ("K", self.k)):
            if not 1 <= size <= MOST:
                raise UserError(f"{name} is {size}; sizes from 1 to {MOST} are supported")

    @property
    def epilogue(self) -> Epilogue:
        """What happens to the product."""
        return PLAIN

    @property
    def transposed(self) -> tuple[bool, bool]:
        """Whether A and B lie with adjacent elements of a column."""
        return False, False

    @property
    def flops(self) -> int:
        """A multiplication and an addition for each product."""
        return 2 * self.m * self.n * self.k

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: A and B read once, C written once."""
        element, output = TYPES[self.element].bytes, TYPES[self.output].bytes
        return (self.m + self.n) * self.k * element + self.m * self.n * output


@dataclass(frozen=True)
class FinishedProblem(Problem):
    """C = activation(A @ B.T + bias), of operands that may lie transposed.

    Attributes:
        after: What happens to the product.
        a_transposed: Whether elements of a column of A are adjacent, not those of a row.
        b_transposed: Likewise of B.
    """

    after: Epilogue = PLAIN
    a_transposed: bool = False
    b_transposed: bool = False

    @property
    def epilogue(self) -> Epilogue:
        """What happens to the product."""
        return self.after

    @property
    def transposed(self) -> tuple[bool, bool]:
        """Whether A and B lie with adjacent elements of a column."""
        return self.a_transposed, self.b_transposed


def check_leading(name: str, row_bytes: int) -> None:
    """Check that rows begin where TMA can reach them.

    Raises:
        UserError: they do not.
    """
    if row_bytes % ALIGNMENT:
        raise UserError(
            f"the leading dimension along {name} is {row_bytes} bytes; TMA needs a multiple of "
            f"{ALIGNMENT}"
        )


def type_name(array: Any) -> str:
    """Return the name of an array's element type: of NumPy, CuPy or PyTorch."""
    dtype = array.dtype
    name = str(getattr(dtype, "name", dtype))
    return name.removeprefix("torch.")


def problem_of(
    a: Any, b: Any, output: str | None, accumulation: str
) -> tuple[Problem, tuple[int, ...]]:
    """Return the product of two arrays, and the batch of such products.

    Args:
        a: (.., M, K), of NumPy, CuPy or PyTorch.
        b: (.., N, K).
        output: Name of C's type; by default the first of `OUTPUTS`.
        accumulation: One of `ACCUMULATIONS`.

    Raises:
        UserError: the arrays do not fit each other, or `Problem` refuses them.
    """
    shapes = [tuple(int(size) for size in each.shape) for each in (a, b)]
    if any(len(shape) < 2 for shape in shapes) or shapes[0][-1] != shapes[1][-1]:
        raise UserError(f"A @ B.T needs A of (M, K) and B of (N, K), not {shapes[0]}, {shapes[1]}")
    try:
        batch = np.broadcast_shapes(*(shape[:-2] for shape in shapes))
    except ValueError:
        raise UserError(
            f"the batch of A, {shapes[0][:-2]}, does not fit that of B, {shapes[1][:-2]}"
        ) from None
    names = type_name(a), type_name(b)
    if names[0] != names[1]:
        raise UserError(f"A is {names[0]} and B is {names[1]}; both must have one dtype")
    output = output or OUTPUTS.get(names[0], ("",))[0]
    (m, k), n = shapes[0][-2:], shapes[1][-2]
    return Problem(m, n, k, names[0], output, accumulation), batch
