"""Functions of libdevice, and one of the GPU's own instructions as inline PTX."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def math_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Store asin, erfinv, lgamma and an approximate tanh of x, one row each."""
    at = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside, other=0.5)
    tl.store(out_ptr + at, libdevice.asin(x), mask=inside)
    tl.store(out_ptr + n + at, libdevice.erfinv(x), mask=inside)
    tl.store(out_ptr + 2 * n + at, libdevice.lgamma(x + 2), mask=inside)
    near = tl.inline_asm_elementwise(
        "tanh.approx.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
    )
    tl.store(out_ptr + 3 * n + at, near, mask=inside)


if __name__ == "__main__":
    torch.manual_seed(0)
    n = 3000
    x = torch.rand(n, device=DEVICE) * 1.9 - 0.95
    out = torch.empty((4, n), device=DEVICE)
    math_kernel[(triton.cdiv(n, 512),)](x, out, n, BLOCK=512)
    wide = x.double()
    expected = (torch.asin(wide), torch.erfinv(wide), torch.lgamma(wide + 2), torch.tanh(wide))
    for ours, theirs, atol in zip(out, expected, (1e-6, 1e-6, 1e-6, 1e-3), strict=True):
        torch.testing.assert_close(ours, theirs.float(), rtol=1e-5, atol=atol)
    print("asin, erfinv, lgamma and tanh equal PyTorch's in float64")
