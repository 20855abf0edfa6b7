"""The emulator's time for CTAs: beginning them, barriers among them, shared state.

    python benchmarks/emulator_ctas.py [--repeats R] [--json]

Hazards are on and one core runs everything. Each kernel is launched once before it is measured, so
that nothing is compiled meanwhile; CUDA C++ needs the extra `nvidia`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from typing import Any

import numpy as np
from machine import describe

KERNELS = r"""
extern "C" __global__ void begin(unsigned *out, unsigned, unsigned *) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
extern "C" __global__ void shared(unsigned *out, unsigned rounds, unsigned *) {
  __shared__ unsigned values[1024];
  unsigned t = threadIdx.x, sum = t;
  for (unsigned i = 0; i < rounds; i++) {
    values[t] = sum;
    __syncthreads();
    sum += values[(t * 7 + i) % blockDim.x];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
extern "C" __global__ void grid(unsigned *out, unsigned rounds, unsigned *arrived) {
  unsigned n = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < rounds; i++) {
    out[(me + i) % n] = me;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      unsigned goal = (atomicAdd(arrived, 1u) / gridDim.x + 1) * gridDim.x;
      while (*(volatile unsigned *)arrived < goal) {}
      __threadfence();
    }
    __syncthreads();
  }
}
extern "C" __global__ void cluster(unsigned *out, unsigned rounds, unsigned *) {
  __shared__ unsigned values[2][256];
  unsigned t = threadIdx.x, rank, ranks, to, moved = t;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
  for (unsigned i = 0; i < rounds; i++) {
    unsigned from = (unsigned)__cvta_generic_to_shared(&values[i % 2][t]);
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(from), "r"((rank + 1) % ranks));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(moved) : "memory");
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    moved = values[i % 2][t];
  }
  out[blockIdx.x * blockDim.x + t] = moved;
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
"""
# Kernel, CTAs, threads of each, CTAs of a cluster, rounds, what is counted and how many there are.
CASES = (
    ("begin", 2000, 256, 1, 1, "CTAs of 8 warps", 2000),
    ("shared", 4, 1024, 1, 200, "shared accesses of a warp", 4 * 32 * 400),
    ("grid", 132, 128, 1, 4, "CTAs at a grid's barrier", 132 * 4),
    ("cluster", 16, 256, 8, 100, "remote stores of a warp", 16 * 8 * 100),
)


def measure(case: tuple[Any, ...], repeats: int) -> dict[str, Any]:
    """Medians of processor time, after one launch that compiles."""
    import lanemap

    name, ctas, threads, cluster, rounds, what, count = case
    device = lanemap.open_device("sm_90a", device="emulator")
    kernel = device.compile(KERNELS)[name]
    out, arrived = device.zeros(ctas * threads, np.uint32), device.zeros(1, np.uint32)
    seconds = []
    for _ in range(repeats + 1):
        start = time.process_time()
        kernel(ctas, threads, (out, np.uint32(rounds), arrived), cluster=cluster)
        seconds.append(time.process_time() - start)
    median = statistics.median(seconds[1:])
    return {
        "kernel": name,
        "counted": what,
        "count": count,
        "seconds": median,
        "microseconds_each": 1e6 * median / count,
    }


def main() -> int:
    """Measure every kernel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    machine = describe()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rows = [measure(case, options.repeats) for case in CASES]
    if options.json:
        print(json.dumps({"machine": machine, "rows": rows}, indent=1))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print("hazards on, one core, medians of processor time")
    for row in rows:
        print(
            f"{row['kernel']:8} {row['count']:8} {row['counted']:28} {row['seconds']:8.3f} s "
            f"{row['microseconds_each']:8.2f} us each"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
