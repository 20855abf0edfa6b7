"""A matrix product of mxfp8: 32 elements of e4m3 share a scale, which is a power of two."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def scaled_kernel(
    a_ptr,
    a_scale_ptr,
    b_ptr,
    b_scale_ptr,
    c_ptr,
    M,
    N,
    K,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """Compute a tile of C = (A scaled) (B scaled)^T; M, N and K are multiples of the tile."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    block = tl.arange(0, BK // 32)
    blocks = K // 32
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, K // BK):
        a = tl.load(a_ptr + m[:, None] * K + (step * BK + k)[None, :])
        b = tl.load(b_ptr + n[None, :] * K + (step * BK + k)[:, None])
        scales = (step * (BK // 32) + block)[None, :]
        a_scale = tl.load(a_scale_ptr + m[:, None] * blocks + scales)
        b_scale = tl.load(b_scale_ptr + n[:, None] * blocks + scales)
        sums = tl.dot_scaled(a, a_scale, "e4m3", b, b_scale, "e4m3", sums)
    tl.store(c_ptr + m[:, None] * N + n[None, :], sums)


def quantized(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows as e4m3 [rows, K], and the exponents of their scales [rows, K / 32] (e8m0)."""
    blocks = x.reshape(x.shape[0], -1, 32)
    exponent = torch.floor(torch.log2(blocks.abs().amax(-1))).int() - 8  # 448 = 1.75 * 2**8
    elements = (blocks / torch.exp2(exponent.float())[..., None]).clamp(-448, 448)
    return elements.reshape(x.shape).to(torch.float8_e4m3fn), (exponent + 127).to(torch.uint8)


def exact(elements: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """Return the numbers that elements and scales stand for."""
    return elements.double() * torch.exp2(scales.double() - 127).repeat_interleave(32, dim=1)


if __name__ == "__main__":
    torch.manual_seed(0)
    M, N, K = 128, 128, 256
    a, a_scale = quantized(torch.randn((M, K), device=DEVICE) * 3)
    b, b_scale = quantized(torch.randn((N, K), device=DEVICE) / 5)
    c = torch.empty((M, N), device=DEVICE, dtype=torch.float32)
    scaled_kernel[(M // 128, N // 128)](
        a, a_scale, b, b_scale, c, M, N, K, BM=128, BN=128, BK=128, num_warps=4
    )
    expected = exact(a, a_scale) @ exact(b, b_scale).T
    torch.testing.assert_close(c.double(), expected, rtol=1e-3, atol=1e-2)
    print("the product of scaled elements equals that in float64")
