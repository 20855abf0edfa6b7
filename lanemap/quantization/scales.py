"""Scales in 128x4 atoms, the layout that tcgen05.cp and cuBLAS read.

Sources: NVIDIA cuBLAS documentation, "1D Block Scaling Factors Layout"; NVIDIA/cutlass at 7107b05,
include/cutlass/detail/sm100_blockscaled_layout.hpp (`Sm1xxBlockScaledBasicChunk`), whose K-major
atom is ((32, 4), (vector, 4)) : ((16, 4), (0, 1)).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

#: Rows and scales of a row in an atom, and its bytes.
ATOM_ROWS, ATOM_COLUMNS, ATOM_BYTES = 128, 4, 512
#: Rows that lie 16 bytes apart; those 32 further on lie 4 bytes further.
_APART = 32


def scale_atoms(scales: Any) -> npt.NDArray[np.uint8]:
    """Lay scales out in 128x4 atoms.

    Scale (row, column) lies in atom (row // 128, column // 4), at byte
    16 * (row % 32) + 4 * (row % 128 // 32) + column % 4. Atoms of the same rows follow each other.

    Args:
        scales: (.., rows, columns) of one byte each; a row has one scale for each block along K.

    Returns:
        Bytes of shape (.., ceil(rows / 128), ceil(columns / 4), 32, 4, 4): atom, row % 32,
        row % 128 // 32, column % 4. What scales do not fill is zero.

    Raises:
        UserError: a scale has not one byte, or there are fewer than two dimensions.
    """
    given = np.asarray(scales)
    if given.dtype.itemsize != 1 or given.ndim < 2:
        raise UserError(
            f"scales must be (.., rows, columns) of one byte each, not {given.shape} of "
            f"{given.dtype}"
        )
    rows, columns = given.shape[-2:]
    spare = [(0, 0)] * (given.ndim - 2) + [(0, -rows % ATOM_ROWS), (0, -columns % ATOM_COLUMNS)]
    padded = np.pad(given.view(np.uint8), spare)
    outer = padded.shape[:-2]
    split = padded.reshape(*outer, -1, ATOM_ROWS // _APART, _APART, padded.shape[-1] // 4, 4)
    # (tile, quarter, row, atom, column) becomes (tile, atom, row, quarter, column).
    order = [len(outer) + axis for axis in (0, 3, 2, 1, 4)]
    return np.ascontiguousarray(split.transpose(*range(len(outer)), *order))


def scales_of_atoms(atoms: Any, rows: int, columns: int, dtype: Any = np.uint8) -> npt.NDArray[Any]:
    """Return (.., rows, columns) of the scales in atoms that `scale_atoms` has made.

    Args:
        atoms: Bytes of shape (.., ceil(rows / 128), ceil(columns / 4), 32, 4, 4).
        rows: Rows of the matrix.
        columns: Scales of a row.
        dtype: Type of the result, of one byte: such as `ml_dtypes.float8_e4m3fn`.

    Raises:
        UserError: the atoms are not those of so many rows and columns.
    """
    given = np.asarray(atoms).view(np.uint8)
    tiles = -(-rows // ATOM_ROWS), -(-columns // ATOM_COLUMNS)
    if given.shape[-5:] != (*tiles, _APART, ATOM_ROWS // _APART, ATOM_COLUMNS):
        raise UserError(
            f"atoms of {rows} x {columns} scales are (.., {tiles[0]}, {tiles[1]}, 32, "
            f"4, 4), not {given.shape}"
        )
    outer = given.shape[:-5]
    order = [len(outer) + axis for axis in (0, 3, 2, 1, 4)]
    plain = given.transpose(*range(len(outer)), *order)
    matrix = plain.reshape(*outer, tiles[0] * ATOM_ROWS, tiles[1] * ATOM_COLUMNS)
    return np.ascontiguousarray(matrix[..., :rows, :columns]).view(dtype)
