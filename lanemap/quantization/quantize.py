"""Quantization to block-scaled formats with NumPy, and back; packing of 4-bit elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.quantization.formats import (
    E4M3,
    E8M0,
    E8M0_BIAS,
    BlockFormat,
    Codes,
    format_named,
)
from lanemap.quantization.scales import scale_atoms

Floats = npt.NDArray[np.float64]
#: Elements to which K is padded: whole blocks of every format, and rows of whole 16 bytes, which
#: TMA needs.
PADDING = 32


@dataclass(frozen=True)
class BlockScaled:
    """A matrix, or a batch of them, in a block-scaled format.

    Element (.., m, k) is data[.., m, k] * scales[.., m, k // block] * global_scale.

    Attributes:
        format: Its types and its block.
        data: (.., M, padded K) of the element type; two to a byte, (.., M, padded K / 2) of uint8,
            where an element has 4 bits. K is padded with zeros to a multiple of 32.
        scales: (.., M, padded K / block) of the scale type.
        columns: K.
        global_scale: What every element is multiplied by: the `alpha` of a product.
    """

    format: BlockFormat
    data: npt.NDArray[Any]
    scales: npt.NDArray[Any]
    columns: int
    global_scale: float = 1.0

    @property
    def atoms(self) -> npt.NDArray[np.uint8]:
        """The scales in 128x4 atoms, as `scale_atoms` returns them."""
        return scale_atoms(self.scales)

    def elements(self) -> npt.NDArray[Any]:
        """Return (.., M, padded K) of the element type, one element of the array for each."""
        if not self.format.packed:
            return self.data
        return np.asarray(unpack_nibbles(self.data).view(self.format.element.dtype))

    def dequantize(self) -> Floats:
        """Return (.., M, K) as float64, exact where the global scale is a power of two."""
        scales = np.repeat(self.scales.astype(np.float64), self.format.block, axis=-1)
        values = self.elements().astype(np.float64) * scales * self.global_scale
        return np.asarray(values[..., : self.columns])


def quantize(x: Any, format: str = "nvfp4", global_scale: float | None = 1.0) -> BlockScaled:
    """Quantize a matrix, or a batch of them, along its last dimension.

    NVFP4: a block's scale is its largest magnitude / 6 / global scale, rounded to E4M3. MX formats:
    it is 2^(floor(log2(largest magnitude)) - largest exponent of the element type), which may
    leave a block's largest elements saturated (OCP MX specification v1.0, 6.3). An element is
    x / scale / global scale, rounded once to nearest even and saturated. All that is float64.

    Args:
        x: (.., M, K) of finite numbers: anything that NumPy makes an array of.
        format: "nvfp4", "mxfp4", "mxfp8_e4m3" or "mxfp8_e5m2".
        global_scale: One f32 scale for all elements; None takes NVIDIA's second level of NVFP4
            (arXiv 2509.25149, appendix B), with which the largest block has the largest scale.

    Raises:
        UserError: the format is unknown, x has fewer than two dimensions, is empty or not finite,
            or the global scale is not positive.
    """
    kind = format_named(format)
    values = np.asarray(x).astype(np.float64)
    if values.ndim < 2 or values.size == 0:
        raise UserError(f"x has shape {values.shape}; it must be (.., M, K) and not be empty")
    if not np.isfinite(values).all():
        raise UserError("x has infinities or NaN, which no block scale can hold; replace them")
    if global_scale is None:
        most = np.abs(values).max() / (kind.element.largest * kind.largest_scale)
        global_scale = float(np.float32(most)) or 1.0
    if not (np.isfinite(global_scale) and global_scale > 0):
        raise UserError(f"the global scale is {global_scale}; it must be positive and finite")
    columns = values.shape[-1]
    spare = [(0, 0)] * (values.ndim - 1) + [(0, -columns % PADDING)]
    padded = np.pad(values, spare) / global_scale
    blocks = padded.reshape(*padded.shape[:-1], -1, kind.block)
    scales = _scales(kind, np.abs(blocks).max(axis=-1))
    divisors = scales.astype(np.float64)[..., None]
    # A scale may round to zero; then so do the elements.
    quotients = np.divide(blocks, divisors, out=np.zeros_like(blocks), where=divisors != 0)
    codes = kind.element.encode(quotients.reshape(padded.shape))
    data = pack_nibbles(codes) if kind.packed else codes.view(kind.element.dtype)
    return BlockScaled(kind, data, scales, columns, global_scale)


def _scales(kind: BlockFormat, largest: Floats) -> npt.NDArray[Any]:
    """Return the scales of blocks by their largest magnitudes."""
    if kind.scale == E4M3.dtype:
        return np.asarray(E4M3.encode(largest / kind.element.largest).view(E4M3.dtype))
    exponent = np.frexp(largest)[1] - 1 - kind.element.largest_exponent
    exponent = np.where(largest > 0, exponent, -E8M0_BIAS)
    codes = np.clip(exponent, -E8M0_BIAS, E8M0_BIAS) + E8M0_BIAS
    return np.asarray(codes.astype(np.uint8).view(E8M0))


def pack_nibbles(codes: Any) -> Codes:
    """Return 4-bit codes two to a byte: that of the lower k in the low four bits.

    This is the order of `cvt.rn.satfinite.e2m1x2.f32` and of tensor memory (PTX ISA), of
    PyTorch's `float4_e2m1fn_x2`, and of cuBLAS.

    Args:
        codes: (.., K) of integers below 16, or of `ml_dtypes.float4_e2m1fn`; K is even.

    Raises:
        UserError: K is odd, or a code has more than 4 bits.
    """
    nibbles = np.asarray(codes)
    nibbles = nibbles.view(np.uint8) if nibbles.dtype.itemsize == 1 else nibbles
    if nibbles.ndim == 0 or nibbles.shape[-1] % 2:
        raise UserError(f"codes of shape {nibbles.shape} do not fill bytes; K must be even")
    if nibbles.size and not 0 <= nibbles.min() <= nibbles.max() < 16:
        raise UserError(f"the code {nibbles.max()} has more than 4 bits")
    return np.asarray(nibbles[..., ::2] | nibbles[..., 1::2] << 4, np.uint8)


def unpack_nibbles(packed: Any) -> Codes:
    """Return the 4-bit codes of bytes, the low four bits first: (.., K / 2) becomes (.., K)."""
    both = np.asarray(packed).view(np.uint8)
    return np.stack([both & 15, both >> 4], axis=-1).reshape(*both.shape[:-1], -1)
