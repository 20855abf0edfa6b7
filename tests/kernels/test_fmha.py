"""fmha on the emulator, against NumPy in float64."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.benching.attention.attend import TALL, WIDE, attend, choose
from lanemap.benching.attention.kernel import ptx
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.tiling import END, Tiling
from lanemap.benching.find import host
from lanemap.errors import UserError
from lanemap.toolchain import ptxas

TYPES: dict[str, Any] = {"bfloat16": ml_dtypes.bfloat16, "float16": np.float16}
#: Of P, rounded before it is multiplied, and of O: half a unit in the last place.
ROUNDING = {"bfloat16": 2.0**-8, "float16": 2.0**-11}
#: ex2.approx and lg2.approx have errors near 2^-22; f32 sums of some hundred terms.
SMALL = 2.0**-18


def operands(problem: Problem, seed: int = 0, size: float = 1) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    p, kind = problem, TYPES[problem.element]

    def normal(length: int, heads: int) -> Any:
        shape = (p.batch, length, heads, p.head_dim)
        return (size * rng.standard_normal(shape)).astype(kind)

    return normal(p.queries, p.heads), normal(p.keys, p.kv_heads), normal(p.keys, p.kv_heads)


def expected(problem: Problem, q: Any, k: Any, v: Any, scale: float) -> tuple[Any, Any, Any]:
    """O, the bound of its error, and the logarithm of the sum, in float64."""
    p, group = problem, problem.heads // problem.kv_heads
    q, k, v = (each.astype(np.float64) for each in (q, k, v))
    k, v = (np.repeat(each, group, axis=2) for each in (k, v))
    logits = np.einsum("bshd,bthd->bhst", q, k) * scale
    if p.causal:
        last = np.arange(p.queries)[:, None] + p.keys - p.queries
        logits = np.where(np.arange(p.keys)[None, :] <= last, logits, -np.inf)
    most = logits.max(axis=-1, keepdims=True)
    most = np.where(np.isinf(most), 0, most)
    weights = np.exp(logits - most)
    total = weights.sum(axis=-1, keepdims=True)
    weights /= np.where(total > 0, total, 1)
    o = np.einsum("bhst,bthd->bshd", weights, v)
    unit = ROUNDING[p.element]
    # Rounded weights move O by at most `unit` of the sum of |P V|; the logits are sums in f32.
    spread = np.einsum("bhst,bthd->bshd", weights, np.abs(v))
    error = (unit + SMALL * (1 + np.abs(most).max())) * spread + unit * np.abs(o)
    # A weight below 2^-14 is subnormal in fp16: half of its last place is 2^-25.
    error += 2.0**-25 * (1 + np.einsum("bthd->bhd", np.abs(v))[:, None])
    with np.errstate(divide="ignore"):
        return o, error, (np.log(total) + most)[..., 0]


def check(problem: Problem, arrays: Any, answers: Any, scale: float) -> float:
    """Assert that O and the logarithms are near; return the part of the tolerance that is used."""
    o, log_sum = (np.asarray(each, np.float64) for each in answers)
    right, error, right_log = expected(problem, *arrays, scale)
    used = np.abs(o - right) / error
    assert np.isfinite(o).all() and used.max() <= 1
    seen = np.isfinite(right_log)
    assert (np.isneginf(log_sum) == ~seen).all()
    bound = SMALL * (1 + np.abs(right_log[seen]))
    assert (np.abs(log_sum[seen] - right_log[seen]) <= bound).all()
    return float(used.max())


def run(problem: Problem, arrays: Any, scale: float | None = None, tiling: Any = None) -> Any:
    device = lanemap.open_device("sm_90a", device="emulator")
    answers = attend(*arrays, problem.causal, scale, device, tiling)
    assert list(device.hazards) == []
    return answers


GRID = [
    # Batch, queries, keys, heads, heads of K and V: tails of both; grouped heads; one query.
    (1, 200, 333, 2, 2),
    (2, 130, 70, 4, 2),
    (1, 1, 300, 2, 1),
]


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("head_dim", [64, 128])
def test_attention_is_that_of_float64(head_dim: int, causal: bool, element: str) -> None:
    for seed, shape in enumerate(GRID):
        problem = Problem(*shape, head_dim, causal, element)
        arrays = operands(problem, seed)
        used = check(problem, arrays, run(problem, arrays), head_dim**-0.5)
        assert used > 1e-3  # a tolerance that no error comes near would say nothing


@pytest.mark.parametrize("head_dim", [64, 128])
def test_one_key_is_its_value(head_dim: int) -> None:
    problem = Problem(1, 70, 1, 2, 1, head_dim)
    q, k, v = operands(problem)
    o, log_sum = run(problem, (q, k, v))
    np.testing.assert_array_equal(o, np.broadcast_to(v, o.shape))
    logits = np.einsum("bshd,d->bhs", q.astype(np.float64), k[0, 0, 0].astype(np.float64))
    np.testing.assert_allclose(log_sum, logits * head_dim**-0.5, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("queries", [140, 400])
def test_queries_that_see_no_key_have_zeros(queries: int) -> None:
    """Query i sees keys up to i + 100 - queries: whole tiles of queries see none, and parts."""
    problem = Problem(1, queries, 100, 1, 1, 64, True)
    arrays = operands(problem)
    o, log_sum = run(problem, arrays)
    blind = queries - 100
    assert (np.asarray(o[:, :blind], np.float32) == 0).all()
    assert np.isneginf(log_sum[..., :blind]).all() and np.isfinite(log_sum[..., blind:]).all()
    check(problem, arrays, (o, log_sum), 64**-0.5)


def test_large_logits_do_not_overflow() -> None:
    problem = Problem(1, 64, 400, 1, 1, 64)
    arrays = operands(problem, 5, 20)
    scale = 0.5
    logits = np.einsum("bshd,bthd->bhst", *(a.astype(np.float64) for a in arrays[:2])) * scale
    assert logits.max() > 2000
    o, log_sum = run(problem, arrays, scale)
    check(problem, arrays, (o, log_sum), scale)


@pytest.mark.slow
def test_every_tiling_and_several_turns() -> None:
    """More tiles of queries than CTAs, so that the rings go on from tile to tile."""
    for tiling, head_dim, causal in ((WIDE, 128, False), (WIDE, 64, True), (TALL, 64, True)):
        problem = Problem(1, 2 * tiling.rows + 5, 2 * tiling.columns + 9, 50, 25, head_dim, causal)
        arrays = operands(problem, 3)
        check(problem, arrays, run(problem, arrays, None, tiling), head_dim**-0.5)
    for tiling in (Tiling(80, q_stages=1), Tiling(64, stages=3), Tiling(256, consumers=1)):
        problem = Problem(1, 300, 700, 2, 1, 64, True, "float16")
        arrays = operands(problem, 4)
        check(problem, arrays, run(problem, arrays, None, tiling), 0.125)


def test_the_host_function_takes_a_scale() -> None:
    problem = Problem(1, 64, 64, 1, 1, 64)
    arrays = operands(problem)
    device = lanemap.open_device("sm_90a", device="emulator")
    fmha = host("fmha").fmha
    check(problem, arrays, fmha(*arrays, softmax_scale=0.3, device=device), 0.3)


@pytest.mark.parametrize("causal", [False, True])
def test_the_schedule_has_every_tile_once(causal: bool) -> None:
    tiling = Tiling(128)
    for queries, keys, group in ((1000, 1000, 3), (128, 64, 1), (700, 300, 100)):
        problem = Problem(2, queries, keys, 5, 5, 64, causal)
        schedule = tiling.schedule(problem, 7, group)
        entries = schedule[schedule != END]
        assert (schedule[-1] == END).all() and len(set(entries.tolist())) == len(entries)
        tiles, heads = math.ceil(queries / 128), 10
        assert {(int(e) >> 16, int(e) & 0xFFFF) for e in entries} == {
            (head, tile) for head in range(heads) for tile in range(tiles)
        }


def test_the_schedule_shares_the_work() -> None:
    """With a causal mask no CTA has a tile of the longest more than another."""
    tiling, problem = Tiling(128), Problem(1, 4096, 4096, 16, 16, 128, True)
    schedule = tiling.schedule(problem, 132, 4)
    work = [
        sum(tiling.key_tiles(problem, int(entry) & 0xFFFF) for entry in column if entry != END)
        for column in schedule.T
    ]
    assert sum(work) == 16 * 32 * 33 // 2
    assert max(work) - sum(work) / 132 <= 32 / 4


@pytest.mark.parametrize("head_dim", [64, 128])
@pytest.mark.parametrize("causal", [False, True])
def test_ptxas_serializes_no_wgmma(head_dim: int, causal: bool) -> None:
    for queries in (64, 4096):
        problem = Problem(1, queries, 64, 1, 1, head_dim, causal)
        assert ptxas.remarks(ptx(problem, choose(problem)), "sm_90a") == []


def test_bad_operands_are_one_sentence() -> None:
    q = np.zeros((1, 64, 4, 64), np.float16)

    def refuse(words: str, *arrays: Any, **more: Any) -> None:
        with pytest.raises(UserError, match=words):
            host("fmha").fmha(*arrays, **more)

    refuse("must have one dtype", q, q, q.astype(np.float32))
    refuse("of dtype float64; supported are", *[q.astype(np.float64)] * 3)
    refuse("head dimension is 32", *[np.zeros((1, 64, 4, 32), np.float16)] * 3)
    refuse("4 heads of q cannot share 3", q, *[np.zeros((1, 64, 3, 64), np.float16)] * 2)
    refuse("there are 0 keys", q, *[np.zeros((1, 0, 4, 64), np.float16)] * 2)
    refuse("does not fit", q, q, q[:, :5])
    refuse("not \\(64, 4, 64\\)", *[q[0]] * 3)
    refuse("softmax_scale is 0.0", q, q, q, softmax_scale=0)
    refuse("q is not contiguous", q.transpose(0, 2, 1, 3), q[:, :4], q[:, :4])
