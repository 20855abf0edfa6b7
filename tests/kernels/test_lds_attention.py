"""lds_attention on the emulator, on every path, against PyTorch's attention in float64."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

from lanemap import paths
from lanemap.benching.counting import observe
from lanemap.benching.find import host
from lanemap.benching.launch import loaded
from lanemap.errors import UserError
from lanemap_kernels.lds_attention.attend import attend, launch, scores
from lanemap_kernels.lds_attention.paths import PATHS, WAYS, path
from lanemap_kernels.lds_attention.problem import Problem
from lanemap_kernels.lds_attention.reference import expected
from lanemap_kernels.lds_attention.source import assembly
from tests.kernels.lds import E4M3, SHAPES, device, operands
from tests.records.rows import file_text
from tests.sampled import sampled

FAST = ("1", "2.permute", "3.160")


def exact(problem: Problem, arrays: Any, scale: float | None = None) -> Any:
    """O by PyTorch in float64; a query that sees no key has zeros."""
    q, k, v = (torch.from_numpy(x.astype(np.float64)).transpose(1, 2) for x in arrays)
    mask = torch.ones(problem.queries, problem.keys, dtype=torch.bool)
    mask = mask.tril(problem.keys - problem.queries) if problem.causal else mask
    o = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, mask, scale=scale, enable_gqa=True
    )
    return o.masked_fill(~mask.any(-1)[:, None], 0).transpose(1, 2).numpy()


def check(problem: Problem, arrays: Any, o: Any, scale: float | None = None) -> float:
    """Assert that O is near PyTorch's; return the part of the tolerance that is used.

    Of the kernel's own reference only the bound is taken, and the error as a whole must be below a
    weight's rounding to e4m3, 2^-4 of it.
    """
    right = exact(problem, arrays, scale)
    _, error = expected(problem, *arrays, scale or problem.head_dim**-0.5)
    assert np.linalg.norm(o.astype(np.float64) - right) <= 2.0**-4 * np.linalg.norm(right)
    used = np.abs(o.astype(np.float64) - right) / error
    assert np.isfinite(used).all() and used.max() <= 1
    return float(used.max())


def run(problem: Problem, arrays: Any, name: str, way: str = "k_rows", mfma_k: int = 64) -> Any:
    opened = device()
    o = attend(
        *arrays,
        causal=problem.causal,
        output=problem.output,
        device=opened,
        path=path(name, way, mfma_k),
    )
    assert list(opened.hazards) == []
    return o


def attends(name: str, way: str, mfma_k: int, head_dim: int, causal: bool, output: str) -> None:
    for seed, shape in enumerate(SHAPES):
        problem = Problem(*shape, head_dim, causal, output)
        arrays = operands(problem, seed)
        used = check(problem, arrays, run(problem, arrays, name, way, mfma_k))
        assert used > 1e-3  # a tolerance that no error comes near would say nothing


@pytest.mark.parametrize("name", FAST)
def test_attention_is_that_of_float64(name: str) -> None:
    odd = FAST.index(name) % 2 == 1
    attends(
        name,
        WAYS[FAST.index(name) % 3],
        16 if odd else 64,
        64 if odd else 128,
        odd,
        "float16" if odd else "bfloat16",
    )


@pytest.mark.slow
@pytest.mark.parametrize("head_dim", [64, 128])
@pytest.mark.parametrize("mfma_k", [16, 64])
@pytest.mark.parametrize("name", PATHS)
def test_every_path_attends(name: str, mfma_k: int, head_dim: int) -> None:
    for number, way in enumerate(WAYS):
        attends(name, way, mfma_k, head_dim, number % 2 == 0, "bfloat16")


def selecting(head_dim: int, keys: int) -> tuple[Any, Any, Any, Any]:
    """Operands by which each query sees one key alone, in a random order, and what it sees.

    Codes of plus and minus one agree by about half; a query's own key has the largest logit by
    more than 100, so that all other weights are 0 in e4m3.
    """
    rng = np.random.default_rng(7)
    order = rng.permutation(keys)
    codes = rng.choice([-1.0, 1.0], (keys, head_dim))
    assert np.sort(codes @ codes.T, axis=-1)[:, -2].max() < head_dim - 16
    v = rng.integers(-15, 16, (keys, head_dim)).astype(np.float64)
    shape = (1, keys, 1, head_dim)
    made = (16 * codes[order], codes, v)
    q, k, v8 = (each.reshape(shape).astype(E4M3) for each in made)
    return q, k, v8, v[order].reshape(shape)


@pytest.mark.parametrize("name", sampled(("1s", *FAST), {"1s", "2.permute"}))
def test_each_query_gets_the_row_of_its_key(name: str) -> None:
    """Every element of V arrives where it belongs, exactly; other weights are 0."""
    q, k, v, right = selecting(128, 150)
    o = attend(q, k, v, softmax_scale=1.0, device=device(), path=path(name))
    np.testing.assert_array_equal(o.astype(np.float64), right.astype(E4M3).astype(np.float64))


@pytest.mark.parametrize("name", sampled(["2.transpose", "2.write2", "2.bytes"], 2))
def test_scores_are_exact(name: str) -> None:
    """Q K^T of small integers has no rounding at all."""
    rng = np.random.default_rng(3)
    q, k = (rng.integers(-8, 9, (1, length, 1, 128)).astype(np.float64) for length in (70, 130))
    s = scores(q.astype(E4M3), k.astype(E4M3), device(), path(name))
    np.testing.assert_array_equal(s[0, 0], q[0, :, 0] @ k[0, :, 0].T)


def test_descales_are_factors_of_the_operands() -> None:
    """Powers of two change no rounding: those of Q and K are a scale of logits, V's one of O."""
    problem = Problem(2, 40, 70, 4, 2, 64)
    q, k, v = operands(problem)
    of_v = np.array([[1.0, 4.0], [0.5, 2.0]])
    o = attend(q, k, v, (0.5, np.full((2, 2), 4.0), of_v), device=device())
    plain = attend(q, k, v, softmax_scale=2 * 64**-0.5, device=device())
    factor = np.repeat(of_v, 2, axis=1)[:, None, :, None]
    np.testing.assert_array_equal(o.astype(np.float64), plain.astype(np.float64) * factor)


