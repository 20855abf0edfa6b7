"""lds_attention: FP8 attention forward on gfx950, its operands on one of several paths by LDS."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array, causal_of

from .attend import attend
from .benchmark import LdsBenchmark, PathProblem
from .paths import DEFAULT
from .paths import path as path_of

#: What `lanemap bench` times on a GPU: long and short, both masks, grouped heads, a tail.
PROBLEMS = (
    PathProblem(1, 16384, 16384, 16, 16, 128),
    PathProblem(1, 16384, 16384, 16, 16, 128, True),
    PathProblem(4, 4096, 4096, 32, 8, 128, True),
    PathProblem(16, 1024, 1024, 16, 16, 64),
    PathProblem(1, 75600, 75600, 5, 5, 128),
    PathProblem(2, 1000, 3000, 8, 2, 128),
)
BENCHMARKS = (LdsBenchmark(PROBLEMS),)


def lds_attention(
    q: Array,
    k: Array,
    v: Array,
    *,
    q_descale: float | Array | None = None,
    k_descale: float | Array | None = None,
    v_descale: float | Array | None = None,
    causal: bool = False,
    is_causal: bool = False,
    softmax_scale: float | None = None,
    out_dtype: str = "bfloat16",
    path: str = DEFAULT,
    p_way: str = "k_rows",
    mfma_k: int = 64,
    device: Any = None,
) -> Any:
    """Return softmax(softmax_scale q @ k.T) @ v of FP8 operands.

    Args:
        q: (batch, queries, heads, head dimension) of NumPy, CuPy or PyTorch, contiguous;
            float8_e4m3fn (OCP), with a head dimension of 64 or 128. PyTorch has (batch, heads,
            queries, ..): pass x.transpose(1, 2).contiguous() of such tensors.
        k: (batch, keys, heads of k and v, head dimension); as many adjacent heads of q share one
            of k and v as the numbers say.
        v: As k.
        q_descale: The value of one unit of q's elements: a positive number, or one for each
            (batch, head of k and v); 1 by default.
        k_descale: The same for k.
        v_descale: The same for v.
        causal: Whether query i sees keys up to i + keys - queries alone.
        is_causal: PyTorch's name of `causal`.
        softmax_scale: Factor of the logits, positive; by default 1 / sqrt(head dimension).
        out_dtype: "bfloat16" or "float16".
        path: How operands go through LDS: `kernels.lds_attention.paths.PATHS` names them.
        p_way: How P comes to meet V: by the order of K's rows ("k_rows"), by swaps of half waves
            ("swap"), or by the order of V's rows ("v_rows").
        mfma_k: 64 for v_mfma_f32_32x32x64_f8f6f4, 16 for v_mfma_f32_32x32x16_fp8_fp8.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Returns:
        O, shaped like q. A query that sees no key has zeros.

    Raises:
        UserError: shapes, types, descales or choices that the kernel does not support.
        MissingEnvironment: there is no clang.
    """
    chosen = path_of(path, p_way, mfma_k)
    descales = (q_descale, k_descale, v_descale)
    masked = causal_of(causal, is_causal)
    return attend(q, k, v, descales, masked, softmax_scale, out_dtype, device, chosen)
