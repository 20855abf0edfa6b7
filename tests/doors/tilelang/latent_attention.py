"""Decoding with multi-head latent attention: keys are values, beside a part with positions."""

import math

import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[4])
def decode(batch, heads, length, width, positions, columns):
    scale = 1.44269504 / math.sqrt(width + positions)

    @T.prim_func
    def main(
        Q: T.Tensor([batch, heads, width], "float16"),
        Qp: T.Tensor([batch, heads, positions], "float16"),
        KV: T.Tensor([batch, length, width], "float16"),
        Kp: T.Tensor([batch, length, positions], "float16"),
        O: T.Tensor([batch, heads, width], "float16"),  # noqa: E741
    ):
        with T.Kernel(batch, threads=128) as bx:
            q = T.alloc_shared([heads, width], "float16")
            qp = T.alloc_shared([heads, positions], "float16")
            kv = T.alloc_shared([columns, width], "float16")
            kp = T.alloc_shared([columns, positions], "float16")
            p = T.alloc_shared([heads, columns], "float16")
            s = T.alloc_fragment([heads, columns], "float32")
            o = T.alloc_fragment([heads, width], "float32")
            most = T.alloc_fragment([heads], "float32")
            before = T.alloc_fragment([heads], "float32")
            factor = T.alloc_fragment([heads], "float32")
            part = T.alloc_fragment([heads], "float32")
            total = T.alloc_fragment([heads], "float32")
            T.copy(Q[bx, :, :], q)
            T.copy(Qp[bx, :, :], qp)
            T.fill(o, 0)
            T.fill(total, 0)
            T.fill(most, -T.infinity("float32"))
            for at in T.Pipelined(length // columns, num_stages=2):
                T.copy(KV[bx, at * columns : (at + 1) * columns, :], kv)
                T.copy(Kp[bx, at * columns : (at + 1) * columns, :], kp)
                T.clear(s)
                T.gemm(q, kv, s, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.gemm(qp, kp, s, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(most, before)
                T.reduce_max(s, most, dim=1, clear=False)
                for i in T.Parallel(heads):
                    factor[i] = T.exp2(before[i] * scale - most[i] * scale)
                for i, j in T.Parallel(heads, columns):
                    s[i, j] = T.exp2(s[i, j] * scale - most[i] * scale)
                T.reduce_sum(s, part, dim=1)
                T.copy(s, p)
                for i in T.Parallel(heads):
                    total[i] = total[i] * factor[i] + part[i]
                for i, j in T.Parallel(heads, width):
                    o[i, j] *= factor[i]
                T.gemm(p, kv, o, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(heads, width):
                o[i, j] /= total[i]
            # broken: order: T.copy(o, O[0, :, :])
            T.copy(o, O[bx, :, :])

    return main


batch, heads, length, width, positions = 2, 64, 128, 128, 64
kernel = decode(batch, heads, length, width, positions, 64)
torch.manual_seed(0)
made = {"device": "cuda", "dtype": torch.float16}
q, qp = torch.randn(batch, heads, width, **made), torch.randn(batch, heads, positions, **made)
kv = torch.randn(batch, length, width, **made)
# broken: undefined: kp = torch.empty(batch, length, positions, **made)
kp = torch.randn(batch, length, positions, **made)
o = kernel(q, qp, kv, kp)
scores = q.float() @ kv.float().mT + qp.float() @ kp.float().mT
expected = torch.softmax(scores / math.sqrt(width + positions), dim=-1) @ kv.float()
torch.testing.assert_close(o.float(), expected, rtol=1e-2, atol=1e-2)
print("latent attention", tuple(o.shape))
