"""Plans: what calls of kernels keep, what they refuse, and arrays that lie in every way."""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.benching.find import host
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.plans import Plans
from lanemap.devices import cuda_prepared
from lanemap.devices.bare import nvidia
from lanemap.errors import UserError

SS_GEMM, FMHA = lanemap.kernel("ss_gemm"), lanemap.kernel("fmha")
HALF = np.float16


def small(*shape: int, seed: int = 0) -> Any:
    """Integers whose products fp16 holds exactly."""
    return np.random.default_rng(seed).integers(-2, 3, shape).astype(HALF)


def exact(a: Any, b: Any) -> Any:
    return (a.astype(np.float32) @ np.swapaxes(b, -1, -2).astype(np.float32)).astype(HALF)


def test_a_call_of_known_layouts_makes_no_plan_and_keeps_no_operand() -> None:
    plans = host("ss_gemm").CALLS.plans
    first, b = small(40, 64), small(56, 64, seed=1)
    np.testing.assert_array_equal(SS_GEMM(first, b), exact(first, b))
    before, gone = len(plans), weakref.ref(first)
    for seed in (2, 3):
        a = small(40, 64, seed=seed)
        np.testing.assert_array_equal(SS_GEMM(a, b), exact(a, b))
    assert len(plans) == before
    del first
    gc.collect()
    assert gone() is None, "a plan holds an operand of the call that made it"
    SS_GEMM(a, b, out_dtype=np.float32)
    assert len(plans) == before + 1


def test_a_plan_computes_arrays_that_lie_as_planned_and_no_others() -> None:
    a, b = small(40, 64), small(56, 64, seed=1)
    plan = SS_GEMM.plan(a, b)
    other = small(40, 64, seed=5)
    np.testing.assert_array_equal(plan(other, b), exact(other, b))
    with pytest.raises(
        UserError, match=r"^A is float16 of \(48, 64\) with strides \(128, 2\), but"
    ):
        plan(small(48, 64), b)
    with pytest.raises(UserError, match="^out is float16 of .*; make a plan with such an out$"):
        plan(a, b, out=np.zeros((40, 56), HALF))
    with pytest.raises(UserError, match="^the plan takes A, B; 1 arrays were given$"):
        plan(a)


def test_clusters_that_share_tiles_find_zeros_again() -> None:
    """All plans of a device share the memory in which parts meet; counters are left as found."""
    device = lanemap.open_device("sm_90a", device="emulator")
    calls, tile = host("ss_gemm").CALLS, Tiling(64, 8, 1, consumers=1, shared=1)
    for k in (768, 1024, 768):
        a, b = small(64, k), small(64, k, seed=1)
        plan = calls.plan(a, b, out_dtype="float32", device=device, tiling=tile)
        for _ in range(2):
            expected = a.astype(np.float32) @ b.T.astype(np.float32)
            np.testing.assert_array_equal(plan(a, b), expected)


def test_batches_are_products_of_each_of_their_matrices() -> None:
    a, b = small(2, 3, 40, 64), small(56, 64, seed=1)
    np.testing.assert_array_equal(SS_GEMM(a, b), exact(a, b))  # one product of 240 rows
    apart = np.swapaxes(small(3, 2, 40, 64), 0, 1)
    np.testing.assert_array_equal(SS_GEMM(apart, b), exact(apart, b))
    many = small(3, 56, 64, seed=2)
    np.testing.assert_array_equal(SS_GEMM(a, many), exact(a, many))
    out = np.zeros((2, 3, 40, 64), HALF)
    SS_GEMM(a, many, out[..., :56])
    np.testing.assert_array_equal(out[..., :56], exact(a, many))
    np.testing.assert_array_equal(out[..., 56:], 0)
    with pytest.raises(
        UserError, match=r"the batch of A, \(2, 3\), does not fit that of B, \(4,\)"
    ):
        SS_GEMM(a, small(4, 56, 64))


@pytest.mark.parametrize("name", ["ss_gemm", "ts_gemm"])
def test_a_bias_and_an_activation_come_before_rounding(name: str) -> None:
    torch = pytest.importorskip("torch")
    gemm, functions = lanemap.kernel(name), torch.nn.functional
    a, b = (torch.randn(rows, 77, generator=torch.Generator().manual_seed(rows)).half() / 4
            for rows in (37, 51))  # fmt: skip
    bias = torch.linspace(-3, 3, 51).half()
    product = a.float() @ b.float().t()
    activations = {
        None: lambda x: x, "relu": functions.relu, "silu": functions.silu,
        "gelu": functions.gelu, "gelu_tanh": lambda x: functions.gelu(x, approximate="tanh"),
    }  # fmt: skip
    for activation, function in activations.items():
        found = gemm(a, b, bias=bias, activation=activation)
        torch.testing.assert_close(found, function(product + bias).half(), rtol=2e-3, atol=2e-3)
    found = gemm(a, b, activation="relu", out_dtype=torch.float32)
    torch.testing.assert_close(found, functions.relu(product), rtol=1e-3, atol=1e-3)
    with pytest.raises(UserError, match=r"^bias is float16 of \(50,\); it must be contiguous"):
        gemm(a, b, bias=bias[:50])
    with pytest.raises(UserError, match="^activation 'tanh' is not one of none, relu, gelu,"):
        gemm(a, b, activation="tanh")
    with pytest.raises(UserError, match="^bias and activation are for sm_90a only"):
        gemm(a, b, bias=bias, device=lanemap.open_device("sm_100a", "emulator"))


