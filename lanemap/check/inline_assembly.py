"""Inline assembly that a GPU of AMD's does not have, in kernels that Triton compiles for one."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lanemap.errors import UserError

#: What Triton's IR says of an operation that takes values.
_OPERATION = re.compile(
    r'tt\.elementwise_inline_asm "(?:[^"\\]|\\.)*" '
    r'\{constraints = "([^"]*)"[^}]*\} %.*loc\((#\w+)\)'
)
#: PTX's constraints of registers (CUDA, Inline PTX Assembly, Constraints). LLVM's for AMDGPU are
#: v, s and a.
_NVIDIAS = re.compile(r"=?&?[bhrlqfd]")
_PLACE = re.compile(r'"([^"]+)":(\d+):')
_LOC = re.compile(r"\s*\.loc\s.*?([^\s;]+):(\d+):\d+")


def require_amds(ir: str, target: str) -> None:
    """Check the inline assembly of a kernel in Triton's IR.

    `r` is a scalar register of AMD's, which holds the value of one lane for all. So a kernel with
    NVIDIA's constraints computes wrong numbers, whatever its text is. Assembly that takes no values
    may give all lanes one: Triton reads the clock so.

    Raises:
        UserError: it takes values in NVIDIA's registers.
    """
    for found in _OPERATION.finditer(ir):
        for each in map(str.strip, found[1].split(",")):
            if _NVIDIAS.fullmatch(each):
                raise UserError(
                    f"{_place(ir, found[2])}this inline assembly is for NVIDIA's GPUs, by its "
                    f"constraint `{each}`: write {target}'s instructions, with `v` for a vector "
                    "register"
                )


def _place(ir: str, location: str) -> str:
    """Return `file:line: ` for a location, which may be a name for another one."""
    for _ in range(9):
        line = re.search(rf"^{location} = loc\((.*)\)$", ir, re.MULTILINE)
        if line is None:
            break
        if found := _PLACE.search(line[1]):
            return f"{Path(found[1]).name}:{found[2]}: "
        inner = re.search(r"#\w+", line[1])
        location = inner[0] if inner else ""
    return ""


@contextlib.contextmanager
def refused_by_assembler(target: str) -> Iterator[None]:
    """Name the inline assembly of a kernel that does not assemble, while the context lasts."""
    from triton.backends.amd.compiler import HIPBackend

    original = HIPBackend.make_hsaco

    def make_hsaco(source: str, *rest: Any) -> Any:
        try:
            return original(source, *rest)
        except RuntimeError:
            place, text = "", ""
            lines = source.splitlines()
            for number, line in enumerate(lines[:-1]):
                if found := _LOC.match(line):
                    place = f"{found[1]}:{found[2]}: "
                if line.strip() == ";;#ASMSTART":
                    text = lines[number + 1].strip()
                    break
            if not text:
                raise
            raise UserError(
                f"{place}the assembler for {target} refuses the kernel's inline assembly, which "
                f"begins with `{text}`"
            ) from None

    HIPBackend.make_hsaco = staticmethod(make_hsaco)
    try:
        yield
    finally:
        HIPBackend.make_hsaco = staticmethod(original)