def test_queries_that_see_no_key_have_zeros() -> None:
    problem = Problem(1, 300, 100, 1, 1, 64, True)
    arrays = operands(problem)
    o = run(problem, arrays, "1s")
    assert (o[:, :200].astype(np.float32) == 0).all()
    check(problem, arrays, o)


def mutated(folder: Path, change: Any) -> Path:
    """A copy of results/ in which the row of ds_read_b64_tr_b8 holds another map."""
    shutil.copytree(paths.find("results") / "gfx950", folder / "gfx950")
    place = folder / "gfx950" / "emulator" / "tr8.json"
    row = json.loads(place.read_text())
    (found,) = row["observations"]
    change(found["map"]["columns"])
    place.write_text(file_text(row))
    return folder


def of_octets(columns: Any) -> None:
    """The rule that a uniform address suggests: 8 lanes transpose their own chunks.

    Byte j of lane l is byte l % 8 of lane l - l % 8 + j; a lane's chunk has 64 bits.
    """
    columns |= {
        "bit": [1, 2, 4, 64, 128],
        "register": [256],
        "lane": [8, 16, 32, 8 * 64, 16 * 64, 32 * 64],
    }


def test_a_mutated_fit_makes_a_wrong_kernel(tmp_path: Path) -> None:
    """The addresses of transposing reads come from the row: with the octet rule O is wrong."""
    problem = Problem(1, 64, 64, 1, 1, 64)
    arrays = operands(problem)
    text = assembly(PATHS["1s"], 64, results=mutated(tmp_path, of_octets))
    assert text != assembly(PATHS["1s"], 64)
    o = np.zeros(arrays[0].shape, ml_dtypes.bfloat16)
    opened = device()
    launch(opened, loaded(opened, text), problem, (*arrays, o), (None, None, None), 0.125)
    right, error = expected(problem, *arrays, 0.125)
    assert (np.abs(o.astype(np.float64) - right) > error).mean() > 0.5


def test_bench_counts_and_checks() -> None:
    """Two products of each query and key of whole tiles: 128 queries, 128 keys, depth 64."""
    (benchmark,) = host("lds_attention").BENCHMARKS
    problem = replace(benchmark.default, queries=100, keys=70, head_dim=64, path="3.160")
    found = observe(benchmark, device(), problem)
    assert [check["outside"] for check in found["checks"]] == [0, 0]
    assert found["checks"][0]["elements"] == 64 * 64
    assert found["work"]["flops"] == 4 * 128 * 128 * 64
    assert found["bounds"]["limiter"] == "memory"
    with pytest.raises(UserError, match="path 'x' is not one of"):
        replace(problem, path="x")


def call(**changes: Any) -> None:
    q, k, v = operands(Problem(1, 8, 8, 2, 1, 64))
    host("lds_attention").lds_attention(**{"q": q, "k": k, "v": v, **changes})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"q": np.zeros((1, 8, 2, 64), np.float16)}, "they must be float8_e4m3fn"),
        ({"q": np.zeros((1, 8, 2, 64), ml_dtypes.float8_e4m3fnuz)}, "not gfx942's"),
        ({"q": np.zeros((1, 8, 3, 64), E4M3), "k": np.zeros((1, 8, 2, 64), E4M3),
          "v": np.zeros((1, 8, 2, 64), E4M3)}, "not a multiple of the 2 heads"),
        ({"q": np.zeros((8, 64), E4M3)}, "must have shape (batch, length, heads, head dimension)"),
        ({"out_dtype": "float32"}, "out_dtype float32 is not one of bfloat16, float16"),
        ({"k_descale": np.ones(3)}, "k_descale has shape (3,); it must be a number or (1, 1)"),
        ({"v_descale": 0.0}, "v_descale must hold positive, finite numbers"),
        ({"softmax_scale": -1}, "softmax_scale is -1.0"),
        ({"path": "4"}, "path '4' is not one of 1, 1.copy_row, 1s"),
        ({"p_way": "x"}, "p_way 'x' is not one of k_rows, swap, v_rows"),
        ({"mfma_k": 32}, "mfma_k is 32"),
    ],
)  # fmt: skip
def test_refuses_in_a_sentence(changes: Any, says: str) -> None:
    with pytest.raises(UserError) as caught:
        call(**changes)
    assert says in str(caught.value)
