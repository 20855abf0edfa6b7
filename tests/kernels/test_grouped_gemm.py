"""grouped_gemm on the emulator, against NumPy; strict asks for all fences."""

from __future__ import annotations

from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

import lanemap
from lanemap.benching.find import benchmarks, host
from lanemap.benching.gemm.benchmark import INTEGERS
from lanemap.benching.gemm.problem import OUTPUTS
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests.kernels.grouped import kernel_for, launched, problem_of
from tests.sampled import sampled

TARGETS = ("sm_90a", "sm_100a")
TYPES_OF_C = [(element, output) for element, outputs in OUTPUTS.items() for output in outputs]
#: Empty groups at both ends and between, one row, around a tile, several tiles.
SIZES = [0, 1, 127, 0, 0, 129, 256, 3, 0]


def compute(target: str, problem: Any, sizes: list[int], tile: int = 1, **more: Any) -> None:
    """Compute with a tile of the kernel, and compare."""
    kernel = kernel_for(target)
    tiling = kernel.possible(problem)[tile]
    text = kernel.ptx(problem, tiling)
    c, expected, written = launched(text, target, problem, tiling, sizes, **more)
    assert written.all(), "rows of no group were written, or others were not"
    np.testing.assert_array_equal(c, expected)


FORMS = list(product(TARGETS, TYPES_OF_C, (False, True)))


@pytest.mark.parametrize(
    ("target", "types", "masked"),
    sampled(FORMS, {FORMS[0], FORMS[9], FORMS[12], FORMS[-3]}),
)
def test_exact_on_small_integers(target: str, types: tuple[str, str], masked: bool) -> None:
    """Tails of rows, columns and k; several turns of two CTAs; rows behind the last group."""
    rows = 260 if masked else sum(SIZES) + 9
    problem = problem_of(rows, 264, 400, len(SIZES), masked, *types)
    compute(target, problem, SIZES)


@pytest.mark.parametrize(
    ("target", "tile"),
    sampled(
        [(each, i) for each in TARGETS for i in range(len(kernel_for(each).tiles))],
        {("sm_90a", 1), ("sm_90a", 3), ("sm_100a", 0)},
    ),
)
def test_every_tile(target: str, tile: int) -> None:
    compute(target, problem_of(300, 520, 192, 5), [100, 0, 65, 130, 5], tile)


SCALED = [
    (target, tile, masked)
    for target in TARGETS
    for tile in range(len(kernel_for(target).scaled_tiles))
    for masked in (False, True)
]


@pytest.mark.parametrize(
    ("target", "tile", "masked"), sampled(SCALED, {SCALED[0], SCALED[7], SCALED[-1]})
)
def test_scales_of_blocks(target: str, tile: int, masked: bool) -> None:
    """Powers of two beside each other, also those behind a tile's and a group's last row."""
    rows = 260 if masked else sum(SIZES) + 9
    problem = problem_of(
        rows, 264, 400, len(SIZES), masked, "float8_e4m3fn", "float32", scaled=True
    )
    compute(target, problem, SIZES, tile)


@pytest.mark.parametrize("masked", [False, True])
def test_a_benchmark_hands_over_what_it_compares(masked: bool) -> None:
    """Groups of several tiles with boundaries inside a tile; scales of each way to lie."""
    problem = problem_of(
        300, 264, 912, 3, masked, "float8_e4m3fn", "float32", scaled=True, sizes="5/150/70"
    )
    (benchmark,) = benchmarks("grouped_gemm", "sm_90a")
    tile = kernel_for("sm_90a").possible(problem)[0]
    case: Any = benchmark.case(lanemap.open_device("sm_90a", "emulator"), problem, tile)
    for inputs in case.inputs:
        case.fill(inputs)
        case.run()
        found = case.check(inputs)
        assert (found.elements, found.outside) == (225 * 264, 0)
    c = case._c.get()
    last = (1, 149, 3) if masked else (154, 3)
    c[last] += 100
    case._c.set(c)
    assert case.check(INTEGERS).outside == 1


def test_a_pair_of_ctas_is_taken_where_it_needs_no_more_turns() -> None:
    """A CTA of a pair receives half of B's rows; on sm_90a one of a cluster receives all."""
    large, few = problem_of(32768, 4096, 2048, 8), problem_of(64, 7168, 1024, 32, True)
    found = [kernel_for(each).choose(p, 132).cluster_m for each in TARGETS for p in (large, few)]
    assert found == [1, 1, 2, 1]


@pytest.mark.parametrize("target", TARGETS)
def test_many_groups_of_few_stages(target: str) -> None:
    """A map of A is made again while stages that were loaded by it are not empty yet."""
    compute(target, problem_of(40, 64, 64, 40), [1] * 40)
    compute(target, problem_of(8, 72, 48, 24, True), [1, 0, 8] * 8, -2, multiprocessors=1)


@pytest.mark.parametrize("target", TARGETS)
def test_sizes_that_do_not_fit_reach_no_other_memory(target: str) -> None:
    """Negative ones are 0, and rows that A does not have are left out."""
    compute(target, problem_of(150, 64, 64, 4), [-5, 100, 2_000_000_000, 7])
    compute(target, problem_of(20, 64, 64, 3, True), [21, -(2**31), 2**31 - 1])


