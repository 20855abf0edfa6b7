"""fmha's backward pass on the emulator, against NumPy in float64 and PyTorch."""

from __future__ import annotations

import importlib
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

import lanemap
from lanemap.benching.attention.blackwell_gradient import (
    BlackwellGradientKernel,
    BlackwellGradientTiling,
)
from lanemap.benching.attention.gradient import (
    GradientKernel,
    GradientTiling,
    query_tiles,
    schedule,
)
from lanemap.benching.attention.problem import Problem
from lanemap.benching.find import host
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests.kernels.attention import TYPES
from tests.kernels.gradients import check, forward, operands
from tests.sampled import sampled

FULL, CAUSAL, SLIDING, BOTH = (-1, -1), (-1, 0), (40, 0), (20, 30)
LENGTHS = ((150, 200), (1, 300), (0, 5), (30, 0), (64, 40))
TEXT = "150x200/1x300/0x5/30x0/64x40"


TARGETS = ("sm_90a", "sm_100a")


def backward(problem: Problem, arrays: Any, saved: Any, target: str, **more: Any) -> Any:
    q, k, v, d_o = arrays
    device = lanemap.open_device(target, device="emulator", strict=True)
    if problem.lengths:
        starts = np.cumsum([(0, 0), *problem.sequences], axis=0)
        more |= {"cu_seqlens_q": starts[:, 0], "cu_seqlens_k": starts[:, 1]}
    answers = host("fmha").backward(
        d_o, q, k, v, *saved, window_size=(problem.left, problem.right), device=device, **more
    )
    assert list(device.hazards) == []
    return answers


ELEMENTS = ("bfloat16", "float16")
QUICK = {
    (target, *form)
    for target in TARGETS
    for form in ((128, CAUSAL, "bfloat16", False), (64, BOTH, "float16", True))
}


@pytest.mark.parametrize(
    ("target", "head_dim", "window", "element", "deterministic"),
    sampled(
        product(TARGETS, (64, 128), (FULL, CAUSAL, SLIDING, BOTH), ELEMENTS, (False, True)), QUICK
    ),
)
def test_gradients_are_those_of_float64(
    target: str, head_dim: int, window: Any, element: str, deterministic: bool
) -> None:
    """Tails of queries and keys, shared heads, queries that see no key; one query."""
    for seed, shape in enumerate([(1, 200, 140, 2, 1), (2, 1, 150, 1, 1)]):
        problem = Problem(*shape, head_dim, *window, element)
        arrays, scale = operands(problem, seed, 2), head_dim**-0.5
        o, log_sum, right, bounds = forward(problem, arrays, scale)
        answers = backward(problem, arrays, (o, log_sum), target, deterministic=deterministic)
        assert check(answers, right, bounds) > 1e-2


@pytest.mark.parametrize(
    ("target", "window", "deterministic"),
    sampled(
        product(TARGETS, (CAUSAL, FULL), (False, True)),
        {("sm_90a", CAUSAL, False), ("sm_100a", FULL, True)},
    ),
)
def test_packed_sequences_are_separate(target: str, window: Any, deterministic: bool) -> None:
    """One of them has no queries, one no keys."""
    queries, keys = (sum(each) for each in zip(*LENGTHS, strict=True))
    problem = Problem(5, queries, keys, 2, 1, 64, *window, "bfloat16", TEXT)
    arrays = operands(problem)
    o, log_sum, right, bounds = forward(problem, arrays, 0.3)
    more = {"softmax_scale": 0.3, "deterministic": deterministic}
    check(backward(problem, arrays, (o, log_sum), target, **more), right, bounds)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_logits_that_are_far_below_zero_do_not_overflow(target: str) -> None:
    """Keys past the end have a logit of 0, which is far above all others."""
    problem = Problem(1, 70, 140, 1, 1, 64)
    arrays = operands(problem)
    arrays[0], arrays[1] = np.abs(arrays[0]), -np.abs(arrays[1])
    o, log_sum, right, bounds = forward(problem, arrays, 8.0)
    assert log_sum.max() < -100
    check(backward(problem, arrays, (o, log_sum), target, softmax_scale=8.0), right, bounds)


def test_the_forward_and_the_backward_kernel_go_together() -> None:
    """Tensors of PyTorch; its own gradients are the reference."""
    torch.manual_seed(0)
    q, d_o = torch.randn(2, 1, 70, 2, 64, dtype=torch.float16)
    k, v = torch.randn(2, 1, 70, 2, 64, dtype=torch.float16)
    fmha = lanemap.kernel("fmha")
    o, log_sum = fmha(q, k, v, is_causal=True)
    found = host("fmha").backward(d_o, q, k, v, o, log_sum, is_causal=True)
    inputs = [each.transpose(1, 2).double().requires_grad_() for each in (q, k, v)]
    out = torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=True)
    right = torch.autograd.grad(out, inputs, d_o.transpose(1, 2).double())
    for seen, exact in zip(found, right, strict=True):
        assert seen.dtype == torch.float16
        torch.testing.assert_close(seen.transpose(1, 2).double(), exact, rtol=4e-3, atol=4e-3)


