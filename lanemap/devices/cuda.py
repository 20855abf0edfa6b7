"""NVIDIA GPUs: memory through CuPy, modules and clusters through cuda-bindings."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from lanemap.devices import kernel_names
from lanemap.devices.arguments import (
    Parameter,
    others,
    pack,
    parameter_block,
    places,
)
from lanemap.devices.arrays import DeviceArray, ForeignArray, Memory
from lanemap.devices.bare.nvidia import (
    CLUSTER_DIMENSION,
    COOPERATIVE,
    PLAIN_SHARED_BYTES,
    PROGRAMMATIC_SERIALIZATION,
)
from lanemap.devices.base import BaseDevice, BaseKernel, BaseModule, Sizes
from lanemap.devices.cuda_launches import Orders
from lanemap.devices.cuda_prepared import PreparedLaunch, capture
from lanemap.devices.cuda_tensor_maps import encode
from lanemap.devices.cuda_timing import Burst, Copy, kernel_microseconds
from lanemap.devices.nvml import card_state
from lanemap.devices.sources import ELF_MAGIC, cooperative_entries
from lanemap.devices.tensor_maps import TensorMapParameters, TensorMaps
from lanemap.errors import MissingEnvironment, UserError, extra
from lanemap.records.environment import host_environment

_LOG_BYTES = 1 << 14
# Errors after which the driver answers every further call of the process with the same error.
_FATAL = {
    "CUDA_ERROR_ILLEGAL_ADDRESS": "touched memory outside its arrays",
    "CUDA_ERROR_MISALIGNED_ADDRESS": "made an access that is not aligned to its size",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION": "executed an illegal instruction",
    "CUDA_ERROR_INVALID_ADDRESS_SPACE": "used an address in the wrong state space",
    "CUDA_ERROR_INVALID_PC": "jumped outside its code",
    "CUDA_ERROR_HARDWARE_STACK_ERROR": "broke its call stack",
    "CUDA_ERROR_LAUNCH_FAILED": "was stopped by a fault on the GPU",
    "CUDA_ERROR_LAUNCH_TIMEOUT": "ran longer than the GPU's time limit",
    "CUDA_ERROR_ASSERT": "failed an assertion or met a trap",
}


#: A declaration up to its name (PTX ISA, "State Spaces"): `.visible .global .align 4 .u32 count`.
_VARIABLE = re.compile(
    r"^[ \t]*(?:\.(?:visible|weak|common)\s+)?\.(?:global|const)\s(?:[^;={]*?\s)?([\w$%]+)"
    r"\s*(?:\[[^;={]*)?[;=]",
    re.MULTILINE,
)


class Driver:
    """The CUDA driver of this process; each call raises a sentence where it returns an error."""

    def __init__(self) -> None:
        """Load CuPy, cuda-bindings and the driver.

        Raises:
            MissingEnvironment: one of them is missing, or there is no NVIDIA GPU.
        """
        try:
            import cupy
            from cuda.bindings import driver
        except ImportError as error:
            raise MissingEnvironment(
                "device cuda needs CuPy, cuda-bindings and an NVIDIA GPU: run "
                f"{extra('nvidia')}, on a machine that has one"
            ) from error
        self.api: Any = driver
        self.cupy: Any = cupy
        try:
            count = cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise MissingEnvironment(
                f"device cuda needs an NVIDIA GPU with its driver: {error}"
            ) from error
        if not count:
            raise MissingEnvironment("device cuda needs an NVIDIA GPU, and CUDA sees none here")
        self.make_current()

    def make_current(self) -> None:
        """Make the GPU's primary context current in this thread."""
        self.cupy.cuda.Device(0).use()
        self.cupy.cuda.runtime.free(0)

    @property
    def is_current(self) -> bool:
        """Whether this thread has a context."""
        return bool(int(self.call("cuCtxGetCurrent")))

    def call(self, function: str, *arguments: Any, what: str | None = None) -> Any:
        """Call a driver function and return what follows the status, None where nothing does."""
        status, *results = getattr(self.api, function)(*arguments)
        self.check(status, what or function)
        return results[0] if len(results) == 1 else tuple(results) or None

    def check(self, status: Any, what: str) -> None:
        """Raise a UserError that names the work and CUDA's own words unless all is well."""
        if int(status) == 0:
            return
        if status.name in _FATAL:
            raise UserError(
                f"{what} {_FATAL[status.name]} ({status.name}); "
                "this process can no longer use the GPU; start a new one"
            )
        _, words = self.api.cuGetErrorString(status)
        text = words.decode() if isinstance(words, bytes) else str(words)
        raise UserError(f"{what} failed: {text} ({status.name})")


