"""Several matrix products of different sizes in one launch; their addresses come in tensors."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def grouped_kernel(
    a_ptrs,
    b_ptrs,
    c_ptrs,
    sizes,
    strides,
    count,
    PROGRAMS: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """Take every PROGRAMS-th tile of all products."""
    tile = tl.program_id(0)
    done = 0
    for g in range(count):
        M = tl.load(sizes + g * 3)
        N = tl.load(sizes + g * 3 + 1)
        K = tl.load(sizes + g * 3 + 2)
        tiles_n = tl.cdiv(N, BN)
        tiles = tl.cdiv(M, BM) * tiles_n
        lda = tl.load(strides + g * 3)
        ldb = tl.load(strides + g * 3 + 1)
        ldc = tl.load(strides + g * 3 + 2)
        while tile >= done and tile < done + tiles:
            a_ptr = tl.load(a_ptrs + g).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(b_ptrs + g).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(c_ptrs + g).to(tl.pointer_type(tl.float16))
            m = (tile - done) // tiles_n * BM + tl.arange(0, BM)
            n = (tile - done) % tiles_n * BN + tl.arange(0, BN)
            sums = tl.zeros((BM, BN), dtype=tl.float32)
            for start in range(0, K, BK):
                k = start + tl.arange(0, BK)
                a = tl.load(
                    a_ptr + m[:, None] * lda + k[None, :],
                    mask=(m[:, None] < M) & (k[None, :] < K),
                    other=0.0,
                )
                b = tl.load(
                    b_ptr + k[:, None] * ldb + n[None, :],
                    mask=(k[:, None] < K) & (n[None, :] < N),
                    other=0.0,
                )
                sums += tl.dot(a, b)
            inside = (m[:, None] < M) & (n[None, :] < N)
            tl.store(c_ptr + m[:, None] * ldc + n[None, :], sums.to(tl.float16), mask=inside)
            tile += PROGRAMS
        done += tiles


def grouped_gemm(pairs: list[tuple[torch.Tensor, torch.Tensor]]) -> list[torch.Tensor]:
    """Return the product of each pair of fp16 matrices."""
    results = [
        torch.empty((a.shape[0], b.shape[1]), device=DEVICE, dtype=torch.float16) for a, b in pairs
    ]
    sizes = [(a.shape[0], b.shape[1], a.shape[1]) for a, b in pairs]
    strides = [
        (a.stride(0), b.stride(0), c.stride(0)) for (a, b), c in zip(pairs, results, strict=True)
    ]
    addresses = [
        torch.tensor([each.data_ptr() for each in part], device=DEVICE)
        for part in ([a for a, _ in pairs], [b for _, b in pairs], results)
    ]
    programs = 6
    grouped_kernel[(programs,)](
        *addresses,
        torch.tensor(sizes, dtype=torch.int32, device=DEVICE),
        torch.tensor(strides, dtype=torch.int32, device=DEVICE),
        len(pairs),
        PROGRAMS=programs,
        BM=64,
        BN=64,
        BK=32,
    )
    return results


if __name__ == "__main__":
    torch.manual_seed(0)
    pairs = [
        (
            torch.rand((m, k), device=DEVICE, dtype=torch.float16),
            torch.rand((k, n), device=DEVICE, dtype=torch.float16),
        )
        for m, n, k in ((128, 128, 64), (72, 136, 96), (64, 64, 32), (200, 40, 40))
    ]
    for (a, b), c in zip(pairs, grouped_gemm(pairs), strict=True):
        torch.testing.assert_close(c, (a.double() @ b.double()).half(), rtol=2e-3, atol=2e-3)
    print(f"{len(pairs)} products equal those in float64")
