"""lanemap's kernels as operators of PyTorch: `import lanemap.operators`, then `torch.ops.lanemap`.

The operators know fake tensors, so that torch.compile, torch.export and the like trace them, and
ss_gemm and fmha have backward passes. Tensors on a GPU are computed there, those on the CPU by the
emulator. docs/operators.md lists them.
"""

from __future__ import annotations

from typing import Any

import torch

from lanemap.benching.find import kernel

from . import autograd

__all__ = ["decode", "fmha", "fp8_gemm", "grouped_gemm", "nvfp4_gemm", "ss_gemm"]

_SS_GEMM, _GROUPED, _FP8 = kernel("ss_gemm"), kernel("grouped_gemm"), kernel("fp8_gemm")
_FMHA, _DECODE, _BLOCK_SCALED = kernel("fmha"), kernel("decode"), kernel("nvfp4_gemm")
_BACKWARD: Any = getattr(_FMHA, "backward")  # noqa: B009 - functions have none for mypy
_LIBRARY = torch.library.Library("lanemap", "DEF")
_LIBRARY.define(
    "ss_gemm(Tensor a, Tensor b, Tensor? bias=None, *, str? activation=None, "
    "ScalarType? out_dtype=None, str accumulation='fast') -> Tensor",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
_LIBRARY.define(
    "ss_gemm_out(Tensor a, Tensor b, Tensor(a!) out, Tensor? bias=None, *, "
    "str? activation=None, str accumulation='fast') -> ()",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
_LIBRARY.define(
    "grouped_gemm(Tensor a, Tensor b, Tensor sizes, Tensor? a_scales=None, Tensor? b_scales=None, "
    "*, ScalarType? out_dtype=None) -> Tensor",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
_LIBRARY.define(
    "fp8_gemm(Tensor a, Tensor b, Tensor a_scales, Tensor b_scales, *, "
    "ScalarType? out_dtype=None) -> Tensor",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
_LIBRARY.define(
    "nvfp4_gemm(Tensor a, Tensor b, Tensor sfa, Tensor sfb, Tensor? alpha=None, *, "
    "str format='nvfp4', ScalarType? out_dtype=None) -> Tensor",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
_LIBRARY.define(
    "fmha(Tensor q, Tensor k, Tensor v, Tensor? q_descale=None, Tensor? k_descale=None, "
    "Tensor? v_descale=None, Tensor? alibi_slopes=None, Tensor? sinks=None, *, "
    "bool causal=False, float? softmax_scale=None, int window_left=-1, int window_right=-1, "
    "float softcap=0.0) -> (Tensor, Tensor)",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
_LIBRARY.define(
    "fmha_backward(Tensor d_o, Tensor q, Tensor k, Tensor v, Tensor o, Tensor log_sum_exp, *, "
    "bool causal=False, float? softmax_scale=None, int window_left=-1, int window_right=-1, "
    "bool deterministic=False) -> (Tensor, Tensor, Tensor)",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
_LIBRARY.define(
    "decode(Tensor q, Tensor k_cache, Tensor v_cache, Tensor? cache_seqlens=None, "
    "Tensor? block_table=None, *, bool causal=False, float? softmax_scale=None, "
    "int window_left=-1, int window_right=-1) -> (Tensor, Tensor)",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order),
)
#: The type of a result, by that of the operands.
_OUTPUTS = {torch.float8_e4m3fn: torch.bfloat16}
#: fmha's operands behind q, k and v, in their order.
_OF_HEADS = ("q_descale", "k_descale", "v_descale", "alibi_slopes", "sinks")


def _multiply(
    a: torch.Tensor,
    b: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    activation: str | None = None,
    out_dtype: torch.dtype | None = None,
    accumulation: str = "fast",
) -> torch.Tensor:
    result: torch.Tensor = _SS_GEMM(
        a, b, out_dtype=out_dtype, bias=bias, activation=activation, accumulation=accumulation
    )
    return result


def _multiply_out(
    a: torch.Tensor,
    b: torch.Tensor,
    out: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    activation: str | None = None,
    accumulation: str = "fast",
) -> None:
    _SS_GEMM(a, b, out, bias=bias, activation=activation, accumulation=accumulation)


def _multiply_groups(
    a: torch.Tensor,
    b: torch.Tensor,
    sizes: torch.Tensor,
    a_scales: torch.Tensor | None = None,
    b_scales: torch.Tensor | None = None,
    *,
    out_dtype: torch.dtype | None = None,
) -> torch.Tensor:
    result: torch.Tensor = _GROUPED(
        a, b, sizes, a_scales=a_scales, b_scales=b_scales, out_dtype=out_dtype
    )
    return result


def _multiply_scaled(
    a: torch.Tensor,
    b: torch.Tensor,
    a_scales: torch.Tensor,
    b_scales: torch.Tensor,
    *,
    out_dtype: torch.dtype | None = None,
) -> torch.Tensor:
    result: torch.Tensor = _FP8(a, b, a_scales, b_scales, out_dtype=out_dtype)
    return result


def _multiply_block_scaled(
    a: torch.Tensor,
    b: torch.Tensor,
    sfa: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None = None,
    *,
    format: str = "nvfp4",
    out_dtype: torch.dtype | None = None,
) -> torch.Tensor:
    result: torch.Tensor = _BLOCK_SCALED(
        a, b, sfa, sfb, alpha=1.0 if alpha is None else alpha, format=format,
        out_dtype=out_dtype or torch.float16,
    )  # fmt: skip
    return result


def _attend(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *others: torch.Tensor | None,
    window_left: int = -1,
    window_right: int = -1,
    **options: Any,
) -> tuple[torch.Tensor, torch.Tensor]:
    if others:
        options |= zip(_OF_HEADS, others, strict=False)
    o, log_sum_exp = _FMHA(q, k, v, window_size=(window_left, window_right), **options)
    return o, log_sum_exp


def _differentiate(
    *forward: torch.Tensor, window_left: int = -1, window_right: int = -1, **options: Any
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dq, dk, dv = _BACKWARD(
        *[each.contiguous() for each in forward],
        window_size=(window_left, window_right),
        **options,
    )
    return dq, dk, dv


def _decode(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    cache_seqlens: torch.Tensor | None = None,
    block_table: torch.Tensor | None = None,
    *,
    window_left: int = -1,
    window_right: int = -1,
    **options: Any,
) -> tuple[torch.Tensor, torch.Tensor]:
    o, log_sum_exp = _DECODE(
        q,
        k_cache,
        v_cache,
        cache_seqlens=cache_seqlens,
        block_table=block_table,
        window_size=(window_left, window_right),
        **options,
    )
    return o, log_sum_exp


for _key in ("CPU", "CUDA"):
    _LIBRARY.impl("ss_gemm", _multiply, _key)
    _LIBRARY.impl("ss_gemm_out", _multiply_out, _key)
    _LIBRARY.impl("grouped_gemm", _multiply_groups, _key)
    _LIBRARY.impl("fp8_gemm", _multiply_scaled, _key)
    _LIBRARY.impl("nvfp4_gemm", _multiply_block_scaled, _key)
    _LIBRARY.impl("fmha", _attend, _key)
    _LIBRARY.impl("fmha_backward", _differentiate, _key)
    _LIBRARY.impl("decode", _decode, _key)


def _fake_product(
    a: Any, b: Any, bias: Any = None, *, out_dtype: Any = None, **options: str | None
) -> Any:
    """Say what a product's result is, without computing it."""
    torch._check(a.dim() >= 2 and b.dim() >= 2, lambda: "A is (.., M, K) and B is (.., N, K)")
    torch._check(a.shape[-1] == b.shape[-1], lambda: "A and B must have the same K")
    torch._check(a.dtype == b.dtype, lambda: "A and B must have one dtype")
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty(
        (*batch, a.shape[-2], b.shape[-2]), dtype=out_dtype or _OUTPUTS.get(a.dtype, a.dtype)
    )


def _fake_product_out(a: Any, b: Any, out: Any, bias: Any = None, **options: Any) -> None:
    """Do nothing: the result is there."""


def _fake_groups(
    a: Any, b: Any, sizes: Any, a_scales: Any = None, b_scales: Any = None, *, out_dtype: Any = None
) -> Any:
    """Say what a grouped product's result is."""
    torch._check(
        a.dim() in (2, 3) and b.dim() == 3,
        lambda: "A is (rows, K) or (groups, rows, K), and B is (groups, N, K)",
    )
    torch._check(a.shape[-1] == b.shape[-1], lambda: "A and B must have the same K")
    return a.new_empty(
        (*a.shape[:-1], b.shape[1]), dtype=out_dtype or _OUTPUTS.get(a.dtype, a.dtype)
    )


def _fake_scaled(a: Any, b: Any, a_scales: Any, b_scales: Any, *, out_dtype: Any = None) -> Any:
    """Say what a product with scales of blocks is."""
    torch._check(a.dim() == 2 and b.dim() == 2, lambda: "A is (M, K) and B is (N, K)")
    torch._check(a.shape[1] == b.shape[1], lambda: "A and B must have the same K")
    return a.new_empty((a.shape[0], b.shape[0]), dtype=out_dtype or torch.bfloat16)


def _fake_block_scaled(
    a: Any,
    b: Any,
    sfa: Any,
    sfb: Any,
    alpha: Any = None,
    *,
    format: str = "nvfp4",
    out_dtype: Any = None,
) -> Any:
    """Say what a product of matrices with scales in atoms is."""
    torch._check(
        a.dim() == b.dim() and a.dim() in (2, 3),
        lambda: "A is (M, bytes of a row) or (L, M, ..), and B is (N, ..) or (L, N, ..)",
    )
    torch._check(a.shape[-1] == b.shape[-1], lambda: "A and B must have the same K")
    return a.new_empty((*a.shape[:-1], b.shape[-2]), dtype=out_dtype or torch.float16)


def _fake_attention(q: Any, k: Any, v: Any, *others: Any, **options: Any) -> Any:
    """Say what an attention's results are."""
    torch._check(
        q.dim() == 4 and k.dim() == 4 and v.dim() == 4,
        lambda: "q, k and v are (batch, length, heads, head dimension)",
    )
    batch, queries, heads, _dim = q.shape
    return (
        q.new_empty((*q.shape[:-1], v.shape[-1]), dtype=_OUTPUTS.get(q.dtype, q.dtype)),
        q.new_empty((batch, heads, queries), dtype=torch.float32),
    )


def _fake_gradients(
    d_o: Any, q: Any, k: Any, v: Any, o: Any, log_sum_exp: Any, **options: Any
) -> Any:
    """Say what the gradients of an attention are."""
    return tuple(each.new_empty(each.shape) for each in (q, k, v))


torch.library.register_fake("lanemap::ss_gemm", _fake_product, lib=_LIBRARY)
torch.library.register_fake("lanemap::ss_gemm_out", _fake_product_out, lib=_LIBRARY)
torch.library.register_fake("lanemap::grouped_gemm", _fake_groups, lib=_LIBRARY)
torch.library.register_fake("lanemap::fp8_gemm", _fake_scaled, lib=_LIBRARY)
torch.library.register_fake("lanemap::nvfp4_gemm", _fake_block_scaled, lib=_LIBRARY)
torch.library.register_fake("lanemap::fmha", _fake_attention, lib=_LIBRARY)
torch.library.register_fake("lanemap::fmha_backward", _fake_gradients, lib=_LIBRARY)
torch.library.register_fake("lanemap::decode", _fake_attention, lib=_LIBRARY)


def _save(ctx: Any, inputs: Any, options: Any, output: Any) -> None:
    a, b, *_ = inputs
    ctx.activation = options.get("activation") or "none"
    ctx.save_for_backward(a, b, *([output] if ctx.activation == "relu" else []))


def _gradients(
    ctx: Any, needed: tuple[bool, ...], grad: torch.Tensor
) -> tuple[torch.Tensor | None, ...]:
    """Return dA = dC @ B and dB = dC.T @ A; ss_gemm copies what it needs transposed."""
    a, b, *outputs = ctx.saved_tensors
    if a.dtype == torch.float8_e4m3fn:
        raise NotImplementedError("ss_gemm of float8_e4m3fn has no backward pass; use bfloat16")
    if ctx.activation not in ("none", "relu"):
        raise NotImplementedError(
            f"ss_gemm with {ctx.activation} has no backward pass; apply {ctx.activation} to its "
            "result"
        )
    for output in outputs:
        grad = grad * (output > 0)
    to_bias = None
    if True in needed[2:]:  # a bias that is not given is no input
        to_bias = grad.sum(dim=tuple(range(grad.dim() - 1)))
    grad, multiply = grad.to(a.dtype), torch.ops.lanemap.ss_gemm
    to_a = to_b = None
    if needed[0]:
        to_a = multiply(grad, b.mT).sum_to_size(a.shape)
    if needed[1]:
        if b.dim() == 2:  # the sum over a batch is one over rows
            grad, a = grad.reshape(-1, grad.shape[-1]), a.reshape(-1, a.shape[-1])
        to_b = multiply(grad.mT, a.mT).sum_to_size(b.shape)
    return (to_a, to_b, to_bias)[: len(needed)]


autograd.register(_LIBRARY, "ss_gemm", _multiply, _save, _gradients)


def _save_attention(ctx: Any, inputs: Any, options: Any, output: Any) -> None:
    alibi_slopes, sinks = (*inputs[6:8], None, None)[:2]
    ctx.options = options
    softcap = options.pop("softcap", 0)
    ctx.without = "softcap" if softcap else "alibi_slopes" if alibi_slopes is not None else ""
    ctx.mark_non_differentiable(output[1])
    ctx.save_for_backward(*inputs[:3], *output, sinks)


def _attention_gradients(
    ctx: Any, needed: tuple[bool, ...], grad: Any, _: Any
) -> tuple[torch.Tensor | None, ...]:
    """Return dQ, dK and dV; with a fixed order of sums where PyTorch is asked for one.

    A sink is one more key whose row of V is zero: log_sum_exp has it, and so all weights do.
    """
    q, k, v, o, log_sum_exp, sinks = ctx.saved_tensors
    if q.dtype == torch.float8_e4m3fn:
        raise NotImplementedError("fmha of float8_e4m3fn has no backward pass; use bfloat16")
    if ctx.without:
        raise NotImplementedError(f"fmha with {ctx.without} has no backward pass; leave it out")
    to_sinks = None
    if sinks is not None and needed[7]:
        weights = torch.exp(sinks[:, None] - log_sum_exp)  # (batch, heads, queries)
        to_sinks = -(weights * (grad.float() * o.float()).sum(-1).mT).sum((0, 2))
    fixed = torch.are_deterministic_algorithms_enabled()
    found = autograd.call_in_backward(
        torch.ops.lanemap.fmha_backward.default,
        _differentiate,
        (grad if grad.dtype == q.dtype else grad.to(q.dtype), q, k, v, o, log_sum_exp),
        {**ctx.options, "deterministic": fixed},
    )
    return (*found, None, None, None, None, to_sinks)[: len(needed)]


autograd.register(_LIBRARY, "fmha", _attend, _save_attention, _attention_gradients)

ss_gemm = torch.ops.lanemap.ss_gemm
grouped_gemm = torch.ops.lanemap.grouped_gemm
fp8_gemm = torch.ops.lanemap.fp8_gemm
nvfp4_gemm = torch.ops.lanemap.nvfp4_gemm
fmha = torch.ops.lanemap.fmha
decode = torch.ops.lanemap.decode
