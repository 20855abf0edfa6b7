"""Conversions of binary16 on a processor without F16C, where LLVM calls functions, beside NumPy."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ptx import entry, launch

#: f16 of f32 and of f64, f32 of these; a thread for each value.
TEXT = entry(
    """
    .reg .b64 %d; .reg .b32 %i, %x, %y; .reg .b16 %h, %g;
    mov.u32 %i, %ctaid.x; shl.b32 %i, %i, 8; mov.u32 %x, %tid.x; add.u32 %i, %i, %x;
    mad.wide.u32 %narrow, %i, 4, %narrow; mad.wide.u32 %wide, %i, 8, %wide;
    mad.wide.u32 %found, %i, 16, %found;
    ld.global.b32 %x, [%narrow]; ld.global.b64 %d, [%wide];
    cvt.rn.f16.f32 %h, %x; cvt.rn.f16.f64 %g, %d;
    cvt.u32.u16 %y, %h; st.global.b32 [%found], %y;
    cvt.u32.u16 %y, %g; st.global.b32 [%found+4], %y;
    cvt.f32.f16 %x, %h; st.global.b32 [%found+8], %x;
    cvt.f32.f16 %x, %g; st.global.b32 [%found+12], %x;
    """,
    parameters="narrow wide found",
)


def values() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """All halves, what lies beside the middle of two, and random numbers of their range."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = np.sort(halves[np.isfinite(halves)].astype(np.float64))
    middles = (finite[1:] + finite[:-1]) / 2
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal(1 << 14) * 2.0 ** rng.integers(-28, 18, 1 << 14)
    wide = np.concatenate(
        [middles, np.nextafter(middles, 9e9), np.nextafter(middles, -9e9), drawn, [65519.99, 65520]]
    )
    wide = np.concatenate([wide, -wide])
    wide = np.concatenate([wide, np.zeros(-len(wide) % 256)])
    return wide.astype(np.float32), wide


def test_f16_on_this_processor() -> None:
    narrow, wide = values()
    found = np.zeros((len(wide), 4), np.uint32)
    *_, out = launch(TEXT, narrow, wide, found, grid=len(wide) // 256, block=256)
    with np.errstate(over="ignore"):
        expected = [narrow.astype(np.float16), wide.astype(np.float16)]
    for column, halves in enumerate(expected):
        np.testing.assert_array_equal(out[:, column], halves.view(np.uint16))
        again = halves.astype(np.float32).view(np.uint32)
        np.testing.assert_array_equal(out[:, 2 + column], again)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="F16C is a feature of x86-64")
def test_f16_without_f16c(tmp_path: Path) -> None:
    """LLVM ends the process where it does not find what it calls."""
    command = (sys.executable, "-m", "pytest", "-q", __file__, "-k", "on_this_processor")
    level = {"LANEMAP_CPU": "x86-64-v2", "LANEMAP_CACHE": str(tmp_path)}
    done = subprocess.run(
        command, env={**os.environ, **level}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