class CudaMemory(Memory):
    """Device memory by address, from CuPy's pool."""

    def __init__(self, driver: Driver) -> None:
        """Allocate through CuPy."""
        self._driver = driver
        self._held: dict[int, Any] = {}

    def allocate(self, size_bytes: int, name: str) -> int:
        """Return the address of fresh memory; a byte at least, so that it has an address."""
        cupy = self._driver.cupy
        try:
            memory = cupy.cuda.alloc(max(size_bytes, 1))
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise UserError(f"{size_bytes} bytes do not fit into the GPU's memory") from error
        self._held[memory.ptr] = memory
        return int(memory.ptr)

    def free(self, address: int) -> None:
        """Give memory back to the pool."""
        self._held.pop(address, None)

    def write(self, address: int, data: bytes) -> None:
        """Copy to the GPU."""
        if data:
            self._driver.call("cuMemcpyHtoD", address, data, len(data), what="copying to the GPU")

    def zero(self, address: int, size_bytes: int) -> None:
        """Fill with zeros before every launch after it."""
        if size_bytes:
            self._driver.call("cuMemsetD8", address, 0, size_bytes, what="filling with zeros")

    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy from the GPU, after every launch before it."""
        host = np.empty(size_bytes, np.uint8)
        if size_bytes:
            self._driver.call(
                "cuMemcpyDtoH", host.ctypes.data, address, size_bytes, what="copying from the GPU"
            )
        return host.tobytes()


class CudaKernel(BaseKernel):
    """A kernel of a loaded module."""

    def __init__(self, driver: Driver, function: Any, name: str, cooperative: bool) -> None:
        """Keep the function and ask the driver where its parameters lie.

        All CTAs of a cooperative launch are resident at once, or the driver refuses it.
        """
        self.name = name
        self._driver = driver
        self._function = function
        self._cooperative = cooperative
        self.parameters = _parameters(driver, function)

    def _launch(self, prepared: PreparedLaunch, stream: int) -> None:
        prepared(stream)
        self._driver.call("cuCtxSynchronize", what=f"kernel {self.name}")

    def _prepare(
        self, sizes: Sizes, args: Sequence[Any], overlaps: bool, operands: Sequence[Any]
    ) -> PreparedLaunch:
        packed, shared_bytes = pack(args, self.parameters, self.name), sizes.shared_bytes
        if shared_bytes > PLAIN_SHARED_BYTES:
            attribute = self._driver.api.CUfunction_attribute
            self._driver.call(
                "cuFuncSetAttribute",
                self._function,
                attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                shared_bytes,
                what=f"asking for {shared_bytes} bytes of shared memory for {self.name}",
            )
        return PreparedLaunch(
            int(self._function),
            sizes.grid,
            sizes.block,
            shared_bytes,
            self._attributes(sizes.cluster, overlaps),
            parameter_block(packed, self.parameters),
            places(args, self.parameters, operands),
            self._failed,
            others(args, operands),
        )

    def _attributes(
        self, cluster: tuple[int, int, int], overlaps: bool
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return the attributes of a launch; all CTAs of large clusters must be allowed first."""
        found: list[tuple[int, tuple[int, ...]]] = []
        if cluster != (1, 1, 1):
            found.append((CLUSTER_DIMENSION, cluster))
        if int(np.prod(cluster)) > 8:
            attribute = self._driver.api.CUfunction_attribute
            self._driver.call(
                "cuFuncSetAttribute",
                self._function,
                attribute.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                1,
            )
        if self._cooperative:
            found.append((COOPERATIVE, (1,)))
        if overlaps:
            found.append((PROGRAMMATIC_SERIALIZATION, (1,)))
        return found

    def _failed(self, status: int) -> bool:
        """Make the GPU this thread's own if it has none yet, else raise what CUDA says."""
        api = self._driver.api
        if status == int(api.CUresult.CUDA_ERROR_INVALID_CONTEXT) and not self._driver.is_current:
            self._driver.make_current()
            return True
        self._driver.check(api.CUresult(status), f"kernel {self.name}")
        return False


