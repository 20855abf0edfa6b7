"""The matrix engine from Python: operands and results that lie in NumPy arrays.

runtime/panel.h defines what the engine computes. This module turns arrays into its views and
refuses arrays that it cannot hold.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.runtime.abi import Format, Operand, Result, SumRule, View
from lanemap.emulator.runtime.functions import FUNCTIONS
from lanemap.errors import UserError

#: Bits of an element.
BITS = {
    Format.F32: 32, Format.TF32: 32, Format.F16: 16, Format.BF16: 16, Format.E4M3: 8,
    Format.E5M2: 8, Format.E2M3: 6, Format.E3M2: 6, Format.E2M1: 4, Format.I8: 8, Format.U8: 8,
    Format.F64: 64, Format.I4: 4, Format.U4: 4, Format.B1: 1,
}  # fmt: skip
_RESULTS = {Result.F32: np.float32, Result.I32: np.int32, Result.F64: np.float64,
            Result.F16: np.float16}  # fmt: skip


@dataclass
class Lines:
    """One operand in bytes: rows of A or columns of B.

    Attributes:
        data: The bytes, a multiple of 4.
        format: Format of the elements; one of BITS.
        places: Bit of the first element of each run in `data`: [line, k / run] if runs go along k,
            else [k, line / run].
        along_k: Whether runs go along k.
        step: Bits from an element of a run to the next; the width of an element unless given.
        scales: None, or a code for every line and block of k, uint8[line, block].
        scale_format: E8M0 or UE4M3.
        negate: Whether every element counts with its other sign.
    """

    data: NDArray[np.uint8]
    format: Format
    places: NDArray[np.int64]
    lines: int
    depth: int
    along_k: bool = True
    step: int = 0
    scales: NDArray[np.uint8] | None = None
    scale_format: Format = Format.E8M0
    negate: bool = False

    def operand(self, keep: list[Any]) -> Operand:
        """The runtime's form; arrays that it points to are added to `keep`.

        Raises:
            UserError: an element lies outside the bytes, or the runs are not equal in length.
        """
        along = self.depth if self.along_k else self.lines
        across = self.lines if self.along_k else self.depth
        runs = self.places.size // across
        bits, step = BITS[self.format], self.step or BITS[self.format]
        if self.places.size != across * runs or not runs or along % runs:
            raise UserError(
                f"{self.places.size} places do not divide {self.lines} lines of "
                f"{self.depth} elements into runs"
            )
        run = along // runs
        last = int(self.places.max()) + (run - 1) * step + bits
        if self.places.min() < 0 or last > self.data.nbytes // 4 * 32:
            raise UserError(
                f"an element ends at bit {last} of {self.data.nbytes} bytes, "
                "of which the engine reads whole words"
            )
        arrays = [
            np.require(self.data, np.uint8, ["C", "A"]),
            np.ascontiguousarray(self.places.reshape(-1), np.uint32),
        ]
        operand = Operand(
            view=View(
                base=arrays[0].ctypes.data,
                places=arrays[1].ctypes.data,
                run=run,
                step=step,
                along_k=int(self.along_k),
                next=4,
            ),
            lines=self.lines,
            format=self.format,
            negate=int(self.negate),
        )
        if self.scales is not None:
            arrays.append(np.ascontiguousarray(self.scales, np.uint8))
            operand.scales = arrays[2].ctypes.data
            operand.scale_format = self.scale_format
            operand.scale_depth = self.depth // self.scales.shape[1]
        keep += arrays
        return operand


def strips_of(c: NDArray[Any]) -> NDArray[np.uint64]:
    """The offsets at which the strips of 16 columns of a matrix begin: [row, strip]."""
    row, strip = np.ogrid[: c.shape[0], : c.shape[1] : 16]
    places = row * c.strides[0] + strip * c.strides[1] + c.ctypes.data
    return np.ascontiguousarray(places, np.uint64)


def multiply(address: int, a: Lines, b: Lines, rule: SumRule, c: NDArray[Any]) -> None:
    """Replace C by A x B + C.

    Args:
        address: Address of the runtime's `lm_multiply`.
        a: Rows of A.
        b: Columns of B.
        rule: How products become a result.
        c: [row, column] in the type of the rule's result; rows are contiguous.

    Raises:
        UserError: shapes or types do not fit each other, or are more than the engine holds.
    """
    wanted = np.dtype(_RESULTS[Result(rule.result)])
    if c.shape != (a.lines, b.lines) or c.dtype != wanted or c.strides[1] != wanted.itemsize:
        raise UserError(
            f"C must be {wanted}[{a.lines}, {b.lines}] with contiguous rows, "
            f"not {c.dtype}{list(c.shape)}"
        )
    if a.depth != b.depth:
        raise UserError(f"A has k of {a.depth}, B of {b.depth}")
    keep: list[Any] = []
    first, second = a.operand(keep), b.operand(keep)
    strips = strips_of(c)
    call = FUNCTIONS["lm_multiply"].prototype()(address)
    done = call(
        ctypes.addressof(first),
        ctypes.addressof(second),
        a.depth,
        ctypes.addressof(rule),
        strips.ctypes.data,
    )
    if not done:
        raise UserError(f"the matrix engine does not hold {a.lines} by {b.lines} by {a.depth}")
