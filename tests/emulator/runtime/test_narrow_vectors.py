"""Narrow floats sixteen at a time against ml_dtypes: every code, and in the slow test every f32.

They are compiled for the oldest processor and for one with eight lanes in a register.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.runtime import built
from lanemap.emulator.runtime.abi import Format

pytest.importorskip("ziglang", reason="the driver is compiled by ziglang's clang")

DRIVER = Path(__file__).with_name("narrow_driver.c")
FLAGS = ["-O2", "-shared", "-fPIC", "-fno-vectorize", "-ffp-contract=off"]
PROCESSORS = ["x86_64", "x86_64_v3"]
FORMATS = {
    Format.E4M3: ml_dtypes.float8_e4m3fn, Format.E5M2: ml_dtypes.float8_e5m2,
    Format.E4M3_FNUZ: ml_dtypes.float8_e4m3fnuz, Format.E5M2_FNUZ: ml_dtypes.float8_e5m2fnuz,
    Format.E2M3: ml_dtypes.float6_e2m3fn, Format.E3M2: ml_dtypes.float6_e3m2fn,
    Format.E2M1: ml_dtypes.float4_e2m1fn,
}  # fmt: skip
#: Formats whose largest exponent is that of ordinary numbers: they have no NaN.
NUMBERS = (Format.E2M3, Format.E3M2, Format.E2M1)
Codes = NDArray[np.uint8]
#: As many as are compared at once.
PART = 1 << 24


@pytest.fixture(scope="module", params=PROCESSORS)
def driver(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ctypes.CDLL]:
    if request.param == "x86_64_v3" and "avx2" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("this processor has no registers of eight lanes")
    folder = tmp_path_factory.mktemp("narrow")
    for name, text in built.headers().items():
        (folder / name).write_text(text)
    library = folder / "driver.so"
    command = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-linux-gnu"]
    command += [f"-mcpu={request.param}", *(f"-I{each}" for each in (*built.FOLDERS, folder))]
    subprocess.run([*command, str(DRIVER), *FLAGS, "-o", str(library)], check=True)
    yield ctypes.CDLL(str(library))


def encoded(driver: ctypes.CDLL, name: Format, saturate: bool, first: int, count: int) -> Codes:
    codes = np.empty(count, np.uint8)
    driver.encode_range(int(name), int(saturate), ctypes.c_uint32(first), count, codes.ctypes)
    return codes


def largest(name: Format) -> int:
    return {
        Format.E4M3: 0x7E, Format.E5M2: 0x7B, Format.E4M3_FNUZ: 0x7F, Format.E5M2_FNUZ: 0x7F,
        Format.E2M3: 0x1F, Format.E3M2: 0x1F, Format.E2M1: 0x07,
    }[name]  # fmt: skip


def judge(driver: ctypes.CDLL, name: Format, first: int, count: int) -> None:
    """Hold the codes of consecutive f32, by their bits, to ml_dtypes."""
    dtype = FORMATS[name]
    values = np.arange(first, first + count, dtype=np.uint64).astype(np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        reference = values.astype(dtype)
        back = reference.astype(np.float32)
    expected, nan = reference.view(np.uint8).copy(), np.isnan(values)
    # what is rounded beyond the largest number, which ml_dtypes makes an infinity or NaN
    beyond = ~nan & ~np.isfinite(back)
    sign = np.signbit(values)
    for saturate in (False, True):
        found = encoded(driver, name, saturate, first, count)
        wanted = expected.copy()
        if saturate:
            sign_bit = np.uint8(
                np.array(-1, dtype).view(np.uint8) & ~np.array(1, dtype).view(np.uint8)
            )
            wanted[beyond] = largest(name) | np.where(sign[beyond], sign_bit, 0)
        if name in NUMBERS:
            assert np.all(found[nan] == largest(name))
        else:
            assert np.all(np.isnan(found[nan].view(dtype).astype(np.float32)))
        wrong = np.flatnonzero((found != wanted) & ~nan)
        assert not len(wrong), (
            f"{values[wrong[0]]!r} gives {found[wrong[0]]:#x}, not {wanted[wrong[0]]:#x}"
        )


@pytest.mark.parametrize("name", FORMATS)
def test_every_code(driver: ctypes.CDLL, name: Format) -> None:
    bits = ml_dtypes.finfo(FORMATS[name]).bits
    values = np.empty(256, np.float32)
    driver.decode_range(int(name), values.ctypes)
    codes = np.arange(1 << bits, dtype=np.uint8)
    expected = codes.view(FORMATS[name]).astype(np.float32)
    found, nan = values[: 1 << bits], np.isnan(expected)
    assert np.array_equal(np.isnan(found), nan)
    assert np.array_equal(found[~nan].view(np.uint32), expected[~nan].view(np.uint32))


@pytest.mark.parametrize("name", FORMATS)
def test_around_every_code_and_every_middle(driver: ctypes.CDLL, name: Format) -> None:
    bits = ml_dtypes.finfo(FORMATS[name]).bits
    values = np.arange(1 << bits, dtype=np.uint8).view(FORMATS[name]).astype(np.float64)
    values = np.unique(np.abs(values[np.isfinite(values)]))
    ends = [*values, *(values[:-1] + values[1:]) / 2, 1.5 * values[-1], 2 * values[-1]]
    ends += [np.inf, 2.0**-126, 2.0**-149, 2.0**127]
    for code in np.array(ends, np.float32).view(np.uint32).tolist():
        for start in (code, code | 1 << 31):
            judge(driver, name, max(start - 16, 0), 32)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_every_f32(driver: ctypes.CDLL, name: Format) -> None:
    for first in range(0, 1 << 32, PART):
        judge(driver, name, first, PART)
