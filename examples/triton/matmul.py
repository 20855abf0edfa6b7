"""A matrix product in fp16 and fp8 with autotuning, groups of programs, and an activation."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


def configs() -> list[triton.Config]:
    """Return the tiles that autotuning compares."""
    tiles = [(128, 128, 64, 4), (64, 128, 32, 4), (64, 64, 64, 4)]
    return [
        triton.Config({"BM": m, "BN": n, "BK": k, "GROUP": 4}, num_stages=3, num_warps=warps)
        for m, n, k, warps in tiles
    ]


@triton.autotune(configs=configs(), key=["M", "N", "K"])
@triton.jit
def matmul_kernel(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    a_row,
    a_column,
    b_row,
    b_column,
    c_row,
    c_column,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    GROUP: tl.constexpr,
    ACTIVATION: tl.constexpr,
):
    """Compute a tile of C = activation(A B); neighbors in a group share tiles of B in the L2."""
    program = tl.program_id(0)
    tiles_n = tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    first = program // in_group * GROUP
    size = min(tl.cdiv(M, BM) - first, GROUP)
    tile_m = first + program % in_group % size
    tile_n = program % in_group // size
    m = (tile_m * BM + tl.arange(0, BM)) % M
    n = (tile_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    a_ptrs = a_ptr + m[:, None] * a_row + k[None, :] * a_column
    b_ptrs = b_ptr + k[:, None] * b_row + n[None, :] * b_column
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=k[None, :] < K - step * BK, other=0.0)
        b = tl.load(b_ptrs, mask=k[:, None] < K - step * BK, other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BK * a_column
        b_ptrs += BK * b_row
    if ACTIVATION == "leaky_relu":
        sums = leaky_relu(sums)
    m = tile_m * BM + tl.arange(0, BM)
    n = tile_n * BN + tl.arange(0, BN)
    inside = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c_ptr + m[:, None] * c_row + n[None, :] * c_column, sums.to(tl.float16), mask=inside)


@triton.jit
def leaky_relu(x):
    """Scale negative numbers down."""
    return tl.where(x >= 0, x, 0.01 * x)


def matmul(a: torch.Tensor, b: torch.Tensor, activation: str = "") -> torch.Tensor:
    """Return the product of two matrices in fp16."""
    assert a.shape[1] == b.shape[0], "the matrices do not fit"
    (M, K), N = a.shape, b.shape[1]
    c = torch.empty((M, N), device=a.device, dtype=torch.float16)
    matmul_kernel[lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)](
        a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride(), ACTIVATION=activation
    )
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    a = torch.rand((200, 136), device=DEVICE, dtype=torch.float16) - 0.5
    b = torch.rand((136, 160), device=DEVICE, dtype=torch.float16) - 0.5
    exact = a.double() @ b.double()
    torch.testing.assert_close(matmul(a, b), exact.half(), rtol=2e-3, atol=2e-3)
    bent = torch.nn.functional.leaky_relu(exact, 0.01).half()
    torch.testing.assert_close(matmul(a, b, "leaky_relu"), bent, rtol=2e-3, atol=2e-3)
    a8, b8 = a.to(torch.float8_e5m2), b.T.contiguous().to(torch.float8_e5m2).T
    exact = a8.to(torch.float64) @ b8.to(torch.float64)
    torch.testing.assert_close(matmul(a8, b8), exact.half(), rtol=2e-3, atol=5e-3)
    print("fp16 and fp8 products equal those in float64; best:", matmul_kernel.best_config)
