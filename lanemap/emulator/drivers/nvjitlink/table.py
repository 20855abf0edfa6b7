"""The other names of the functions; the build runs this file by itself."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: What programs load, and the version of its symbols that they ask for.
NAME = VERSION = "libnvJitLink.so.13"
#: The library that it is linked with.
NEEDS = "libcuda.so.1"
ORDER = ("linker",)


def source() -> str:
    """Return the end of the library's source: nvJitLink.h calls functions by names of a release."""
    text = (HERE / "linker.c").read_text()
    functions = re.findall(r"^API \w+ (__(nvJitLink\w+)_13_0)\(", text, re.MULTILINE)
    return "\n".join(f'__asm__(".globl {n}\\n.set {n}, {symbol}\\n");' for symbol, n in functions)
