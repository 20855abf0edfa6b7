"""Compile the CUDA sources of this folder to the PTX beside them, with NVRTC 13.0.

From the root of the repository: python -m tests.emulator.access.judged.build
"""

from __future__ import annotations

import re
from pathlib import Path

from lanemap.toolchain.nvrtc import compile_cuda

FOLDER = Path(__file__).resolve().parent
TARGET, OPTIONS = "sm_90a", ("-std=c++17", "-lineinfo")
#: Source: the macros that it is compiled with, one at a time; "" is none.
BUILDS = {
    "cas_loop": ("",), "fence_reduction": ("",), "ticket": ("", "FENCE"),
    "exchange": ("", "MEET"), "leader": ("", "MEET"), "absent_source": ("", "STAY"),
    "same_matrix": ("", "DIFFER"),
    "racing_load": ("", "BRANCH", "ADDRESS", "HOST"),
}  # fmt: skip


def stored(name: str, macro: str) -> Path:
    """Where the PTX of a build lies."""
    return FOLDER / f"{name}{'.' if macro else ''}{macro.lower()}.ptx"


def build(name: str, macro: str) -> str:
    """The PTX that NVRTC makes, under a line that says how."""
    source = (FOLDER / f"{name}.cu").read_text()
    options = (*OPTIONS, *([f"-D{macro}"] if macro else []))
    text = compile_cuda(source, TARGET, options, f"{name}.cu")
    text = re.sub(r'(\.file\s+1 )"[^"]*"', rf'\1"{name}.cu"', text)
    how = "python -m tests.emulator.access.judged.build"
    return f"// {name}.cu, {TARGET}, {' '.join(options)}: {how}\n{text}"


if __name__ == "__main__":
    for name, macros in BUILDS.items():
        for macro in macros:
            stored(name, macro).write_text(build(name, macro))
