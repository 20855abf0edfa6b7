"""What the GPU of a target says of itself: the properties that scripts ask for."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.errors import UserError


@dataclass(frozen=True)
class Properties:
    """A GPU, in the terms of cudaDeviceProp.

    Attributes:
        name: As the driver has it.
        capability: Compute capability, major and minor.
        multiprocessors: SMs.
        memory_bytes: Global memory.
        l2_bytes: L2 cache.
        memory_clock_khz: Of the memory; it transfers twice a clock.
        memory_bus_bits: Width of the memory's bus.
        clock_khz: The SMs' highest clock; None where no source gives it.
        shared_bytes: Of a CTA that asks for more than the default.
        shared_bytes_of_sm: Of an SM.
        registers: 32-bit registers of a CTA, and of an SM.
        threads_of_sm: Resident threads of an SM.
        threads: Threads of a CTA.
        flops_a_clock: Operations of an SM's tensor cores on dense 16-bit floats, in a clock.
        instructions_a_clock: Warp instructions that an SM issues in a clock.
        passes_a_clock: Passes of 128 bytes that its shared memory serves in a clock.
        sectors_a_clock: Sectors of 32 bytes that it exchanges with global memory in a clock.
    """

    name: str
    capability: tuple[int, int]
    multiprocessors: int
    memory_bytes: int
    l2_bytes: int
    memory_clock_khz: int
    memory_bus_bits: int
    clock_khz: int | None
    flops_a_clock: int
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability (9.0, 10.0).
    shared_bytes: int = 227 * 1024
    shared_bytes_of_sm: int = 228 * 1024
    shared_bytes_by_default: int = 48 * 1024
    registers: int = 65536
    threads_of_sm: int = 2048
    threads: int = 1024
    warp_threads: int = 32
    # Four schedulers (the same guide, Compute Capability 9.0); 32 banks of 4 bytes. One sector lies
    # between what the memories below deliver to each SM in a clock (18 and 27 bytes, all misses)
    # and what caches do; autotuning needs no more than proportions.
    instructions_a_clock: int = 4
    passes_a_clock: int = 1
    sectors_a_clock: int = 1


#: Target to GPU. The H200's are what one said (results/sm_90a/cuda) and, for the bus, its data
#: sheet: 4.8 TB/s at that clock. The B200's are what cudaGetDeviceProperties and nvidia-smi printed
#: in github.com/pytorch/ao pull request 4002 (178.35 GiB, 126.5 MiB, 7680 bits, 3996 MHz). The
#: tensor cores' operations are those of the data sheets, 989 and 2250 TFLOPS, by SM and clock. Of a
#: B300, users report 148 SMs (flashinfer's benchmarks of sm_103a), 275,040 MiB, an L2 cache of
#: 126 MB and 2032 MHz; NVIDIA's data sheet has 8 TB/s and, again, 2250 TFLOPS. The clock of its
#: memory and the rest of its L2 cache are assumed to be a B200's.
GPUS = {
    "sm_90a": Properties(
        "NVIDIA H200", (9, 0), 132, 150_109_880_320, 62_914_560, 3_201_000, 6144, 1_980_000, 4096,
    ),
    "sm_100a": Properties(
        "NVIDIA B200", (10, 0), 148, int(178.35 * 2**30), int(126.5 * 2**20), 3_996_000, 7680, None,
        8192,
    ),
    "sm_103a": Properties(
        "NVIDIA B300 SXM6 AC", (10, 3), 148, 275_040 * 2**20, int(126.5 * 2**20), 3_996_000, 8192,
        2_032_000, 8192,
    ),
}  # fmt: skip


def properties(target: str) -> Properties:
    """Return the properties of the GPU of a target.

    Raises:
        UserError: scripts are not checked for that target.
    """
    if target not in GPUS:
        raise UserError(f"scripts are checked for {', '.join(GPUS)}, not for {target!r}")
    return GPUS[target]
