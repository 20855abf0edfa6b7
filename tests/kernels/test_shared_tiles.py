"""Tiles of ss_gemm and ts_gemm whose k is divided: among CTAs of a cluster, and among clusters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching.arrays import adopted
from lanemap.benching.find import host
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.product import Products
from lanemap.benching.gemm.tiling import Tiling
from tests.kernels.operands import integers
from tests.kernels.test_gemm import KERNELS, SMALL, TYPES, computed, launched
from tests.sampled import sampled

SHARED = Tiling(columns=64, stages=8, cluster_m=1, consumers=1, shared=1)


@pytest.mark.parametrize(("clusters", "swapped"), [(1, 1), (2, 1), (2, 0)])
def test_clusters_along_k_add_the_parts_in_order(clusters: int, swapped: int) -> None:
    """Four CTAs of a cluster have a part of its k each: the product of that part.

    A cluster adds those of its CTAs, and then those of clusters are added.
    """
    tiling = Tiling(64, 4, 1, swapped=swapped, cluster_k=4, shared=int(clusters > 1))
    rng, kind = np.random.default_rng(6), TYPES["bfloat16"]
    k, expected = 16 * 64 * clusters, np.zeros((70, 136), np.float32)
    a = rng.standard_normal((70, k)).astype(kind)
    b = rng.standard_normal((136, k)).astype(kind)
    in_turn = np.zeros_like(expected)
    for cluster in np.split(np.arange(k), clusters):
        own = np.zeros_like(expected)
        for part in np.split(cluster, 4):
            operands = [np.ascontiguousarray(each[:, part]) for each in (a, b)]
            quarter = Problem(70, 136, 4 * 64, "bfloat16", "float32")
            product = computed("ss_gemm", quarter, *operands, SMALL)
            own += product
            in_turn += product
        expected += own
    c = computed("ss_gemm", Problem(70, 136, k), a, b, tiling)
    np.testing.assert_array_equal(c, expected.astype(kind))
    c = computed("ss_gemm", Problem(70, 136, k), a, b, replace(tiling, shared=2))
    np.testing.assert_array_equal(c, in_turn.astype(kind))


@pytest.mark.parametrize("sharing", [(2, 1), (1, 2)])
def test_sums_that_are_waited_for_are_zeros_again_behind_a_launch(sharing: tuple[int, int]) -> None:
    """Two launches in turn, of other operands, with the same memory; some of the sums are 0."""
    tiling = Tiling(96, 3, *sharing, 2, 2, shared=2, once=1)
    products = Products((host("ss_gemm").KERNEL,))
    device = lanemap.open_device("sm_90a", device="emulator")
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        a, b = (rng.integers(-1, 2, (rows, 1024)).astype(TYPES["bfloat16"]) for rows in (300, 192))
        b[:, :512] = 0
        plan = products.plan(a, b, out_dtype="float32", device=device, tiling=tiling)
        np.testing.assert_array_equal(plan(a, b), a.astype(np.float32) @ b.astype(np.float32).T)


@pytest.mark.parametrize(
    ("name", "tiling"),
    sampled(
        [
            (name, tiling)
            for name in KERNELS
            for tiling in (SHARED, replace(SHARED, shared=2), Tiling(shared=1))
        ],
        4,
    ),
)
def test_a_shared_tile_is_the_sum_of_its_parts_in_order(name: str, tiling: Tiling) -> None:
    """Three clusters have a third of k each; what they have is the product of that third."""
    problem = Problem(tiling.rows, tiling.columns, 12 * 64, "bfloat16", "float32")
    rng, kind = np.random.default_rng(6), TYPES["bfloat16"]
    a = rng.standard_normal((problem.m, problem.k)).astype(kind)
    b = rng.standard_normal((problem.n, problem.k)).astype(kind)
    expected = np.zeros((problem.m, problem.n), np.float32)
    for part in (slice(0, 256), slice(256, 512), slice(512, 768)):
        third = Problem(problem.m, problem.n, 256, "bfloat16", "float32")
        operands = [np.ascontiguousarray(each[:, part]) for each in (a, b)]
        expected += computed(name, third, *operands, replace(tiling, shared=0))
    c = np.zeros_like(expected)
    text = host(name).KERNEL.ptx(problem, tiling)
    launched(text, name, problem, tiling, (a, b, c), 3 * tiling.ctas)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("name", KERNELS)
def test_shared_tiles_behind_whole_ones(name: str) -> None:
    """7 tiles on 4 CTAs: three are shared; a second launch finds the counters as the first did."""
    problem, tiling = Problem(64, 7 * 64, 704), SHARED
    a, b, expected = integers(problem)
    c = np.zeros(expected.shape, expected.dtype)
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=True)
    made = host(name).KERNEL
    operands = [adopted(device, *each) for each in zip((a, b, c), "ABC", strict=True)]
    module = device.load(made.ptx(problem, tiling))
    launch = made.launch(device, module, problem, tiling, *operands, 4)
    for _ in range(2):
        c[:] = 0
        launch.run()
        np.testing.assert_array_equal(c, expected)
