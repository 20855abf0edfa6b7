"""Attention with a running maximum and sum, as FlashAttention has it."""

import math

import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[3])
def attention(heads, length, width, rows, columns):
    scale = 1.44269504 / math.sqrt(width)
    shape = [heads, length, width]

    @T.prim_func
    def main(
        Q: T.Tensor(shape, "float16"),
        K: T.Tensor(shape, "float16"),
        V: T.Tensor(shape, "float16"),
        O: T.Tensor(shape, "float16"),  # noqa: E741
    ):
        with T.Kernel(T.ceildiv(length, rows), heads, threads=128) as (bx, by):
            q = T.alloc_shared([rows, width], "float16")
            k = T.alloc_shared([columns, width], "float16")
            v = T.alloc_shared([columns, width], "float16")
            s = T.alloc_fragment([rows, columns], "float32")
            p = T.alloc_fragment([rows, columns], "float16")
            o = T.alloc_fragment([rows, width], "float32")
            most = T.alloc_fragment([rows], "float32")
            before = T.alloc_fragment([rows], "float32")
            factor = T.alloc_fragment([rows], "float32")
            part = T.alloc_fragment([rows], "float32")
            total = T.alloc_fragment([rows], "float32")
            # broken: order: T.copy(Q[by, bx * rows : (bx + 1) * rows, :], O[0, 0:rows, :])
            T.copy(Q[by, bx * rows : (bx + 1) * rows, :], q)
            T.fill(o, 0)
            T.fill(total, 0)
            T.fill(most, -T.infinity("float32"))
            for at in T.Pipelined(T.ceildiv(length, columns), num_stages=1):
                T.copy(K[by, at * columns : (at + 1) * columns, :], k)
                T.clear(s)
                T.gemm(q, k, s, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(V[by, at * columns : (at + 1) * columns, :], v)
                T.copy(most, before)
                T.reduce_max(s, most, dim=1, clear=False)
                for i in T.Parallel(rows):
                    factor[i] = T.exp2(before[i] * scale - most[i] * scale)
                for i, j in T.Parallel(rows, width):
                    o[i, j] *= factor[i]
                for i, j in T.Parallel(rows, columns):
                    s[i, j] = T.exp2(s[i, j] * scale - most[i] * scale)
                T.copy(s, p)
                T.gemm(p, v, o, policy=T.GemmWarpPolicy.FullRow)
                T.reduce_sum(s, part, dim=1)
                for i in T.Parallel(rows):
                    total[i] = total[i] * factor[i] + part[i]
            for i, j in T.Parallel(rows, width):
                o[i, j] /= total[i]
            T.copy(o, O[by, bx * rows : (bx + 1) * rows, :])

    return main


heads, length, width = 2, 128, 64
kernel = attention(heads, length, width, 64, 64)
torch.manual_seed(0)
q, k = (torch.randn(heads, length, width, device="cuda", dtype=torch.float16) for _ in range(2))
# broken: undefined: v = torch.empty_like(k)
v = torch.randn_like(k)
o = kernel(q, k, v)
expected = torch.softmax(q.float() @ k.float().mT / math.sqrt(width), dim=-1) @ v.float()
torch.testing.assert_close(o.float(), expected, rtol=1e-2, atol=1e-2)
print("attention", tuple(o.shape))