def test_every_tile_of_keys_is_computed_once() -> None:
    text = "/".join(f"{n}x{m}" for n, m in LENGTHS)
    for problem, deterministic in product(
        (
            Problem(2, 1000, 900, 4, 2, 64),
            Problem(2, 1000, 900, 4, 2, 64, *CAUSAL),
            Problem(5, 245, 545, 2, 1, 64, *CAUSAL, lengths=text),
        ),
        (False, True),
    ):
        entries = schedule(problem, GradientTiling(deterministic)).tolist()
        heads = [keys for _, keys in problem.sequences for _ in range(problem.kv_heads)]
        expected = {i << 16 | j for i, keys in enumerate(heads) for j in range(-(-keys // 128))}
        assert set(entries) == expected and len(entries) == len(expected)
        # The order of a head's tiles is that in which they add, where it is fixed.
        if deterministic:
            first = [entry & 0xFFFF for entry in entries if entry >> 16 == 0]
            assert first == sorted(first, reverse=problem.causal)
    packed = Problem(5, 245, 545, 2, 1, 64, lengths=text)
    assert query_tiles(packed, GradientTiling()) == 3 + 1 + 0 + 1 + 1
    assert query_tiles(packed, BlackwellGradientTiling()) == 2 + 1 + 0 + 1 + 1


@pytest.mark.parametrize(
    ("head_dim", "window", "deterministic"),
    sampled(product((64, 128), (FULL, CAUSAL, BOTH), (False, True)), {(128, CAUSAL, False)}),
)
def test_ptxas_serializes_no_wgmma(head_dim: int, window: Any, deterministic: bool) -> None:
    problem = Problem(1, 64, 64, 1, 1, head_dim, *window)
    assert (
        ptxas.remarks(GradientKernel().ptx(problem, GradientTiling(deterministic)), "sm_90a") == []
    )


@pytest.mark.parametrize(
    ("head_dim", "window", "deterministic"),
    sampled(product((64, 128), (FULL, CAUSAL, BOTH), (False, True)), {(128, CAUSAL, True)}),
)
def test_ptxas_accepts_every_form_of_blackwell(
    head_dim: int, window: Any, deterministic: bool
) -> None:
    kernel, problem = BlackwellGradientKernel(), Problem(1, 64, 64, 1, 1, head_dim, *window)
    tiling = kernel.choose(problem, deterministic)
    assert ptxas.assemble(kernel.ptx(problem, tiling), "sm_100a")
    assert tiling.shared_bytes(problem) <= 227 << 10


def refuse(words: str, *arrays: Any, **more: Any) -> None:
    with pytest.raises(UserError, match=words):
        host("fmha").backward(*arrays, **more)


def test_bad_operands_are_one_sentence() -> None:
    q = np.zeros((1, 64, 4, 64), np.float16)
    sums = np.zeros((1, 4, 64), np.float32)
    refuse("d_o is float16 of \\(1, 5, 4, 64\\); it must be as q", q[:, :5], q, q, q, q, sums)
    refuse("o is float32 of", q, q, q, q, q.astype(np.float32), sums)
    refuse("log_sum_exp is float32 of \\(1, 4, 5\\)", q, q, q, q, q, sums[..., :5])
    refuse("log_sum_exp is a Python NoneType", q, q, q, q, q, None)
    refuse("softmax_scale is 0.0", q, q, q, q, q, sums, softmax_scale=0)
    wide = np.zeros((1, 64, 4, 96), np.float16)
    refuse("is 96, and 96 of v; fmha's backward pass has 64 and 128", wide, *[wide] * 4, sums)
    refuse("deterministic is 1; it must be True or False", q, q, q, q, q, sums, deterministic=1)
    turned = np.zeros((1, 4, 64, 64), np.float16).transpose(0, 2, 1, 3)
    refuse("d_o is not contiguous", turned, q, q, q, q, sums)
    eight = q.astype(TYPES["float8_e4m3fn"])
    refuse("fmha's backward pass has bfloat16 and float16", q, eight, eight, eight, q, sums)
    cdna = lanemap.open_device("gfx950", device="emulator")
    refuse("has no source for gfx950", q, q, q, q, q, sums, device=cdna)


def test_a_call_of_known_layouts_makes_no_plan() -> None:
    """A plan holds no operand, and computes others that lie as planned."""
    plans = importlib.import_module("lanemap_kernels.fmha.backward").PLANS
    function, problem, before = host("fmha").backward, Problem(1, 70, 140, 2, 1, 64), len(plans)
    for seed in (0, 1):
        q, k, v, d_o = operands(problem, seed)
        o, log_sum, right, bounds = forward(problem, (q, k, v, d_o), 0.125)
        check(function(d_o, q, k, v, o, log_sum), right, bounds)
    assert len(plans) == before + 1
    plan = function.plan(d_o, q, k, v, o, log_sum)
    check(plan(q, k, v, o, log_sum, d_o), right, bounds)
    with pytest.raises(UserError, match=r"^d_o is bfloat16 of \(1, 69, 2, 64\) with strides"):
        plan(q, k, v, o, log_sum, d_o[:, 1:])
