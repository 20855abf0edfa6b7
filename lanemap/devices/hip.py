"""AMD GPUs through hip-python: memory, modules from code objects, launches, errors as sentences."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lanemap.devices import kernel_names
from lanemap.devices.arguments import (
    Parameter,
    pack,
    parameter_block,
)
from lanemap.devices.arrays import ForeignArray, Memory
from lanemap.devices.base import BaseDevice, BaseKernel, BaseModule, Sizes
from lanemap.devices.hip_timing import Burst
from lanemap.errors import MissingEnvironment, UserError, extra
from lanemap.records.environment import STAND_IN, host_environment
from lanemap.targets import TARGETS
from lanemap.toolchain import amdgpu
from lanemap.toolchain.codeobject import KernelInfo, read_code_object

# Where Linux shows AMD's kernel driver: HIP reaches a GPU through nothing else (ROCm documentation,
# "Running ROCm Docker containers").
_KERNEL_DRIVER = Path("/dev/kfd")

# Errors after which HIP answers every further call of the process with the same error.
_FATAL = {
    "hipErrorIllegalAddress": "touched memory outside its arrays",
    "hipErrorLaunchFailure": "was stopped by a fault on the GPU",
    "hipErrorLaunchTimeOut": "ran longer than the GPU's time limit",
    "hipErrorAssert": "failed an assertion",
}


class Runtime:
    """The HIP runtime of this process; each call raises a sentence where HIP returns an error."""

    def __init__(self) -> None:
        """Load hip-python and the driver's library.

        Raises:
            MissingEnvironment: either is missing, or there is no AMD GPU.
        """
        try:
            from hip import hip
        except ImportError as error:
            raise MissingEnvironment(
                "device hip needs the package hip-python and an AMD GPU: "
                f"{extra('amd')}, on a machine that has one"
            ) from error
        self._hip: Any = hip
        try:
            status, count = self._hip.hipGetDeviceCount()
        except RuntimeError as error:  # hip-python looks for the library at the first call
            raise MissingEnvironment(
                "device hip needs an AMD GPU with its driver: ROCm's libamdhip64.so is not here"
            ) from error
        if status.name == "hipErrorNoDevice" or (status == 0 and count == 0):
            raise MissingEnvironment("device hip needs an AMD GPU, and ROCm sees none here")
        self.check(status, "hipGetDeviceCount")

    def call(self, function: str, *arguments: Any, what: str | None = None) -> Any:
        """Call a HIP function and return what follows the status, None where nothing does."""
        status, *results = _tuple(getattr(self._hip, function)(*arguments))
        self.check(status, what or function)
        return results[0] if results else None

    def attempt(self, function: str, *arguments: Any) -> None:
        """Call a HIP function whose failure changes nothing for the user."""
        getattr(self._hip, function)(*arguments)

    def check(self, status: Any, what: str) -> None:
        """Raise a UserError that names the work and HIP's own words unless all is well."""
        if status == 0:
            return
        if status.name in _FATAL:
            raise UserError(
                f"{what} {_FATAL[status.name]} ({status.name}); "
                "this process can no longer use the GPU; start a new one"
            )
        words = _tuple(self._hip.hipGetErrorString(status))[-1]
        text = words.decode() if isinstance(words, bytes) else str(words)
        raise UserError(f"{what} failed: {text} ({status.name})")

    def copy_kind(self, direction: Literal["HostToDevice", "DeviceToHost"]) -> Any:
        """Return HIP's constant for a copy between host and device."""
        return getattr(self._hip.hipMemcpyKind, f"hipMemcpy{direction}")


def _tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


