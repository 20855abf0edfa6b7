"""ss_gemm for sm_100a on the emulator, against NumPy; strict asks for all fences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.benching.find import host
from lanemap.benching.gemm.blackwell import BlackwellTiling
from lanemap.benching.gemm.problem import OUTPUTS, TYPES, Problem
from lanemap.benching.gemm.reference import wrong
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests.kernels.blackwell import computed, launched, mutated
from tests.kernels.operands import integers
from tests.sampled import sampled

NAME = "ss_gemm"
ONE, PAIR = BlackwellTiling(), BlackwellTiling(cluster_m=2, stages=6)
DIRECT = BlackwellTiling(tma_store=False)
TYPES_OF_C = [(element, output) for element, outputs in OUTPUTS.items() for output in outputs]


TILINGS = {"tma": ONE, "direct": DIRECT, "pair": PAIR}
EXACT = [(*types, way) for types in TYPES_OF_C for way in TILINGS]


#: Each type of C once; of 3 ways, each of four types.
@pytest.mark.parametrize(("element", "output", "way"), sampled(EXACT, set(EXACT[::4])))
def test_exact_on_small_integers(element: str, output: str, way: str) -> None:
    """Tails in every dimension; a single row."""
    for shape in ((300, 520, 208), (1, 8, 1040)):
        problem = Problem(*shape, element, output)
        a, b, expected = integers(problem)
        c = computed(NAME, problem, TILINGS[way], a, b, strict=True)
        np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(
    "tiling", sampled([*host(NAME).BLACKWELL_TILES, BlackwellTiling(stages=2)], 2)
)
def test_every_tile_and_several_turns(tiling: BlackwellTiling) -> None:
    """More tiles than CTAs: both accumulators are used again, and so are all stages."""
    problem = Problem(700, 1304, 264)
    a, b, expected = integers(problem)
    c = computed(NAME, problem, tiling, a, b, strict=True, multiprocessors=2)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("element", sampled(OUTPUTS, 2))
def test_normal_numbers_stay_within_the_derived_tolerance(element: str) -> None:
    problem = Problem(200, 264, 1040, element, "float32")
    rng = np.random.default_rng(1)
    a = rng.standard_normal((200, 1040)).astype(TYPES[element].dtype)
    b = rng.standard_normal((264, 1040)).astype(TYPES[element].dtype)
    c = computed(NAME, problem, ONE, a, b, strict=True)
    outside, used = wrong(problem, a, b, c, "sm_100a")
    assert outside == 0
    assert used > 1e-5  # a tolerance that no error comes near would say nothing
    np.testing.assert_array_equal(computed(NAME, problem, DIRECT, a, b), c)
    np.testing.assert_array_equal(computed(NAME, problem, PAIR, a, b), c)


def test_ptxas_accepts_every_form() -> None:
    kernel = host(NAME).BLACKWELL
    for tiling in (ONE, DIRECT, PAIR):
        for element, output in TYPES_OF_C:
            assert ptxas.assemble(kernel.ptx(Problem(8, 8, 16, element, output), tiling), "sm_100a")


def drop_swizzle(columns: Any) -> None:
    columns["line"] = [value & ~0x380 for value in columns["line"]]


def exchange_lanes(columns: Any) -> None:
    """Registers of lanes 16 to 23, those of other rows, in the place of 24 to 31."""
    columns["lane"][3], columns["lane"][4] = columns["lane"][4], columns["lane"][3]


def exchange_rows(columns: Any) -> None:
    """Odd and even rows of the product in each other's order, within the rows of a warp."""
    columns["lane"][0], columns["lane"][1] = columns["lane"][1], columns["lane"][0]


MMA_D = "sm_100a/emulator/mma_d.json", "tcgen05.mma.cta_group::1.m128n256.f32:D"
FITS = {
    "tcgen05.mma": (*MMA_D, ONE),
    "tcgen05.ld": ("sm_100a/emulator/tcgen05_ld.json", "tcgen05.ld.32x32b.x64", DIRECT),
    "swizzle": ("sm_90a/cuda/tma_swizzle.json", "cp.async.bulk.tensor.swizzle_128b", ONE),
}


@pytest.mark.parametrize(
    ("fit", "change"),
    [
        ("tcgen05.ld", exchange_lanes),
        ("tcgen05.mma", exchange_rows),
        pytest.param("swizzle", drop_swizzle, marks=pytest.mark.slow),
    ],
)
def test_a_kernel_computes_by_the_fits(tmp_path: Path, fit: str, change: Any) -> None:
    """Made from a mutated observation, it computes something else."""
    where, variant, tiling = FITS[fit]
    problem = Problem(128, 256, 64)
    a, b, expected = integers(problem)
    results = mutated(tmp_path, where, variant, change)
    text = host(NAME).BLACKWELL.ptx(problem, tiling, results)
    c = launched(text, NAME, problem, tiling, a, b)
    assert (c != expected).mean() > 0.2


def exchange_columns(columns: Any) -> None:
    """Lanes 0 and 1 have each other's columns, and so not those that stmatrix packs."""
    columns["lane"][0], columns["lane"][1] = columns["lane"][1], columns["lane"][0]


def exchange_warps(columns: Any) -> None:
    """A warp's lanes hold rows of two warps."""
    columns["lane"][4], columns["lane"][5] = columns["lane"][5], columns["lane"][4]


LD = "sm_100a/emulator/tcgen05_ld.json", "tcgen05.ld.16x256b.x8"


@pytest.mark.parametrize(
    ("where", "variant", "change", "words"),
    [
        (*LD, exchange_columns, "stmatrix does not take D's registers row by row"),
        (*MMA_D, exchange_warps, "tcgen05.mma does not put a box of C where a warp loads it"),
    ],
)
def test_maps_that_do_not_fit_each_other_are_refused(
    tmp_path: Path, where: str, variant: str, change: Any, words: str
) -> None:
    results = mutated(tmp_path, where, variant, change)
    with pytest.raises(UserError, match=words):
        host(NAME).BLACKWELL.ptx(Problem(128, 256, 64), ONE, results)


def test_the_host_function_takes_a_device_of_sm_100a() -> None:
    device = lanemap.open_device("sm_100a", device="emulator")
    problem = Problem(140, 72, 64)
    a, b, expected = integers(problem)
    ss_gemm = lanemap.kernel(NAME)
    np.testing.assert_array_equal(ss_gemm(a, b, device=device), expected)
    wide = np.zeros((8, 64), ml_dtypes.float8_e4m3fn)
    with pytest.raises(UserError, match="accumulation two_level is for sm_90a only"):
        ss_gemm(wide, wide, accumulation="two_level", device=device)
    with pytest.raises(UserError, match="has no source for gfx950"):
        ss_gemm(a, b, device=lanemap.open_device("gfx950", device="emulator"))


def test_a_tile_is_chosen_by_the_columns_that_take_turns() -> None:
    """148 tiles of 128 x 256 take one turn, halves of them two; eight of 64 columns take one."""
    kernel = host(NAME).BLACKWELL
    assert kernel.choose(Problem(128 * 148, 256, 64), 148).columns == 256
    assert kernel.choose(Problem(128, 512, 64), 148).columns == 64
