"""decode on the emulator, against attention in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching.find import host
from lanemap.errors import UserError
from lanemap_kernels.decode.problem import Problem
from lanemap_kernels.decode.tiling import Tiling
from tests.kernels.decode import Cache, launched, made, outside
from tests.sampled import sampled

DECODE = lanemap.kernel("decode")
#: Ragged lengths, an empty one, one that ends a tile and a page, and one key alone.
RAGGED = "1000/0/128/1/1024"
PROBLEMS = (
    Problem(5, 1, 1024, 8, 2, 128, 16, lengths=RAGGED),
    Problem(5, 1, 1024, 8, 2, 128, 16, 200, 0, lengths=RAGGED),
    Problem(5, 3, 1024, 6, 6, 128, 16, -1, 0, lengths=RAGGED),
    Problem(3, 8, 512, 24, 2, 128, 16, 77, 3, lengths="512/9/300"),
    Problem(2, 1, 1000, 8, 1, 64, 0, element="float16", lengths="1000/400"),
    Problem(2, 5, 1000, 8, 1, 64, 0, -1, 0, element="float16", lengths="1000/3"),
    Problem(
        40, 1, 256, 4, 1, 64, 0, element="float16", lengths="/".join(map(str, range(200, 240)))
    ),
)
SLOW = (
    *(Problem(3, 1, 1024, 16, 4, 128, page, lengths="1024/700/65") for page in (0, 64, 128, 256)),
    *(Problem(3, 2, 1024, 16, 4, 64, page, 300, 0, lengths="1024/700/65")
      for page in (16, 64, 128, 256)),
    Problem(1, 1, 8192, 128, 1, 128, 64),
    Problem(2, 64, 576, 8, 4, 64, 192, -1, 0, lengths="384/70"),
)  # fmt: skip


def strict() -> Any:
    return lanemap.open_device("sm_90a", device="emulator", strict=True)


def answered(cache: Cache, device: Any, **more: Any) -> tuple[Any, Any]:
    found = DECODE(cache.q, cache.k, cache.v, **cache.options, device=device, **more)
    assert list(device.hazards) == []
    return found


def test_rows_are_those_of_attention_and_what_no_query_sees_is_not_read() -> None:
    """NaN lies behind each sequence's end and before its window, and pages there do not exist."""
    device = strict()
    for problem in PROBLEMS:
        cache = made(problem, problem.queries)
        assert outside(cache, *answered(cache, device)) == 0, problem


@pytest.mark.slow
@pytest.mark.parametrize("problem", SLOW, ids=str)
def test_every_page_size_and_more_rows_than_a_tile(problem: Problem) -> None:
    cache = made(problem)
    assert outside(cache, *answered(cache, strict())) == 0


@pytest.mark.parametrize("ctas", sampled([1, 2, 7, 22, 500], 3))
def test_any_number_of_ctas_shares_the_keys(ctas: int) -> None:
    """Whole heads, several parts of one, and more CTAs than there are tiles."""
    problem = Problem(5, 1, 1024, 8, 2, 128, 16, lengths=RAGGED)
    cache = made(problem, 4, size=4)
    assert outside(cache, *launched(cache, Tiling(128, 6), ctas, strict())) == 0


@pytest.mark.slow
@pytest.mark.parametrize("tiling", [Tiling(64, 12), Tiling(64, 6, 2), Tiling(128, 2)])
def test_every_tile(tiling: Tiling) -> None:
    cache = made(PROBLEMS[3])
    assert outside(cache, *launched(cache, tiling, 20, strict())) == 0


def test_a_cache_with_heads_first_and_a_scale() -> None:
    """Strides are those of the arrays; keys of a head are adjacent here."""
    problem = Problem(2, 1, 1000, 8, 2, 64, 0, element="float16", lengths="1000/400")
    cache = made(problem)
    k, v = (np.ascontiguousarray(x.transpose(0, 2, 1, 3)) for x in (cache.k, cache.v))
    o, sums = DECODE(
        cache.q, k.transpose(0, 2, 1, 3), v.transpose(0, 2, 1, 3), **cache.options,
        softmax_scale=0.25, device=strict(),
    )  # fmt: skip
    assert outside(cache, o, sums, 0.25) == 0


def test_all_keys_without_lengths_and_results_of_the_caller() -> None:
    cache = made(Problem(2, 1, 512, 8, 2, 64, 0, element="float16"))
    out = np.empty_like(cache.q), np.empty((2, 8, 1), np.float32)
    plans = host("decode").PLANS
    before = len(plans)
    for seed in (0, 1):
        cache = made(cache.problem, seed)
        found = DECODE(cache.q, cache.k, cache.v, out=out)
        assert found[0] is out[0] and found[1] is out[1]
        assert outside(cache, *out) == 0
    assert len(plans) == before + 1
    plan = DECODE.plan(cache.q, cache.k, cache.v)
    np.testing.assert_array_equal(plan(cache.q, cache.k, cache.v)[0], out[0])
    with pytest.raises(UserError, match=r"^out is float16 of .* and float32 of .*; make a plan"):
        plan(cache.q, cache.k, cache.v, out=out)


def test_bad_operands_are_one_sentence() -> None:
    cache = made(Problem(2, 1, 64, 4, 2, 64, 16, element="float16"))
    q, k, v, table = cache.q, cache.k, cache.v, cache.table

    def refuse(words: str, *arrays: Any, **more: Any) -> None:
        with pytest.raises(UserError, match=words):
            DECODE(*arrays, **more)

    refuse("they must be \\(batch, length, heads, head dimension\\)", q[0], k, v)
    refuse("they must have one dtype", q, k.astype(np.float32), v)
    refuse("its batch unless there is a block_table", q, k, v)
    refuse("block_table is int64 of \\(2, 4\\); it must be int32 of \\(2, pages of a sequence\\)",
           q, k, v, block_table=table.astype(np.int64))  # fmt: skip
    refuse("cache_seqlens is int32 of \\(3,\\); it must be int32 of \\(2\\)", q, k, v,
           block_table=table, cache_seqlens=np.zeros(3, np.int32))  # fmt: skip
    refuse("block_table is not contiguous", q, k, v, block_table=table[:, ::2])
    refuse("a page has 12 keys; it must have a multiple of 8", q, k[:, :12], v[:, :12],
           block_table=table)  # fmt: skip
    refuse("the head dimension is 32", q[..., :32], k[..., :32], v[..., :32], block_table=table)
    refuse("there are 65 queries; 1 to 64", np.repeat(q, 65, 1), k, v, block_table=table)
    refuse("q has 3 heads, which is not a multiple", q[:, :, :3], k, v, block_table=table)
    refuse("softmax_scale is 0", q, k, v, block_table=table, softmax_scale=0)
    refuse("out must be a tuple of two arrays", q, k, v, block_table=table, out=q)
    refuse("out's log_sum_exp is float16 of .*; it must be float32 of \\(2, 4, 1\\)", q, k, v,
           block_table=table, out=(q, np.zeros((2, 4, 1), np.float16)))  # fmt: skip
