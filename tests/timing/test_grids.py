"""Kernels of many CTAs, on a small matrix."""

from __future__ import annotations

import lanemap
from lanemap.toolchain import nvrtc
from tests.timing.grids import LAUNCHES, SOURCE, Launch


def test_every_kernel_computes_what_numpy_does() -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    text = nvrtc.compile_cuda(SOURCE.read_text(), "sm_90a", name=SOURCE.name)
    for kernel in {each.kernel for each in LAUNCHES}:
        Launch(kernel, 64, 128)(device, text)