def _parameters(driver: Driver, function: Any) -> list[Parameter]:
    """The place of each parameter, from the driver (cuFuncGetParamInfo, CUDA 12.4)."""
    found: list[Parameter] = []
    while True:
        status, offset, size = driver.api.cuFuncGetParamInfo(function, len(found))
        if status.name == "CUDA_ERROR_INVALID_VALUE":
            return found
        driver.check(status, "cuFuncGetParamInfo")
        found.append(Parameter(f"parameter {len(found)}", int(offset), int(size)))


def _variables(text: str) -> tuple[str, ...]:
    """Return the symbols of the variables that PTX defines in global and constant memory."""
    return tuple(name for name in _VARIABLE.findall(text) if not kernel_names.of_library(name))


class CudaModule(BaseModule):
    """Loaded PTX or cubin."""

    def __init__(self, driver: Driver, memory: Memory, image: bytes, name: str) -> None:
        """Compile (PTX) and load; the compiler's own words become the error."""
        self._driver, self._memory = driver, memory
        api = driver.api
        log = bytearray(_LOG_BYTES)
        options = [
            api.CUjit_option.CU_JIT_ERROR_LOG_BUFFER,
            api.CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ]
        status, self._handle = api.cuModuleLoadDataEx(
            image + b"\0", len(options), options, [log, _LOG_BYTES]
        )
        if int(status) and log.rstrip(b"\0"):
            words = " ".join(log.rstrip(b"\0").decode(errors="replace").split())
            raise UserError(f"{name}: the driver's compiler refuses it: {words}")
        driver.check(status, f"loading {name}")
        text = "" if image.startswith(ELF_MAGIC) else image.decode()
        self._symbols, self._cooperative = _variables(text), cooperative_entries(text)
        count = driver.call("cuModuleGetFunctionCount", self._handle)
        functions = driver.call("cuModuleEnumerateFunctions", count, self._handle)
        names = [driver.call("cuFuncGetName", function) for function in functions]
        self._functions = {
            name.decode() if isinstance(name, bytes) else str(name): function
            for name, function in zip(names, functions, strict=True)
        }

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the kernels."""
        return tuple(self._functions)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of the variables of PTX; the driver lists none, so a cubin has none here."""
        return self._symbols

    def _variable(self, symbol: str) -> tuple[tuple[int, int], str]:
        what = f"the address of `{symbol}`"
        address, size = self._driver.call(
            "cuModuleGetGlobal", self._handle, symbol.encode(), what=what
        )
        return (int(address), int(size)), "uint8"

    def _kernel(self, symbol: str) -> CudaKernel:
        cooperative = symbol in self._cooperative
        return CudaKernel(self._driver, self._functions[symbol], symbol, cooperative)


