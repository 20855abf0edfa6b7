"""Tensor maps of the CUDA driver: its encoding functions, called with any parameters.

cuda-bindings accepts only defined members of the enumerations, and lists of one length; the driver
itself judges every parameter. So this module calls libcuda through ctypes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lanemap.devices.bare import nvidia
from lanemap.devices.tensor_maps import TensorMapParameters
from lanemap.errors import MissingEnvironment


@cache
def library() -> Any:
    """Return libcuda through ctypes.

    Raises:
        MissingEnvironment: it is not here.
    """
    try:
        return nvidia.load_library()
    except nvidia.Refused as error:
        raise MissingEnvironment(str(error)) from error


def encode(p: TensorMapParameters) -> tuple[str, bytes]:
    """Return the driver's status by its name, and the 128 bytes; a context must be current."""
    try:
        status, data = nvidia.encode_tensor_map(library(), vars(p), p.address)
    except nvidia.Refused as error:
        raise MissingEnvironment(str(error)) from error
    return nvidia.error_name(library(), status), data
