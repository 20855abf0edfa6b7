"""Take the minimum of signed numbers by bins, with atomics that return nothing."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def signed_minimum(x, bins, least, count, FAULTY: tl.constexpr):
    """Take into least[b] the least x of bin b."""
    places = tl.program_id(0) * 256 + tl.arange(0, 256)
    kept = places < count
    value = tl.load(x + places, kept, other=0)
    bin_of = tl.load(bins + places, kept, other=0)
    if FAULTY:
        tl.atomic_min(least + bin_of, value, kept, sem="relaxed")
    else:  # numbers of one sign have the same order, signed or not
        tl.atomic_min(least + bin_of, value, kept & (value < 0), sem="relaxed")
        tl.atomic_min(least + bin_of, value, kept & (value >= 0), sem="relaxed")


KERNEL, TARGET, WARPS = signed_minimum, "gfx950", 4
TYPES = {"x": "*i32", "bins": "*i32", "least": "*i32", "count": "i32"}


def main(faulty: bool) -> None:
    """Launch over 700 numbers in 13 bins, and count what is wrong."""
    numbers = torch.Generator().manual_seed(3)
    x = torch.randint(-1000, 1000, (700,), generator=numbers, dtype=torch.int32)
    bins = torch.randint(0, 13, (700,), generator=numbers, dtype=torch.int32)
    right = torch.full((13,), 2**31 - 1, dtype=torch.int32)
    right.scatter_reduce_(0, bins.long(), x, "amin")
    least = torch.full_like(right, 2**31 - 1).cuda()
    signed_minimum[(3,)](x.cuda(), bins.cuda(), least, 700, FAULTY=faulty, num_warps=WARPS)
    print(f"{int((least.cpu() != right).sum())} of 13 wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
