"""A histogram by atomic additions; NumPy counts on the host."""

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, counts_ptr, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    """Count BLOCK values, then add the counts to those of the other programs."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    outside = tl.sum(tl.where(at < n, 0, 1), axis=0)  # they were counted as zeros
    counts = tl.histogram(x, BINS)
    bins = tl.arange(0, BINS)
    counts -= tl.where(bins == 0, outside, 0)
    tl.atomic_add(counts_ptr + bins, counts, mask=counts != 0, sem="relaxed")


if __name__ == "__main__":
    generator = torch.Generator(device="cuda").manual_seed(7)
    x = torch.randint(0, 64, (10_000,), generator=generator, device="cuda", dtype=torch.int32)
    x = x * x // 64
    counts = torch.zeros(64, dtype=torch.int32, device="cuda")
    histogram_kernel[(triton.cdiv(x.numel(), 1024),)](x, counts, x.numel(), BINS=64, BLOCK=1024)
    expected = np.bincount(x.cpu().numpy(), minlength=64)
    assert np.array_equal(counts.cpu().numpy(), expected)
    print(f"the {counts.count_nonzero().item()} bins that are not empty equal NumPy's")