class HipMemory(Memory):
    """Device memory by address."""

    def __init__(self, runtime: Runtime) -> None:
        """Allocate through `runtime`."""
        self._runtime = runtime

    def allocate(self, size_bytes: int, name: str) -> int:
        """Return the address of fresh memory; a byte at least, so that it has an address."""
        what = f"allocating {size_bytes} bytes on the GPU"
        return int(self._runtime.call("hipMalloc", max(size_bytes, 1), what=what))

    def free(self, address: int) -> None:
        """Give memory back; a launch that broke the context has been reported already."""
        self._runtime.attempt("hipFree", address)

    def write(self, address: int, data: bytes) -> None:
        """Copy to the GPU."""
        if data:
            kind = self._runtime.copy_kind("HostToDevice")
            host = np.frombuffer(data, np.uint8)
            self._runtime.call("hipMemcpy", address, host, len(data), kind)

    def zero(self, address: int, size_bytes: int) -> None:
        """Fill with zeros before every launch after it."""
        if size_bytes:
            self._runtime.call("hipMemset", address, 0, size_bytes)

    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy from the GPU, after every launch before it."""
        host = np.empty(size_bytes, np.uint8)
        if size_bytes:
            kind = self._runtime.copy_kind("DeviceToHost")
            self._runtime.call("hipMemcpy", host, address, size_bytes, kind)
        return host.tobytes()


class HipKernel(BaseKernel):
    """A kernel of a loaded code object."""

    def __init__(self, runtime: Runtime, function: Any, info: KernelInfo) -> None:
        """Keep HIP's function handle and what the metadata says of the arguments."""
        self.name = info.name
        self._runtime = runtime
        self._function = function
        self.parameters = [Parameter(a.name, a.offset, a.size) for a in info.arguments]
        self._max_threads = info.max_threads

    def _launch(self, prepared: Callable[[int | None], None], stream: int) -> None:
        prepared(stream or None)
        self._runtime.call("hipDeviceSynchronize", what=f"kernel {self.name}")

    def _prepare(
        self, sizes: Sizes, args: Sequence[Any], overlaps: bool, operands: Sequence[Any]
    ) -> Callable[[int | None], None]:
        if overlaps:
            raise UserError("AMD GPUs have no programmatic dependent launch; leave overlaps out")
        if operands:
            raise UserError("device hip takes no addresses at a launch; leave operands out")
        blocks, threads, shared_bytes, cluster = sizes
        if cluster != (1, 1, 1):
            raise UserError("AMD GPUs have no clusters; leave cluster at (1, 1, 1)")
        if int(np.prod(threads)) > self._max_threads:
            raise UserError(
                f"block {threads} has more than the {self._max_threads} threads that "
                f"{self.name} was assembled for (.max_flat_workgroup_size)"
            )
        packed = pack(args, self.parameters, self.name)
        block_bytes = parameter_block(packed, self.parameters)
        extra = (_as_structure(block_bytes),) if block_bytes else None
        what, kept = f"kernel {self.name}", (args, extra)

        def enqueue(stream: int | None) -> None:
            self._runtime.call(
                "hipModuleLaunchKernel",
                self._function,
                *blocks,
                *threads,
                shared_bytes,
                stream,
                None,
                kept[-1],
                what=what,
            )

        return enqueue


def _as_structure(data: bytes) -> ctypes.Structure:
    """Return bytes as one ctypes structure: hip-python copies that, and only that, as it is."""

    class Block(ctypes.Structure):
        _fields_ = [("data", ctypes.c_ubyte * len(data))]

    return Block.from_buffer_copy(data)


