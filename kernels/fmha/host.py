"""fmha: forward attention with an online softmax."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array, causal_of, number, on_gpu
from lanemap.benching.attention.attend import Given, attend, is_number, plan
from lanemap.benching.attention.benchmark import AttentionBenchmark
from lanemap.benching.attention.blackwell import BlackwellAttention
from lanemap.benching.attention.kernel import AttentionKernel
from lanemap.benching.attention.operands import packed_problem_of, problem_of, window_of
from lanemap.benching.attention.packed import require_there, stays_there
from lanemap.benching.attention.problem import ALL, UNKNOWN, Problem
from lanemap.benching.attention.tiling import Tiling
from lanemap.benching.plans import Plan, Plans, planned

from .backward import backward

#: One for each target; the first is the default.
KERNELS = (AttentionKernel(), BlackwellAttention())
#: What `lanemap bench` times on hardware: 16,384 queries in all, 2,048 columns of all heads.
_EQUAL = tuple(
    Problem(16384 // length, length, length, 2048 // dim, 2048 // dim, dim, ALL, right)
    for dim in (128, 64)
    for right in (ALL, 0)
    for length in (1024, 4096, 16384)
)
_OTHER_TYPES = tuple(
    Problem(4, 4096, 4096, 2048 // dim, 2048 // dim, dim, ALL, right, element)
    for element, dim, right in (
        ("float16", 128, ALL),
        ("float8_e4m3fn", 128, ALL),
        ("float8_e4m3fn", 128, 0),
        ("float8_e4m3fn", 64, ALL),
        ("float8_e4m3fn", 64, 0),
    )
)
_LENGTHS = "8192x8192/4096x4096/3000x3000/1096x1096"
_OTHER_FORMS = (
    Problem(4, 4096, 4096, 16, 4, 128, ALL, 0),
    Problem(1, 16384, 16384, 16, 16, 128, 1024, 0),
    Problem(16, 1, 4096, 16, 16, 128),
    Problem(4, 16384, 16384, 16, 16, 128, ALL, 0, lengths=_LENGTHS),
)
#: Other rows, and rows of V that are shorter, as DeepSeek's prefill has them.
_OTHER_ROWS = tuple(
    Problem(4, 4096, 4096, 2048 // dim, 2048 // dim, dim, ALL, right, element, value_dim=fewer)
    for dim, fewer, element in (
        (96, 0, "bfloat16"),
        (192, 0, "bfloat16"),
        (192, 128, "bfloat16"),
        (256, 0, "bfloat16"),
        (96, 0, "float8_e4m3fn"),
        (192, 128, "float8_e4m3fn"),
    )
    for right in (ALL, 0)
)
_ADDED = tuple(
    Problem(4, 4096, 4096, 16, 16, 128, ALL, 0, added=added)
    for added in ("softcap", "alibi", "sinks", "softcap+alibi+sinks")
)
PROBLEMS = (*_EQUAL, *_OTHER_TYPES, *_OTHER_ROWS, *_ADDED, *_OTHER_FORMS)
#: What `lanemap bench --tiles` times.
TILES = (
    *(Tiling(columns, q_stages=stages, turns=turns)
      for columns, stages in ((128, 2), (160, 2), (176, 1), (192, 2)) for turns in (True, False)),
    Tiling(128, stages=3),
    Tiling(128, consumers=3, registers=(160, 32)),
    Tiling(64, consumers=4, registers=(112, 24)),
)  # fmt: skip
BENCHMARKS = (
    AttentionBenchmark(KERNELS[0], PROBLEMS, TILES),
    AttentionBenchmark(KERNELS[1], (*_EQUAL, *_OTHER_TYPES)),
)

#: Plans of packed sequences are for one call: they hold its lengths and addresses.
PLANS, PACKED = Plans(), Plans(32)


def _plan(
    q: Array,
    k: Array,
    v: Array,
    *,
    causal: bool = False,
    is_causal: bool = False,
    softmax_scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    q_descale: float | Array | None = None,
    k_descale: float | Array | None = None,
    v_descale: float | Array | None = None,
    softcap: float = 0.0,
    alibi_slopes: Array | None = None,
    sinks: Array | None = None,
    cu_seqlens_q: Array | None = None,
    cu_seqlens_k: Array | None = None,
    device: Any = None,
    callers: int = 2,
) -> Plan:
    """Return what a call of `fmha` with the same arguments launches.

    Raises:
        UserError: as the call does, or cu_seqlens are given that it would read on the host.
    """
    window = window_of(causal_of(causal, is_causal), window_size)
    descales = q_descale, k_descale, v_descale
    given = Given(softmax_scale, descales, softcap, alibi_slopes, sinks)
    if cu_seqlens_q is None and cu_seqlens_k is None:
        problem = problem_of(q, k, v, window, callers)
        return plan(KERNELS, problem, (q, k, v), given, device)
    ends = cu_seqlens_q, cu_seqlens_k
    problem = packed_problem_of(q, k, v, window, ends)
    require_there(problem)
    return plan(KERNELS, problem, (q, k, v), given, device, ends=ends)


@planned(_plan)
def fmha(
    q: Array,
    k: Array,
    v: Array,
    *,
    causal: bool = False,
    is_causal: bool = False,
    softmax_scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    cu_seqlens_q: Array | None = None,
    cu_seqlens_k: Array | None = None,
    max_seqlen_q: int | None = None,
    max_seqlen_k: int | None = None,
    q_descale: float | Array | None = None,
    k_descale: float | Array | None = None,
    v_descale: float | Array | None = None,
    softcap: float = 0.0,
    alibi_slopes: Array | None = None,
    sinks: Array | None = None,
    device: Any = None,
) -> tuple[Any, Any]:
    """Return softmax(softmax_scale q @ k.T) @ v, and the logarithm of each row's sum.

    Key j is query i's own if both are equally far from the ends of their sequences: query i's is
    key i + keys - queries.

    Args:
        q: (batch, queries, heads, head dimension) of NumPy, CuPy or PyTorch, with contiguous rows;
            bf16 or fp16 with a head dimension of 64, 96, 128, 192 or 256, or e4m3 with one of 64,
            96 or 128, or of 192 where v has 128. PyTorch's scaled_dot_product_attention has
            (batch, heads, queries, ..): pass x.transpose(1, 2).
            With cu_seqlens_q, (queries of all sequences, heads, head dimension).
        k: (batch, keys, heads of k and v, head dimension), or with cu_seqlens_k (keys of all
            sequences, ..); as many adjacent heads of q share one of k and v as the numbers say.
        v: As k; its rows may have 128 elements where those of q and k have 192.
        causal: Whether a query sees no key after its own.
        is_causal: PyTorch's name of `causal`.
        softmax_scale: Factor of the logits, positive; by default 1 / sqrt(head dimension).
        window_size: How many keys before and after its own a query sees; -1 is all.
        cu_seqlens_q: Where each sequence's queries begin, and the length of q: one more integer
            than sequences. As int32 where q lies it is read there, and nothing checks it on a GPU;
            else on the host.
        cu_seqlens_k: The same for keys.
        max_seqlen_q: At least the most queries of a sequence; nothing depends on it.
        max_seqlen_k: At least the most keys of a sequence; nothing depends on it.
        q_descale: Factor of an e4m3 q: a number, or float32 of (batch, heads of k and
            v); 1 by default.
        k_descale: The same for k.
        v_descale: The same for v.
        softcap: Makes a logit softcap * tanh(logit / softcap); 0 leaves it.
        alibi_slopes: float32 of (heads of q) or (batch, heads of q): what a key costs for each
            position between it and the query's own key; it is added after `softcap`.
        sinks: float32 of (heads of q): the logit of a weight that belongs to no key, but counts in
            the sum, and so in its logarithm.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Returns:
        O, shaped like q with rows of v, of q's type or bf16 for e4m3; and (batch, heads, queries)
        of float32, or (heads, queries of all sequences). A query that sees no key has zeros, and
        -inf or its sink.

    Raises:
        UserError: shapes, types, lengths or scales that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    arrays: tuple[Any, ...] = (q, k, v)
    others: tuple[Any, ...] = ()
    packed = cu_seqlens_q is not None or cu_seqlens_k is not None
    if packed:
        ends = cu_seqlens_q, cu_seqlens_k
        if not (stays_there(q, ends) and on_gpu(q)):
            window = window_of(causal_of(causal, is_causal), window_size)
            problem = packed_problem_of(q, k, v, window, ends, (max_seqlen_q, max_seqlen_k))
            if problem.lengths != UNKNOWN:
                descales = q_descale, k_descale, v_descale
                given = Given(softmax_scale, descales, softcap, alibi_slopes, sinks)
                outputs, used = attend(KERNELS, problem, q, k, v, given, device)
                PACKED.add(object(), used)
                return outputs
        arrays += ends
    if not (q_descale is k_descale is v_descale is alibi_slopes is sinks is None):
        others = q_descale, k_descale, v_descale, alibi_slopes, sinks
        arrays = *arrays[:3], *[each for each in others if not is_number(each)], *arrays[3:]
        others = tuple(each if is_number(each) else "operand" for each in others)
    if type(softmax_scale) not in (float, int, type(None)):
        softmax_scale = number(softmax_scale, "softmax_scale")
    options = packed, causal, is_causal, softmax_scale, window_size, device, softcap, *others
    key = PLANS.key(arrays, None, options)
    ready = PLANS.get(key)
    if ready is None:
        made = _plan(
            q, k, v, causal=causal, is_causal=is_causal, softmax_scale=softmax_scale,
            window_size=window_size, q_descale=q_descale, k_descale=k_descale,
            v_descale=v_descale, softcap=softcap, alibi_slopes=alibi_slopes, sinks=sinks,
            cu_seqlens_q=cu_seqlens_q, cu_seqlens_k=cu_seqlens_k, device=device, callers=3,
        )  # fmt: skip
        ready = PLANS.add(key, made)
    o, log_sum_exp = ready.compute(arrays)
    return o, log_sum_exp


setattr(fmha, "backward", backward)  # noqa: B010 - functions have no such attribute for mypy
