"""A transpose whose tensor maps the kernel makes itself, in memory that the script allocates."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def transpose_kernel(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Transpose a tile of BM x BN."""
    source = tl.make_tensor_descriptor(x_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    target = tl.make_tensor_descriptor(out_ptr, shape=[N, M], strides=[M, 1], block_shape=[BN, BM])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    target.store([n, m], source.load([m, n]).T)


def allocate(size: int, alignment: int, stream: int | None) -> torch.Tensor:
    """Return memory for the tensor maps of a launch."""
    return torch.empty(size, device=DEVICE, dtype=torch.int8)


if __name__ == "__main__":
    triton.set_allocator(allocate)
    M, N = 104, 96
    x = torch.arange(M * N, device=DEVICE, dtype=torch.float32).reshape(M, N)
    out = torch.full((N, M), -1.0, device=DEVICE)
    transpose_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 64))](x, out, M, N, BM=32, BN=64)
    assert torch.equal(out, x.T)
    print("the transpose equals PyTorch's")
