"""What `lanemap bench fmha` checks and counts on the emulator, by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

import lanemap
from lanemap.benching.attention.attend import Given
from lanemap.benching.attention.benchmark import AttentionCase
from lanemap.benching.attention.draws import NORMAL, draws
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.reference import Added, row
from lanemap.benching.find import benchmarks
from lanemap.cli import main
from lanemap.errors import MissingEnvironment, UserError
from tests.kernels.attention import PLAIN, one


def test_counted_work_and_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    """128 queries and 256 keys are one tile of Q for two consumers, and two tiles of keys."""
    problem = "batch=1,queries=128,keys=256,heads=1,kv_heads=1,head_dim=128"
    arguments = ["fmha", "--target", "sm_90a", "--device", "emulator", "--problem", problem]
    assert main.run(["bench", *arguments, "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["right"]
    (found,) = answer["problems"]
    assert all(each["used"] > 0.01 for each in found["checks"])
    work, roles = found["work"], found["work"]["instructions"]
    assert work["flops"] == 2 * 2 * 128 * 256 * 128
    assert work["bytes"]["TMA from global"] == (128 + 2 * 256) * 128 * 2
    assert work["bytes"]["TMA to global"] == 128 * 128 * 2
    # For each of two consumers and two tiles: Q and K of S, V of P @ V.
    assert work["bytes"]["wgmma from shared"] == 2 * 2 * (64 + 128 + 128) * 128 * 2
    assert set(roles) == {"all", "producer", "consumer"}
    assert roles["producer"]["copy"] == 2 * (2 + 2 * 2)  # two parts of a row each
    assert roles["consumer"]["matrix"] == 8 * 2 * (8 + 8)
    # An exponential for each logit; per thread two factors a tile, two logarithms, two quotients.
    least = 8 * 2 * 64
    assert least < roles["consumer"]["special function"] <= least + 8 * (2 * 2 + 2 + 2)
    limits = found["bounds"]["microseconds"]
    assert set(limits) == {"tensor cores", "memory", "special functions", "shared memory"}
    clocks = roles["consumer"]["special function"] * 32 / 16
    assert limits["special functions"] == pytest.approx(clocks / (989.5e6 / 4096))


def case(problem: Problem) -> AttentionCase:
    (benchmark,) = benchmarks("fmha", "sm_90a")
    made: Any = benchmark.case(lanemap.open_device("sm_90a", "emulator"), problem)
    made.fill(NORMAL)
    return made


def test_a_row_that_is_wrong_is_noticed() -> None:
    problem = Problem(2, 40, 70, 2, 1, 64, 30, 0, added="softcap+alibi+sinks")
    made = case(problem)
    made.run()
    assert made.check(NORMAL).outside == 0
    o = made._arrays["o"].get()
    made._arrays["o"].set(np.where(np.arange(64) == 3, o + o.dtype.type(1), o).astype(o.dtype))
    assert made.check(NORMAL).outside == 32  # an element of each row that is compared
    made._arrays["o"].set(o)
    made._sums.set(made._sums.get() + np.float32(0.01))
    assert made.check(NORMAL).outside == 32
    fresh = case(problem)
    assert fresh.check(NORMAL).outside >= o.size


def test_the_reference_is_that_of_the_other_tests() -> None:
    """Two statements of attention in float64, one by rows and one by matrices."""
    more = Given(softcap=2.0, alibi_slopes=np.array([1, 0.5]), sinks=np.array([0, 1.5]))
    cases = (("bfloat16", PLAIN, Added()), ("float8_e4m3fn", more, Added(2.0, 0.5, 1.5)))
    for element, given, added in cases:
        problem = Problem(1, 9, 200, 2, 1, 64, 50, 3, element)
        made = draws([(9, 2, 64), (200, 1, 64), (200, 1, 64)], element, NORMAL)
        q, k, v = (each.array() for each in made)
        o, _, log_sum, _ = one(problem, q, k, v, 0.125, given)
        for query in range(9):
            right = row(problem, q[query, 1], k[:, 0], v[:, 0], query, (9, 200), added)
            np.testing.assert_allclose(right.o, o[query, 1], rtol=1e-9, atol=1e-12)
            assert right.log_sum_exp == pytest.approx(log_sum[1, query])


def test_the_library_computes_what_its_interface_has() -> None:
    """Elsewhere there is none; without a GPU PyTorch says so."""
    for other in (
        Problem(1, 64, 64, 2, 1, 64),
        Problem(1, 64, 65, 1, 1, 64),
        Problem(1, 64, 64, 1, 1, 64, 5),
        Problem(2, 64, 64, 1, 1, 64, lengths="32x32/32x32"),
        Problem(1, 64, 64, 1, 1, 64, element="float8_e4m3fn"),
    ):
        made = AttentionCase.__new__(AttentionCase)
        made.problem = other
        assert made.library() is None
    if not torch.cuda.is_available():
        with pytest.raises(MissingEnvironment, match="PyTorch finds no GPU"):
            case(Problem(1, 64, 64, 1, 1, 64)).library()


def test_lengths_of_a_problem_are_checked() -> None:
    with pytest.raises(UserError, match="must be written like 150x200/1x300"):
        Problem(1, 64, 64, 1, 1, 64, lengths="64")
    with pytest.raises(
        UserError, match="keys \\(2, 64, 60\\), but the problem has \\(2, 64, 64\\)"
    ):
        Problem(2, 64, 64, 1, 1, 64, lengths="32x30/32x30")
