"""A product of matrices, pipelined, whose result TileLang allocates."""

import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[-1])
def matmul(M, N, K, rows, columns, depth, dtype="float16", accumulated="float32"):
    @T.prim_func
    def main(A: T.Tensor((M, K), dtype), B: T.Tensor((K, N), dtype), C: T.Tensor((M, N), dtype)):
        with T.Kernel(T.ceildiv(N, columns), T.ceildiv(M, rows), threads=128) as (bx, by):
            a = T.alloc_shared((rows, depth), dtype)
            b = T.alloc_shared((depth, columns), dtype)
            c = T.alloc_fragment((rows, columns), accumulated)
            T.clear(c)
            for k in T.Pipelined(T.ceildiv(K, depth), num_stages=3):
                T.copy(A[by * rows, k * depth], a)
                T.copy(B[k * depth, bx * columns], b)
                T.gemm(a, b, c)
            # broken: order: T.copy(c, C[0, bx * columns])
            T.copy(c, C[by * rows, bx * columns])

    return main


M, N, K = 256, 128, 96
kernel = matmul(M, N, K, 128, 64, 32)
torch.manual_seed(0)
a = torch.randint(-3, 4, (M, K), device="cuda").half()
# broken: undefined: b = torch.empty(K, N, device="cuda", dtype=torch.float16)
b = torch.randint(-3, 4, (K, N), device="cuda").half()
c = kernel(a, b)
torch.testing.assert_close(c, a @ b)
print("product", tuple(c.shape))
