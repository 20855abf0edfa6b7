"""Elementary functions of lanes: against the C library in f64, and where that decides by mpmath.

They are compiled for the oldest processor and for one with fused multiplication, which rounds the
polynomials otherwise and must not change a result.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from lanemap.emulator.runtime import built
from lanemap.emulator.runtime.abi import Function

pytest.importorskip("ziglang", reason="the driver is compiled by ziglang's clang")

DRIVER = Path(__file__).with_name("elementary_driver.c")
#: Compiled as the runtime is (build.FLAGS).
FLAGS = ["-O2", "-fno-vectorize", "-ffp-contract=off", "-fno-math-errno", "-lm"]
PROCESSORS = ["x86_64", "x86_64_v3"]
#: With 997 every exponent has some 8,400 arguments.
STEP, ALL = 997, 1 << 32


def turns(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: function(2 * mpmath.pi * (x - mpmath.floor(x)))


EXACT: dict[Function, Callable[[Any], Any]] = {
    Function.EXP2: lambda x: mpmath.mpf(2) ** x, Function.LOG2: lambda x: mpmath.log(x, 2),
    Function.RCP: lambda x: 1 / x, Function.RSQ: lambda x: 1 / mpmath.sqrt(x),
    Function.SQRT: mpmath.sqrt, Function.SIN: mpmath.sin, Function.COS: mpmath.cos,
    Function.SIN_TURNS: turns(mpmath.sin), Function.COS_TURNS: turns(mpmath.cos),
    Function.TANH: mpmath.tanh,
}  # fmt: skip


@pytest.fixture(scope="module", params=PROCESSORS)
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "x86_64_v3" and "fma" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("this processor does not fuse multiplication and addition")
    folder = tmp_path_factory.mktemp("elementary")
    for name, text in built.headers().items():
        (folder / name).write_text(text)
    program = folder / "driver"
    command = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-linux-gnu"]
    command += [f"-mcpu={request.param}", *(f"-I{each}" for each in (*built.FOLDERS, folder))]
    subprocess.run([*command, str(DRIVER), *FLAGS, "-o", str(program)], check=True)
    return program


def lines(driver: Path, which: Function, first: int, step: int, count: int) -> list[str]:
    words = [str(driver), *map(str, (int(which), first, step, count))]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


def nearest(value: Any) -> np.float32:
    """The f32 next to a value of many bits; ties do not occur among transcendental ones."""
    below = np.float32(float(value))
    near = [
        below,
        np.nextafter(below, np.float32(-np.inf)),
        np.nextafter(below, np.float32(np.inf)),
    ]
    return min(near, key=lambda x: abs(mpmath.mpf(float(x)) - value))


def right(line: str, which: Function) -> bool:
    """Whether mpmath gives the result of a line: near, argument, result."""
    _, given, found = line.split()
    x, y = (np.array([int(code, 16)], np.uint32).view(np.float32)[0] for code in (given, found))
    return bool(nearest(EXACT[which](mpmath.mpf(float(x)))) == y)


@pytest.fixture(autouse=True)
def bits() -> Iterator[None]:
    with mpmath.workprec(400):
        yield


@pytest.mark.parametrize("which", EXACT)
def test_a_result_is_the_library_s_rounded_once(driver: Path, which: Function) -> None:
    *near, summary = lines(driver, which, 0, STEP, ALL // STEP)
    assert summary == "0 differ", near[:8]
    for line in near:
        assert right(line, which), line


#: Results so near a middle of two f32 that f64's rounding moves them onto it or beyond.
HARD = {
    Function.EXP2: (0x3B429D37, 0xBCF3A937, 0xB52D1F9A), Function.SIN: (0x46199998, 0xC6199998),
    Function.COS: (0x6115CB11, 0xE115CB11, 0x5F18B878),
    Function.SIN_TURNS: (0x3D7D7F58, 0xBEE05015), Function.COS_TURNS: (0x3E40A02A, 0xBE9FAFEB),
}  # fmt: skip


@pytest.mark.parametrize("which", HARD)
def test_a_result_next_to_a_middle(driver: Path, which: Function) -> None:
    for code in HARD[which]:
        near, _ = lines(driver, which, code, 1, 1)
        assert near.startswith(f"near {code:08x}") and right(near, which), near


@pytest.mark.parametrize("which", EXACT)
def test_the_ends_of_every_range(driver: Path, which: Function) -> None:
    """Zeros, infinities, NaNs, subnormals, and where polynomials hand over to each other."""
    ends = np.array([2.0**-5, 2.0**20, 20, 130, 160, 1, 0.25, 0.5, 2.0**38], np.float32)
    codes = [0, 0x7F800000, 0x007FFFFF, 0x7FFFFFFF, *ends.view(np.uint32).tolist()]
    for code in (*codes, *(code | 1 << 31 for code in codes)):
        *near, summary = lines(driver, which, max(code - 32, 0), 1, 64)
        assert summary == "0 differ", near
        for line in near:
            assert right(line, which), line


@pytest.mark.slow
@pytest.mark.parametrize("which", EXACT)
def test_every_argument(driver: Path, which: Function) -> None:
    part = ALL // 16
    with ThreadPoolExecutor(2) as pool:
        parts = pool.map(lambda n: lines(driver, which, n * part, 1, part), range(16))
        for *near, summary in parts:
            assert summary == "0 differ", near[:8]
            for line in near:
                assert right(line, which), line
