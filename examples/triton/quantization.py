"""Quantization to int8 with a scale for each row, and an int8 product that is scaled back."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def quantize_kernel(x_ptr, q_ptr, scale_ptr, K, BLOCK: tl.constexpr):
    """Quantize a row: its largest magnitude becomes 127; halves go to even."""
    row = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * K + k, mask=k < K, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), 0), 1e-10) / 127.0
    q = x / scale
    # Adding and taking away 1.5 * 2^23 leaves an integer, rounded to even.
    q = (q + 12582912.0) - 12582912.0
    tl.store(q_ptr + row * K + k, q.to(tl.int8), mask=k < K)
    tl.store(scale_ptr + row, scale)


@triton.jit
def scaled_matmul_kernel(
    a_ptr,
    b_ptr,
    a_scale_ptr,
    b_scale_ptr,
    c_ptr,
    M,
    N,
    K,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """Compute a tile of (a @ b.T) scaled by row and by column."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    sums = tl.zeros((BM, BN), dtype=tl.int32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(
            a_ptr + m[:, None] * K + k[None, :],
            mask=(m[:, None] < M) & (k[None, :] < K),
            other=0,
        )
        b = tl.load(
            b_ptr + n[None, :] * K + k[:, None],
            mask=(n[None, :] < N) & (k[:, None] < K),
            other=0,
        )
        sums += tl.dot(a, b)
    a_scale = tl.load(a_scale_ptr + m, mask=m < M, other=0.0)
    b_scale = tl.load(b_scale_ptr + n, mask=n < N, other=0.0)
    c = sums.to(tl.float32) * a_scale[:, None] * b_scale[None, :]
    tl.store(c_ptr + m[:, None] * N + n[None, :], c, mask=(m[:, None] < M) & (n[None, :] < N))


def quantize(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return int8 codes and the scale of each row."""
    rows, K = x.shape
    q = torch.empty((rows, K), device=x.device, dtype=torch.int8)
    scale = torch.empty(rows, device=x.device, dtype=torch.float32)
    quantize_kernel[(rows,)](x, q, scale, K, BLOCK=triton.next_power_of_2(K))
    return q, scale


def scaled_matmul(
    a: torch.Tensor, a_scale: torch.Tensor, b: torch.Tensor, b_scale: torch.Tensor
) -> torch.Tensor:
    """Return the scaled product of int8 codes, a [M, K] and b [N, K], as fp32."""
    (M, K), N = a.shape, b.shape[0]
    c = torch.empty((M, N), device=a.device, dtype=torch.float32)
    scaled_matmul_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64))](
        a, b, a_scale, b_scale, c, M, N, K, BM=64, BN=64, BK=64
    )
    return c


if __name__ == "__main__":
    torch.manual_seed(8)
    M, N, K = 100, 72, 160
    x = torch.randn((M, K), device=DEVICE, dtype=torch.float16)
    w = torch.randn((N, K), device=DEVICE, dtype=torch.float16)
    (a, a_scale), (b, b_scale) = quantize(x), quantize(w)
    for given, q, scale in ((x, a, a_scale), (w, b, b_scale)):
        step = given.double().abs().max(1).values / 127
        torch.testing.assert_close(scale.double(), step, rtol=1e-6, atol=0)
        error = (q.double() * scale.double()[:, None] - given.double()).abs()
        assert (error <= 0.5001 * step[:, None]).all() and q.abs().max() == 127
    whole = a.double() @ b.double().T
    expected = whole * a_scale.double()[:, None] * b_scale.double()[None, :]
    ours = scaled_matmul(a, a_scale, b, b_scale)
    torch.testing.assert_close(ours.double(), expected, rtol=1e-6, atol=1e-6)
    print("codes lie within half a step, and their product equals that in float64")
