"""The parameters of a tensor map, as the CUDA driver's three encoding functions take them."""

from __future__ import annotations

from dataclasses import dataclass

#: The driver's functions, by the way in which a map addresses its tensor.
FUNCTIONS = {
    "tiled": "cuTensorMapEncodeTiled",
    "im2col": "cuTensorMapEncodeIm2col",
    "im2col_wide": "cuTensorMapEncodeIm2colWide",
}


@dataclass(frozen=True)
class TensorMapParameters:
    """What one of the driver's encoding functions is given; dimensions are innermost first.

    Enumerations are the driver's numbers (cuda.h, CUtensorMapDataType and the others), so that
    values which it does not define can be asked for as well.

    Attributes:
        mode: `tiled`, `im2col` or `im2col_wide`.
        data_type: CUtensorMapDataType.
        rank: tensorRank; `dims` has as many members, `strides` (in bytes) one fewer.
        address: globalAddress.
        dims: globalDim, in elements.
        strides: globalStrides, in bytes.
        box: boxDim, of a tiled map.
        lower: pixelBoxLowerCorner, of an im2col map; a wide one has that of W alone.
        upper: pixelBoxUpperCorner, likewise.
        channels: channelsPerPixel, of im2col maps.
        pixels: pixelsPerColumn, of im2col maps.
        element_strides: elementStrides.
        interleave: CUtensorMapInterleave.
        wide_mode: CUtensorMapIm2ColWideMode, of a wide im2col map.
        swizzle: CUtensorMapSwizzle.
        l2_promotion: CUtensorMapL2promotion.
        oob_fill: CUtensorMapFloatOOBfill.
    """

    mode: str
    data_type: int
    rank: int
    address: int
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    element_strides: tuple[int, ...]
    box: tuple[int, ...] = ()
    lower: tuple[int, ...] = ()
    upper: tuple[int, ...] = ()
    channels: int = 0
    pixels: int = 0
    interleave: int = 0
    wide_mode: int = 0
    swizzle: int = 0
    l2_promotion: int = 0
    oob_fill: int = 0