@pytest.mark.parametrize("name", ["ss_gemm", "ts_gemm"])
@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
def test_what_tma_cannot_reach_is_copied(name: str, target: str) -> None:
    """Rows of no multiple of 16 bytes, transposed, backward; a result of such rows, and `out`."""
    device, gemm = lanemap.open_device(target, "emulator"), lanemap.kernel(name)
    a, b = small(37, 77), small(51, 77, seed=1)
    np.testing.assert_array_equal(gemm(a, b, device=device), exact(a, b))
    turned, back = small(77, 37).T, small(51, 77)[::-1, ::-1]
    np.testing.assert_array_equal(gemm(turned, back, device=device), exact(turned, back))
    out = np.full((37, 51), np.nan, HALF)
    gemm(a, b, out, device=device)
    np.testing.assert_array_equal(out, exact(a, b))
    wide = np.zeros((51, 37), HALF)
    gemm(small(37, 80), small(51, 80), wide.T, device=device)
    np.testing.assert_array_equal(wide.T, exact(small(37, 80), small(51, 80)))
    batch = small(3, 5, 77)
    np.testing.assert_array_equal(gemm(batch, b, device=device), exact(batch, b))


def test_fmha_takes_heads_first_without_a_copy() -> None:
    rng = np.random.default_rng(4)
    q, k, v = (rng.standard_normal((1, 2, 70, 64)).astype(ml_dtypes.bfloat16) for _ in range(3))
    views = [each.transpose(0, 2, 1, 3) for each in (q, k, v)]
    o, sums = FMHA(*views, causal=True)
    same = FMHA(*(each.copy() for each in views), causal=True)
    np.testing.assert_array_equal(o, same[0])
    np.testing.assert_array_equal(sums, same[1])
    with pytest.raises(UserError, match="elements of a row of k are not adjacent"):
        FMHA(views[0], views[1][..., ::2].repeat(2, -1)[..., ::-1], views[2])


def test_an_address_that_tma_cannot_reach_is_named() -> None:
    memory = np.zeros(64 * 64 + 8, HALF)
    b = small(64, 64)
    SS_GEMM(memory[: 64 * 64].reshape(64, 64), b)
    with pytest.raises(UserError, match=r"^ss_gemm of 64 x 64 x 64, float16 to float16: A begins"):
        SS_GEMM(memory[4 : 64 * 64 + 4].reshape(64, 64), b)


def test_plans_that_were_used_least_lately_are_forgotten() -> None:
    plans, made = Plans(2), SS_GEMM.plan(small(40, 64), small(56, 64))
    for key in "ab":
        plans.add(key, made)
    assert plans.get("a") is made
    plans.add("c", made)
    assert [plans.get(key) is made for key in "abc"] == [True, False, True]
    assert plans.get(["no key"]) is None


def test_the_structures_of_a_launch_are_those_of_cuda_h() -> None:
    """CUlaunchConfig has 56 bytes and its stream at 32, CUlaunchAttribute 72 (cuda.h, CUDA 13)."""
    config, attribute = nvidia.LaunchConfig, nvidia.LaunchAttribute
    assert (ctypes.sizeof(config), ctypes.sizeof(attribute)) == (56, 72)
    assert (config.stream.offset, config.attributes.offset, config.count.offset) == (32, 40, 48)
    assert attribute.value.offset == 8


def test_a_prepared_launch_writes_addresses_where_the_parameters_have_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []

    class Library:
        def cuLaunchKernelEx(self, config: Any, function: Any, _: Any, extra: Any) -> int:
            size = ctypes.cast(extra._obj[3], ctypes.POINTER(ctypes.c_size_t))[0]
            block = ctypes.string_at(extra._obj[1], size)
            seen.append((config._obj.stream, function.value, block))
            return 0

    monkeypatch.setattr(cuda_prepared, "library", Library)
    data = bytes(range(32))
    launch = cuda_prepared.PreparedLaunch(
        7, (1, 1, 1), (32, 1, 1), 0, [(4, (2, 1, 1))], data, [(8, 1, 100), (16, 0, 0)], bool, None
    )
    launch(3)
    launch(5, 0x1111, 0x2222)
    assert seen[0] == (3, 7, data)
    words = np.frombuffer(seen[1][2], np.uint64)
    assert seen[1][:2] == (5, 7) and list(words[1:3]) == [0x2222 + 100, 0x1111]
    assert seen[1][2][:8] + seen[1][2][24:] == data[:8] + data[24:]
