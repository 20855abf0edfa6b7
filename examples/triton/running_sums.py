"""Running sums of long rows: a scan of each block, and a carry from block to block."""

import torch
import triton
import triton.language as tl


@triton.jit
def scan_kernel(x_ptr, sums_ptr, highest_ptr, n, BLOCK: tl.constexpr):
    """Scan one row: sums, and maxima so far."""
    row = tl.program_id(0)
    carry = 0
    top = -(2**31)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=0)
        sums = tl.cumsum(x, axis=0) + carry
        tl.store(sums_ptr + row * n + at, sums, mask=at < n)
        carry += tl.sum(x, axis=0)
        highest = tl.maximum(tl.associative_scan(x, 0, _greater), top)
        tl.store(highest_ptr + row * n + at, highest, mask=at < n)
        top = tl.maximum(top, tl.max(x, axis=0))


@triton.jit
def _greater(a, b):
    return tl.maximum(a, b)


if __name__ == "__main__":
    device = torch.device("cuda:0")
    torch.manual_seed(1)
    x = torch.randint(-1000, 1000, (6, 1100), dtype=torch.int32).to(device)
    sums, highest = torch.empty_like(x), torch.empty_like(x)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    scan_kernel[(x.shape[0],)](x, sums, highest, x.shape[1], BLOCK=512, num_warps=2)
    end.record()
    torch.cuda.synchronize()
    assert torch.equal(sums, torch.cumsum(x, dim=1, dtype=torch.int32))
    assert torch.equal(highest, torch.cummax(x, dim=1).values)
    print(f"the sums and maxima equal PyTorch's, after {start.elapsed_time(end):.3f} ms")
