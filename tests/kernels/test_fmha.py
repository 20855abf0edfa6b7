"""fmha on the emulator, against NumPy in float64."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import accumulate, product
from typing import Any

import numpy as np
import pytest
import torch

import lanemap
from lanemap.benching.attention.attend import Given, attend
from lanemap.benching.attention.kernel import AttentionKernel
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.tiling import END, Tiling
from lanemap.benching.find import host
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests.kernels.attention import PLAIN, TYPES, check, operands, visible
from tests.sampled import sampled

KERNEL = AttentionKernel()
FULL, CAUSAL, SLIDING, BOTH = (-1, -1), (-1, 0), (40, 0), (20, 30)
WIDE, TALL = Tiling(128), Tiling(128, consumers=3, registers=(160, 32))


def run(
    problem: Problem,
    arrays: Any,
    scale: float | None = None,
    tiling: Any = None,
    given: Given = PLAIN,
    strict: bool = False,
) -> Any:
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=strict)
    given = replace(given, softmax_scale=scale)
    answers, _ = attend([KERNEL], problem, *arrays, given, device=device, tiling=tiling)
    assert list(device.hazards) == []
    return answers


GRID = [
    # Batch, queries, keys, heads, heads of K and V: tails of both; grouped heads; one query.
    (1, 200, 333, 2, 2),
    (2, 130, 70, 4, 2),
    (1, 1, 300, 2, 1),
]
FORMS = [
    (128, 0, FULL, "bfloat16"),
    (64, 0, BOTH, "float16"),
    (64, 0, CAUSAL, "float8_e4m3fn"),
    (192, 128, CAUSAL, "float8_e4m3fn"),
    (256, 0, SLIDING, "bfloat16"),
]
#: Elements of a row of Q and K, and of V where they have fewer.
DIMENSIONS = ((64, 0), (96, 0), (128, 0), (192, 0), (192, 128), (256, 0))
EVERY = [
    (*dims, *of)
    for dims, *of in product(DIMENSIONS, (FULL, CAUSAL, SLIDING, BOTH), TYPES)
    if of[1] != "float8_e4m3fn" or dims not in ((192, 0), (256, 0))
]


@pytest.mark.parametrize(("head_dim", "fewer", "window", "element"), sampled(EVERY, FORMS))
def test_attention_is_that_of_float64(head_dim: int, fewer: int, window: Any, element: str) -> None:
    for seed, shape in enumerate(GRID):
        problem = Problem(*shape, head_dim, *window, element, value_dim=fewer)
        arrays = operands(problem, seed)
        used = check(problem, arrays, run(problem, arrays, strict=fewer > 0), head_dim**-0.5)
        assert used > 1e-2  # a tolerance that no error comes near would say nothing


#: Queries and keys: a tile and more, one query, none, no key, fewer keys than queries.
LENGTHS = ((150, 200), (1, 300), (0, 5), (30, 0), (64, 40))
TEXT = "150x200/1x300/0x5/30x0/64x40"


@pytest.mark.parametrize(
    ("window", "element"),
    sampled(
        [(CAUSAL, "bfloat16"), (FULL, "float16"), (BOTH, "bfloat16"), (SLIDING, "float8_e4m3fn")],
        {(CAUSAL, "bfloat16")},
    ),
)
def test_packed_sequences_are_separate(window: Any, element: str) -> None:
    queries, keys = (sum(each) for each in zip(*LENGTHS, strict=True))
    problem = Problem(5, queries, keys, 2, 1, 64, *window, element, TEXT)
    q, k, v = operands(problem)
    answers = run(problem, (q, k, v))
    check(problem, (q, k, v), answers, 0.125)
    # What a sequence's neighbors hold does not reach it, not even what is infinite.
    k[:200], v[:200] = np.inf if element != "float8_e4m3fn" else np.nan, np.nan
    for seen, was in zip(run(problem, (q, k, v)), answers, strict=True):
        rows = seen[150:] if seen.ndim == 3 else seen[:, 150:]
        np.testing.assert_array_equal(rows, was[150:] if was.ndim == 3 else was[:, 150:])


#: Two heads' slopes and sinks.
SLOPES, SINKS = np.array([0.5, 0.03], np.float32), np.array([1.5, -2], np.float32)
EACH = np.stack([SLOPES, SLOPES / 3, SLOPES[::-1]])
ADDED = [
    (64, "bfloat16", Given(softcap=3.0, alibi_slopes=EACH, sinks=SINKS)),
    (64, "float8_e4m3fn", Given(softcap=3.0, alibi_slopes=EACH, sinks=SINKS)),
    (128, "float16", Given(alibi_slopes=SLOPES)),
    (128, "bfloat16", Given(softcap=2.5)),
    (128, "float8_e4m3fn", Given(sinks=SINKS)),
    (256, "bfloat16", Given(sinks=SINKS)),
]


@pytest.mark.parametrize(("head_dim", "element", "given"), [
    pytest.param(*each, marks=() if i == 0 else pytest.mark.slow) for i, each in enumerate(ADDED)
])  # fmt: skip
def test_what_is_added_to_logits_is_that_of_float64(
    head_dim: int, element: str, given: Given
) -> None:
    """Packed sequences of which one sees no key with its first queries, grouped heads, a window."""
    lengths = "130x70/1x130/100x100"
    problem = Problem(3, 231, 300, 2, 1, head_dim, *BOTH, element, lengths)
    arrays, scale = operands(problem, 3, 2), head_dim**-0.5
    answers = run(problem, arrays, None, None, given, True)
    assert check(problem, arrays, answers, scale, given) > 0.2
    # Each of them counts: without it the same answers are wrong.
    for name in ("softcap", "alibi_slopes", "sinks"):
        if getattr(given, name) is not getattr(PLAIN, name):
            without = replace(given, **{name: getattr(PLAIN, name)})
            with pytest.raises(AssertionError):
                check(problem, arrays, answers, scale, without)


def test_a_sink_alone_is_the_sum_of_a_query_without_keys() -> None:
    problem = Problem(1, 140, 100, 2, 2, 64, *CAUSAL)
    arrays = operands(problem)
    for sinks in (SINKS, np.array([90, -np.inf], np.float32)):
        o, log_sum = run(problem, arrays, None, None, Given(sinks=sinks), True)
        blind = np.broadcast_to(sinks[None, :, None], (1, 2, 40))
        np.testing.assert_allclose(log_sum[..., :40], blind, rtol=1e-6)
        assert (o[:, :40].astype(np.float32) == 0).all()
        check(problem, arrays, (o, log_sum), 0.125, Given(sinks=sinks))


def test_the_window_is_that_of_the_definition() -> None:
    """Values that name their key, and logits that are all zero: O is the mean of what is seen."""
    for window in ((3, 2), (0, 0), (-1, 4)):
        problem = Problem(1, 150, 140, 1, 1, 64, *window, "float16")
        q, k = np.zeros((2, 1, 150, 1, 64), np.float16)
        v = np.zeros((1, 140, 1, 64), np.float16)
        v[0, np.arange(140), 0, np.arange(140) % 64] = 1
        o = run(problem, (q, k[:, :140], v))[0][0, :, 0].astype(np.float64)
        seen = visible(150, 140, window)
        counts = np.add.reduceat(np.pad(seen, ((0, 0), (0, 52))).reshape(150, 3, 64), [0], axis=1)
        expected = counts[:, 0] / np.maximum(1, seen.sum(axis=1))[:, None]
        np.testing.assert_allclose(o, expected, rtol=2e-3)


@pytest.mark.parametrize("head_dim", [64, pytest.param(128, marks=pytest.mark.slow)])
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
    problem = Problem(1, queries, 100, 1, 1, 64, *CAUSAL)
    arrays = operands(problem)
    o, log_sum = run(problem, arrays)
    blind = queries - 100
    assert (np.asarray(o[:, :blind], np.float32) == 0).all()
    assert np.isneginf(log_sum[..., :blind]).all() and np.isfinite(log_sum[..., blind:]).all()
    check(problem, arrays, (o, log_sum), 64**-0.5)


def test_rows_of_infinite_logits_are_defined() -> None:
    """A logit of -inf hides its key; a row with no other is one without keys."""
    problem = Problem(1, 64, 200, 1, 1, 64)
    q, k, v = operands(problem)
    q[0, :, 0, 0] = np.where(np.arange(64) % 2, 1, 0.5)
    q[0, 7, 0, 0] = -2
    k[0, 50:, 0, 0] = -np.inf
    o, log_sum = run(problem, (q, k, v))
    # Query 7 has logits of +inf: no softmax is defined.
    assert np.isnan(log_sum[0, 0, 7]) and np.isnan(o[0, 7].astype(np.float32)).all()
    rest = np.arange(64) != 7
    fewer = Problem(1, 63, 50, 1, 1, 64)
    answers = o[:, rest], log_sum[..., rest]
    check(fewer, (q[:, rest], k[:, :50], v[:, :50]), answers, 0.125)
    k[0, :, 0, 0] = -np.inf
    o, log_sum = run(problem, (q, k, v))
    assert (o[:, rest].astype(np.float32) == 0).all() and np.isneginf(log_sum[..., rest]).all()


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
    for tiling, head_dim, window in ((WIDE, 128, FULL), (WIDE, 64, CAUSAL), (TALL, 64, SLIDING)):
        sizes = 2 * tiling.rows + 5, 2 * tiling.columns + 9
        problem = Problem(1, *sizes, 50, 25, head_dim, *window)
        arrays = operands(problem, 3)
        check(problem, arrays, run(problem, arrays, None, tiling), head_dim**-0.5)
    problem = Problem(1, 300, 300, 60, 60, 128, *CAUSAL, "float8_e4m3fn")
    arrays = operands(problem, 3)
    check(problem, arrays, run(problem, arrays), 128**-0.5)
    for tiling in (
        Tiling(80, q_stages=1),
        Tiling(64, stages=3),
        Tiling(256, consumers=1),
        Tiling(176, q_stages=1, turns=False),
        Tiling(64, consumers=4, registers=(112, 24)),
    ):
        problem = Problem(1, 300, 700, 2, 1, 64, *CAUSAL, "float16")
        arrays = operands(problem, 4)
        check(problem, arrays, run(problem, arrays, None, tiling), 0.125)


def test_the_host_function_takes_flash_attention_s_arguments() -> None:
    """Tensors of PyTorch; its own attention is the reference."""
    torch.manual_seed(0)
    cu_q, cu_k = [0, 70, 90], [0, 100, 190]
    q = torch.randn(90, 2, 64, dtype=torch.bfloat16)
    k, v = torch.randn(2, 190, 2, 64, dtype=torch.bfloat16)
    device = lanemap.open_device("sm_90a", device="emulator")
    o, log_sum = host("fmha").fmha(
        q,
        k,
        v,
        causal=True,
        window_size=(30, 9),
        softmax_scale=0.3,
        device=device,
        cu_seqlens_q=torch.tensor(cu_q, dtype=torch.int32),
        max_seqlen_q=70,
        cu_seqlens_k=torch.tensor(cu_k, dtype=torch.int32),
        max_seqlen_k=100,
    )
    assert isinstance(o, torch.Tensor) and o.dtype == torch.bfloat16 and log_sum.shape == (2, 90)
    for i in range(2):
        mine, own = slice(*cu_q[i : i + 2]), slice(*cu_k[i : i + 2])
        n, m = cu_q[i + 1] - cu_q[i], cu_k[i + 1] - cu_k[i]
        distance = torch.arange(m)[None] - torch.arange(n)[:, None] - (m - n)
        parts = (x.transpose(0, 1).double() for x in (q[mine], k[own], v[own]))
        right = torch.nn.functional.scaled_dot_product_attention(
            *parts, attn_mask=(distance <= 0) & (distance >= -30), scale=0.3
        )
        torch.testing.assert_close(o[mine].transpose(0, 1).double(), right, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("target", sampled(["sm_90a", "sm_100a"], {"sm_100a"}))
def test_descales_multiply_what_they_belong_to(target: str) -> None:
    problem = Problem(2, 70, 140, 2, 2, 64, *FULL, "float8_e4m3fn")
    q, k, v = operands(problem)
    scales = np.random.default_rng(1).uniform(0.5, 2, (3, 2, 2)).astype(np.float32)
    device = lanemap.open_device(target, device="emulator")
    seen = host("fmha").fmha(
        q, k, v, q_descale=scales[0], k_descale=scales[1], v_descale=scales[2], device=device
    )
    for batch in range(2):
        for head in range(2):
            alone = Problem(1, 70, 140, 1, 1, 64, *FULL, "float8_e4m3fn")
            at = slice(batch, batch + 1), slice(None), slice(head, head + 1)
            each = scales[:, batch, head]
            o = seen[0][at].astype(np.float64) / each[2]
            logs = seen[1][batch : batch + 1, head : head + 1]
            check(alone, (q[at], k[at], v[at]), (o, logs), 0.125 * float(each[0] * each[1]))


def pairs(queries: int, keys: int, window: Any) -> int:
    return int(visible(queries, keys, window).sum())


@pytest.mark.parametrize("window", [FULL, CAUSAL, SLIDING, BOTH])
def test_the_problem_counts_what_is_seen(window: Any) -> None:
    for queries, keys in ((100, 130), (130, 100), (1, 7)):
        problem = Problem(3, queries, keys, 2, 1, 64, *window)
        assert problem.pairs == 3 * pairs(queries, keys, window)
        tiling = Tiling(32)
        for tile in range(tiling.query_tiles(queries)):
            # A tile's last rows may lie past the last query, where the mask goes on.
            rows = slice(tile * tiling.rows, (tile + 1) * tiling.rows)
            all_rows = visible(queries + 128, keys + 128, window)[rows, :keys]
            seen = np.flatnonzero(all_rows.any(axis=0))
            count = seen[-1] // 32 - seen[0] // 32 + 1 if len(seen) else 0
            assert tiling.key_tiles(problem, (queries, keys), tile) == count


@pytest.mark.parametrize("window", [FULL, CAUSAL])
def test_the_schedule_has_every_tile_once(window: Any) -> None:
    tiling = Tiling(128)
    cases = [
        (((n, m),) * 2, (n, m), "", group)
        for n, m, group in ((1000, 1000, 3), (128, 64, 1), (700, 300, 100))
    ]
    cases.append((LENGTHS, (245, 545), TEXT, 4))
    for sequences, sizes, lengths, group in cases:
        problem = Problem(len(sequences), *sizes, 5, 5, 64, *window, "bfloat16", lengths)
        schedule = tiling.schedule(problem, 7, group)
        entries = schedule[schedule != END]
        assert (schedule[-1] == END).all() and len(set(entries.tolist())) == len(entries)
        assert {(int(e) >> 16, int(e) & 0xFFFF) for e in entries} == {
            (5 * i + head, tile)
            for i, (queries, _) in enumerate(sequences)
            for head in range(5)
            for tile in range(math.ceil(queries / 128))
        }


def test_the_schedule_shares_the_work() -> None:
    """With a causal mask no CTA has a tile of the longest more than another."""
    tiling, problem = Tiling(128), Problem(1, 4096, 4096, 16, 16, 128, *CAUSAL)
    schedule = tiling.schedule(problem, 132, 4)
    work = [
        sum(
            tiling.key_tiles(problem, (4096, 4096), int(each) & 0xFFFF)
            for each in column
            if each != END
        )
        for column in schedule.T
    ]
    assert sum(work) == 16 * 32 * 33 // 2
    assert max(work) - sum(work) / 132 <= 32 / 4


@pytest.mark.parametrize(
    ("head_dim", "fewer", "element", "window"),
    sampled(
        [(*dims, element, window) for *dims, window, element in EVERY if window != SLIDING],
        {(64, 0, "bfloat16", CAUSAL), (128, 0, "float8_e4m3fn", CAUSAL)},
    ),
)
def test_ptxas_serializes_no_wgmma(head_dim: int, fewer: int, element: str, window: Any) -> None:
    tiles = {
        KERNEL.choose(Problem(1, 64, keys, 1, 1, head_dim, *window, element, value_dim=fewer))
        for keys in (64, 16384)
    }
    problem = Problem(1, 64, 64, 1, 1, head_dim, *window, element, value_dim=fewer)
    for tile in tiles:
        assert ptxas.remarks(KERNEL.ptx(problem, tile), "sm_90a") == []


def refuse(words: str, *arrays: Any, **more: Any) -> None:
    with pytest.raises(UserError, match=words):
        host("fmha").fmha(*arrays, **more)


def test_bad_operands_are_one_sentence() -> None:
    q = np.zeros((1, 64, 4, 64), np.float16)
    refuse("must have one dtype", q, q, q.astype(np.float32))
    refuse("of dtype float64; supported are", *[q.astype(np.float64)] * 3)
    refuse("head dimension is 32; supported are", *[np.zeros((1, 64, 4, 32), np.float16)] * 3)
    wide = np.zeros((1, 64, 4, 192), np.float16)
    refuse("head dimension is 192, and 64 of v; supported are", wide, wide, q)
    refuse(
        "dimension of float8_e4m3fn is 192, and 192 of v",
        *[wide.astype(TYPES["float8_e4m3fn"])] * 3,
    )
    other = lanemap.open_device("sm_100a", device="emulator")
    refuse("on sm_100a fmha supports 64 and 128", wide, wide, wide, device=other)
    refuse("fmha has no softcap on sm_100a", q, q, q, softcap=1.0, device=other)
    refuse("softcap is -1.0; it must be positive and finite", q, q, q, softcap=-1.0)
    refuse("alibi_slopes is a Python float; pass an array", q, q, q, alibi_slopes=0.5)
    refuse("sinks is float16 of \\(4,\\); it must be float32 of \\(heads of q\\)", q, q, q,
           sinks=q[0, 0, :, 0])  # fmt: skip
    refuse("which is \\(4,\\) or \\(1, 4\\)", q, q, q, alibi_slopes=np.ones(3, np.float32))
    refuse("sinks is not contiguous", q, q, q, sinks=np.ones(8, np.float32)[::2])
    refuse(
        "q has 4 heads, which is not a multiple of the 3",
        q,
        *[np.zeros((1, 64, 3, 64), np.float16)] * 2,
    )
    refuse("there are 0 keys", q, *[np.zeros((1, 0, 4, 64), np.float16)] * 2)
    refuse("must have the same batch, length and heads", q, q, q[:, :5])
    refuse("not \\(64, 4, 64\\)", *[q[0]] * 3)
    refuse("softmax_scale is 0.0", q, q, q, softmax_scale=0)
    refuse("elements of a row of q are not adjacent", q[..., ::-1], q, q)
    apart = np.zeros((1, 64, 4, 68), np.float16)[..., :64]
    refuse("rows of q lie 136 bytes apart; TMA needs a positive multiple", apart, q, q)
    refuse("each side is a number of keys, or -1", q, q, q, window_size=(-2, 0))
    refuse("it must be \\(left, right\\)", q, q, q, window_size=3)
    refuse("q_descale is for float8_e4m3fn", q, q, q, q_descale=2.0)
    small = q.astype(TYPES["float8_e4m3fn"])
    refuse("float32 of \\(batch, heads", *[small] * 3, k_descale=np.ones((1, 3), np.float32))
    blackwell = lanemap.open_device("sm_100a", device="emulator")
    if all(each.target != "sm_100a" for each in host("fmha").KERNELS):
        refuse("fmha has no source for sm_100a", q, q, q, device=blackwell)


def test_a_tile_with_too_many_registers_is_refused() -> None:
    """ptxas gives 384 threads 168 registers each, which is 504 of three warpgroups."""
    Tiling(128, registers=(240, 24)).check_registers()
    with pytest.raises(UserError, match="need more than the 168 a thread"):
        KERNEL.ptx(Problem(1, 64, 64, 1, 1, 64), Tiling(128, registers=(240, 32)))


def test_bad_lengths_are_one_sentence() -> None:
    q = np.zeros((64, 4, 64), np.float16)

    def packed(words: str, *lengths: Any, **more: Any) -> None:
        ends = [None if each is None else np.array(each) for each in lengths]
        refuse(words, q, q, q, cu_seqlens_q=ends[0], cu_seqlens_k=ends[1], **more)

    packed("must be given together", [0, 64], None)
    packed("cu_seqlens_q has 1 sequences and cu_seqlens_k 2", [0, 64], [0, 4, 64])
    packed("cu_seqlens_k must rise from 0 to the length of k, 64", [0, 64], [0, 60])
    packed("and falls between", [0, 50, 40, 64], [0, 1, 2, 64])
    packed("one-dimensional array of at least two integers", [0, 64.0], [0, 64])
    packed(
        "max_seqlen_q is 63, but q has a sequence of length 64", [0, 64], [0, 64], max_seqlen_q=63
    )
    refuse("with cu_seqlens, not", q[None], q[None], q[None], cu_seqlens_q=q, cu_seqlens_k=q)


def test_lengths_may_be_of_any_library() -> None:
    lengths = [0, *accumulate((10, 54))]
    q = torch.zeros(64, 1, 64, dtype=torch.float16)
    more = {"cu_seqlens_q": torch.tensor(lengths), "cu_seqlens_k": np.array(lengths)}
    refuse("softmax_scale is -1.0", q, q, q, softmax_scale=-1, **more)
