"""Global memory by place: pages, up to 62.5 GiB of them, L2 lines by SM, and words of atomics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.timing.global_memory import ctas, pages_of
from lanemap.timing.series import Series, SeriesProbe

_LOAD, _LDG = "ld.relaxed.gpu.global.b64", "LDG.E.64.STRONG.GPU"
_CHASE = {
    "parameters": ", .param .u64 ring_at",
    "registers": ".reg .b64 a, start, ring, v;",
    "first": "and.b32 low, low, zero; cvt.u64.u32 d0, low; add.u64 a, start, d0;",
}
#: Every lane reads its share of the first words, so that L2 holds them all.
_TOUCH = """
    and.b32 u0, thread, 31; cvt.u64.u32 v, u0; mad.lo.u64 v, v, page, ring;
    mul.lo.u64 wide, page, 32; mov.u32 left, u0;
touch:
    ld.relaxed.gpu.global.b64 d0, [v]; and.b64 d0, d0, nought; add.u64 start, start, d0;
    add.u64 v, v, wide; add.u32 left, left, 32; setp.lt.u32 p, left, {pages}; @p bra touch;
"""


def _pages(pages: int) -> Series:
    """A chase of which each link is in another page, by one SM at a time."""
    return Series(
        f"{_LOAD} by pages",
        _LDG,
        (
            f"issue of {_LDG}",
            f"issue of {_LDG} with the result as its address, in another page of 2 MiB",
        ),
        "event",
        link=f"{_LOAD} a, [a];",
        period={_LDG: 1},
        axes={"pages": pages},
        parameters=_CHASE["parameters"] + ", .param .u64 page_at",
        registers=_CHASE["registers"] + ".reg .b64 page, wide, nought; .reg .b32 left;",
        setup="ld.param.u64 ring, [ring_at]; ld.param.u64 page, [page_at];"
        " cvt.u64.u32 nought, zero;\n"
        f"mul.lo.u32 u0, cta, 37; rem.u32 u0, u0, {pages};\n"
        "cvt.u64.u32 start, u0; mad.lo.u64 start, start, page, ring;" + _TOUCH.format(pages=pages),
        first=_CHASE["first"],
        last="cvt.u32.u64 u0, a; and.b32 u0, u0, zero; xor.b32 x, x, u0;",
        after="sub.u64 d0, a, ring; div.u64 d0, d0, page; cvt.u32.u64 u0, d0; xor.b32 x, x, u0;\n"
        "mov.u64 start, a;",
        arguments=pages_of(pages),
        domain="L2",
        alone=True,
    )


_LINES, _APART = 8, 4096 + 128


def _line(line: int) -> Series:
    """A chase within one sector, of one of some lines, by one SM at a time."""

    def make(device: Any) -> Sequence[Any]:
        array = device.zeros(_LINES * _APART // 8, np.uint64, name="lines")
        host = np.zeros(_LINES * _APART // 8, np.uint64)
        for number in range(_LINES):
            first = number * _APART
            for slot in range(4):
                after = array.pointer().address + first + (slot + 1) % 4 * 8
                host[first // 8 + slot] = np.uint64(after)
        array.set(host)
        return (array,)

    return Series(
        f"{_LOAD} of one line",
        _LDG,
        (f"issue of {_LDG}", f"issue of {_LDG} with the result as its address, in the same sector"),
        "event",
        link=f"{_LOAD} a, [a];",
        period={_LDG: 1},
        axes={"line": line},
        setup=f"ld.param.u64 ring, [ring_at]; add.u64 ring, ring, {line * _APART};"
        " mov.u64 start, ring;",
        last="sub.u64 d0, a, ring; mov.b64 {u0, u1}, d0; xor.b32 x, x, u0; xor.b32 x, x, u1;",
        arguments=make,
        domain="L2",
        alone=True,
        **_CHASE,
    )


def _words(device: Any) -> Sequence[Any]:
    return (device.zeros(ctas(device) * 1024, np.uint64, name="words"),)


_WORD: dict[str, Any] = {
    "parameters": ", .param .u64 words_at", "registers": ".reg .b64 at; .reg .b32 v, w;",
    "arguments": _words, "domain": "L2", "exact": False, "lengths": (8, 12, 16, 24, 32),
}  # fmt: skip
_SETUP = "ld.param.u64 at, [words_at]; mul.lo.u32 u0, cta, {cta}; and.b32 u1, thread, 31;"
#: By name: bytes between CTAs and between lanes, and how many lanes have the same word.
_PLACES = {
    "a word for all SMs": (0, 0, 32),
    "a word for each SM": (8192, 0, 32),
    "a word for each lane, the same for all SMs": (0, 4, 1),
    "a word for each lane": (8192, 4, 1),
    "a word for two lanes": (8192, 4, 2),
    "a word for eight lanes": (8192, 4, 8),
    "a sector for each lane": (8192, 32, 1),
    "a line for each lane": (8192, 128, 1),
}


def _atomics(place: str, alone: bool) -> Series:
    """Atomics whose result is the data of the next."""
    between, lane, same = _PLACES[place]
    opcode = "ATOMG.E.EXCH.STRONG.GPU"
    return Series(
        "atom.global.exch.b32 by place",
        opcode,
        (
            f"issue of {opcode}",
            f"issue of {opcode} with the result as its data, {'one SM' if alone else 'all SMs'}"
            " at a time",
        ),
        "event",
        link="atom.global.exch.b32 x, [at], x;",
        period={opcode: 1},
        axes={"place": place, "SMs": "one" if alone else "all"},
        setup=_SETUP.format(cta=between)
        + f" div.u32 u1, u1, {same}; mad.lo.u32 u0, u1, {lane}, u0;"
        " cvt.u64.u32 d0, u0; add.u64 at, at, d0;",
        alone=alone,
        **_WORD,
    )


memory_map = SeriesProbe(
    "memory_map",
    series=(
        *map(_pages, (512, 1024, 2048, 4096, 8192, 16384, 32000)),
        *map(_line, range(_LINES)),
        *(_atomics(place, alone) for place in _PLACES for alone in (True, False)),
    ),
    targets=("sm_90a",),
)
