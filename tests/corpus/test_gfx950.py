"""What clang makes of the corpus for AMD's targets, on the emulator, against the host's processor.

Two compilers' back ends and two machines; equal bits for integers and for IEEE arithmetic.
Hazards are on: what clang emits is clean.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import lanemap
from lanemap.emulator.api import Hazard
from tests.corpus.generator import ONE_SIDED, random_cases, random_groups, random_settings
from tests.corpus.harness import (
    HERE,
    Case,
    amd_text,
    cases,
    differences,
    input_values,
    run_device,
    run_host,
)
from tests.sampled import sampled

pytest.importorskip("ziglang", reason="the corpus is compiled by ziglang's clang")
CASES = list(cases().values())


@pytest.fixture(scope="module")
def device() -> Any:
    return lanemap.open_device("gfx950", device="emulator")


def _compare(case: Case, level: int, device: Any) -> None:
    values = input_values(case)
    got = run_device(case, values, device, amd_text(case, level, device.target))
    wrong = differences(case, run_host(case, values, 2), got)
    assert not wrong, f"{len(wrong)} outputs differ: " + "; ".join(wrong[:3])


@pytest.mark.parametrize("case", sampled(CASES, 2), ids=str)
def test_equal_to_the_host(case: Case, device: Any) -> None:
    _compare(case, 2, device)


@pytest.mark.parametrize("case", sampled(CASES, 12), ids=str)
@pytest.mark.parametrize(("target", "level"), [("gfx90a", 0), ("gfx90a", 2), ("gfx942", 2)])
def test_equal_to_the_host_on_earlier_targets(case: Case, target: str, level: int) -> None:
    """At -O0 what a function keeps lies in scratch, which gfx90a reaches through a buffer."""
    _compare(case, level, lanemap.open_device(target, device="emulator"))


@random_settings(10)
@given(case=random_cases(labels=ONE_SIDED))
def test_random_expressions_are_equal_to_the_host(case: Case, device: Any) -> None:
    _compare(case, 1, device)


@random_settings(4)
@given(case=random_cases(rich=True, labels=ONE_SIDED))
def test_random_functions_are_equal_to_the_host(case: Case, device: Any) -> None:
    _compare(case, 2, device)


@random_settings(4)
@given(case=random_groups(ONE_SIDED))
def test_random_groups_are_equal_to_the_host(case: Case, device: Any) -> None:
    _compare(case, 2, device)


def test_a_compilers_fault_is_caught() -> None:
    """At -O1 clang 22's code is right; its own at -O2, stored here, reads what it never wrote."""
    found = HERE / "found"
    source = (found / "switch_in_if.c").read_text()
    case = Case("random_case", "", False, "u32", "u32", 4, 10, source)
    device = lanemap.open_device("gfx950", device="emulator")
    _compare(case, 1, device)
    with pytest.raises(Hazard, match="come from register v.*, which nothing had written"):
        run_device(case, input_values(case), device, (found / "switch_in_if.O2.s").read_text())


def test_a_compilers_wrong_values_are_shown() -> None:
    """clang 22's -O2, stored here: its StructurizeCFG hoists the default's `x = b` (an extension).

    On one of the two ways to the default its phis then say poison. What is read was written before,
    so there is no hazard; the values differ on that way and on no other. -O0 is right.
    """
    found = HERE / "found"
    source = (found / "switch_default.c").read_text()
    case = Case("random_case", "", False, "u32", "u32", 4, 2, source)
    device = lanemap.open_device("gfx950", device="emulator")
    _compare(case, 0, device)
    values = input_values(case)
    got = run_device(case, values, device, (found / "switch_default.O2.s").read_text())
    differ = (got != run_host(case, values, 2)).reshape(-1, 2).any(axis=1)
    a, _, c, d = values.reshape(-1, 4).T
    lost = ((a ^ d) & 1 == 1) & (c & 3 == 3)
    assert lost.any()
    np.testing.assert_array_equal(differ, lost)


def test_a_compilers_short_division_is_shown() -> None:
    """clang 22's -O0, stored here: it divides by f32 reciprocals, which are right for 24 bits.

    It takes copies of the sign for zeros, so quotients of dividends of 2^31 and more are wrong.
    """
    found = HERE / "found"
    case = Case("random_case", "", False, "u32", "u32", 2, 2, (found / "udiv24.c").read_text())
    device = lanemap.open_device("gfx950", device="emulator")
    _compare(case, 1, device)
    values = input_values(case)
    got = run_device(case, values, device, (found / "udiv24.O0.s").read_text())
    differ = (got != run_host(case, values, 2)).reshape(-1, 2).any(axis=1)
    large = values.reshape(-1, 2)[:, 0] >> 31 == 1
    assert large.any()
    np.testing.assert_array_equal(differ, large)


def test_a_compilers_packed_constants_are_shown() -> None:
    """clang 22's -O2, stored here: (1, 1) and (1, 0) become the same inline constant.

    In e4m3 1.0 is 0x38 (sign 0, exponent 0111 with bias 7, mantissa 000). -O0 is right.
    """
    found = HERE / "found"
    case = Case("packed_one", "", False, "u32", "u32", 1, 4, (found / "packed_one.c").read_text())
    stored = (found / "packed_one.O2.s").read_text()
    page = (HERE.parents[1] / "docs" / "found.md").read_text()
    section = page.split('<a id="packed-one"></a>')[1].split("<a id=")[0]
    for kind, times in (("f16", 2), ("bf16", 1)):
        taken = re.findall(rf"v_cvt_scalef32_pk_fp8_{kind} v\d+, ([\w.]+, s\d+)", stored)
        assert len(taken) == times and set(taken) == {"1.0, s4"}
        assert f"v_cvt_scalef32_pk_fp8_{kind} v" in section
    device = lanemap.open_device("gfx950", device="emulator")
    results = {}
    for level, text in ((0, amd_text(case, 0)), (2, stored)):
        out = device.zeros(4, np.uint32)
        device.load(text)["packed_one"](1, 1, (out, np.float32(1)))
        results[level] = out.get().tolist()
    assert results[0] == [0x3838, 0x38] * 2
    assert results[2][::2] == results[2][1::2]


@pytest.mark.slow
@random_settings(50)
@given(case=random_cases(rich=True, labels=ONE_SIDED))
def test_more_random_functions_are_equal_to_the_host(case: Case, device: Any) -> None:
    for level in (1, 2, 3):
        _compare(case, level, device)


@pytest.mark.slow
@random_settings(40)
@given(case=random_groups(ONE_SIDED))
def test_more_random_groups_are_equal_to_the_host(case: Case, device: Any) -> None:
    for level in (1, 2, 3):  # at -O0 unsigned divisions may be wrong: found/udiv24.c
        _compare(case, level, device)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 1, 3])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equal_to_the_host_at_every_level(case: Case, level: int, device: Any) -> None:
    _compare(case, level, device)
