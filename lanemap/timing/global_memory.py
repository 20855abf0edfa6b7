"""Global memory for timing probes: rings of pointers, pages, and what empties the L2 cache.

Each function that returns a function gives the arguments of a `Series`, from the device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.timing.launch import WARP

#: CTAs for which there is memory: an H200 has 132 SMs, and the emulator runs one cluster.
_CTAS, _CTAS_OF_EMULATOR = 160, 16
#: What each CTA reads first so that nothing else is in L2: 2 MiB on a GPU, little on the emulator.
_SWEPT, _SWEPT_BY_EMULATOR = 1 << 21, 1 << 14
#: Bytes of a page, and of what stands for one on the emulator.
_PAGE, _PAGE_OF_EMULATOR = 1 << 21, 1 << 12
#: What `sweep` needs of a kernel.
SWEEP_PARAMETERS = ", .param .u64 swept_at, .param .u32 left_at"
SWEEP_REGISTERS = ".reg .b64 swept, sum, nought; .reg .b32 left;"


def ctas(device: Any) -> int:
    """How many CTAs there is memory for."""
    return _CTAS if device.evidence == "silicon" else _CTAS_OF_EMULATOR


def room(device: Any, words: int, name: str) -> Any:
    """Zeros of uint64 whose addresses have the same upper 32 bits.

    A chase that does not wait may read half of an address; it still finds memory of ours.
    """
    held = []
    for _ in range(4):
        array = device.zeros(words, np.uint64, name=name)
        first = array.pointer().address
        if first >> 32 == first + array.nbytes - 1 >> 32:
            return array
        held.append(array)
    raise UserError(f"cannot allocate {name} within one 4 GiB window; free memory of the GPU")


def ring(slots: int, stride_bytes: int, lane_bytes: int = 0, each: bool = False) -> Any:
    """Return a function that makes the rings of a chase: slots in random order.

    With `lane_bytes` every lane has a ring of its own beside the others'; with `each` every CTA.
    """

    def make(device: Any) -> Sequence[Any]:
        regions = ctas(device) if each else 1
        words, step = slots * stride_bytes // 8, stride_bytes // 8
        array = room(device, regions * words, "rings")
        host = np.zeros((regions, slots, step), np.uint64)
        order = np.random.default_rng(7).permutation(slots)
        base = array.pointer().address
        starts = base + words * 8 * np.arange(regions, dtype=np.uint64)
        lanes = np.arange(WARP if lane_bytes else 1, dtype=np.uint64)
        follows = np.empty(slots, np.uint64)
        follows[order] = np.roll(order, -1)
        at = (lanes * lane_bytes // 8).astype(np.int64)
        host[:, :, at] = (
            starts[:, None, None]
            + (follows * stride_bytes)[None, :, None]
            + (lanes * lane_bytes)[None, None, :]
        )
        array.set(host.reshape(-1))
        return (array,)

    return make


def low_ring(device: Any) -> Sequence[Any]:
    """A ring of 32 slots of 8 bytes, and as many that a cut chain reads, at a multiple of 512."""
    array = room(device, 256, "rings")
    first = -array.pointer().address % 512 // 8
    base = array.pointer().address + 8 * first
    host = np.zeros(256, np.uint64)
    order = np.random.default_rng(7).permutation(32)
    host[first + order] = base + 8 * np.roll(order, -1).astype(np.uint64)
    array.set(host)
    return (array,)


def pages_of(pages: int) -> Callable[[Any], Sequence[Any]]:
    """Pages in random order, each of which begins with the address of the next, and their size."""

    def make(device: Any) -> Sequence[Any]:
        size = _PAGE if device.evidence == "silicon" else _PAGE_OF_EMULATOR
        array = device.zeros((pages, size // 8), np.uint64, name="pages")
        order = np.random.default_rng(7).permutation(pages)
        for page, follows in zip(order, np.roll(order, -1), strict=True):
            array[int(page), :1] = np.uint64(array.pointer().address + int(follows) * size)
        return array, np.uint64(size)

    return make


def sweep(warps: int) -> str:
    """PTX: every CTA reads its part of what is swept, so that L2 holds nothing else."""
    step = WARP * warps * 16
    loads = "".join(
        f"    ld.volatile.global.v2.b64 {{d0, d1}}, [swept+{number * step}];"
        f" xor.b64 d0, d0, d1; and.b64 d0, d0, nought; add.u64 sum, sum, d0;\n"
        for number in range(8)
    )
    return f"""
    ld.param.u64 swept, [swept_at];
    ld.param.u32 left, [left_at];
    mul.wide.u32 d0, cta, left; add.u64 swept, swept, d0;
    mul.wide.u32 d0, thread, 16; add.u64 swept, swept, d0;
    cvt.u64.u32 nought, zero; mov.u64 sum, 0;
sweep:
{loads}    add.u64 swept, swept, {8 * step};
    sub.u32 left, left, {8 * step};
    setp.gt.s32 p, left, 0;
    @p bra sweep;
    add.u64 start, start, sum;
"""


def swept_memory(device: Any) -> Sequence[Any]:
    """The memory that `sweep` reads, and the bytes of each CTA's part."""
    size = _SWEPT if device.evidence == "silicon" else _SWEPT_BY_EMULATOR
    return device.zeros(ctas(device) * size, np.uint8, name="swept"), np.uint32(size)


def own_words(words: int) -> Callable[[Any], Sequence[Any]]:
    """Memory of which each CTA has so many words of 64 bits."""
    return lambda device: (device.zeros(ctas(device) * words, np.uint64, name="own"),)
