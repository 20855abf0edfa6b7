"""A persistent matrix product: as many programs as SMs, and tensor maps made on the host."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def persistent_kernel(
    a_desc,
    b_desc,
    c_desc,
    M,
    N,
    K,
    PROGRAMS: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """Compute every PROGRAMS-th tile of C = A B^T."""
    tiles_m = tl.cdiv(M, BM)
    tiles = tiles_m * tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS):
        m = tile % tiles_m * BM
        n = tile // tiles_m * BN
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(tl.cdiv(K, BK)):
            a = a_desc.load([m, step * BK])
            b = b_desc.load([n, step * BK])
            sums = tl.dot(a, b.T, sums)
        c_desc.store([m, n], sums.to(tl.float16))


def persistent_matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return A B^T of fp16 matrices [M, K] and [N, K]."""
    (M, K), N = a.shape, b.shape[0]
    bm, bn, bk = 128, 64, 64
    c = torch.empty((M, N), device=DEVICE, dtype=torch.float16)
    programs = torch.cuda.get_device_properties("cuda").multi_processor_count
    programs = min(programs, triton.cdiv(M, bm) * triton.cdiv(N, bn) // 2 + 1)
    persistent_kernel[(programs,)](
        TensorDescriptor.from_tensor(a, [bm, bk]),
        TensorDescriptor.from_tensor(b, [bn, bk]),
        TensorDescriptor.from_tensor(c, [bm, bn]),
        M,
        N,
        K,
        PROGRAMS=programs,
        BM=bm,
        BN=bn,
        BK=bk,
        num_warps=4,
        num_stages=3,
    )
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    a = torch.randn((256, 160), device=DEVICE, dtype=torch.float16)
    b = torch.randn((200, 160), device=DEVICE, dtype=torch.float16)
    exact = a.double() @ b.double().T
    torch.testing.assert_close(persistent_matmul(a, b), exact.half(), rtol=2e-3, atol=2e-2)
    print("the product equals that in float64")