@pytest.mark.parametrize(
    ("target", "tile", "types"),
    sampled(
        [(each, i, types) for each in TARGETS for i in range(-3, 0) for types in TYPES_OF_C],
        {("sm_100a", -3, TYPES_OF_C[0])},
    ),
)
def test_ptxas_accepts_every_form(target: str, tile: int, types: tuple[str, str]) -> None:
    kernel = kernel_for(target)
    tiling, problem = kernel.tiles[tile], problem_of(8, 8, 16, 1, False, *types)
    if target == "sm_90a":
        assert ptxas.remarks(kernel.ptx(problem, tiling), target) == []
    else:
        assert ptxas.assemble(kernel.ptx(problem, tiling), target)


def arrays(rows: int = 24, groups: int = 3, masked: bool = False) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    outer = (groups,) if masked else ()
    a = rng.integers(-2, 3, (*outer, rows, 32)).astype(ml_dtypes.bfloat16)
    b = rng.integers(-2, 3, (groups, 16, 32)).astype(ml_dtypes.bfloat16)
    return a, b, np.array([5, 0, 11], np.int32)


def test_a_call_keeps_a_plan_and_follows_the_sizes() -> None:
    """The second call has other sizes in the same array, which nothing but the kernel reads."""
    call = lanemap.kernel("grouped_gemm")
    a, b, sizes = arrays()
    plans = host("grouped_gemm").CALLS.plans
    out = np.zeros((24, 16), ml_dtypes.bfloat16)
    assert call(a, b, sizes, out) is out
    before = len(plans)
    first = a[:5].astype(float) @ b[0].astype(float).T
    np.testing.assert_array_equal(out[:5].astype(float), first)
    sizes[:] = [0, 5, 0]
    call(a, b, sizes, out)
    assert len(plans) == before
    np.testing.assert_array_equal(out[:5].astype(float), a[:5].astype(float) @ b[1].astype(float).T)
    made = call.plan(a, b, sizes)  # type: ignore[attr-defined]
    assert made(a, b, sizes).shape == (24, 16)


def test_tensors_and_strides_are_taken_as_they_are() -> None:
    """Rows that lie apart, and room for each group; PyTorch's own product is the reference."""
    torch.manual_seed(0)
    a = torch.randn(3, 24, 48).to(torch.bfloat16)[:, :, :32]
    b = torch.randn(3, 16, 40).to(torch.bfloat16)[:, :, 8:]
    sizes = torch.tensor([24, 1, 0], dtype=torch.int32)
    c = lanemap.kernel("grouped_gemm")(a, b, sizes, out_dtype=torch.float32)
    assert c.dtype == torch.float32 and c.shape == (3, 24, 16)
    right = a.double() @ b.double().mT
    torch.testing.assert_close(c[0].double(), right[0], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(c[1, :1].double(), right[1, :1], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a, b, s: (a[:, :16], b, s), "needs A of \\(rows, K\\) or"),
        (lambda a, b, s: (a.astype(np.float16), b, s), "A is float16 and B is bfloat16"),
        (
            lambda a, b, s: (a, b, s.astype(np.int64)),
            "sizes is int64 of \\(3,\\); it must be int32",
        ),
        (lambda a, b, s: (a, b, s[:2]), "sizes is int32 of \\(2,\\); it must be int32 of \\(3,\\)"),
        (lambda a, b, s: (a, b[:, :5], s), "rows of C have 10 bytes; TMA needs a multiple of 16"),
        (lambda a, b, s: (a[:, ::2], b[:, :, ::2], s), "pass a contiguous copy"),
        (
            lambda a, b, s: (a, b, s, np.zeros((2, 2), a.dtype)),
            "it must have that of C, \\(24, 16\\)",
        ),
        (lambda a, b, s: (np.stack([a, a]), b, s), "A has 2 groups and B 3"),
        (lambda a, b, s: (a, b, None), "sizes is a Python NoneType"),
    ],
)
def test_bad_operands_are_one_sentence(change: Any, words: str) -> None:
    with pytest.raises(UserError, match=words):
        lanemap.kernel("grouped_gemm")(*change(*arrays()))


def test_bad_scales_are_one_sentence() -> None:
    a, b, sizes = arrays()
    small = [each.astype(ml_dtypes.float8_e4m3fn) for each in (a, b)]
    of_a, of_b = np.ones((24, 1), np.float32), np.ones((3, 1, 1), np.float32)
    call = lanemap.kernel("grouped_gemm")
    with pytest.raises(UserError, match="b_scales is given alone"):
        call(*small, sizes, b_scales=of_b)
    with pytest.raises(UserError, match="A and B are bfloat16; only float8_e4m3fn has a_scales"):
        call(a, b, sizes, a_scales=of_a, b_scales=of_b)
    with pytest.raises(UserError, match=r"a_scales is float32 of \(3, 1, 1\); .* one for 128 elem"):
        call(*small, sizes, a_scales=of_b, b_scales=of_b)


def test_sizes_of_benchmarks() -> None:
    """Drawn ones fit, and differ; written ones are checked."""
    assert sum(problem_of(1000, 64, 64, 8).drawn) == 1000
    assert len(set(problem_of(1000, 64, 64, 8).drawn)) > 4
    assert max(problem_of(100, 64, 64, 8, True).drawn) == 100
    assert problem_of(100, 64, 64, 3, sizes="1/0/99").flops == 2 * 100 * 64 * 64
    with pytest.raises(UserError, match="do not fit 3 groups and 100 rows"):
        assert problem_of(100, 64, 64, 3, sizes="1/0/100").drawn
    with pytest.raises(UserError, match="must be written like 128/0/300"):
        assert problem_of(100, 64, 64, 3, sizes="1,0,100").drawn
