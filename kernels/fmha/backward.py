"""fmha's gradients."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array, causal_of, flag
from lanemap.benching.attention.differentiate import differentiate
from lanemap.benching.attention.operands import packed_problem_of, problem_of, window_of


def backward(
    d_o: Array,
    q: Array,
    k: Array,
    v: Array,
    o: Array,
    log_sum_exp: Array,
    *,
    causal: bool = False,
    is_causal: bool = False,
    softmax_scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    cu_seqlens_q: Array | None = None,
    cu_seqlens_k: Array | None = None,
    max_seqlen_q: int | None = None,
    max_seqlen_k: int | None = None,
    deterministic: bool = False,
    device: Any = None,
) -> tuple[Any, Any, Any]:
    """Return the gradients of q, k and v, from that of `fmha`'s O.

    Args:
        d_o: Gradient of O, shaped like it, of its type.
        q: As `fmha` had it, in bf16 or fp16.
        k: The same.
        v: The same.
        o: What `fmha` returned.
        log_sum_exp: The same.
        causal: As `fmha` had it.
        is_causal: The same.
        softmax_scale: The same.
        window_size: The same.
        cu_seqlens_q: The same.
        cu_seqlens_k: The same.
        max_seqlen_q: The same.
        max_seqlen_k: The same.
        deterministic: Whether dQ has the same bits every time: it is a sum of f32 over tiles of
            keys, which are added in a fixed order then. dK and dV always have the same bits.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Returns:
        dQ, dK and dV, shaped like q, k and v, of their type. A query that sees no key, and a key
        that no query sees, have zeros.

    Raises:
        UserError: shapes, types, lengths or scales that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    window = window_of(causal_of(causal, is_causal), window_size)
    if cu_seqlens_q is None and cu_seqlens_k is None:
        problem = problem_of(q, k, v, window)
    else:
        lengths, longest = (cu_seqlens_q, cu_seqlens_k), (max_seqlen_q, max_seqlen_k)
        problem = packed_problem_of(q, k, v, window, lengths, longest)
    forward = q, k, v, o, log_sum_exp
    return differentiate(
        problem, forward, d_o, softmax_scale, flag(deterministic, "deterministic"), device
    )
