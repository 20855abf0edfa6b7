"""Write a tile to global memory, and read it back as another wave's part of the program."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def stale_across_waves(x, scratch, out, FAULTY: tl.constexpr):
    """Double x and reverse its columns, by way of scratch."""
    own = tl.program_id(0) * 1024
    places = tl.arange(0, 1024)
    tl.store(scratch + own + places, tl.load(x + own + places) * 2)  # hazard
    if not FAULTY:
        tl.debug_barrier()
    back = tl.load(scratch + own + 1023 - places)  # hazard
    tl.store(out + own + places, back)


KERNEL, TARGET, WARPS = stale_across_waves, "gfx950", 4
TYPES = {"x": "*i32", "scratch": "*i32", "out": "*i32"}


def main(faulty: bool) -> None:
    """Launch 64 programs, and count what is wrong."""
    x = torch.arange(64 * 1024, dtype=torch.int32, device="cuda").reshape(64, 1024)
    scratch, out = torch.zeros_like(x), torch.zeros_like(x)
    stale_across_waves[(64,)](x, scratch, out, FAULTY=faulty, num_warps=WARPS)
    wrong = int((out.cpu() != 2 * x.cpu().flip(1)).sum())
    print(f"{wrong} of {x.numel()} wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
