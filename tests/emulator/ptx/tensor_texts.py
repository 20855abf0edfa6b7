"""PTX texts around tensor memory, and its maps written out by hand.

The maps are those of the PTX ISA's figures of data movement shapes, as index formulas.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LANES, COLUMNS, WARP = 128, 512, 32
#: Shape: registers, and columns, for each repetition; the largest repetition.
SHAPES = {
    "32x32b": (1, 1, 128), "16x64b": (1, 2, 128), "16x128b": (2, 4, 64), "16x256b": (4, 8, 32),
    "16x32bx2": (1, 2, 128),
}  # fmt: skip
HEAD = ".version 8.7\n.target sm_100a\n.address_size 64\n"


def cell(shape: str, thread: Any, register: Any, offset: int) -> tuple[Any, Any]:
    """Lane and column, from taddr, of a register; `offset` is imm of 16x32bx2."""
    t, r = thread, register
    if shape == "32x32b":
        return t, r
    if shape == "16x64b":
        return t // 4 + 8 * (t % 2), t // 2 % 2 + 2 * r
    if shape == "16x128b":
        return t // 4 + 8 * (r % 2), t % 4 + 4 * (r // 2)
    if shape == "16x256b":
        return t // 4 + 8 * (r // 2 % 2), r % 2 + 2 * (t % 4) + 8 * (r // 4)
    return t % 16, r + np.where(t >= 16, offset, 0)


def places(shape: str, count: int, halves: bool, offset: int) -> list[tuple[Any, Any, int, int]]:
    """For each part of the registers: lanes, columns (thread by register), first bit there, here.

    Whole registers are one part of 32 bits; halves are two of 16, in the low halves of columns.
    """
    thread, register = np.meshgrid(np.arange(WARP), np.arange(count), indexing="ij")
    if not halves:
        lane, column = cell(shape, thread, register, offset)
        return [(lane, column, 32, 0)]
    if shape == "16x32bx2":
        second = np.where(thread >= 16, offset, 0)
        return [(thread % 16, 2 * register + h + second, 16, 16 * h) for h in (0, 1)]
    lane, column = cell(shape, thread, register, offset)
    return [(lane, 2 * column + h, 16, 16 * h) for h in (0, 1)]


def forms(shape: str, verb: str) -> list[tuple[str, int, bool, int]]:
    """Every legal form: its spelling from the shape on, registers, halves, and imm (0 for none)."""
    registers, _, most = SHAPES[shape]
    found = []
    for halves in (False, True):
        repeat = 1
        while repeat <= most:
            word = {"ld": ".pack::16b", "st": ".unpack::16b"}[verb] if halves else ""
            offset = (2 * repeat if halves else repeat) if shape == "16x32bx2" else 0
            found.append((f"{shape}.x{repeat}{word}", registers * repeat, halves, offset))
            repeat *= 2
    return found


def registers(prefix: str, count: int) -> str:
    """A list of registers in braces."""
    return "{" + ", ".join(f"%{prefix}{i}" for i in range(count)) + "}"


class Text:
    """A kernel whose threads each have `pointer` into `given` and `result`, line by line.

    It allocates all of tensor memory in warp 0 and deallocates it at the end; `%t` is taddr.
    """

    def __init__(self, entry: str = "kernel") -> None:
        self._entry = entry
        self._lines: list[str] = []
        self._labels = 0

    def add(self, *lines: str) -> None:
        """Append statements."""
        self._lines += lines

    def fill(self) -> None:
        """Fill the warp's 32 lanes of all columns: given[thread][column]."""
        self._loop([
            "ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%g];",
            "tcgen05.st.sync.aligned.32x32b.x4.b32 [%c], {%v0, %v1, %v2, %v3};",
        ], "mov.b64 %g, %given;")  # fmt: skip
        self.add("tcgen05.wait::st.sync.aligned;")

    def dump(self) -> None:
        """Store the warp's 32 lanes of all columns: result[dump][thread][column]."""
        self._loop([
            "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%v0, %v1, %v2, %v3}, [%c];",
            "tcgen05.wait::ld.sync.aligned;",
            "st.global.v4.b32 [%g], {%v0, %v1, %v2, %v3};",
        ], "mov.b64 %g, %result;")  # fmt: skip
        self.add(f"add.u64 %result, %result, {LANES * COLUMNS * 4};")

    def _loop(self, body: list[str], start: str) -> None:
        self._labels += 1
        label = f"L{self._labels}"
        self.add(start, "mov.b32 %c, %t;", f"{label}:", *body, "add.u64 %g, %g, 16;",
                 "add.u32 %c, %c, 4;", "and.b32 %e, %c, 0xffff;",
                 f"setp.lt.u32 %p, %e, {COLUMNS};", f"@%p bra {label};")  # fmt: skip

    def text(self) -> str:
        """The whole text."""
        body = "\n".join(self._lines)
        return f"""{HEAD}
.visible .entry {self._entry}(.param .u64 given, .param .u64 result) {{
.reg .pred %p, %first; .reg .b32 %t, %c, %e, %n, %w; .reg .b32 %v<128>;
.reg .b64 %given, %result, %g, %x;
.shared .align 4 .b32 slot;
mov.u32 %n, %tid.x;
shr.u32 %w, %n, 5;
setp.eq.u32 %first, %w, 0;
@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;
bar.sync 0;
ld.shared.b32 %t, [slot];
shl.b32 %e, %w, 21;
add.u32 %t, %t, %e;
ld.param.u64 %given, [given];
ld.param.u64 %result, [result];
mul.wide.u32 %x, %n, {COLUMNS * 4};
add.u64 %given, %given, %x;
add.u64 %result, %result, %x;
{body}
bar.sync 0;
@!%first bra END;
ld.shared.b32 %t, [slot];
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 512;
END:
ret;
}}
"""
