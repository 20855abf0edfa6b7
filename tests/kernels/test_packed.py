"""Packed sequences whose lengths only the device knows: fmha and its backward pass, strict."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching.attention.problem import Problem
from lanemap.benching.find import host
from lanemap.errors import UserError
from tests.kernels import attention, gradients

#: Sequences without queries and without keys, and with more queries than keys; the same totals.
FIRST = "150x200/1x300/0x5/30x0/64x40"
SECOND = "64x5/0x300/30x0/1x200/150x40"
SCALE = 0.125


def starts(problem: Problem) -> dict[str, Any]:
    """cu_seqlens as arrays of int32."""
    ends = np.cumsum([(0, 0), *problem.sequences], axis=0).astype(np.int32)
    return {f"cu_seqlens_{name}": ends[:, i].copy() for i, name in enumerate("qk")}


def test_one_plan_serves_any_lengths() -> None:
    """A plan of the first lengths computes the second ones, forward and backward."""
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=True)
    function, plans = host("fmha").fmha, host("fmha").PLANS
    backward = importlib.import_module("lanemap_kernels.fmha.backward")
    before = len(plans), len(backward.PLANS)
    for seed, lengths in enumerate((FIRST, SECOND)):
        problem = Problem(5, 245, 545, 2, 1, 64, -1, 0, "bfloat16", lengths)
        q, k, v, d_o = gradients.operands(problem, seed)
        o, log_sum, right, bounds = gradients.forward(problem, (q, k, v, d_o), SCALE)
        more = {"causal": True, "device": device, **starts(problem)}
        attention.check(problem, (q, k, v), function(q, k, v, **more), SCALE)
        for deterministic in (False, True):
            found = backward.backward(d_o, q, k, v, o, log_sum, deterministic=deterministic, **more)
            gradients.check(found, right, bounds)
    assert (len(plans), len(backward.PLANS)) == (before[0] + 1, before[1] + 2)
    assert list(device.hazards) == []


@pytest.mark.slow
@pytest.mark.parametrize("head_dim", [64, 128])
def test_sm_100a_makes_the_same_tables(head_dim: int) -> None:
    device: Any = lanemap.open_device("sm_100a", device="emulator", strict=True)
    problem = Problem(5, 245, 545, 2, 1, head_dim, -1, 0, "bfloat16", FIRST)
    q, k, v, d_o = gradients.operands(problem)
    scale = head_dim**-0.5
    o, log_sum, right, bounds = gradients.forward(problem, (q, k, v, d_o), scale)
    more = {"causal": True, "device": device, **starts(problem)}
    attention.check(problem, (q, k, v), host("fmha").fmha(q, k, v, **more), scale)
    gradients.check(host("fmha").backward(d_o, q, k, v, o, log_sum, **more), right, bounds)


def test_a_plan_refuses_lengths_of_the_host() -> None:
    problem = Problem(5, 245, 545, 2, 1, 64, -1, 0, "bfloat16", FIRST)
    q, k, v, d_o = gradients.operands(problem)
    wide = {name: each.astype(np.int64) for name, each in starts(problem).items()}
    for function, arrays in (
        (host("fmha").fmha.plan, (q, k, v)),
        (host("fmha").backward.plan, (d_o, q, k, v, q, np.zeros((2, 245), np.float32))),
    ):
        with pytest.raises(UserError, match="^a plan holds for any lengths, so cu_seqlens_q"):
            function(*arrays, **wide)
