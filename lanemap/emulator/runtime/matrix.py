"""The matrix engine from Python: operands and results that lie in NumPy arrays.

The structures mirror runtime/panel.h, and the numbers of formats runtime/narrow.h. What the engine
computes is told there; here arrays become views, and what it cannot hold is refused.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError

#: Numbers of element formats by name (runtime/narrow.h), and the bits of an element.
FORMATS = {
    name: number for number, name in enumerate(
        ("f32", "f16", "bf16", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "i8", "f64", "e8m0", "u8",
         "tf32", "ue4m3"))
}  # fmt: skip
BITS = {"f32": 32, "tf32": 32, "f16": 16, "bf16": 16, "f64": 64, "e2m3": 6, "e3m2": 6, "e2m1": 4}
SUM_F64, SUM_I32, SUM_ALIGNED, SUM_GROUPED = range(4)
RESULT_F32, RESULT_I32, RESULT_F64, RESULT_F16 = range(4)
_RESULTS = (np.float32, np.int32, np.float64, np.float16)
_u32 = ctypes.c_uint32


class View(ctypes.Structure):
    """Where elements lie in bytes."""

    _fields_ = [("base", ctypes.c_void_p), ("places", ctypes.c_void_p), ("run", _u32),
                ("step", _u32), ("along_k", _u32), ("next", _u32)]


class Operand(ctypes.Structure):
    """Rows of A or columns of B, and their scales."""

    _fields_ = [("view", View), ("scales", ctypes.c_void_p), ("lines", _u32), ("format", _u32),
                ("scale_format", _u32), ("scale_depth", _u32)]


class SumRule(ctypes.Structure):
    """How products become a result; fields by name, what is left out is 0."""

    _fields_ = [("sum", _u32), ("result", _u32), ("block", _u32), ("fraction", _u32),
                ("zero_exponent", ctypes.c_int32), ("smallest_exponent", ctypes.c_int32),
                ("bits", _u32), ("nearest", _u32), ("saturate", _u32), ("nan", _u32),
                ("fresh", _u32), ("unused", _u32)]


@dataclass
class Lines:
    """One operand in bytes: rows of A or columns of B.

    Attributes:
        data: The bytes, a multiple of 4.
        format: One of FORMATS.
        places: Bit of the first element of each run in `data`: [line, k / run] if runs go along k,
            else [k, line / run].
        along_k: Whether runs go along k.
        step: Bits from an element of a run to the next; the width of an element unless given.
        scales: None, or a code for every line and block of k, uint8[line, block].
        scale_format: "e8m0" or "ue4m3".
    """

    data: NDArray[np.uint8]
    format: str
    places: NDArray[np.int64]
    lines: int
    depth: int
    along_k: bool = True
    step: int = 0
    scales: NDArray[np.uint8] | None = None
    scale_format: str = "e8m0"

    def operand(self, keep: list[Any]) -> Operand:
        """The runtime's form; arrays that it points to are added to `keep`.

        Raises:
            UserError: an element lies outside the bytes, or the runs are not equal in length.
        """
        along = self.depth if self.along_k else self.lines
        across = self.lines if self.along_k else self.depth
        runs = self.places.size // across
        bits, step = BITS.get(self.format, 8), self.step or BITS.get(self.format, 8)
        if self.places.size != across * runs or not runs or along % runs:
            raise UserError(f"{self.places.size} places do not divide {self.lines} lines of "
                            f"{self.depth} elements into runs")
        run = along // runs
        last = int(self.places.max()) + (run - 1) * step + bits
        if self.places.min() < 0 or last > self.data.nbytes // 4 * 32:
            raise UserError(f"an element ends at bit {last} of {self.data.nbytes} bytes, "
                            "of which the engine reads whole words")
        arrays = [np.require(self.data, np.uint8, ["C", "A"]),
                  np.ascontiguousarray(self.places.reshape(-1), np.uint32)]
        operand = Operand(View(arrays[0].ctypes.data, arrays[1].ctypes.data, run, step,
                               int(self.along_k), 4), None, self.lines, FORMATS[self.format])
        if self.scales is not None:
            arrays.append(np.ascontiguousarray(self.scales, np.uint8))
            operand.scales = arrays[2].ctypes.data
            operand.scale_format = FORMATS[self.scale_format]
            operand.scale_depth = self.depth // self.scales.shape[1]
        keep += arrays
        return operand


def multiply(address: int, a: Lines, b: Lines, rule: SumRule, c: NDArray[Any]) -> None:
    """Replace C by A x B + C.

    Args:
        address: Of the runtime's `lm_multiply`.
        a: Rows of A.
        b: Columns of B.
        rule: How products become a result.
        c: [row, column] in the type of the rule's result; rows are contiguous.

    Raises:
        UserError: shapes or types do not fit each other, or are more than the engine holds.
    """
    wanted = np.dtype(_RESULTS[rule.result])
    if c.shape != (a.lines, b.lines) or c.dtype != wanted or c.strides[1] != wanted.itemsize:
        raise UserError(f"C must be {wanted}[{a.lines}, {b.lines}] with contiguous rows, "
                        f"not {c.dtype}{list(c.shape)}")
    keep: list[Any] = []
    first, second = a.operand(keep), b.operand(keep)
    rows = c.ctypes.data + np.arange(a.lines, dtype=np.uint64) * np.uint64(c.strides[0])
    call = ctypes.CFUNCTYPE(_u32, *[ctypes.c_void_p] * 2, _u32, *[ctypes.c_void_p] * 2)(address)
    done = call(ctypes.addressof(first), ctypes.addressof(second), a.depth,
                ctypes.addressof(rule), rows.ctypes.data)
    if not done or a.depth != b.depth:
        raise UserError(f"the matrix engine does not hold {a.lines} by {b.lines} by {a.depth}")
