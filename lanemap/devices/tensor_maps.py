"""Tensor maps on any device: the parameters of the CUDA driver's functions, by their names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lanemap.devices.arguments import ByValue
from lanemap.devices.arrays import DeviceArray, contiguous
from lanemap.devices.values import integer, integers
from lanemap.emulator.api import tensor_maps
from lanemap.errors import UserError

__all__ = [
    "MAP_ALIGNMENT", "MAP_BYTES", "SUCCESS", "TENSOR_MAP_FUNCTIONS", "TensorMapParameters",
    "TensorMaps",
]  # fmt: skip

TENSOR_MAP_FUNCTIONS = tensor_maps.FUNCTIONS
MAP_BYTES, MAP_ALIGNMENT = tensor_maps.MAP_BYTES, tensor_maps.MAP_ALIGNMENT
TensorMapParameters = tensor_maps.TensorMapParameters
SUCCESS = "CUDA_SUCCESS"
_TYPES = {
    "uint8": "uint8", "int8": "uint8", "uint16": "uint16", "uint32": "uint32", "int32": "int32",
    "uint64": "uint64", "int64": "int64", "float16": "float16", "float32": "float32",
    "float64": "float64", "bfloat16": "bfloat16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8",
}  # fmt: skip


def _number(names: Sequence[str], name: str) -> int:
    """The driver's number of an enumeration's member, by its name in lower case without prefix."""
    if name not in names:
        raise UserError(f"{name!r} is not one of {', '.join(names)}")
    return names.index(name)


def _geometry(
    array: DeviceArray,
    dtype: str | None,
    sizes: Sequence[int] | None,
    strides: Sequence[int] | None,
    element_strides: Sequence[int] | None,
) -> tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Type, sizes, strides in bytes and steps, innermost first, with what the array gives."""
    if not isinstance(array, DeviceArray):
        raise UserError(
            f"a tensor map describes an array of the device, not {type(array).__name__}; "
            "make one with device.array(..) or device.adopt(..)"
        )
    kind = dtype or _TYPES.get(array.dtype.name)
    if kind is None:
        raise UserError(f"tensor maps have no type for {array.dtype}; choose one with dtype=")
    shape = integers(sizes, "sizes") if sizes is not None else array.shape
    if strides is None and sizes is None:
        if array.strides[-1:] not in ((), (array.dtype.itemsize,)):
            raise UserError(
                "the innermost dimension of a tensor map must be contiguous; that of "
                f"the array has steps of {array.strides[-1]} bytes"
            )
        strides = array.strides[:-1]
    if strides is None:
        strides = contiguous(shape, array.dtype.itemsize)[:-1]
    gaps = integers(strides, "strides")
    steps = (1,) * len(shape)
    if element_strides is not None:
        steps = integers(element_strides, "element_strides")
    if not len(shape) == len(steps) == len(gaps) + 1:
        raise UserError(
            f"strides {list(gaps)} and element_strides {list(steps)} do not fit a "
            f"tensor of {len(shape)} dimensions"
        )
    number = _number(tensor_maps.DATA_TYPES, kind)
    return number, shape[::-1], gaps[::-1], steps[::-1]


