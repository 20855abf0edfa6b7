"""The PTX around a matrix load, store or move, and the tags that it is given.

CTA p runs pass p. It fills shared memory with image p of the tags, gives every lane the address of
its row, executes the instruction once in each warp, and writes out the registers (of a load or a
move) or all of the shared memory (of a store).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.probing.tags.bits import BitTags
from lanemap.probing.warp.forms import LANES, MOST_REGISTERS, ROW_BITS, Form

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]
WARPS = 4
ROW_BYTES = ROW_BITS // 8
MEMORY_BYTES = 8192
MEMORY_WORDS = MEMORY_BYTES // 4
REGISTER_WORDS = WARPS * LANES * MOST_REGISTERS
# Registers come first in the numbering, then shared memory.
TAGS = BitTags(REGISTER_WORDS + MEMORY_WORDS)
#: .version and .target; stmatrix of bytes needs PTX 8.6, and text for silicon is PTX 9.0 or older.
HEAD = ".version 8.8\n.target {target}\n.address_size 64\n"
_TEXT = """
.visible .entry {name}(
    .param .u64 images_at,
    .param .u64 addresses_at,
    .param .u64 registers_at,
    .param .u64 output_at
)
{{
    .shared .align 128 .b8 rows[{memory_bytes}];
    .reg .b64 images, addresses, registers, output, far;
    .reg .b32 thread, threads, pass, word, base, place, at, value;
    .reg .b32 v<{most}>;
    .reg .pred more;
    ld.param.u64 images, [images_at];
    ld.param.u64 addresses, [addresses_at];
    ld.param.u64 registers, [registers_at];
    ld.param.u64 output, [output_at];
    cvta.to.global.u64 images, images;
    cvta.to.global.u64 addresses, addresses;
    cvta.to.global.u64 registers, registers;
    cvta.to.global.u64 output, output;
    mov.u32 thread, %tid.x;
    mov.u32 threads, %ntid.x;
    mov.u32 pass, %ctaid.x;
    mov.u32 base, rows;
    mad.wide.u32 images, pass, {memory_bytes}, images;   // the image of this pass
    mov.u32 word, thread;
fill:
    mad.wide.u32 far, word, 4, images;
    ld.global.b32 value, [far];
    mad.lo.u32 place, word, 4, base;
    st.shared.b32 [place], value;
    add.u32 word, word, threads;
    setp.lt.u32 more, word, {memory_words};
    @more bra fill;
    mad.wide.u32 far, thread, 4, addresses;
    ld.global.b32 at, [far];                             // the row of this lane
    add.u32 at, at, base;
    mad.lo.u32 word, pass, {all_threads}, thread;
    mul.lo.u32 word, word, {most};
    mad.wide.u32 far, word, 4, registers;
    ld.global.v4.b32 {{v0, v1, v2, v3}}, [far];            // what a store or a move is given
    bar.sync 0;                                          // the image is whole
{body}    ret;
}}
"""
_LOADED = """\
    mad.lo.u32 word, pass, threads, thread;
    mul.lo.u32 word, word, {most};
    mad.wide.u32 far, word, 4, output;
    st.global.v4.b32 [far], {{v0, v1, v2, v3}};
"""
_STORED = """\
    bar.sync 0;                                          // every warp has stored
    mad.wide.u32 output, pass, {memory_bytes}, output;
    mov.u32 word, thread;
read:
    mad.lo.u32 place, word, 4, base;
    ld.shared.b32 value, [place];
    mad.wide.u32 far, word, 4, output;
    st.global.b32 [far], value;
    add.u32 word, word, threads;
    setp.lt.u32 more, word, {memory_words};
    @more bra read;
