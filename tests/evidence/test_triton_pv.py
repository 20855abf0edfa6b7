"""FP8 P @ V as Triton's AMD back end compiled it: right under our rule, wrong under its rivals.

The kernel was written in Triton and compiled by Triton's own back end, which knows nothing of
our models; its lane addresses are laid out for the hardware's rule of `ds_read_b64_tr_b8`. Only
the true rule makes P @ V come out right, whatever NumPy's answer is compared with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.layout import LayoutMap, Space
from tests.evidence.launch import stored

FP8 = ml_dtypes.float8_e4m3fn
KERNELS = ["pv_fp8", "pv_fp8_staged"]
REGISTER = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))
CHUNK = Space("chunk", (("lane", 64), ("bit", 64)))

Rule = Callable[[Any, Any], tuple[Any, Any]]


def _rule_map(rule: Rule) -> LayoutMap:
    """A byte rule (lane, j) -> (source lane, byte of its chunk) as a layout map of bits."""

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        source_lane, byte = rule(lane, register * 4 + bit // 8)
        return {"lane": source_lane, "bit": byte * 8 + bit % 8}

    return LayoutMap.from_function(REGISTER, CHUNK, source)


# The plain 8x8 transpose of every eight lanes, which a probe of one uniform address suggests.
def _octet(lane: Any, j: Any) -> tuple[Any, Any]:
    return (lane & ~7) + j, lane & 7


# ROCm/rocm-systems, rocjitsu, before pull request 10589.
def _rocjitsu_before(lane: Any, j: Any) -> tuple[Any, Any]:
    return (lane & ~15) + 8 * (j // 4) + 4 * ((lane >> 3) & 1) + j % 4, lane & 7


# Modular, Mojo standard library documentation of ds_read_tr8_b64, as worded.
def _modular(lane: Any, j: Any) -> tuple[Any, Any]:
    return (lane & ~15) + 2 * j + (lane & 1), (lane >> 1) & 7


# Triton, AMD back end, MemoryOpToLLVM.cpp, lowerDsReadTr: 16 lanes, 8 rows of 16 bytes.
def _triton(lane: Any, j: Any) -> tuple[Any, Any]:
    return (lane & ~15) + 2 * j + ((lane >> 3) & 1), lane & 7


RIVALS = {"octet": _octet, "rocjitsu before": _rocjitsu_before, "Modular": _modular}


def _run(name: str, p: Any, v: Any, rule: Rule | None = None) -> Any:
    kernel = stored("triton_pv", name)
    models = {} if rule is None else {"ds_read_b64_tr_b8": _rule_map(rule)}
    device = lanemap.open_device("gfx950", device="emulator", models=models)
    out = device.zeros((p.shape[0], v.shape[1]), np.float32)
    kernel.run(
        device,
        p.shape[0] // kernel.constants["BLOCK_M"],
        p_ptr=device.array(p.view(np.uint8)),
        v_ptr=device.array(v.view(np.uint8)),
        o_ptr=out,
        k_total=np.int32(p.shape[1]),
    )
    return out.get()


def _reference(p: Any, v: Any) -> Any:
    """Exact in float64: products have 8 bits, and 2^-18 to 2^18 times 256 terms span 45."""
    return p.astype(np.float64) @ v.astype(np.float64)


def _integers(m: int, k: int, d: int) -> tuple[Any, Any]:
    """Whole numbers from -8 to 8: sums of 256 products stay under 2^15, exact in f32."""
    rng = np.random.default_rng(3)
    return (
        rng.integers(-8, 9, (m, k)).astype(np.float32).astype(FP8),
        rng.integers(-8, 9, (k, d)).astype(np.float32).astype(FP8),
    )


@pytest.mark.parametrize("name", KERNELS)
def test_the_text_uses_the_instructions_in_question(name: str) -> None:
    text = stored("triton_pv", name).text
    assert "\tds_read_b64_tr_b8 v[" in text
    assert "\tv_mfma_f32_32x32x64_f8f6f4 v[" in text


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("m", "k"), [(64, 64), (128, 256)])
def test_small_whole_numbers_are_exact(name: str, m: int, k: int) -> None:
    p, v = _integers(m, k, 64)
    assert np.array_equal(_run(name, p, v), _reference(p, v))


@pytest.mark.parametrize("name", KERNELS)
def test_random_values_that_f32_sums_exactly_are_exact(name: str) -> None:
    """Every e4m3fn value from 2^-3 to 15 in both signs: products are whole multiples of 2^-12,
    and the sums of their magnitudes stay below 2^12, so that no f32 sum of any order rounds."""
    rng = np.random.default_rng(4)
    bits = rng.integers(4 << 3, 11 << 3, (64, 64), dtype=np.uint8)
    p = (bits | rng.integers(0, 2, bits.shape, dtype=np.uint8) << 7).view(FP8)
    v = np.roll(p, 1, axis=0).T.copy()
    sums = np.abs(p.astype(np.float64)) @ np.abs(v.astype(np.float64))
    assert sums.max() < 2.0 ** (24 - 12)
    assert np.array_equal(_run(name, p, v), _reference(p, v))


@pytest.mark.parametrize("name", KERNELS)
def test_every_finite_value_is_within_the_rounding_of_f32(name: str) -> None:
    rng = np.random.default_rng(5)
    finite = np.setdiff1d(np.arange(256, dtype=np.uint8), [0x7F, 0xFF]).astype(np.uint8)
    p, v = rng.choice(finite, (64, 128)).view(FP8), rng.choice(finite, (128, 64)).view(FP8)
    reference = _reference(p, v)
    magnitude = np.abs(p.astype(np.float64)) @ np.abs(v.astype(np.float64))
    # 128 additions in any order, each rounded (or cut) to 24 bits.
    assert np.all(np.abs(_run(name, p, v) - reference) <= 128 * 2.0**-23 * magnitude)


@pytest.mark.parametrize("name", KERNELS)
def test_the_rule_written_here_by_hand_gives_the_same(name: str) -> None:
    p, v = _integers(64, 128, 64)
    assert np.array_equal(_run(name, p, v, _triton), _reference(p, v))


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("rival", RIVALS)
def test_a_rival_rule_makes_it_wrong(name: str, rival: str, record_property: Any) -> None:
    p, v = _integers(64, 128, 64)
    wrong = int(np.count_nonzero(_run(name, p, v, RIVALS[rival]) != _reference(p, v)))
    record_property("wrong", f"{wrong} of 4096")
    print(f"{name} under the rule of {rival}: {wrong} of 4096 values wrong")
    assert wrong > 4096 // 2
