"""PTX texts around tensor memory, and its maps written out by hand.

The maps are those of the PTX ISA's figures of data movement shapes, as index formulas.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests import ptx

LANES, COLUMNS, WARP = 128, 512, 32
#: Shape: registers, and columns, for each repetition; the largest repetition.
SHAPES = {
    "32x32b": (1, 1, 128), "16x64b": (1, 2, 128), "16x128b": (2, 4, 64), "16x256b": (4, 8, 32),
    "16x32bx2": (1, 2, 128),
}  # fmt: skip
HEAD = ptx.module("", "sm_100a")


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

    It allocates all of tensor memory in warp 0 and deallocates it at the end; `%t` is taddr in the
    warp's quadrant, `%base` in lane 0; `%one` holds in thread 0. There is an mbarrier `bar` for one
    arrival, and `source`, filled with the first bytes of `given` where `source_bytes` says so.
    """

    def __init__(self, entry: str = "kernel", source_bytes: int = 0) -> None:
        self._entry, self._source_bytes = entry, source_bytes
        self._lines: list[str] = []
        self._labels = 0

    def add(self, *lines: str) -> None:
        """Append statements."""
        self._lines += lines

    def fill(self) -> None:
        """Fill the warp's 32 lanes of all columns: given[thread][column]."""
        self._loop(
            [
                "ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%g];",
                "tcgen05.st.sync.aligned.32x32b.x4.b32 [%c], {%v0, %v1, %v2, %v3};",
            ],
            "mov.b64 %g, %given;",
        )
        self.add("tcgen05.wait::st.sync.aligned;")

    def dump(self) -> None:
        """Store the warp's 32 lanes of all columns: result[dump][thread][column]."""
        self._loop(
            [
                "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%v0, %v1, %v2, %v3}, [%c];",
                "tcgen05.wait::ld.sync.aligned;",
                "st.global.v4.b32 [%g], {%v0, %v1, %v2, %v3};",
            ],
            "mov.b64 %g, %result;",
        )
        self.add(f"add.u64 %result, %result, {LANES * COLUMNS * 4};")

    def _loop(self, body: list[str], start: str) -> None:
        self._labels += 1
        label = f"L{self._labels}"
        self.add(
            start,
            "mov.b32 %c, %t;",
            f"{label}:",
            *body,
            "add.u64 %g, %g, 16;",
            "add.u32 %c, %c, 4;",
            "and.b32 %e, %c, 0xffff;",
            f"setp.lt.u32 %p, %e, {COLUMNS};",
            f"@%p bra {label};",
        )

    def meet(self) -> None:
        """All warps meet, and pass on what they know of tensor memory."""
        self.add(
            "tcgen05.fence::before_thread_sync;", "bar.sync 0;", "tcgen05.fence::after_thread_sync;"
        )

    def commit(self) -> None:
        """Wait, in all threads, for what thread 0 handed to the tensor core."""
        self._labels += 1
        label = f"W{self._labels}"
        self.add(
            "@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];",
            f"{label}:",
            "mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], %phase;",
            f"@!%p bra {label};",
            "xor.b32 %phase, %phase, 1;",
            "tcgen05.fence::after_thread_sync;",
        )

    def _copy_source(self) -> list[str]:
        if not self._source_bytes:
            return []
        return [
            "mov.u32 %c, source;",
            "mad.lo.u32 %c, %n, 4, %c;",
            "mul.wide.u32 %x, %n, 4;",
            "ld.param.u64 %g, [given];",
            "add.u64 %g, %g, %x;",
            "mov.b32 %e, %n;",
            "COPY:",
            "ld.global.b32 %v0, [%g];",
            "st.shared.b32 [%c], %v0;",
            "add.u64 %g, %g, 512;",
            "add.u32 %c, %c, 512;",
            "add.u32 %e, %e, 128;",
            f"setp.lt.u32 %p, %e, {self._source_bytes // 4};",
            "@%p bra COPY;",
            "fence.proxy.async.shared::cta;",
        ]

    def text(self) -> str:
        """The whole text."""
        body = "\n".join([*self._copy_source(), *self._lines])
        return f"""{HEAD}
.visible .entry {self._entry}(.param .u64 given, .param .u64 result) {{
.reg .pred %p, %first, %one; .reg .b32 %t, %base, %c, %e, %n, %w, %phase; .reg .b32 %v<128>;
.reg .b64 %given, %result, %g, %x;
.shared .align 1024 .b8 source[{self._source_bytes or 1024}];
.shared .align 8 .b64 bar; .shared .align 4 .b32 slot;
mov.u32 %n, %tid.x;
shr.u32 %w, %n, 5;
setp.eq.u32 %first, %w, 0;
setp.eq.u32 %one, %n, 0;
mov.b32 %phase, 0;
@%one mbarrier.init.shared::cta.b64 [bar], 1;
@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;
bar.sync 0;
ld.shared.b32 %base, [slot];
shl.b32 %e, %w, 21;
add.u32 %t, %base, %e;
ld.param.u64 %given, [given];
ld.param.u64 %result, [result];
mul.wide.u32 %x, %n, {COLUMNS * 4};
add.u64 %given, %given, %x;
add.u64 %result, %result, %x;
{body}
bar.sync 0;
@!%first bra END;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 512;
END:
ret;
}}
"""