"""
_SIZES = {
    "memory_bytes": MEMORY_BYTES,
    "memory_words": MEMORY_WORDS,
    "all_threads": WARPS * LANES,
    "most": MOST_REGISTERS,
}


def kernel(name: str, instruction: str, stores: bool = False) -> str:
    """A kernel around one instruction.

    Args:
        name: The kernel's name.
        instruction: PTX that reads or writes v0 to v3 and takes the row's address from `at`.
        stores: Whether to write out shared memory instead of the registers.
    """
    after = (_STORED if stores else _LOADED).format(**_SIZES)
    return _TEXT.format(name=name, body=f"    {instruction}\n{after}", **_SIZES)


def matrix_kernel(form: Form) -> str:
    """The kernel of a matrix load or store."""
    names = ", ".join(f"v{i}" for i in range(form.registers))
    if form.op == "ldmatrix":
        return kernel(form.entry, f"{form.variant} {{{names}}}, [at];")
    return kernel(form.entry, f"{form.variant} [at], {{{names}}};", stores=True)


@dataclass(frozen=True)
class RowPattern:
    """Which row each lane points at.

    Attributes:
        name: Its name on the axis.
        description: The row of thread t, in words.
        warps: Warps of the CTA.
        rows: Maps thread numbers to rows of 16 bytes.
    """

    name: str
    description: str
    warps: int
    rows: Callable[[Integers], Integers]

    def addresses(self) -> Integers:
        """Byte addresses from the start of shared memory, shape (warps, lanes)."""
        thread = np.arange(self.warps * LANES, dtype=np.int64)
        return (self.rows(thread) * ROW_BYTES).reshape(self.warps, LANES)


# t (t + 1) / 2 modulo a power of two is a permutation that is affine neither over F2 nor over Z.
PATTERNS = {
    pattern.name: pattern
    for pattern in (
        RowPattern("consecutive", "row t", 1, lambda t: t),
        RowPattern("permuted", "row t (t + 1) / 2 mod 32", 1, lambda t: t * (t + 1) // 2 % 32),
        RowPattern("strided", "row 9 t", 1, lambda t: 9 * t),
        RowPattern("shared", "row 5 t mod 8, each for four lanes", 1, lambda t: 5 * t % 8),
        RowPattern(
            "warps",
            "four warps; row t (t + 1) / 2 mod 128",
            WARPS,
            lambda t: t * (t + 1) // 2 % (WARPS * LANES),
        ),
    )
}


@cache
def images() -> Words:
    """Shared memory in every pass, uint32[passes, words]."""
    return TAGS.show(REGISTER_WORDS + np.arange(MEMORY_WORDS))


@cache
def register_images() -> Words:
    """The registers in every pass, uint32[passes, thread, register]."""
    return TAGS.show(np.arange(REGISTER_WORDS)).reshape(-1, WARPS * LANES, MOST_REGISTERS)


def launch(device: Any, entry: Any, pattern: RowPattern, stores: bool) -> Words:
    """Run all passes of one pattern.

    Returns:
        The registers, uint32[passes, warp, lane, register]; of a store the shared memory,
        uint32[passes, words].
    """
    threads = pattern.warps * LANES
    shape = (MEMORY_WORDS,) if stores else (pattern.warps, LANES, MOST_REGISTERS)
    output = device.zeros((TAGS.passes, *shape), np.uint32)
    entry(
        (TAGS.passes, 1, 1),
        (threads, 1, 1),
        [
            device.array(images()),
            device.array(pattern.addresses().reshape(-1).astype(np.uint32)),
            device.array(register_images()),
            output,
        ],
    )
    received: Words = output.get()
    return received


def register_numbers(warp: int, registers: int) -> Integers:
    """The tags of a warp's registers, int64[lane * register * bit]."""
    thread = LANES * warp + np.arange(LANES)[:, None, None]
    word = thread * MOST_REGISTERS + np.arange(registers)[None, :, None]
    return (word * 32 + np.arange(32)).reshape(-1)


def row_numbers(addresses: Integers) -> Integers:
    """The tags of the rows at a warp's addresses, int64[lane * bit]."""
    first = REGISTER_WORDS * 32 + addresses[:, None] * 8
    return (first + np.arange(ROW_BITS)).reshape(-1)
