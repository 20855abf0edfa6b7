"""The driver API through ctypes, as programs in Python call it."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_int, c_size_t, c_uint64, c_void_p
from typing import Any

import numpy as np


class Refused(Exception):
    """A call failed; `status` is its number of CUresult."""

    def __init__(self, name: str, status: int) -> None:
        super().__init__(f"{name}: {status}")
        self.status = status


class Driver:
    """Whatever this process finds as libcuda.so.1."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)
        context = c_void_p()
        self("cuDevicePrimaryCtxRetain", byref(context), 0)
        self("cuCtxSetCurrent", context)

    def __call__(self, name: str, *arguments: Any) -> None:
        """Call a function, and raise what it refuses."""
        status = getattr(self.library, name)(*arguments)
        if status:
            raise Refused(name, status)

    def allocate(self, size: int) -> int:
        """Allocate bytes of the GPU."""
        address = c_uint64()
        self("cuMemAlloc_v2", byref(address), c_size_t(size))
        return address.value

    def put(self, values: np.ndarray) -> int:
        """Copy an array to the GPU."""
        address = self.allocate(values.nbytes)
        source = c_void_p(values.ctypes.data)
        self("cuMemcpyHtoD_v2", c_uint64(address), source, c_size_t(values.nbytes))
        return address

    def get(self, address: int, shape: Any, dtype: Any) -> np.ndarray:
        """Copy an array from the GPU."""
        values = np.empty(shape, dtype)
        to = c_void_p(values.ctypes.data)
        self("cuMemcpyDtoH_v2", to, c_uint64(address), c_size_t(values.nbytes))
        return values

    def module(self, image: bytes) -> c_void_p:
        """Load an image."""
        module = c_void_p()
        self("cuModuleLoadData", byref(module), image)
        return module

    def function(self, module: c_void_p, name: str) -> c_void_p:
        """Find a kernel."""
        function = c_void_p()
        self("cuModuleGetFunction", byref(function), module, name.encode())
        return function

    def launch(
        self, function: c_void_p, grid: int, block: int, *arguments: Any, shared: int = 0
    ) -> None:
        """Launch on the default stream; arguments are objects of ctypes."""
        pointers = (c_void_p * max(len(arguments), 1))(
            *(ctypes.addressof(each) for each in arguments)
        )
        sizes = (grid, 1, 1, block, 1, 1)
        self("cuLaunchKernel", function, *sizes, shared, None, pointers, None)

    def number(self, name: str, *arguments: Any) -> int:
        """Call a function that writes an int first."""
        found = c_int()
        self(name, byref(found), *arguments)
        return found.value
