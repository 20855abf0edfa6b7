"""Each fault of blackwell_faults.py, alone, is noticed on the emulator."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.benching.build import sources
from lanemap.benching.find import host
from lanemap.benching.gemm.blackwell import BlackwellTiling
from lanemap.benching.gemm.problem import Problem
from lanemap.errors import LanemapError
from tests.kernels import blackwell_faults
from tests.kernels.blackwell import integers, launched
from tests.kernels.blackwell_faults import Fault

KERNELS = ("ss_gemm", "ts_gemm")
#: A pair of CTAs takes four tiles in turn; two stages for five blocks of k.
PROBLEM = Problem(512, 256, 320)
#: One of each kind that `make test` tries; `make test-slow` tries all.
QUICK = ("No fence before the accumulator is released", "No wait for the stores of A",
         "The pair's commit reaches its own CTA alone",
         "The descriptor says the 64-byte swizzle")  # fmt: skip
CASES = [
    pytest.param(name, fault, id=f"{name}: {fault.name}",
                 marks=() if fault.name in QUICK else pytest.mark.slow)
    for name in KERNELS for fault in blackwell_faults.of(name)
]  # fmt: skip


def outcome(name: str, texts: dict[str, str], strict: bool) -> tuple[object, object]:
    """C of a source, and what it must be."""
    movers = 4 if name == "ts_gemm" else 0
    tiling = BlackwellTiling(columns=128, stages=2, cluster_m=2, movers=movers)
    a, b, expected = integers(PROBLEM)
    text = host(name).BLACKWELL.compile(PROBLEM, tiling, texts)
    c = launched(text, name, PROBLEM, tiling, a, b, strict=strict, multiprocessors=2)
    return c, expected


def broken(name: str, fault: Fault) -> dict[str, str]:
    texts = sources(name, "sm_100a")
    file = fault.file or f"{name}.cu"
    assert texts[file].count(fault.old) == 1, fault
    return {**texts, file: texts[file].replace(fault.old, fault.new)}


@pytest.mark.parametrize("name", KERNELS)
def test_without_a_fault_all_is_well(name: str) -> None:
    c, expected = outcome(name, sources(name, "sm_100a"), True)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(("name", "fault"), CASES)
def test_a_fault_is_noticed(name: str, fault: Fault) -> None:
    texts = broken(name, fault)
    if not fault.caught:
        c, expected = outcome(name, texts, False)
        assert np.mean(np.not_equal(c, expected)) > 0.2
        return
    with pytest.raises(LanemapError) as hazard:
        outcome(name, texts, fault.strict)
    message = str(hazard.value)
    assert fault.caught in message
    assert ".cu:" in message or ".h:" in message or "at line" in message


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_has_a_dozen_faults(name: str) -> None:
    faults = blackwell_faults.of(name)
    assert len({each.name for each in faults}) == len(faults) >= 12
