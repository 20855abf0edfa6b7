"""What NVRTC makes of the corpus, on the emulator, against the host's processor.

Two compilers, two machines; equal bits for integers and for IEEE arithmetic without contraction.
Hazards are on: what NVRTC emits is clean. No difference is known, so no table of exceptions is
needed: -ftz=true and -fmad=true, which ask for other arithmetic, are not among the options.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given

import lanemap
from lanemap.errors import MissingEnvironment
from lanemap.toolchain import nvrtc
from tests.corpus.generator import random_cases, random_groups, random_settings
from tests.corpus.harness import (
    HERE,
    LEVELS,
    Case,
    cases,
    differences,
    input_values,
    ptx_text,
    run_device,
    run_host,
)
from tests.sampled import sampled

pytest.importorskip("ziglang", reason="the host's side is compiled by ziglang's clang")
FILES = sorted({case.file for case in cases().values()})
#: Optimised, for a debugger (every variable in .local, calls for every function, .loc for every
#: line), and with NVRTC's fastest compilation, which optimises least.
OPTIONS = {"O3": (), "debug": ("-G",), "fast": ("-Ofc=max",)}
MORE_OPTIONS = {
    "lines": ("-lineinfo",), "min": ("-Ofc=min",), "mid": ("-Ofc=mid",),
    "debug-optimised": ("-G", "-dopt=on"), "relocatable": ("-rdc=true",),
}  # fmt: skip
ORDINARY = [("sm_90a", "O3"), ("sm_90a", "debug"), ("sm_100a", "fast")]
SLOW = [("sm_100a", "O3"), ("sm_100a", "debug"), ("sm_90a", "fast"), ("sm_103a", "O3")]
SLOW += [(target, name) for target in ("sm_90a", "sm_100a") for name in MORE_OPTIONS]


@pytest.fixture(scope="module", autouse=True)
def _nvrtc_is_here() -> None:
    try:
        nvrtc.version()
    except MissingEnvironment as error:
        pytest.skip(str(error))


@cache
def _device(target: str) -> Any:
    return lanemap.open_device(target, device="emulator")


def _options(name: str) -> tuple[str, ...]:
    return {**OPTIONS, **MORE_OPTIONS}[name]


def _wrong(case: Case, loaded: Any, device: Any, levels: tuple[int, ...]) -> list[str]:
    values = input_values(case)
    got = run_device(case, values, device, loaded)
    return [
        f"{case} against -O{level}: {line}"
        for level in levels
        for line in differences(case, run_host(case, values, level), got)[:2]
    ]


def _compare_file(file: str, target: str, options: str) -> None:
    device = _device(target)
    loaded = device.load(ptx_text((HERE / file).read_text(), target, _options(options)))
    wrong = []
    for case in cases().values():
        if case.file == file:
            wrong += _wrong(case, loaded, device, LEVELS)
    assert not wrong, f"{len(wrong)} outputs differ: " + "; ".join(wrong)


@pytest.mark.parametrize(
    ("file", "target", "options"),
    sampled(
        [(file, *ways) for file in FILES for ways in ORDINARY],
        {*((file, "sm_90a", "O3") for file in FILES), ("algorithms.c", "sm_90a", "debug")},
    ),
)
def test_equal_to_the_host(file: str, target: str, options: str) -> None:
    _compare_file(file, target, options)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "options"), SLOW)
@pytest.mark.parametrize("file", FILES)
def test_equal_to_the_host_with_other_options(file: str, target: str, options: str) -> None:
    _compare_file(file, target, options)


def _compare_random(case: Case, target: str, options: str) -> None:
    device = _device(target)
    loaded = device.load(ptx_text(case.source, target, _options(options)))
    wrong = _wrong(case, loaded, device, (0,))
    assert not wrong, f"{len(wrong)} outputs differ: " + "; ".join(wrong)


@random_settings(8)
@given(case=random_cases())
def test_random_expressions_are_equal_to_the_host(case: Case) -> None:
    _compare_random(case, "sm_90a", "O3")


@random_settings(3)
@given(case=random_cases(rich=True))
def test_random_functions_are_equal_to_the_host(case: Case) -> None:
    _compare_random(case, "sm_90a", "O3")
    _compare_random(case, "sm_100a", "debug")


@random_settings(4)
@given(case=random_groups())
def test_random_groups_are_equal_to_the_host(case: Case) -> None:
    _compare_random(case, "sm_100a", "O3")
    _compare_random(case, "sm_90a", "debug")


@pytest.mark.slow
@random_settings(150)
@given(case=random_cases(3, True))
def test_larger_random_functions_are_equal_to_the_host(case: Case) -> None:
    for target, options in (("sm_90a", "O3"), ("sm_90a", "debug"), ("sm_100a", "mid")):
        _compare_random(case, target, options)


@pytest.mark.slow
@random_settings(200)
@given(case=random_groups())
def test_more_random_groups_are_equal_to_the_host(case: Case) -> None:
    for target, options in (("sm_90a", "O3"), ("sm_90a", "debug"), ("sm_100a", "fast")):
        _compare_random(case, target, options)
