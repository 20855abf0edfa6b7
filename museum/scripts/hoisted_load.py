"""Store a number, and load it back from the same place, in a loop that Triton pipelines."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def hoisted_load(scratch, out, count, FAULTY: tl.constexpr):
    """Write i + 1 to out[i], by way of scratch."""
    first, step = tl.program_id(0), tl.num_programs(0)
    for i in tl.range(first, count, step, num_stages=2 if FAULTY else 1, flatten=True):
        tl.store(scratch + i, i + 1)  # hazard
        value = tl.load(scratch + i)  # hazard
        tl.store(out + i, value)


KERNEL, TARGET, WARPS = hoisted_load, "sm_90a", 1
TYPES = {"scratch": "*i32", "out": "*i32", "count": "i32"}


def main(faulty: bool) -> None:
    """Launch two programs, and count what is wrong."""
    count = 1024
    scratch = torch.zeros(count, dtype=torch.int32, device="cuda")
    out = torch.zeros_like(scratch)
    hoisted_load[(2,)](scratch, out, count, FAULTY=faulty, num_warps=WARPS)
    wrong = int((out.cpu() != torch.arange(1, count + 1)).sum())
    print(f"{wrong} of {count} wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
