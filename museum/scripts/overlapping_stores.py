"""Scale a row, and turn its tail in the way of partial rotary embeddings."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def overlapping_stores(x, out, FAULTY: tl.constexpr):
    """Double 512 values; of the last 128, exchange the halves as well."""
    row = tl.program_id(0) * 512
    if FAULTY:
        all_places = row + tl.arange(0, 512)
        tl.store(out + all_places, tl.load(x + all_places) * 2)  # hazard
        places = row + 384 + tl.arange(0, 64)
        low = tl.load(x + places) * 2
        high = tl.load(x + places + 64) * 2
        tl.store(out + places, high)  # hazard
        tl.store(out + places + 64, low)  # hazard
    else:
        column = tl.arange(0, 512)
        turned = tl.where(column < 384, column, column ^ 64)
        tl.store(out + row + column, tl.load(x + row + turned) * 2)


KERNEL, TARGET, WARPS = overlapping_stores, "sm_90a", 4
TYPES = {"x": "*i32", "out": "*i32"}


def main(faulty: bool) -> None:
    """Launch a program for each of 64 rows, and count what is wrong."""
    x = torch.arange(64 * 512, dtype=torch.int32, device="cuda").reshape(64, 512)
    out = torch.zeros_like(x)
    overlapping_stores[(64,)](x, out, FAULTY=faulty, num_warps=WARPS)
    right = (2 * x).cpu()
    right[:, 384:] = torch.cat((right[:, 448:], right[:, 384:448]), 1)
    print(f"{int((out.cpu() != right).sum())} of {right.numel()} wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
