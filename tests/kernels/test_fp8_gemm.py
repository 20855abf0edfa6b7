"""fp8_gemm on the emulator, against NumPy in float64; strict asks for all fences."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.benching.find import host
from lanemap.benching.gemm.scaled import Operands, quantized, wrong
from lanemap.benching.gemm.tiling import Tiling
from lanemap.cli import main
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from lanemap_kernels.fp8_gemm.benchmark import NORMAL, Problem, operands
from lanemap_kernels.fp8_gemm.kernel import BLACKWELL_TILES
from tests.emulator.runtime import sums
from tests.kernels.scaled import computed_with, exact, kernel_of, problem_of
from tests.sampled import sampled

#: Tiles of one and of two parts, of one and of two consumers, alone and in clusters.
TILES = (
    Tiling(),
    Tiling(columns=128, stages=6),
    Tiling(columns=128, stages=6, cluster_m=1),
    Tiling(columns=128, stages=8, cluster_m=1, consumers=1),
    Tiling(columns=64, stages=8, cluster_m=1),
    Tiling(columns=64, stages=8, cluster_m=1, consumers=1),
)
EVERY = [("sm_90a", each) for each in TILES] + [("sm_100a", each) for each in BLACKWELL_TILES]
FORMS = [(*each, output) for each in EVERY for output in ("bfloat16", "float32")]
#: Each form of a consumer's part, of pairs and of the way to C once.
QUICK = [
    ("sm_90a", TILES[0], "bfloat16"),
    ("sm_90a", TILES[5], "float32"),
    ("sm_100a", BLACKWELL_TILES[0], "float32"),
    ("sm_100a", BLACKWELL_TILES[2], "bfloat16"),
]


@pytest.mark.parametrize(("target", "tiling", "output"), sampled(FORMS, QUICK))
def test_exact_on_small_integers(target: str, tiling: Tiling, output: str) -> None:
    """Tails in every dimension and in the last block of both sides' scales; several turns."""
    for m, n, k in ((300, 520, 656), (1, 8, 400)):
        problem = problem_of(m, n, k, output)
        given, expected = exact(problem)
        text = kernel_of(target).ptx(problem, tiling)
        c = computed_with(text, target, problem, tiling, given, strict=True, multiprocessors=4)
        np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("tiling", sampled(TILES[1:], 5))
def test_clusters_that_share_a_tile_have_the_scales_of_their_own_k(tiling: Tiling) -> None:
    problem, shared = problem_of(160, 264, 2048, "float32"), replace(tiling, shared=1)
    given, expected = exact(problem)
    text = kernel_of("sm_90a").ptx(problem, shared)
    c = computed_with(text, "sm_90a", problem, shared, given, multiprocessors=16)
    np.testing.assert_array_equal(c, expected)


