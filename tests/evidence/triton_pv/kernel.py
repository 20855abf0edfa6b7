"""FP8 P @ V written in Triton: the second product of an attention kernel, for gfx950.

P [M, K] is row-major; V [K, D] is row-major, so its columns, which the matrix instruction
wants contiguous in k, lie across rows: Triton's AMD back end stages V in LDS and reads it
back with the transpose read `ds_read_b64_tr_b8`.
"""

import triton
import triton.language as tl


@triton.jit
def pv_fp8(
    p_ptr,
    v_ptr,
    o_ptr,
    k_total,
    BLOCK_M: tl.constexpr,
    BLOCK_D: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    """O[BLOCK_M, BLOCK_D] = P[BLOCK_M, k_total] @ V[k_total, BLOCK_D], f32 accumulation."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_D)
    ks = tl.arange(0, BLOCK_K)
    p_ptrs = p_ptr + rows[:, None] * k_total + ks[None, :]
    v_ptrs = v_ptr + ks[:, None] * BLOCK_D + columns[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_D), dtype=tl.float32)
    for _ in range(0, k_total, BLOCK_K):
        p = tl.load(p_ptrs)
        v = tl.load(v_ptrs)
        acc = tl.dot(p, v, acc)
        p_ptrs += BLOCK_K
        v_ptrs += BLOCK_K * BLOCK_D
    tl.store(o_ptr + rows[:, None] * BLOCK_D + columns[None, :], acc)
