"""The only GPU: its number, its attributes, and what CUDA raises."""

from __future__ import annotations

import contextlib
from typing import Any

from lanemap.check.cupy.state import active

#: `Device.attributes`: cudaDeviceAttr of driver_types.h without its prefix, by its number.
ATTRIBUTES = {
    "MaxThreadsPerBlock": 1, "MaxBlockDimX": 2, "MaxBlockDimY": 3, "MaxBlockDimZ": 4,
    "MaxGridDimX": 5, "MaxGridDimY": 6, "MaxGridDimZ": 7, "MaxSharedMemoryPerBlock": 8,
    "TotalConstantMemory": 9, "WarpSize": 10, "MaxPitch": 11, "MaxRegistersPerBlock": 12,
    "ClockRate": 13, "TextureAlignment": 14, "GpuOverlap": 15, "MultiProcessorCount": 16,
    "KernelExecTimeout": 17, "Integrated": 18, "CanMapHostMemory": 19, "ComputeMode": 20,
    "ConcurrentKernels": 31, "EccEnabled": 32, "MemoryClockRate": 36, "GlobalMemoryBusWidth": 37,
    "L2CacheSize": 38, "MaxThreadsPerMultiProcessor": 39, "AsyncEngineCount": 40,
    "UnifiedAddressing": 41, "ComputeCapabilityMajor": 75, "ComputeCapabilityMinor": 76,
    "StreamPrioritiesSupported": 78, "GlobalL1CacheSupported": 79, "LocalL1CacheSupported": 80,
    "MaxSharedMemoryPerMultiprocessor": 81, "MaxRegistersPerMultiprocessor": 82,
    "ManagedMemory": 83, "IsMultiGpuBoard": 84, "ConcurrentManagedAccess": 89,
    "ComputePreemptionSupported": 90, "CooperativeLaunch": 95, "MaxSharedMemoryPerBlockOptin": 97,
    "MaxBlocksPerMultiprocessor": 106, "ReservedSharedMemoryPerBlock": 111,
}  # fmt: skip


class CUDARuntimeError(RuntimeError):
    """A call of the runtime that CUDA would refuse."""

    __module__ = "cupy_backends.cuda.api.runtime"


class CUDADriverError(RuntimeError):
    """A call of the driver that CUDA would refuse."""

    __module__ = "cupy_backends.cuda.api.driver"


def only_gpu(ordinal: Any = None) -> int:
    """Return the number of the only GPU.

    Raises:
        CUDARuntimeError: it is another's.
    """
    number = 0 if ordinal is None else int(getattr(ordinal, "id", ordinal))
    if number not in (0, -1):
        raise CUDARuntimeError("cudaErrorInvalidDevice: invalid device ordinal")
    return 0


class Device:
    """The only GPU."""

    def __init__(self, device: Any = None) -> None:
        """Take its number."""
        self.id = only_gpu(device)

    @property
    def attributes(self) -> dict[str, int]:
        """What is known of the GPU, by the names of cudaDeviceAttr."""
        known = {}
        for name, number in ATTRIBUTES.items():
            with contextlib.suppress(Exception):
                known[name] = active().calls.attribute(number)
        return known

    @property
    def compute_capability(self) -> str:
        """`90` for 9.0."""
        major, minor = active().target.capability
        return f"{major}{minor}"

    @property
    def mem_info(self) -> tuple[int, int]:
        """Bytes that are free, and all of them."""
        memory = active().target.gpu.memory_bytes
        return memory - active().device.adopted_bytes, memory

    @property
    def pci_bus_id(self) -> str:
        """The address on a bus, of which there is none."""
        return "0000:00:00.0"

    def use(self) -> Device:
        """Select the GPU, which is selected anyway."""
        return self

    def synchronize(self) -> None:
        """Wait for nothing: a launch ends before it returns."""

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: Any) -> None:
        """Select what was selected before: the same."""

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Device)

    def __hash__(self) -> int:
        return hash(Device)

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"
