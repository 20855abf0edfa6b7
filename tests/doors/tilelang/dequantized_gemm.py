"""A product with weights of 4 bits, two in a byte, and a scale for each group of them."""

import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[-1])
def product(M, N, K, rows, columns, depth, group):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K // 2), "uint8"),
        S: T.Tensor((N, K // group), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, columns), T.ceildiv(M, rows), threads=128) as (bx, by):
            a = T.alloc_shared((rows, depth), "float16")
            packed = T.alloc_shared((columns, depth // 2), "uint8")
            b = T.alloc_shared((columns, depth), "float16")
            c = T.alloc_fragment((rows, columns), "float32")
            T.clear(c)
            for k in T.Pipelined(T.ceildiv(K, depth), num_stages=2):
                T.copy(A[by * rows, k * depth], a)
                T.copy(B[bx * columns, k * depth // 2], packed)
                for i, j in T.Parallel(columns, depth):
                    nibble = (packed[i, j // 2] >> T.cast(4 * (j % 2), "uint8")) & T.uint8(15)
                    b[i, j] = (T.cast(nibble, "float16") - T.float16(8)) * S[
                        bx * columns + i, (k * depth + j) // group
                    ]
                T.gemm(a, b, c, transpose_B=True)
            # broken: order: T.copy(c, C[by * rows, 0])
            T.copy(c, C[by * rows, bx * columns])

    return main


M, N, K, group = 64, 128, 128, 32
kernel = product(M, N, K, 64, 64, 64, group)
torch.manual_seed(0)
a = torch.randint(-2, 3, (M, K), device="cuda").half()
weights = torch.randint(0, 16, (N, K), device="cuda")
packed = (weights[:, ::2] + 16 * weights[:, 1::2]).to(torch.uint8)
# broken: undefined: scales = torch.empty(N, K // group, device="cuda", dtype=torch.float16)
scales = 2.0 ** torch.randint(-2, 2, (N, K // group), device="cuda").half()
c = kernel(a, packed, scales)
b = (weights - 8).float() * scales.float().repeat_interleave(group, dim=1)
torch.testing.assert_close(c.float(), a.float() @ b.T, rtol=1e-3, atol=1e-2)
print("product", tuple(c.shape))
