"""Finds in which half of L2 each line lies, and which SMs are near it, on a machine with a GPU.

    python -m tools.l2_map measure OUT.json    on a machine with an sm_90 GPU
    python -m tools.l2_map row OUT.json        here: results/sm_90a/cuda/l2_map.json

L2 has two halves. An atomic is done in the half where its line lies (its home), so its cycles tell
SMs that are near from those that are far. A read is answered by the SM's own half, which keeps a
copy of lines of the other. One SM at a time asks one line at a time.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.records.hashes import source_hash
from lanemap.targets import TARGETS
from tools.gpu_rows import main

TARGET, ROW = "sm_90a", "l2_map"
#: Bytes of a line of L2 and of a page, and lines of a page.
LINE, PAGE = 128, 1 << 21
LINES = PAGE // LINE
#: Requests to a line, one after the other, that are timed together; launches, of which least count.
EACH, TIMES = 4, 3
#: Lines that all SMs ask, pages of which one SM of each half asks all lines, and lines of memory.
SOME, PAGES, FAR = 256, 4, 4096
#: Shared memory with which one CTA fits on an SM.
SHARED_BYTES = 200 * 1024
#: What is asked of a line: an atomic that changes nothing, or a read.
ASKED = {"atomics": "atom.relaxed.gpu.global.add.u64 got, [at], got;",
         "reads": "ld.relaxed.gpu.global.u64 got, [at];"}  # fmt: skip

_TEXT = """.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 smem[];
"""
_ENTRY = """
.visible .entry {name}(
    .param .u64 lines_at, .param .u64 out_at, .param .u32 count, .param .u32 apart, .param .u32 only
)
{{
    .reg .b64 lines, at, out, got, begin, end;
    .reg .b32 sm, wanted, number, many, far, cycles, thread;
    .reg .pred p;
    mov.u32 sm, %smid; ld.param.u32 wanted, [only]; setp.ne.u32 p, sm, wanted; @p bra leave;
    mov.u32 thread, %tid.x; setp.ne.u32 p, thread, 0; @p bra leave;
    ld.param.u64 lines, [lines_at]; ld.param.u64 out, [out_at]; ld.param.u32 many, [count];
    ld.param.u32 far, [apart]; mov.u32 number, 0;
again:
    mad.wide.u32 at, number, far, lines; mov.u64 got, 0;
{before}    setp.ne.u64 p, got, 0; @p bra leave;                       // all are zeros: it waits
    mov.u64 begin, %clock64;
{asked}    setp.ne.u64 p, got, 0; @p bra leave;
    mov.u64 end, %clock64;
    sub.u64 begin, end, begin; cvt.u32.u64 cycles, begin;
    st.global.u32 [out], cycles; add.u64 out, out, 4;
    add.u32 number, number, 1; setp.lt.u32 p, number, many; @p bra again;
leave:
    ret;
}}
"""


def text() -> str:
    """The kernels: each line once before it is timed, and without that."""
    found = _TEXT
    for name, asked in ASKED.items():
        one = f"    {asked} add.u64 at, at, got;\n"
        found += _ENTRY.format(name=name, before=one, asked=one * EACH)
    one = f"    {ASKED['reads']} add.u64 at, at, got;\n"
    return found + _ENTRY.format(name="first_reads", before="", asked=one)


class Asking:
    """One SM at a time that asks lines of an array of zeros."""

    def __init__(self, device: Any, size: int) -> None:
        """Of so many bytes."""
        self._device, self._module = device, device.load(text())
        self._array = device.zeros(size // 8, np.uint64, name="lines")
        self._sms = TARGETS[TARGET].gpu.multiprocessors

    def __call__(
        self,
        kernel: str,
        sm: int,
        count: int,
        apart: int = LINE,
        first: int = 0,
        times: int = TIMES,
    ) -> NDArray[np.int64]:
        """Cycles of each of `count` lines, the least of some launches."""
        found = []
        for _ in range(times):
            out = self._device.zeros(count, np.uint32)
            words = (self._array.pointer(first), out, np.uint32(count), np.uint32(apart),
                     np.uint32(sm))  # fmt: skip
            self._module[kernel](self._sms, 32, words, shared_bytes=SHARED_BYTES)
            found.append(out.get().astype(np.int64))
        least: NDArray[np.int64] = np.min(found, axis=0)
        return least


def halves(cycles: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The half of each SM and the home of each line, of int[SM, line] of atomics; SM 0 is in 0.

    Far requests take longer than the middle between the 5th and the 95th percentile of an SM.
    """
    ends = np.percentile(cycles, (5, 95), axis=1)
    far = cycles > ends.mean(axis=0)[:, None]
    agree = (far == far[0]).mean(axis=1)
    sms = (agree < 0.5).astype(np.int64)
    home = ((far ^ sms[:, None].astype(bool)).mean(axis=0) > 0.5).astype(np.int64)
    return sms, home


def parity(home: NDArray[np.int64]) -> tuple[int, int]:
    """The bits of a line's number within its page whose parity decides its home; lines that fit."""
    mask = sum(1 << bit for bit in range(14) if home[1 << bit] != home[0])
    number = np.arange(len(home))
    bits = np.array([int(n & mask).bit_count() & 1 for n in number])
    return mask, int((bits ^ home[0] == home).sum())


def _histogram(cycles: NDArray[np.int64]) -> dict[str, int]:
    return {str(value): count for value, count in sorted(Counter(cycles.tolist()).items())}


def measured(device: Any) -> dict[str, Any]:
    """What the row holds."""
    asking = Asking(device, PAGES * PAGE)
    every = range(TARGETS[TARGET].gpu.multiprocessors)
    atomics = np.array([asking("atomics", sm, SOME) for sm in every])
    reads = np.array([asking("reads", sm, SOME) for sm in every])
    sms, home = halves(atomics)
    pages = []
    for page in range(PAGES):
        both = np.array([asking("atomics", int(np.argmax(sms == half)), LINES, first=page * PAGE)
                         for half in (0, 1)])  # fmt: skip
        own = (both[0] > both[1]).astype(np.int64)
        mask, agree = parity(own)
        bits = "".join(map(str, own))
        pages.append({"home": f"{int(bits, 2):0{LINES // 4}x}", "mask": mask, "agree": agree,
                      "apart": int(np.median(np.abs(both[0] - both[1])))})  # fmt: skip
        print("page", page, hex(mask), agree, LINES, flush=True)
    far = sms[:, None] != home[None, :]
    memory = Asking(device, FAR * (LINE * 257) + PAGE)
    device.zeros(1 << 25, np.uint64, name="sweep")  # L2 holds nothing of the lines
    first = memory("first_reads", 0, FAR, apart=LINE * 257, times=1)
    print("SMs of the second half:", int(sms.sum()), "of", len(sms))
    return {
        "command": "python -m tools.l2_map measure OUT.json",
        "source": source_hash(text()),
        "requests": EACH,
        "sms": sms.tolist(),
        "lines": home.tolist(),
        "near": _histogram(atomics[~far]),
        "far": _histogram(atomics[far]),
        "atomics": atomics.tolist(),
        "reads": reads.tolist(),
        "pages": pages,
        "memory": _histogram(first),
    }


if __name__ == "__main__":
    main(TARGET, ROW, measured)
