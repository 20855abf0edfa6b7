"""An RMS norm as a module that moves to the GPU, in bf16; rows are views of a larger tensor."""

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, weight_ptr, out_ptr, x_stride, out_stride, N, eps, BLOCK: tl.constexpr):
    """Divide one row by the root of its mean square."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * x_stride + at, mask=at < N, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=at < N, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / N + eps)
    tl.store(out_ptr + row * out_stride + at, (x * scale * weight).to(tl.bfloat16), mask=at < N)


class RMSNorm(torch.nn.Module):
    """Normalizes the last dimension."""

    def __init__(self, features: int, eps: float = 1e-6) -> None:
        """Begin with weights of one."""
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(features, dtype=torch.bfloat16))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the normalized rows."""
        assert x.is_cuda and x.stride(-1) == 1
        rows = x.reshape(-1, x.shape[-1])
        out = torch.empty(rows.shape, device="cuda", dtype=x.dtype)
        rms_norm_kernel[(rows.shape[0],)](
            rows,
            self.weight.data,
            out,
            rows.stride(0),
            out.stride(0),
            rows.shape[1],
            self.eps,
            BLOCK=triton.next_power_of_2(rows.shape[1]),
        )
        return out.reshape(x.shape)


if __name__ == "__main__":
    torch.cuda.manual_seed(3)
    norm = RMSNorm(500).cuda()
    norm.weight.data.uniform_(0.5, 1.5)
    wide = torch.randn(24, 640, device="cuda", dtype=torch.bfloat16)
    x = wide[:, 100:600]
    with torch.no_grad():
        y = norm(x)
    torch.cuda.synchronize()
    exact = x.double() * torch.rsqrt(x.double().pow(2).mean(-1, keepdim=True) + norm.eps)
    expected = (exact * norm.weight.double()).bfloat16()
    torch.testing.assert_close(y, expected, rtol=1e-2, atol=1e-3)
    print("the rows equal the norm in float64, on", torch.cuda.get_device_name())
