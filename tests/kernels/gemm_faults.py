"""Faults that people make in such kernels, each as one change of the source."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Fault:
    """One change of a kernel's source.

    Attributes:
        name: What is wrong, in words.
        file: Where, "" for the kernel's own file.
        old: What the source says; once.
        new: What it says with the fault.
        caught: Words of the hazard that must be reported; "" where the result must be wrong.
        strict: Whether only the strict emulator reports it.
    """

    name: str
    file: str
    old: str
    new: str
    caught: str = ""
    strict: bool = False


SHARED = (
    Fault("The producer does not wait for an empty stage", "hopper_gemm.h",
          "    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n", "",
          "arrivals are more than"),
    Fault("The producer waits for the wrong phase", "hopper_gemm.h",
          "mbarrier_wait(pipe.empty(), pipe.parity ^ 1)",
          "mbarrier_wait(pipe.empty(), pipe.parity)",
          "lacks"),
    Fault("The full barrier expects too few bytes", "hopper_gemm.h",
          "mbarrier_expect(pipe.full(), STAGE_BYTES)", "mbarrier_expect(pipe.full(), A_BYTES)",
          "nothing orders this after phase"),
    Fault("The empty barrier counts one CTA's consumers", "hopper_gemm.h",
          "CONSUMERS * RELEASING_WARPS * CTAS)", "CONSUMERS * RELEASING_WARPS)",
          "nothing orders this after phase"),
    Fault("A stage is released in the own CTA only", "hopper_gemm.h",
          "mbarrier_arrive(empty, lane)", "mbarrier_arrive(empty, cluster_rank())",
          "nothing orders this after phase"),
    Fault("No barrier between mbarrier.init and its use", "hopper_gemm.h",
          "  if constexpr (CTAS > 1) cluster_barrier();\n  else", "  if constexpr (CTAS <= 1)",
          "mbarrier.init is missing before this"),
    Fault("A CTA ends while the other one arrives there", "hopper_gemm.h",
          "arrives there.\n  if constexpr (CTAS > 1) cluster_barrier();", "arrives there.\n",
          "after that CTA has ended"),
    Fault("The multicast leaves out the other CTA", "hopper_gemm.h",
          "((1u << CLUSTER_M) - 1) << (in_n * CLUSTER_M)", "1u << rank",
          "lacks 0 of its 1 arrivals and 8192 bytes"),
    Fault("Rows and columns of A's box are exchanged", "hopper_gemm.h",
          "tma_load(pipe.a(), a, k, place.row,", "tma_load(pipe.a(), a, place.row, k,"),
    Fault("No fence.proxy.async before the TMA store", "hopper.h",
          "    fence_proxy_async();\n    __syncwarp();", "    __syncwarp();",
          "fence.proxy.async is missing between them"),
    Fault("A box is overwritten while a store reads it", "hopper.h",
          "if (lane == 0) tma_store_wait_read<(stores > 1)>();", "",
          "cp.async.bulk.commit_group and wait_group.read by its own warp is missing"),
    Fault("A CTA ends while a store may still read its box", "hopper_gemm.h",
          "    if (lane == 0) tma_store_wait_read<0>();\n", "",
          "the CTA ends, and nothing says that this has read its shared memory", strict=True),
    Fault("No __syncwarp before the TMA store", "hopper.h",
          "    fence_proxy_async();\n    __syncwarp();", "    fence_proxy_async();",
          "__syncwarp() (bar.warp.sync) by both lanes is missing", strict=True),
    Fault("SBO is half of what 8 rows take", "hopper.h",
          "eight_rows >> 4 << 32", "eight_rows >> 5 << 32"),
    Fault("The descriptor says the 64-byte swizzle", "hopper.h", "1ull << 62;", "2ull << 62;"),
    Fault("C is written without the swizzle", "hopper.h",
          "swizzle_unit(line & 7, unit, 0, 0) * 16", "unit * 16"),
    Fault("The halves of a packed pair are exchanged", "hopper.h",
          '"=r"(both) : "f"(high), "f"(low));\n#endif',
          '"=r"(both) : "f"(low), "f"(high));\n#endif'),
    Fault("B's k step is twice too long", "", "b + {B}", "b + 2 * {B}",
          "nothing orders this after phase"),
)  # fmt: skip
SS = (
    Fault("A consumer does not wait for a full stage", "",
          "  mbarrier_wait(pipe.full(), pipe.parity);\n", "",
          "nothing orders this after phase"),
    Fault("No wgmma.fence", "", "  wgmma_fence();\n", "",
          "one is missing before its first wgmma"),
    Fault("No wgmma.commit_group", "", "  wgmma_commit();\n", "",
          "without being ordered after `wgmma.mma_async"),
    Fault("D is read before the last wgmma is done", "",
          "  wgmma_wait<0>();\n  pin_blocks(d);\n  release(before", "  release(before",
          "is accessed while `wgmma.mma_async"),
    Fault("A stage is released before wgmma has read it", "", "    wgmma_wait<1>();\n", "",
          "without being ordered after `wgmma.mma_async"),
    Fault("Every stage overwrites D", "", "add || step > 0", "step > 0"),
    Fault("D is added to before it is zero", "", "multiply(d, pipe, consumer, false);\n  unsigned",
          "multiply(d, pipe, consumer, true);\n  unsigned",
          "undefined bits 0xffffffff decide the matrix operand"),
    Fault("Both consumers multiply the same rows", "", "pipe.a() + consumer * ROWS * 128",
          "pipe.a()"),
)  # fmt: skip
TS = (
    Fault("A consumer does not wait for a full stage", "",
          "  mbarrier_wait(pipe.full(), pipe.parity);\n", "",
          "undefined bits 0xffffffff decide the matrix operand"),
    Fault("One warp releases for what four have read", "",
          "RELEASING_WARPS = 4", "RELEASING_WARPS = 1",
          "without being ordered after the read by warp"),
    Fault("No wgmma.fence", "", "  wgmma_fence();\n", "",
          "one is missing before its first wgmma"),
    Fault("A's registers are loaded while wgmma reads them", "",
          "load(odd, pipe, consumer, warp, lane);\n    multiply(d, odd,",
          "load(even, pipe, consumer, warp, lane);\n    multiply(d, even,",
          "is accessed while `wgmma.mma_async"),
    Fault("D is read before the last wgmma is done", "",
          "  wgmma_wait<0>();\n  pin_blocks(d);\n", "",
          "is accessed while `wgmma.mma_async"),
    Fault("A stage is released before wgmma has read B", "",
          "    wgmma_wait<1>();\n    if (block > 0)", "    if (block > 0)",
          "without being ordered after `wgmma.mma_async"),
    Fault("Every stage overwrites D", "", "add || step > 0", "step > 0"),
    Fault("A fragment is loaded for every other k step", "",
          "step * STEP + k, 0)", "(step & 2) * STEP + k, 0)"),
    Fault("The registers of A's upper and lower rows are exchanged", "",
          "fragment_row(warp, to, r, element)", "fragment_row(warp, to, r ^ 1, element)"),
)  # fmt: skip


def of(kernel: str) -> list[Fault]:
    """The faults of a kernel."""
    own = SS if kernel == "ss_gemm" else TS
    step = "k" if kernel == "ss_gemm" else "descriptor_step(step * STEP)"
    shared = [
        replace(each, old=each.old.format(B=step), new=each.new.format(B=step))
        if "{B}" in each.old else each
        for each in SHARED
    ]  # fmt: skip
    return [*shared, *own]