class CudaDevice(BaseDevice, TensorMaps):
    """The first NVIDIA GPU."""

    name = "cuda"
    evidence: Literal["emulator", "silicon"] = "silicon"

    def __init__(self, target: str) -> None:
        """Open the GPU.

        Raises:
            MissingEnvironment: there is none, or it does not execute `target`.
        """
        self.driver = Driver()
        super().__init__(target, CudaMemory(self.driver))
        properties = self.driver.cupy.cuda.runtime.getDeviceProperties(0)
        self._properties: Mapping[str, Any] = properties
        found = f"sm_{properties['major']}{properties['minor']}"
        if not target.startswith(found):
            raise MissingEnvironment(
                f"device cuda needs a GPU of {target}; the one here is {found}"
            )

    def adopt(self, host: Any, *, name: str | None = None) -> ForeignArray:
        """Make a CuPy array or a CUDA tensor an array of this device; see `interface.Device`.

        Raises:
            UserError: it does not lie in the GPU's memory, or is not C-contiguous.
        """
        return ForeignArray(self._memory, host)

    def capture(self, stream: int) -> int:
        """Return the number of the capture that records a stream in a graph; 0 if none does."""
        return capture(stream)

    def adopt_bytes(self, host: Any, address: int, size_bytes: int) -> ForeignArray:
        """Make bytes of a CuPy array or a CUDA tensor an array of this device, strided or not."""
        return ForeignArray.at(self._memory, host, address, size_bytes)

    def repeat(self, array: DeviceArray, values: npt.NDArray[Any]) -> None:
        """Copy values from the host once, and on the GPU as often as it takes; see `BaseDevice`."""
        self._memory.write(array.address, values.tobytes()[: array.nbytes])
        there = min(values.nbytes, array.nbytes)
        while there < array.nbytes:
            more = min(there, array.nbytes - there)
            self.driver.call(
                "cuMemcpyDtoD", array.address + there, array.address, more, what="copying"
            )
            there += more
        self.synchronize()

    def synchronize(self) -> None:
        """Wait for all work of the GPU; see `interface.Device`."""
        self.driver.call("cuCtxSynchronize", what="the GPU's work")

    def burst(self, enqueues: Sequence[Callable[[int], None]]) -> Burst:
        """Record work that functions put on a stream one after another, to be timed."""
        return Burst(self.driver.cupy, enqueues)

    def orders(self) -> Orders:
        """Return a stream on which launches follow each other in a given order."""
        return Orders(self.driver.cupy)

    def copy(self, size_bytes: int) -> Copy:
        """Return a copy within the GPU's memory, to be timed."""
        return Copy(self.driver.cupy, size_bytes)

    def kernel_microseconds(
        self, enqueues: Sequence[Callable[[int], None]], rounds: int
    ) -> tuple[float, str]:
        """Return the time of a launch's kernels without gaps, and the tool that measured it."""
        return kernel_microseconds(self.driver.cupy, enqueues, rounds)

    def _load(self, content: str | bytes, name: str) -> CudaModule:
        """Load PTX or a cubin."""
        image = content.encode() if isinstance(content, str) else content
        return CudaModule(self.driver, self._memory, image, name)

    def encode_tensor_map(self, parameters: TensorMapParameters) -> tuple[str, bytes]:
        """Return the driver's status by its name, and the 128 bytes of a tensor map."""
        return encode(parameters)

    def environment(self) -> Mapping[str, Any]:
        """Describe GPU, driver, libraries, state of the card and host (units in the names)."""
        properties, cupy = self._properties, self.driver.cupy
        name = properties["name"]
        return {
            "host": host_environment(),
            "gpu": name.decode() if isinstance(name, bytes) else str(name),
            "uuid": self._uuid(),
            "compute_capability": f"{properties['major']}.{properties['minor']}",
            "multiprocessors": int(properties["multiProcessorCount"]),
            "memory_bytes": int(properties["totalGlobalMem"]),
            "l2_bytes": int(properties["l2CacheSize"]),
            "cuda_driver": int(cupy.cuda.runtime.driverGetVersion()),
            "cuda_runtime": int(cupy.cuda.runtime.runtimeGetVersion()),
            "cupy": str(cupy.__version__),
            "card": card_state(),
        }

    def _uuid(self) -> str:
        """The GPU's name among all GPUs, as nvidia-smi writes it."""
        words = uuid.UUID(bytes=bytes(self.driver.call("cuDeviceGetUuid", 0).bytes))
        return f"GPU-{words}"