def rounded(value: Fraction) -> float:
    """The f32 nearest to a value, ties to even; the values here are normal numbers."""
    unit = Fraction(2) ** (sums.exponent_of(abs(value)) - 23) if value else Fraction(1)
    return float(round(value / unit) * unit)


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
def test_normal_numbers_are_the_sums_that_the_rules_say(target: str) -> None:
    """Bit-equal where exact fractions follow the rules; all within the derived tolerance."""
    problem = problem_of(70, 136, 656, "float32")
    given = operands(problem, NORMAL)
    tiling = TILES[5] if target == "sm_90a" else BLACKWELL_TILES[0]
    text = kernel_of(target).ptx(problem, tiling)
    c = computed_with(text, target, problem, tiling, given)
    outside, used = wrong(problem, given, c, target)
    assert outside == 0
    assert used > 1e-4  # a tolerance that no error comes near would say nothing
    rule = sums.RULES["wgmma e4m3" if target == "sm_90a" else "tcgen05 f8f6f4"]
    rng = np.random.default_rng(0)
    for m, n in zip(rng.integers(0, 70, 8), rng.integers(0, 136, 8), strict=True):
        total = 0.0
        for block in range(6):
            d = 0.0
            for first in range(128 * block, min(128 * block + 128, 656), 32):
                k = slice(first, first + 32)
                lines = [x[i, k].astype(float).tolist() for x, i in ((given.a, m), (given.b, n))]
                missing = [0.0] * (32 - len(lines[0]))
                d = sums.dot(lines[0] + missing, lines[1] + missing, d, rule, ("e4m3", "e4m3"))
            pair = given.a_scales[m, block], given.b_scales[n // 128, block]
            scale = rounded(Fraction(float(pair[0])) * Fraction(float(pair[1])))
            total = rounded(Fraction(d) * Fraction(scale) + Fraction(total))
        assert c[m, n] == total


def test_quantized_as_deepseek_does() -> None:
    """A block's largest magnitude becomes 448; a block of zeros stays one, and so do tails."""
    x = np.random.default_rng(0).standard_normal((130, 200), np.float32)
    x[5, :128] = 0
    codes, scales = quantized(x, 1)
    assert scales.shape == (130, 2) and np.abs(codes[0].astype(float)).max() == 448
    assert scales[5, 0] == 1 and not codes[5, :128].astype(float).any()
    back = codes.astype(float) * scales.repeat(128, 1)[:, :200]
    assert np.abs(back - x).max() <= np.abs(x).max() * 2**-4
    codes, scales = quantized(x, 128)
    assert scales.shape == (2, 2)
    np.testing.assert_array_equal(scales[1, 1], np.abs(x[128:, 128:]).max() / np.float32(448))


def test_the_host_function_takes_arrays_as_they_are() -> None:
    """Tensors, scales in columns, an output, rows further apart, one plan for equal layouts."""
    torch = pytest.importorskip("torch")
    gemm = lanemap.kernel("fp8_gemm")
    given, expected = exact(problem_of(40, 72, 272, "float32"))
    narrow = expected.astype(ml_dtypes.bfloat16).astype(np.float32)
    a, b = (
        torch.from_numpy(each.view(np.uint8)).view(torch.float8_e4m3fn)
        for each in (given.a, given.b)
    )
    of_a, of_b = torch.from_numpy(given.a_scales), torch.from_numpy(given.b_scales)
    c = gemm(a, b, of_a, of_b, device=lanemap.open_device("sm_100a", device="emulator"))
    assert c.dtype == torch.bfloat16
    np.testing.assert_array_equal(c.float().numpy(), narrow)
    plans = len(host("fp8_gemm").CALLS.plans)
    out = torch.empty(40, 72, dtype=torch.float32)
    in_columns = of_a.t().contiguous().t()
    assert gemm(a, b, in_columns, of_b, out) is out
    assert gemm(a, b, in_columns, of_b, out) is out
    assert len(host("fp8_gemm").CALLS.plans) == plans + 1
    np.testing.assert_array_equal(out.numpy(), expected)
    # An odd K, where no row begins at a multiple of 16 bytes, and every other row.
    odd, exactly = exact(problem_of(20, 8, 133, "float32"))
    twice = np.repeat(odd.a, 2, 0)[::2]
    found = gemm(twice, odd.b, odd.a_scales, odd.b_scales, out_dtype="float32")
    np.testing.assert_array_equal(found, exactly)
    plan = gemm.plan(*given[:4], out_dtype=np.float32)
    np.testing.assert_array_equal(plan(*given[:4]), expected)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"a": np.zeros((40, 100), np.float32)}, "A is of dtype float32; it must be float8_e4m3fn"),
        ({"a": np.zeros((2, 40, 272), "u1")}, "A @ B.T needs A of \\(M, K\\) and B of \\(N, K\\)"),
        ({"b_scales": np.ones((1, 2), np.float32)}, "b_scales is float32 of \\(1, 2\\); it must be "
         "float32 of \\(1, 3\\), one for 128 x 128 elements"),
        ({"a_scales": np.ones((40, 3))}, "a_scales is float64 of \\(40, 3\\); it must be float32"),
    ],
)  # fmt: skip
def test_bad_operands_are_one_sentence(change: dict[str, Any], words: str) -> None:
    given: Operands = exact(problem_of(40, 72, 272))[0]
    if "a" in change and change["a"].shape[-1] == 100:
        given = given._replace(b=given.b[:, :100])
    with pytest.raises(UserError, match=words):
        lanemap.kernel("fp8_gemm")(*given._replace(**change)[:4])
    plain = exact(problem_of(40, 72, 272))[0]
    with pytest.raises(UserError, match="C of dtype float16 is not supported for float8_e4m3fn"):
        lanemap.kernel("fp8_gemm")(*plain[:4], out_dtype="float16")


@pytest.mark.parametrize(("target", "tiling", "output"), sampled(FORMS, ()))
def test_ptxas_accepts_every_form(target: str, tiling: Tiling, output: str) -> None:
    text = kernel_of(target).ptx(problem_of(8, 8, 16, output), tiling)
    assert ptxas.remarks(text, target) == []


def test_bench_counts_what_one_tile_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """128 x 64 x 256 on sm_100a: two stages of 128 + 64 rows, an accumulator each."""
    arguments = ["--target", "sm_100a", "--device", "emulator", "--json"]
    assert main.run(["bench", "fp8_gemm", "--problem", "m=128,n=64,k=256", *arguments]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    (row,) = answer["problems"]
    assert [(each["elements"], each["outside"]) for each in row["checks"]] == [(8192, 0)] * 2
    moved, roles = row["work"]["bytes"], row["work"]["instructions"]
    assert moved["TMA from global"] == 2 * (128 + 64) * 128
    assert moved["tcgen05.ld from tensor"] == 2 * 128 * 64 * 4
    assert moved["TMA to global"] == 128 * 64 * 2
    assert set(roles) == {"all", "load", "mma", "epilogue"}
    assert roles["mma"]["matrix"] == 8
    assert Problem(128, 64, 256).least_bytes == (128 + 64) * 256 + 128 * 64 * 2 + 129 * 2 * 4