class HipModule(BaseModule):
    """A loaded code object."""

    def __init__(
        self, runtime: Runtime, memory: Memory, code_object: bytes, name: str, target: str
    ) -> None:
        """Load the object; see `interface.Device.load`."""
        parsed = read_code_object(code_object, name)
        if parsed.target != target:
            raise UserError(f"{name} is for {parsed.target}, this GPU is {target}")
        self._runtime, self._memory = runtime, memory
        self._symbols = parsed.variables
        self._infos = {info.name: info for info in parsed.kernels}
        self._handle = runtime.call("hipModuleLoadData", code_object, what=f"loading {name}")

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the kernels."""
        return tuple(self._infos)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(each for each in self._symbols if not kernel_names.of_library(each))

    def _variable(self, symbol: str) -> tuple[tuple[int, int], str]:
        what = f"the address of `{symbol}`"
        address, size = self._runtime.call(
            "hipModuleGetGlobal", self._handle, symbol.encode(), what=what
        )
        return (int(address), int(size)), "uint8"

    def _kernel(self, symbol: str) -> HipKernel:
        function = self._runtime.call("hipModuleGetFunction", self._handle, symbol.encode())
        return HipKernel(self._runtime, function, self._infos[symbol])


class HipDevice(BaseDevice):
    """The first AMD GPU that HIP sees.

    Where what answers as HIP is no GPU, the device's name and evidence are the emulator's, and it
    has no environment, so that nothing found on it becomes a row of silicon.
    """

    name = "hip"
    evidence: Literal["emulator", "silicon"] = "silicon"

    def __init__(self, target: str) -> None:
        """Open the GPU.

        Raises:
            MissingEnvironment: there is none, or it is no `target`.
        """
        self._runtime = Runtime()
        super().__init__(target, HipMemory(self._runtime))
        self._properties = self._runtime.call("hipGetDeviceProperties", 0)
        found = _architecture(self._properties)
        if found != target:
            raise MissingEnvironment(f"device hip needs a GPU of {target}; the one here is {found}")
        self._runtime.call("hipSetDevice", 0)
        if _text(self._properties.name) == STAND_IN or not _KERNEL_DRIVER.exists():
            self.name, self.evidence = "emulator", "emulator"

    def burst(self, enqueues: Sequence[Callable[[int], None]]) -> Burst:
        """Make work that functions put on a stream one after another ready to be timed.

        Raises:
            UserError: there is no GPU behind HIP: its times could be taken for a GPU's.
        """
        if self.evidence != "silicon":
            raise UserError(
                "HIP runs on the emulator here, which measures no times; timing needs an AMD GPU"
            )
        return Burst(self._runtime, enqueues)

    def adopt(self, host: Any, *, name: str | None = None) -> ForeignArray:
        """Make a tensor on the GPU an array of this device; see `interface.Device`.

        PyTorch calls the interface `__cuda_array_interface__` for AMD GPUs too.

        Raises:
            UserError: it does not lie in the GPU's memory, or is not C-contiguous.
        """
        return ForeignArray(self._memory, host)

    def synchronize(self) -> None:
        """Wait for all work of the GPU; see `interface.Device`."""
        self._runtime.call("hipDeviceSynchronize", what="the GPU's work")

    def _load(self, content: str | bytes, name: str) -> HipModule:
        """Assemble and load."""
        if isinstance(content, str):
            content = amdgpu.assemble(content, self.target, name)
        return HipModule(self._runtime, self._memory, content, name, self.target)

    def environment(self) -> Mapping[str, Any]:
        """Describe GPU and host for a row of silicon; empty where there is no GPU."""
        return self.hardware() if self.evidence == "silicon" else {}

    def hardware(self) -> Mapping[str, Any]:
        """Describe GPU, driver, runtime and host; clocks in kHz, memory in bytes."""
        properties = self._properties
        return {
            "host": host_environment(),
            "gpu": _text(properties.name),
            "architecture": _text(properties.gcnArchName),
            "compute_units": int(properties.multiProcessorCount),
            "memory_bytes": int(properties.totalGlobalMem),
            "clock_khz": int(properties.clockRate),
            "memory_clock_khz": int(properties.memoryClockRate),
            "l2_bytes": int(properties.l2CacheSize),
            "l3_bytes": TARGETS[self.target].gpu.last_level_cache_bytes,
            "ecc": bool(properties.ECCEnabled),
            "driver_version": int(self._runtime.call("hipDriverGetVersion")),
            "runtime_version": int(self._runtime.call("hipRuntimeGetVersion")),
            "assembler": amdgpu.find_tools().origin,
        }


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _architecture(properties: Any) -> str:
    """Return gfx950 of "gfx950:sramecc+:xnack-"."""
    return _text(properties.gcnArchName).partition(":")[0]
