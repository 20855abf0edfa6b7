"""fmha's gradients."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array, causal_of, flag, number, on_gpu
from lanemap.benching.attention import differentiate
from lanemap.benching.attention.operands import packed_problem_of, problem_of, window_of
from lanemap.benching.attention.packed import require_there, stays_there
from lanemap.benching.attention.problem import UNKNOWN
from lanemap.benching.plans import Plan, Plans, planned

#: Plans of packed sequences are for one call: they hold its lengths and addresses.
PLANS, PACKED = Plans(), Plans(32)


def _plan(
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
    deterministic: bool = False,
    device: Any = None,
) -> Plan:
    """Return what a call computes q, k, v, o, log_sum_exp, d_o and cu_seqlens with.

    Raises:
        UserError: as the call does, or cu_seqlens are given that it would read on the host.
    """
    window = window_of(causal_of(causal, is_causal), window_size)
    fixed, forward = flag(deterministic, "deterministic"), (q, k, v, o, log_sum_exp)
    if cu_seqlens_q is None and cu_seqlens_k is None:
        problem = problem_of(q, k, v, window)
        return differentiate.plan(problem, forward, d_o, softmax_scale, fixed, device)
    ends = cu_seqlens_q, cu_seqlens_k
    problem = packed_problem_of(q, k, v, window, ends)
    require_there(problem)
    return differentiate.plan(problem, forward, d_o, softmax_scale, fixed, device, ends=ends)


@planned(_plan)
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
    arrays: tuple[Any, ...] = (q, k, v, o, log_sum_exp, d_o)
    packed = cu_seqlens_q is not None or cu_seqlens_k is not None
    if packed:
        ends = cu_seqlens_q, cu_seqlens_k
        if not (stays_there(q, ends) and on_gpu(q)):
            window = window_of(causal_of(causal, is_causal), window_size)
            problem = packed_problem_of(q, k, v, window, ends, (max_seqlen_q, max_seqlen_k))
            fixed = flag(deterministic, "deterministic")
            if problem.lengths != UNKNOWN:
                found, used = differentiate.differentiate(
                    problem, arrays[:5], d_o, softmax_scale, fixed, device
                )
                PACKED.add(object(), used)
                return found
        arrays += ends
    if type(softmax_scale) not in (float, int, type(None)):
        softmax_scale = number(softmax_scale, "softmax_scale")
    options = packed, causal, is_causal, softmax_scale, window_size, deterministic, device
    key = PLANS.key(arrays, None, options)
    ready = PLANS.get(key)
    if ready is None:
        made = _plan(
            d_o, q, k, v, o, log_sum_exp, causal=causal, is_causal=is_causal,
            softmax_scale=softmax_scale, window_size=window_size, cu_seqlens_q=cu_seqlens_q,
            cu_seqlens_k=cu_seqlens_k, deterministic=deterministic, device=device,
        )  # fmt: skip
        ready = PLANS.add(key, made)
    dq, dk, dv = ready.compute(arrays)
    return dq, dk, dv
