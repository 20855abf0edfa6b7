"""ts_gemm for sm_100a on the emulator: A by way of registers and tcgen05.st in tensor memory."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching.find import host
from lanemap.benching.gemm.blackwell import STORES, WRONG_STORE, BlackwellTiling
from lanemap.benching.gemm.problem import OUTPUTS, TYPES, Problem
from lanemap.benching.gemm.reference import wrong
from lanemap.emission.copies import plan_copy
from lanemap.errors import LanemapError, UserError
from lanemap.toolchain import ptxas
from tests.kernels.blackwell import computed, launched, mutated
from tests.kernels.operands import integers
from tests.sampled import sampled

NAME = "ts_gemm"
ONE = BlackwellTiling(columns=128, movers=4)
TYPES_OF_C = [(element, output) for element, outputs in OUTPUTS.items() for output in outputs]


@pytest.mark.parametrize("strict", [False, True])
def test_a_block_of_128(strict: bool) -> None:
    problem = Problem(128, 128, 128)
    a, b, expected = integers(problem)
    np.testing.assert_array_equal(computed(NAME, problem, ONE, a, b, strict=strict), expected)


EXACT = [(*types, ctas) for types in TYPES_OF_C for ctas in (1, 2)]


@pytest.mark.parametrize(("element", "output", "ctas"), sampled(EXACT, set(EXACT[::3])))
def test_exact_on_small_integers(element: str, output: str, ctas: int) -> None:
    tiling = replace(ONE, cluster_m=ctas)
    for shape in ((300, 264, 624), (1, 8, 1040)):
        problem = Problem(*shape, element, output)
        a, b, expected = integers(problem)
        c = computed(NAME, problem, tiling, a, b, strict=True, multiprocessors=2)
        np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("store", sampled(STORES, 2))
def test_every_store_gives_the_same_product(store: str) -> None:
    problem = Problem(300, 264, 208, "bfloat16", "float32")
    rng = np.random.default_rng(4)
    kind = TYPES["bfloat16"].dtype
    a, b = (rng.standard_normal((rows, 208)).astype(kind) for rows in (300, 264))
    c = computed(NAME, problem, replace(ONE, store=store), a, b, strict=True)
    assert wrong(problem, a, b, c, "sm_100a")[0] == 0
    np.testing.assert_array_equal(c, computed("ss_gemm", problem, BlackwellTiling(), a, b))


@pytest.mark.parametrize("store", STORES)
def test_stores_are_those_of_the_planner(store: str) -> None:
    """A stage's A, 64 columns of bf16, from registers as that shape has them."""
    text = host(NAME).BLACKWELL.ptx(Problem(128, 128, 128), replace(ONE, store=store))
    found = re.findall(r"tcgen05\.st\.sync\.aligned\.(\S+)\.b32", text)
    plan = plan_copy(f"{store}@a:128x64:bf16", "a:128x64:bf16")
    assert plan
    for warp in plan.warps.values():
        shapes = [f"{each.family.shape}.x{each.repeat}" for each in warp.stores]
        assert [each.lane for each in warp.stores] == [0, 16][: len(shapes)]
        assert found == shapes


@pytest.mark.parametrize("tiling", sampled(host(NAME).BLACKWELL_TILES, 2))
def test_every_tile_and_several_turns(tiling: BlackwellTiling) -> None:
    problem = Problem(700, 648, 264)
    a, b, expected = integers(problem)
    c = computed(NAME, problem, replace(tiling, stages=2), a, b, strict=True, multiprocessors=2)
    np.testing.assert_array_equal(c, expected)


def test_halves_in_columns_of_their_own_are_explained() -> None:
    """The counter-example: .unpack::16b leaves the high halves of A's columns undefined."""
    problem = Problem(128, 128, 128)
    a, b, _ = integers(problem)
    with pytest.raises(LanemapError) as hazard:
        computed(NAME, problem, replace(ONE, store=WRONG_STORE), a, b)
    message = str(hazard.value)
    assert "decide the matrix operand; they come from tensor memory, lane 0, column 256" in message
    assert re.search(r"line \d+ \(`tcgen05\.st\.sync\.aligned\.32x32b\.x32\.unpack::16b", message)
    assert "ts_gemm.cu" in message


def test_ptxas_accepts_every_form() -> None:
    kernel = host(NAME).BLACKWELL
    pair = replace(ONE, cluster_m=2)
    for tiling in (ONE, pair, *(replace(ONE, store=each) for each in (*STORES, WRONG_STORE))):
        assert ptxas.assemble(kernel.ptx(Problem(128, 128, 128), tiling), "sm_100a")


def exchange_columns(columns: Any) -> None:
    """Registers 1 and 2 of tcgen05.st have each other's columns."""
    columns["column"][1], columns["column"][2] = columns["column"][2], columns["column"][1]


def exchange_rows(columns: Any) -> None:
    """tcgen05.mma reads odd and even rows of A in each other's order."""
    columns["lane"][0], columns["lane"][1] = columns["lane"][1], columns["lane"][0]


ST = "sm_100a/emulator/tcgen05_st.json", "tcgen05.st.16x64b.x16"
MMA_A = "sm_100a/emulator/mma_a_tmem.json", "tcgen05.mma.cta_group::1.kind::f16.m128.bf16:A"


@pytest.mark.parametrize(
    ("where", "variant", "change"),
    [pytest.param(*ST, exchange_columns, marks=pytest.mark.slow), (*MMA_A, exchange_rows)],
)
def test_a_kernel_computes_by_the_fits(
    tmp_path: Path, where: str, variant: str, change: Any
) -> None:
    """From a mutated row, it computes something else."""
    problem = Problem(128, 128, 64)
    a, b, expected = integers(problem)
    tiling = replace(ONE, store="16x64b")
    results = mutated(tmp_path, where, variant, change)
    text = host(NAME).BLACKWELL.ptx(problem, tiling, results)
    assert (launched(text, NAME, problem, tiling, a, b) != expected).mean() > 0.2


def split_words(columns: Any) -> None:
    """The halves of a word of A are two steps of k apart."""
    columns["bit"][4], columns["column"][0] = columns["column"][0], columns["bit"][4]


def test_a_map_that_does_not_fit_the_others_is_refused(tmp_path: Path) -> None:
    results = mutated(tmp_path, *MMA_A, split_words)
    with pytest.raises(UserError, match=r"tcgen05.mma does not read words of A's rows"):
        host(NAME).BLACKWELL.ptx(Problem(128, 128, 64), ONE, results)


def test_the_host_function_takes_a_device_of_sm_100a() -> None:
    problem = Problem(140, 72, 64)
    a, b, expected = integers(problem)
    device = lanemap.open_device("sm_100a", device="emulator")
    np.testing.assert_array_equal(lanemap.kernel(NAME)(a, b, device=device), expected)
