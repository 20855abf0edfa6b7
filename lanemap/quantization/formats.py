"""Block-scaled formats: the types of their elements and scales, and rounding to such types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

Codes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class SmallFloat:
    """A floating-point type of 4 or 8 bits: a sign, an exponent, a significand.

    Attributes:
        dtype: The type of NumPy arrays.
        exponent_bits: Width of the exponent field.
        fraction_bits: Width of the significand without its hidden bit.
        largest: Its largest finite value.
    """

    dtype: np.dtype[Any]
    exponent_bits: int
    fraction_bits: int
    largest: float

    @property
    def bits(self) -> int:
        """Width of an element."""
        return 1 + self.exponent_bits + self.fraction_bits

    @property
    def least_exponent(self) -> int:
        """Exponent of the smallest normal number, and of subnormal ones."""
        return 2 - (1 << (self.exponent_bits - 1))

    @property
    def largest_exponent(self) -> int:
        """Exponent of the largest finite value."""
        return int(np.frexp(self.largest)[1]) - 1

    def encode(self, values: npt.NDArray[Any]) -> Codes:
        """Return codes: rounded to nearest even, what is too large becomes the largest value.

        Args:
            values: Finite numbers; they are rounded once, as float64.
        """
        exact = np.asarray(values, np.float64)
        magnitude = np.minimum(np.abs(exact), self.largest)
        exponent = np.where(magnitude > 0, np.frexp(magnitude)[1] - 1, self.least_exponent)
        exponent = np.maximum(exponent, self.least_exponent)
        # In units of the last place; a subnormal number has the exponent of the smallest normal.
        significand = np.rint(np.ldexp(magnitude, self.fraction_bits - exponent)).astype(np.int64)
        code = ((exponent - self.least_exponent) << self.fraction_bits) + significand
        sign = np.signbit(exact).astype(np.int64) << (self.bits - 1)
        return np.asarray(code | sign, np.uint8)


#: OCP Microscaling Formats (MX) Specification v1.0, 5.3: E2M1, E4M3, E5M2.
E2M1 = SmallFloat(np.dtype(ml_dtypes.float4_e2m1fn), 2, 1, 6.0)
E4M3 = SmallFloat(np.dtype(ml_dtypes.float8_e4m3fn), 4, 3, 448.0)
E5M2 = SmallFloat(np.dtype(ml_dtypes.float8_e5m2), 5, 2, 57344.0)
#: The exponent alone, with a bias of 127; there is no zero (MX specification, 5.4.1).
E8M0 = np.dtype(ml_dtypes.float8_e8m0fnu)
E8M0_BIAS = 127


@dataclass(frozen=True)
class BlockFormat:
    """Elements of which each `block` along K share a scale.

    Attributes:
        name: As `FORMATS` has it.
        element: Type of the elements.
        scale: NumPy's type of the scales.
        block: Elements that share a scale.
    """

    name: str
    element: SmallFloat
    scale: np.dtype[Any]
    block: int

    @property
    def packed(self) -> bool:
        """Whether two elements share a byte."""
        return self.element.bits == 4

    @property
    def largest_scale(self) -> float:
        """The largest finite scale."""
        return E4M3.largest if self.scale == E4M3.dtype else 2.0**E8M0_BIAS

    def row_bytes(self, columns: int) -> int:
        """Bytes of a row of so many elements."""
        return columns * self.element.bits // 8


#: NVFP4 is E2M1 with E4M3 scales (NVIDIA, "Pretraining Large Language Models with NVFP4", arXiv
#: 2509.25149); the others are those of the MX specification, 5.2.
FORMATS = {
    each.name: each
    for each in (
        BlockFormat("nvfp4", E2M1, E4M3.dtype, 16),
        BlockFormat("mxfp4", E2M1, E8M0, 32),
        BlockFormat("mxfp8_e4m3", E4M3, E8M0, 32),
        BlockFormat("mxfp8_e5m2", E5M2, E8M0, 32),
    )
}


def format_named(name: str) -> BlockFormat:
    """Return a format by its name.

    Raises:
        UserError: there is none.
    """
    if name not in FORMATS:
        raise UserError(f"block-scaled format {name!r} is not one of {', '.join(FORMATS)}")
    return FORMATS[name]
