"""Emulators that a process has one after the other: nothing of the first is left in the second."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, c_size_t, c_void_p

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.check.libcuda.in_process import libcuda_in_process
from lanemap.devices import open_device
from lanemap.devices.emulator import driver_library
from lanemap.targets import TARGETS
from tests.check.libcuda.driver import Driver
from tests.check.libcuda.test_hostile import RAW, WRAPPER, WRAPPER_MAGIC

STACK_BYTES = 0  # CU_LIMIT_STACK_SIZE


@contextmanager
def an_h200() -> Iterator[ctypes.CDLL]:
    """The libcuda.so.1 of a fresh emulator, for this process."""
    emulated = Emulated(open_device("sm_90a", "emulator", "report"), Findings(quiet=True))
    with libcuda_in_process(Calls(emulated, TARGETS["sm_90a"])):
        yield ctypes.CDLL("libcuda.so.1")


def test_contexts_and_limits_are_those_of_the_emulator() -> None:
    """A thread has no context of an emulator that is gone, and limits begin anew."""
    found = []
    for _ in range(2):
        with an_h200() as library:
            assert library.cuInit(0) == 0
            context, limit = c_void_p(7), c_size_t()
            assert library.cuCtxGetCurrent(byref(context)) == 0 and not context
            driver = Driver()
            driver("cuCtxGetLimit", byref(limit), STACK_BYTES)
            found.append(limit.value)
            driver("cuCtxSetLimit", STACK_BYTES, c_size_t(4096))
    assert found == [1024, 1024]


def test_the_runtime_loads_a_fat_binary_anew() -> None:
    """Host code registers it once, when it is loaded itself."""
    with an_h200():  # which its own driver is loaded for
        runtime = ctypes.CDLL(str(driver_library("libcudart.so.13")))
    register_binary = runtime["__cudaRegisterFatBinary"]
    register_binary.restype = c_void_p
    image, stub = ctypes.create_string_buffer(RAW, len(RAW)), ctypes.c_uint64()
    wrapper = WRAPPER.pack(WRAPPER_MAGIC, 1, ctypes.addressof(image), 0)
    binary = c_void_p(register_binary(wrapper))
    runtime["__cudaRegisterFunction"](binary, byref(stub), b"nothing", b"nothing", -1, *[None] * 5)
    for _ in range(2):
        with an_h200() as library:
            function = c_void_p()
            assert runtime.cudaGetFuncBySymbol(byref(function), byref(stub)) == 0
            sizes = (1, 1, 1, 32, 1, 1, 0)
            assert library.cuLaunchKernel(function, *sizes, None, None, None) == 0
    runtime["__cudaUnregisterFatBinary"](binary)
