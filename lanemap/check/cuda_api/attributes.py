"""What the driver answers for the GPU's attributes, by their numbers."""

from __future__ import annotations

from lanemap.targets import Target

#: The only GPU.
GPU = 0
#: CUdevice_attribute of cuda.h: what every GPU of our targets has. A call that asks for others gets
#: CUDA_ERROR_NOT_SUPPORTED.
_SAME = {
    11: 2**31 - 1,  # MAX_PITCH
    14: 512,        # TEXTURE_ALIGNMENT
    15: 1,          # GPU_OVERLAP
    17: 0,          # KERNEL_EXEC_TIMEOUT
    18: 0,          # INTEGRATED
    19: 1,          # CAN_MAP_HOST_MEMORY
    20: 0,          # COMPUTE_MODE: the default one
    31: 1,          # CONCURRENT_KERNELS
    32: 1,          # ECC_ENABLED
    33: 0,          # PCI_BUS_ID: the emulator is on no bus
    34: 0,          # PCI_DEVICE_ID
    40: 2,          # ASYNC_ENGINE_COUNT
    41: 1,          # UNIFIED_ADDRESSING
    50: 0,          # PCI_DOMAIN_ID
    78: 1,          # STREAM_PRIORITIES_SUPPORTED
    79: 1,          # GLOBAL_L1_CACHE_SUPPORTED
    80: 1,          # LOCAL_L1_CACHE_SUPPORTED
    83: 1,          # MANAGED_MEMORY
    84: 0,          # MULTI_GPU_BOARD
    86: 0,          # HOST_NATIVE_ATOMIC_SUPPORTED
    88: 0,          # PAGEABLE_MEMORY_ACCESS
    89: 1,          # CONCURRENT_MANAGED_ACCESS
    90: 1,          # COMPUTE_PREEMPTION_SUPPORTED
    95: 1,          # COOPERATIVE_LAUNCH
    101: 0,         # DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
    115: 1,         # MEMORY_POOLS_SUPPORTED
    120: 1,         # CLUSTER_LAUNCH
    125: 0,         # IPC_EVENT_SUPPORTED
    127: 1,         # TENSOR_MAP_ACCESS_SUPPORTED
}  # fmt: skip

#: Fields of cudaDeviceProp that are attributes.
PROPERTIES: dict[str, int | tuple[int, ...]] = {
    "sharedMemPerBlock": 8, "regsPerBlock": 12, "warpSize": 10, "memPitch": 11,
    "maxThreadsPerBlock": 1, "maxThreadsDim": (2, 3, 4), "maxGridSize": (5, 6, 7),
    "totalConstMem": 9, "major": 75, "minor": 76, "textureAlignment": 14,
    "multiProcessorCount": 16, "integrated": 18, "canMapHostMemory": 19, "concurrentKernels": 31,
    "ECCEnabled": 32, "asyncEngineCount": 40, "unifiedAddressing": 41, "memoryBusWidth": 37,
    "l2CacheSize": 38, "maxThreadsPerMultiProcessor": 39, "streamPrioritiesSupported": 78,
    "globalL1CacheSupported": 79, "localL1CacheSupported": 80, "sharedMemPerMultiprocessor": 81,
    "regsPerMultiprocessor": 82, "managedMemory": 83, "isMultiGpuBoard": 84,
    "concurrentManagedAccess": 89, "computePreemptionSupported": 90, "cooperativeLaunch": 95,
    "sharedMemPerBlockOptin": 97, "maxBlocksPerMultiProcessor": 106,
    "reservedSharedMemPerBlock": 111, "memoryPoolsSupported": 115, "clusterLaunch": 120,
}  # fmt: skip


def attribute(target: Target, number: int) -> int | None:
    """Return an attribute of a target's GPU; None for one that is not known."""
    gpu, limits, (major, minor) = target.gpu, target.limits, target.capability
    known = {
        1: limits.threads,
        2: limits.block[0],
        3: limits.block[1],
        4: limits.block[2],
        5: limits.grid[0],
        6: limits.grid[1],
        7: limits.grid[2],
        8: limits.default_shared_bytes,
        9: 64 * 1024,  # constant memory: CUDA C++ Programming Guide, Technical Specifications
        10: limits.lanes,
        12: limits.registers,  # of a CTA
        16: gpu.multiprocessors,
        36: gpu.memory_clock_khz,
        37: gpu.memory_bus_bits,
        38: gpu.last_level_cache_bytes,
        39: limits.threads_of_sm,
        75: major,
        76: minor,
        81: limits.shared_bytes_of_sm,
        82: limits.registers,  # of an SM
        97: limits.shared_bytes,  # of a CTA that asks for more than the default
        106: limits.ctas_of_sm,
        111: limits.reserved_shared_bytes,
    }
    if number == 13:  # CLOCK_RATE
        return gpu.clock_khz
    return known.get(number, _SAME.get(number))
