"""The definition of a target: limits, GPU and published rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of a launch, and the resources of an SM (a compute unit).

    Attributes:
        lanes: Lanes of a warp or wave.
        threads: Threads of a CTA.
        block: Threads of a CTA along x, y and z.
        grid: CTAs of a grid along x, y and z.
        cluster: CTAs of a cluster that every GPU of the target takes; 1 without clusters.
        registers: 32-bit registers of an SM.
        shared_bytes: Shared memory of a CTA that asks for more than the default.
        default_shared_bytes: Shared memory of a CTA that asks for nothing.
        shared_bytes_of_sm: Shared memory of an SM.
        reserved_shared_bytes: Shared memory that each resident CTA takes beyond its own.
        local_bytes: Local memory (scratch) of a thread.
        ctas_of_sm: Resident CTAs of an SM.
        warps_of_sm: Resident warps of an SM.
        tensor_memory_columns: Columns of 128 lanes of 32 bits; 0 without tensor memory.
    """

    lanes: int
    threads: int
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    cluster: int
    registers: int
    shared_bytes: int
    default_shared_bytes: int
    shared_bytes_of_sm: int
    reserved_shared_bytes: int
    local_bytes: int
    ctas_of_sm: int
    warps_of_sm: int
    tensor_memory_columns: int = 0

    @property
    def threads_of_sm(self) -> int:
        """Resident threads of an SM."""
        return self.lanes * self.warps_of_sm


def nvidia_limits(
    *,
    shared_bytes: int,
    shared_bytes_of_sm: int,
    ctas_of_sm: int,
    warps_of_sm: int,
    reserved_shared_bytes: int = 1024,
    cluster: int = 1,
    tensor_memory_columns: int = 0,
) -> Limits:
    """Return the limits of an NVIDIA target: those that all from 7.5 on share, and its own.

    Source: CUDA C++ Programming Guide, Technical Specifications per Compute Capability.
    """
    return Limits(
        lanes=32,
        threads=1024,
        block=(1024, 1024, 64),
        grid=(2**31 - 1, 65535, 65535),
        cluster=cluster,
        registers=65536,
        shared_bytes=shared_bytes,
        default_shared_bytes=48 * 1024,
        shared_bytes_of_sm=shared_bytes_of_sm,
        reserved_shared_bytes=reserved_shared_bytes,
        local_bytes=512 * 1024,
        ctas_of_sm=ctas_of_sm,
        warps_of_sm=warps_of_sm,
        tensor_memory_columns=tensor_memory_columns,
    )


def amd_limits(shared_bytes: int) -> Limits:
    """Return the limits of a CDNA target with so much LDS: those that all from CDNA 2 on share.

    Sources: AMD's white papers, 512 KB of vector registers in a compute unit; ROCm, GPU hardware
    specifications: four SIMDs of eight waves each; LLVM, GCNSubtarget::getMaxWaveScratchSize: 13
    bits of 1 KB for a wave. A grid has fewer than 2^32 work-items along each axis.
    """
    return Limits(
        lanes=64,
        threads=1024,
        block=(1024, 1024, 1024),
        grid=(2**32 - 1, 2**32 - 1, 2**32 - 1),
        cluster=1,
        registers=4 * 512 * 64,
        shared_bytes=shared_bytes,
        default_shared_bytes=64 * 1024,
        shared_bytes_of_sm=shared_bytes,
        reserved_shared_bytes=0,
        local_bytes=((1 << 13) - 1) * 1024 // 64,
        ctas_of_sm=32,
        warps_of_sm=32,
    )


@dataclass(frozen=True)
class Gpu:
    """The GPU that stands for a target on the emulator, in the terms of cudaDeviceProp.

    Attributes:
        name: The driver's name for it.
        called: Its name in messages, with the article.
        multiprocessors: SMs, or compute units.
        memory_bytes: Global memory.
        last_level_cache_bytes: L2, or AMD's Infinity Cache.
        memory_clock_khz: Clock of the memory, which transfers twice a clock.
        memory_bus_bits: Width of the memory's bus.
        clock_khz: The SMs' highest clock; None where no source gives it.
    """

    name: str
    called: str
    multiprocessors: int
    memory_bytes: int
    last_level_cache_bytes: int
    memory_clock_khz: int
    memory_bus_bits: int
    clock_khz: int | None


@dataclass(frozen=True)
class Rates:
    """The vendor's published rates of the GPU, per second.

    Attributes:
        flops: Dense operations, by the name of the type that is multiplied.
        memory_bytes: Bytes of global memory.
        special_functions: Results of ex2 and similar instructions.
        shared_bytes: Bytes of shared memory.
        citation: The source.
        tensor_memory_bytes: Bytes of tensor memory read, and written; None without such memory.
    """

    flops: Mapping[str, float]
    memory_bytes: float
    special_functions: float
    shared_bytes: float
    citation: str
    tensor_memory_bytes: tuple[float, float] | None = None


@dataclass(frozen=True)
class Target:
    """One instruction set.

    Attributes:
        name: "sm_90a", "gfx950", ..
        devices: Which devices execute its kernels; hardware comes before the emulator.
        products: Product names of the target's GPUs.
        limits: See `Limits`.
        gpu: See `Gpu`.
        rates: See `Rates`; None where none are published.
        matrix_flops_a_clock: Operations of an SM on dense 16-bit floats.
        kept_bits: Bits below the largest exponent that sums of its newest matrix instructions keep
            of each addend, by the bytes of an element; empty where it is unknown. Sums are
            truncated to as many bits, or to 24 where that is fewer.
        tensor_cores: The generation of its tensor cores, whose rules of adding products of floats
            `lanemap.model.tensor_sums` has; of AMD's, that of the wait states of its matrix
            instructions too; "" where nobody says how they add.
        first_ptx: The first PTX ISA that has the target; "" of AMD's.
        modeled: Whether the maps of `lanemap.model` are stated for it.
        probed: Whether probes have rows for it.
        timed: Whether timing probes are written for it.
        cache_bits: The names in assembly of the bits that say which caches an access reaches.
        absolute_scratch: Whether kernels reach scratch through a buffer that they are given (LLVM,
            AMDGPUUsage: no architected flat scratch).
        fnuz: Whether its 8-bit floats are FNUZ: no infinities, no -0, NaN 0x80, a bias larger by 1.
    """

    name: str
    devices: tuple[str, ...]
    products: tuple[str, ...]
    limits: Limits
    gpu: Gpu
    rates: Rates | None
    matrix_flops_a_clock: int
    kept_bits: Mapping[int, int]
    tensor_cores: str
    first_ptx: str = ""
    modeled: bool = True
    probed: bool = True
    timed: bool = False
    cache_bits: tuple[str, str, str] = ("sc0", "sc1", "nt")
    absolute_scratch: bool = False
    fnuz: bool = False

    @property
    def is_nvidia(self) -> bool:
        """Whether its kernels are PTX."""
        return self.name.startswith("sm_")

    @property
    def names_scopes(self) -> bool:
        """Whether accesses name the scope in which they are atomic, as those of PTX and sc0, sc1.

        Before CDNA 3 loads have one bit for all scopes, and stores do not say whether they are
        atomic (LLVM, AMDGPUUsage, "Memory Model gfx90a").
        """
        return "glc" not in self.cache_bits

    @property
    def capability(self) -> tuple[int, int]:
        """Compute capability, major and minor: (10, 3) of sm_103a; HIP says (9, 5) of gfx950."""
        if self.is_nvidia:
            return divmod(int(self.name[3:].rstrip("af")), 10)
        return int(self.name[3:-2]), int(self.name[-2], 16)