class TensorMaps(ABC):
    """A device's functions for encoding tensor maps."""

    target: str

    @abstractmethod
    def encode_tensor_map(self, parameters: TensorMapParameters) -> tuple[str, bytes]:
        """Return the driver's status by its name, and the 128 bytes."""

    def _by_value(
        self, parameters: TensorMapParameters, array: DeviceArray, byte_offset: int = 0
    ) -> ByValue:
        status, data = self.encode_tensor_map(parameters)
        if status != SUCCESS:
            why = tensor_maps.fault(parameters, self.target) or "the driver gives no reason"
            raise UserError(f"{TENSOR_MAP_FUNCTIONS[parameters.mode]}: {why} ({status})")
        # The address is the first 8 bytes (`lanemap descriptor`, globalAddress); where a driver put
        # it elsewhere, nobody could replace it.
        known = data[:8] == parameters.address.to_bytes(8, "little")
        places = ((0, array, byte_offset),) if known else ()
        return ByValue(data, MAP_ALIGNMENT, array, places)

    def tensor_map(
        self,
        array: DeviceArray,
        box: Sequence[int],
        *,
        dtype: str | None = None,
        sizes: Sequence[int] | None = None,
        strides: Sequence[int] | None = None,
        element_strides: Sequence[int] | None = None,
        interleave: str = "none",
        swizzle: str = "none",
        l2_promotion: str = "none",
        oob_fill: str = "none",
        byte_offset: int = 0,
    ) -> ByValue:
        """Encode a tiled tensor map, to be passed by value (cuTensorMapEncodeTiled).

        Args:
            array: The tensor; its dimensions are given to the driver innermost first.
            box: Elements of a box in each dimension, outermost first like the array's shape.
            dtype: CUtensorMapDataType in lower case without its prefix; the array's by default.
            sizes: Elements in each dimension, outermost first; the array's shape by default.
            strides: Bytes between elements of each dimension but the innermost, outermost first.
            element_strides: Steps in each dimension, outermost first; ones by default.
            interleave: The driver's name in lower case without its prefix, as are the next three.
            swizzle: Such as `128b` for CU_TENSOR_MAP_SWIZZLE_128B.
            l2_promotion: Such as `l2_128b`.
            oob_fill: `none` or `nan_request_zero_fma`.
            byte_offset: Where in the array the tensor begins.

        Raises:
            UserError: a name is unknown, or the driver refuses a parameter.
        """
        kind, dims, gaps, steps = _geometry(array, dtype, sizes, strides, element_strides)
        edges = integers(box, "box")
        if len(edges) != len(dims):
            raise UserError(f"box {list(edges)} does not fit a tensor of {len(dims)} dimensions")
        parameters = TensorMapParameters(
            "tiled",
            kind,
            len(dims),
            array.pointer(byte_offset).address,
            dims,
            gaps,
            steps,
            box=edges[::-1],
        )
        modes = _modes(interleave, swizzle, l2_promotion, oob_fill)
        return self._by_value(replace(parameters, **modes), array, byte_offset)

    def tensor_map_im2col(
        self,
        array: DeviceArray,
        pixel_box_lower_corner: Sequence[int],
        pixel_box_upper_corner: Sequence[int],
        channels_per_pixel: int,
        pixels_per_column: int,
        *,
        mode: str | None = None,
        dtype: str | None = None,
        sizes: Sequence[int] | None = None,
        strides: Sequence[int] | None = None,
        element_strides: Sequence[int] | None = None,
        interleave: str = "none",
        swizzle: str = "none",
        l2_promotion: str = "none",
        oob_fill: str = "none",
        byte_offset: int = 0,
    ) -> ByValue:
        """Encode an im2col tensor map of an N(DH)WC tensor (cuTensorMapEncodeIm2col).

        Args:
            array: The tensor, of 3 to 5 dimensions.
            pixel_box_lower_corner: Offsets in D, H and W, outermost first; of W alone with `mode`.
            pixel_box_upper_corner: Its other corner, in the same form.
            channels_per_pixel: Elements along C.
            pixels_per_column: Pixels of a box.
            mode: `w` or `w128` for cuTensorMapEncodeIm2colWide, which copies along W alone.
            dtype: See `tensor_map`, as for all others.
            sizes: In elements.
            strides: In bytes.
            element_strides: Steps in each dimension.
            interleave: The driver's name.
            swizzle: The driver's name.
            l2_promotion: The driver's name.
            oob_fill: The driver's name.
            byte_offset: Where in the array the tensor begins.

        Raises:
            UserError: a name is unknown, or the driver refuses a parameter.
        """
        kind, dims, gaps, steps = _geometry(array, dtype, sizes, strides, element_strides)
        lower = integers(pixel_box_lower_corner, "pixel_box_lower_corner")[::-1]
        upper = integers(pixel_box_upper_corner, "pixel_box_upper_corner")[::-1]
        if not len(lower) == len(upper) == (1 if mode else len(dims) - 2):
            raise UserError(
                f"corners {list(lower)} and {list(upper)} do not fit a tensor of "
                f"{len(dims)} dimensions"
            )
        parameters = TensorMapParameters(
            "im2col_wide" if mode else "im2col",
            kind,
            len(dims),
            array.pointer(byte_offset).address,
            dims,
            gaps,
            steps,
            lower=lower,
            upper=upper,
            channels=integer(channels_per_pixel, "channels_per_pixel"),
            pixels=integer(pixels_per_column, "pixels_per_column"),
            wide_mode=_number(("w", "w128"), mode) if mode else 0,
        )
        modes = _modes(interleave, swizzle, l2_promotion, oob_fill)
        return self._by_value(replace(parameters, **modes), array)


def _modes(interleave: str, swizzle: str, l2_promotion: str, oob_fill: str) -> dict[str, Any]:
    return {
        "interleave": _number(tensor_maps.INTERLEAVES, interleave),
        "swizzle": _number(tensor_maps.SWIZZLES, swizzle),
        "l2_promotion": _number(tensor_maps.L2_PROMOTIONS, l2_promotion),
        "oob_fill": _number(tensor_maps.OOB_FILLS, oob_fill),
    }
