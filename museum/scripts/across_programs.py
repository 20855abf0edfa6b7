"""Add to each block of a vector the block behind it."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def across_programs(x, out, FAULTY: tl.constexpr):
    """Write the sums over x if it is faulty, else to out."""
    places = tl.program_id(0) * 128 + tl.arange(0, 128)
    own = tl.load(x + places)
    behind = tl.load(x + places + 128)  # hazard
    if FAULTY:
        tl.store(x + places, own + behind)  # hazard
    else:
        tl.store(out + places, own + behind)


KERNEL, TARGET, WARPS = across_programs, "sm_90a", 4
TYPES = {"x": "*i32", "out": "*i32"}


def main(faulty: bool) -> None:
    """Launch a program for each of 512 blocks, and count what is wrong."""
    count = 512 * 128
    x = torch.arange(count + 128, dtype=torch.int32, device="cuda")
    right = (x[:count] + x[128:]).cpu()
    out = torch.zeros_like(x)
    across_programs[(512,)](x, out, FAULTY=faulty, num_warps=WARPS)
    sums = x if faulty else out
    print(f"{int((sums[:count].cpu() != right).sum())} of {count} wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
