"""The problem of a block-scaled product: sizes, types, and the limits of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lanemap.benching.gemm.problem import MOST, TYPES, check_leading, type_name
from lanemap.errors import UserError
from lanemap.quantization.formats import BlockFormat, format_named
from lanemap.quantization.scales import ATOM_BYTES, ATOM_COLUMNS, ATOM_ROWS

#: What C may be.
OUTPUTS = ("float16", "bfloat16", "float32")
#: The largest number of matrices, which a dimension of a tensor map counts.
MOST_BATCHES = 1 << 16


@dataclass(frozen=True)
class Problem:
    """C[l] = alpha * A[l] @ B[l].T for every matrix l of a batch.

    Attributes:
        m: Rows of A and C.
        n: Rows of B, columns of C.
        k: Columns of A and B, in elements.
        batches: Matrices.
        format: Format of A and B: a name of `FORMATS`.
        output: Name of the type of C.
    """

    m: int
    n: int
    k: int
    batches: int = 1
    format: str = "nvfp4"
    output: str = "float16"

    def __post_init__(self) -> None:
        """Check that the kernel can compute it.

        Raises:
            UserError: a type, size or alignment that it does not support.
        """
        kind = format_named(self.format)
        if self.output not in OUTPUTS:
            raise UserError(f"C of dtype {self.output} is not one of {', '.join(OUTPUTS)}")
        for name, size in (("M", self.m), ("N", self.n), ("K", self.k)):
            if not 1 <= size <= MOST:
                raise UserError(f"{name} is {size}; sizes from 1 to {MOST} are supported")
        if not 1 <= self.batches <= MOST_BATCHES:
            raise UserError(
                f"the batch has {self.batches} matrices; 1 to {MOST_BATCHES} are supported"
            )
        if self.k % (128 // kind.element.bits):
            raise UserError(
                f"K is {self.k}; rows of {kind.name} must be a multiple of 16 bytes, that is of "
                f"{128 // kind.element.bits} elements, for TMA"
            )
        check_leading("N", self.n * TYPES[self.output].bytes)

    @property
    def kind(self) -> BlockFormat:
        """The format of A and B."""
        return format_named(self.format)

    @property
    def element(self) -> str:
        """Name of the type that is multiplied."""
        return str(self.kind.element.dtype)

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of A or B."""
        return self.kind.row_bytes(self.k)

    @property
    def scale_columns(self) -> int:
        """Scales of a row."""
        return -(-self.k // self.kind.block)

    def atoms(self, rows: int) -> tuple[int, int]:
        """Return the 128x4 atoms that hold the scales of so many rows, along rows and along K."""
        return -(-rows // ATOM_ROWS), -(-self.scale_columns // ATOM_COLUMNS)

    @property
    def flops(self) -> int:
        """A multiplication and an addition for each product; scales count for nothing."""
        return 2 * self.batches * self.m * self.n * self.k

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: A, B and their scales read once, C written once."""
        row = self.row_bytes + self.scale_columns
        output = TYPES[self.output].bytes
        return self.batches * ((self.m + self.n) * row + self.m * self.n * output)


def problem_of(a: Any, b: Any, sfa: Any, sfb: Any, format: str, output: str) -> Problem:
    """Return the product of arrays.

    Args:
        a: (M, bytes of a row) or (L, M, bytes of a row), of NumPy, CuPy or PyTorch.
        b: (N, ..) or (L, N, ..).
        sfa: The scales of A in atoms; their shape is free.
        sfb: The scales of B.
        format: A name of `FORMATS`.
        output: Name of C's type.

    Raises:
        UserError: the arrays do not fit each other or the format, or `Problem` refuses them.
    """
    kind = format_named(format)
    shapes = tuple(a.shape), tuple(b.shape)
    if {len(shape) for shape in shapes} not in ({2}, {3}):
        raise UserError(
            f"A is {shapes[0]} and B is {shapes[1]}; both must be (rows, K) or (L, rows, K)"
        )
    if shapes[0][-1] != shapes[1][-1] or shapes[0][:-2] != shapes[1][:-2]:
        raise UserError(f"A is {shapes[0]} and B is {shapes[1]}; K and the batch must be the same")
    for name, array in (("A", a), ("B", b)):
        _check_type(name, type_name(array), kind.packed, str(kind.element.dtype), kind)
    for name, array in (("SFA", sfa), ("SFB", sfb)):
        _check_type(name, type_name(array), False, str(kind.scale), kind)
    batches = int(shapes[0][0]) if len(shapes[0]) == 3 else 1
    k = int(shapes[0][-1]) * 8 // kind.element.bits
    problem = Problem(int(shapes[0][-2]), int(shapes[1][-2]), k, batches, format, output)
    for name, array, rows in (("SFA", sfa, problem.m), ("SFB", sfb, problem.n)):
        tiles, columns = problem.atoms(rows)
        needed, size = batches * tiles * columns * ATOM_BYTES, 1
        for each in array.shape:
            size *= int(each)
        if size != needed:
            raise UserError(
                f"{name} has {size} bytes; {batches} x {tiles} x {columns} atoms of 128x4 scales "
                f"are {needed} (lanemap.scale_atoms lays them out)"
            )
    return problem


def _check_type(name: str, found: str, packed: bool, wanted: str, kind: BlockFormat) -> None:
    known = ("uint8", "float4_e2m1fn_x2") if packed else ("uint8", wanted)
    if found not in known:
        raise UserError(f"{name} is of dtype {found}; for {kind.name} it is {' or '.join(known)}")
