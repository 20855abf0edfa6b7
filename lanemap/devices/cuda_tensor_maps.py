"""Tensor maps of the CUDA driver: its encoding functions, called with any parameters.

cuda-bindings accepts only defined members of the enumerations, and lists of one length; the driver
itself judges every parameter. So this module calls libcuda through ctypes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

from lanemap.devices.tensor_maps import (
    MAP_ALIGNMENT,
    MAP_BYTES,
    TENSOR_MAP_FUNCTIONS,
    TensorMapParameters,
)
from lanemap.errors import MissingEnvironment

#: Members that every array gets: the driver reads as many as the rank says, right or wrong.
_ROOM = 16


@cache
def library() -> Any:
    """Return libcuda through ctypes.

    Raises:
        MissingEnvironment: it is not here.
    """
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise MissingEnvironment(f"the CUDA driver cannot be loaded: {error}") from error


def _array(kind: Any, values: Sequence[int]) -> Any:
    return (kind * _ROOM)(*values)


def encode(p: TensorMapParameters) -> tuple[str, bytes]:
    """Return the driver's status by its name, and the 128 bytes; a context must be current."""
    function = getattr(library(), TENSOR_MAP_FUNCTIONS[p.mode], None)
    if function is None:
        raise MissingEnvironment(
            f"this CUDA driver has no {TENSOR_MAP_FUNCTIONS[p.mode]}; install a newer one"
        )
    room = (ctypes.c_uint8 * (MAP_BYTES + MAP_ALIGNMENT))()
    start = -ctypes.addressof(room) % MAP_ALIGNMENT
    uint, u64, i32 = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32
    arguments: list[Any] = [
        ctypes.c_void_p(ctypes.addressof(room) + start), uint(p.data_type), uint(p.rank),
        ctypes.c_void_p(p.address), _array(u64, p.dims), _array(u64, p.strides),
    ]  # fmt: skip
    if p.mode == "tiled":
        arguments += [_array(uint, p.box)]
    elif p.mode == "im2col":
        arguments += [_array(i32, p.lower), _array(i32, p.upper), uint(p.channels), uint(p.pixels)]
    else:
        arguments += [i32(p.lower[0]), i32(p.upper[0]), uint(p.channels), uint(p.pixels)]
    arguments += [_array(uint, p.element_strides), uint(p.interleave)]
    if p.mode == "im2col_wide":
        arguments += [uint(p.wide_mode)]
    arguments += [uint(p.swizzle), uint(p.l2_promotion), uint(p.oob_fill)]
    status = int(function(*arguments))
    return _name(status), bytes(room[start : start + MAP_BYTES])


def _name(status: int) -> str:
    text = ctypes.c_char_p()
    library().cuGetErrorName(ctypes.c_int(status), ctypes.byref(text))
    return text.value.decode() if text.value else f"CUDA error {status}"
