"""The sum of two vectors, whose length is not a multiple of a program's block."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def add_kernel(x_ptr, y_ptr, sum_ptr, n, BLOCK: tl.constexpr):
    """Add BLOCK elements."""
    at = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    y = tl.load(y_ptr + at, mask=inside)
    tl.store(sum_ptr + at, x + y, mask=inside)


def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return x + y."""
    result = torch.empty_like(x)
    assert x.device == DEVICE and y.device == DEVICE and result.device == DEVICE
    n = result.numel()
    add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, result, n, BLOCK=1024)
    return result


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.rand(98_432, device=DEVICE)
    y = torch.rand(98_432, device=DEVICE)
    torch.testing.assert_close(add(x, y), x + y, rtol=0, atol=0)
    print("the sums equal PyTorch's")
