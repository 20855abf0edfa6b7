"""Each fault of gemm_faults.py, alone, is noticed on the emulator."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.benching.arrays import adopted
from lanemap.benching.build import sources
from lanemap.benching.find import host
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.tiling import Tiling
from lanemap.errors import LanemapError
from tests.kernels import gemm_faults
from tests.kernels.gemm_faults import Fault
from tests.kernels.test_gemm import KERNELS, integers

#: Two stages for five blocks of k, two CTAs that share B, two boxes for each warp.
TILING, PROBLEM = Tiling(columns=128, stages=2), Problem(256, 256, 320)
#: One of each kind that `make test` tries; `make test-slow` tries all.
QUICK = ("No fence.proxy.async before the TMA store", "One warp releases for what four have read",
         "C is written without the swizzle")  # fmt: skip
CASES = [
    pytest.param(name, fault, id=f"{name}: {fault.name}",
                 marks=() if fault.name in QUICK else pytest.mark.slow)
    for name in KERNELS for fault in gemm_faults.of(name)
]  # fmt: skip


def outcome(name: str, texts: dict[str, str], strict: bool = False) -> Any:
    """C of a source, and what it must be."""
    a, b, expected = integers(PROBLEM)
    c = np.zeros((PROBLEM.m, PROBLEM.n), ml_dtypes.bfloat16)
    kernel = host(name).KERNEL
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=strict)
    module = device.load(kernel.compile(PROBLEM, TILING, texts))
    operands = [adopted(device, *each) for each in zip((a, b, c), "ABC", strict=True)]
    kernel.launch(device, module, PROBLEM, TILING, *operands, multiprocessors=2).run()
    return c, expected


def broken(name: str, fault: Fault) -> dict[str, str]:
    texts = sources(name, "sm_90a")
    file = fault.file or f"{name}.cu"
    assert texts[file].count(fault.old) == 1, fault
    return {**texts, file: texts[file].replace(fault.old, fault.new)}


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", KERNELS)
def test_without_a_fault_all_is_well(name: str, strict: bool) -> None:
    c, expected = outcome(name, sources(name, "sm_90a"), strict)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(("name", "fault"), CASES)
def test_a_fault_is_noticed(name: str, fault: Fault) -> None:
    texts = broken(name, fault)
    if not fault.caught:
        c, expected = outcome(name, texts)
        assert (c != expected).mean() > 0.2
        return
    with pytest.raises(LanemapError) as hazard:
        outcome(name, texts, fault.strict)
    message = str(hazard.value)
    assert fault.caught in message
    assert ".cu:" in message or ".h:" in message  # the line of the source


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_has_a_dozen_faults(name: str) -> None:
    faults = gemm_faults.of(name)
    assert len({each.name for each in faults}) == len(faults) >= 12
