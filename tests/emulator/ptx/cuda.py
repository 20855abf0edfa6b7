"""CUDA C++ of a test as PTX; the test is skipped where NVRTC is missing."""

from __future__ import annotations

from functools import cache

import pytest

from lanemap.errors import MissingEnvironment
from lanemap.toolchain.nvrtc import compile_cuda

#: Optimised with line numbers, and for a debugger: calls, .local and a .loc for everything.
BUILDS = {"optimised": ("-lineinfo",), "debug": ("-G",)}


@cache
def _compiled(source: str, name: str, target: str, options: tuple[str, ...]) -> str:
    return compile_cuda(source, target, ("-std=c++17", "-fmad=false", *options), name)


def ptx(
    source: str, build: str = "optimised", name: str = "test.cu", target: str = "sm_90a"
) -> str:
    """What NVRTC makes of it."""
    try:
        return _compiled(source, name, target, BUILDS[build])
    except MissingEnvironment as error:
        pytest.skip(str(error))
