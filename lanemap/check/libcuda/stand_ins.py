"""The stand-ins for NVIDIA's compilers, whose cubins are ours: NVRTC and nvJitLink."""

from __future__ import annotations

import ctypes
import os

from lanemap.devices.emulator import driver_library
from lanemap.errors import MissingEnvironment
from lanemap.toolchain import nvrtc
from lanemap.toolchain.places import find_library, wheel_folder

#: Where our NVRTC finds NVIDIA's, which compiles.
_VARIABLE = "LANEMAP_NVRTC"


def nvrtc_variable() -> dict[str, str]:
    """Return the variable by which our NVRTC finds NVIDIA's, if that is installed."""
    try:
        return {_VARIABLE: find_library("libnvrtc.so.13", nvrtc.PACKAGE)}
    except MissingEnvironment:
        return {}


def load_here() -> None:
    """Let whatever this process loads as NVRTC or nvJitLink from now on be ours.

    Of nvJitLink that is so only where NVIDIA's is installed: packages link without it otherwise.
    """
    names = []
    if variable := nvrtc_variable():
        os.environ.update(variable)
        names.append("libnvrtc.so.13")
    folder = wheel_folder()
    if folder and (folder / "lib" / "libnvJitLink.so.13").is_file():
        names.append("libnvJitLink.so.13")
    for name in names:
        ctypes.CDLL(str(driver_library(name)), ctypes.RTLD_GLOBAL)
