"""The problem of a GEMV: sizes, the layout of scales, and the limits of the kernels."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.errors import UserError

#: Elements that share a scale, of nvfp4.
BLOCK = 16
#: Elements of 16 bytes: rows begin where wide loads and TMA can reach them.
ALIGNMENT = 32
#: Rows and scales of a row in an atom, and its bytes: see `block_scaled.scales`.
ATOM_ROWS, ATOM_COLUMNS, ATOM_BYTES = 128, 4, 512
IMPLEMENTATIONS = ("fma", "mma")
#: How the scales of A and b lie: as (L, M, K / 16), or in 128x4 atoms.
SCALES = ("plain", "atoms")
_MOST_ROWS, _MOST_COLUMNS, _MOST_MATRICES = 1 << 22, 1 << 16, 1 << 15


@dataclass(frozen=True)
class Problem:
    """c[l] = A[l] b[l] of nvfp4.

    Attributes:
        m: Rows of A, elements of c.
        k: Columns of A, elements of b.
        batches: Matrices and vectors.
        impl: "fma", on CUDA cores, or "mma", on the tensor core.
        scales: "plain", or "atoms" of 128 rows and 4 scales.
    """

    m: int
    k: int
    batches: int = 1
    impl: str = "fma"
    scales: str = "plain"

    def __post_init__(self) -> None:
        """Check that a kernel can compute it.

        Raises:
            UserError: a size, an implementation or a layout that no kernel supports.
        """
        if self.impl not in IMPLEMENTATIONS:
            raise UserError(f"impl {self.impl!r} is not one of {', '.join(IMPLEMENTATIONS)}")
        if self.scales not in SCALES:
            raise UserError(f"scales {self.scales!r} are not one of {', '.join(SCALES)}")
        if self.impl == "mma" and self.scales != "atoms":
            raise UserError(
                "impl mma reads scales in 128x4 atoms; lay them out with lanemap.scale_atoms"
            )
        sizes = (
            ("M", self.m, _MOST_ROWS),
            ("K", self.k, _MOST_COLUMNS),
            ("L", self.batches, _MOST_MATRICES),
        )
        for name, size, most in sizes:
            if not 1 <= size <= most:
                raise UserError(f"{name} is {size}; sizes from 1 to {most} are supported")
        if self.k % ALIGNMENT:
            raise UserError(
                f"K is {self.k}; it must be a multiple of {ALIGNMENT}, so that rows are whole "
                "16 bytes"
            )

    @property
    def element(self) -> str:
        """Name of the type of A and b."""
        return "float4_e2m1fn"

    @property
    def flops(self) -> int:
        """A multiplication and an addition for each element of A."""
        return 2 * self.batches * self.m * self.k

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: A, b and their scales read once, c written once."""
        rows = self.batches * (self.m + 1)
        return rows * (self.k // 2 + self.k // BLOCK) + 2 * self.batches * self.m

    @property
    def atom_tiles(self) -> int:
        """Atoms of a matrix from the first row to the last."""
        return -(-self.m // ATOM_ROWS)

    @property
    def atom_columns(self) -> int:
        """Atoms of a matrix along K."""
        return -(-self.k // (ATOM_COLUMNS * BLOCK))
