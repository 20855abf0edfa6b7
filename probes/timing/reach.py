"""How far L2 reaches: rates by how many bytes are read again, and lines that were just written.

L2 has two parts. An SM reads a line of the other part through its own part, which may then keep
a copy, so that less than the whole of L2 holds what all SMs read, and a line that was just written
takes longer to read than one that was read before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lanemap.timing.bulk import bulk_copies
from lanemap.timing.global_memory import ctas
from lanemap.timing.launch import WARP
from lanemap.timing.series import Series, SeriesProbe

#: Warps of a CTA, bytes that each lane reads at once, and loads of a link.
WARPS, WIDE, LOADS = 32, 16, 4
#: Bytes that an SM reads in a link.
LINK = WARPS * WARP * WIDE * LOADS
_KIB = 1024
#: SMs whose parts lie beside each other.
_SMS = 132
#: Lines of a ring, and bytes from one to the next.
_LINES, _APART = 48, 4096 + 128
_LOAD, _LDG = "ld.relaxed.gpu.global.b64", "LDG.E.64.STRONG.GPU"


def _bytes(each: int, least: int = 1) -> Callable[[Any], Sequence[Any]]:
    """Memory of which each CTA has so many bytes, and of so many CTAs at least."""
    return lambda device: (device.zeros(max(ctas(device), least) * each, np.uint8, name="own"),)


def _again(own: int, shared: bool = False, together: int = 1) -> Series:
    """Loads that come back to where they began after so many bytes of each SM.

    Those that are shared go through the parts of all SMs, each SM from its own part on. So many
    CTAs that follow each other read the same together.
    """
    region = own * (_SMS if shared else 1)
    opcode = "LDG.E.128.STRONG.GPU"
    loads = "".join(
        f"ld.relaxed.gpu.global.v2.b64 {{e{2 * n}, e{2 * n + 1}}}, [a+{n * WARPS * WARP * WIDE}]; "
        for n in range(LOADS)
    )
    folded = "".join(f"xor.b64 sum, sum, e{n}; " for n in range(2 * LOADS))
    return Series(
        "loads of 16 bytes a lane, again",
        opcode,
        (
            f"issue of the first of {LOADS} loads of each warp",
            f"issue of the next {LOADS} loads, of which each SM reads {LINK} bytes",
        ),
        "rate",
        link=loads
        + folded
        + "add.u32 off, off, step; setp.ge.u32 p, off, region; selp.b32 off, zero, off, p;"
        " cvt.u64.u32 d0, off; add.u64 a, start, d0;",
        period={
            opcode: LOADS,
            "LOP3.LUT": 2 * LOADS,
            "IADD3": 1,
            "IMAD.IADD": 1,
            "IMAD.X": 1,
            "ISETP.GE.U32.AND": 1,
            "SEL": 1,
        },  # fmt: skip
        axes={"KiB of each SM": own // _KIB, "shared": "yes" if shared else "no"}
        | ({"SMs together": together} if together > 1 else {}),
        warps=WARPS,
        lengths=(8, 12, 16, 24, 32),
        parameters=", .param .u64 own_at",
        registers=".reg .b64 own, a, start, sum, e<8>; .reg .b32 off, step, region;",
        setup=f"""
    ld.param.u64 own, [own_at];
    mul.wide.u32 d0, thread, {WIDE}; add.u64 start, own, d0; mov.u64 sum, 0;
    div.u32 off, cta, {together}; mul.lo.u32 off, off, {own};
    add.u32 step, zero, {LINK}; add.u32 region, zero, {region};
"""
        + (
            "" if shared else "    cvt.u64.u32 d0, off; add.u64 start, start, d0; mov.u32 off, 0;\n"
        ),
        first="and.b32 low, low, zero; add.u32 off, off, low;"
        " cvt.u64.u32 d0, off; add.u64 a, start, d0;",
        last="mov.b64 {u0, u1}, sum; and.b32 u0, u0, zero; and.b32 u1, u1, zero;"
        " or.b32 u0, u0, u1; xor.b32 x, x, u0;",
        arguments=_bytes(own, _SMS if shared else 1),
        domain="L2",
        exact=False,
    )


def _written() -> Series:
    """A chase through lines that the SM has written since it read them."""
    write = f"""
    mov.u64 v, ring; mov.u32 left, {_LINES};
{{name}}:
    add.u64 d0, v, {_APART}; setp.eq.u32 p, left, 1; @p mov.u64 d0, ring;
    st.relaxed.gpu.global.b64 [v], d0; add.u64 v, v, {_APART};
    sub.u32 left, left, 1; setp.ne.u32 p, left, 0; @p bra {{name}};
    fence.acq_rel.gpu;
"""
    return Series(
        f"{_LOAD} of lines just written",
        _LDG,
        (f"issue of {_LDG}", f"issue of {_LDG} with the result as its address, in another line"),
        "event",
        link=f"{_LOAD} a, [a];",
        period={_LDG: 1},
        axes={"bytes between lines": _APART},
        parameters=", .param .u64 ring_at",
        registers=".reg .b64 a, start, ring, v; .reg .b32 left;",
        setup=f"ld.param.u64 ring, [ring_at]; mad.wide.u32 ring, cta, {_LINES * _APART}, ring;\n"
        "mov.u64 start, ring;" + write.format(name="filled"),
        first="and.b32 low, low, zero; cvt.u64.u32 d0, low; add.u64 a, start, d0;",
        last="sub.u64 d0, a, ring; mov.b64 {u0, u1}, d0; xor.b32 x, x, u0; xor.b32 x, x, u1;",
        after=write.format(name="refilled"),
        arguments=_bytes(_LINES * _APART),
        domain="L2",
    )


reach = SeriesProbe(
    "reach",
    series=(
        _written(),
        *(_again(size * _KIB, False) for size in (64, 128, 192, 256, 320, 384, 448, 512, 768)),
        *(_again(size * _KIB, True) for size in (64, 128, 192, 256, 320, 384, 512)),
        *(_again(64 * _KIB, together=number) for number in (2, 4, 12, 132)),
        *(
            bulk_copies("L2", False, size, number)
            for size in (16384, 65536)
            for number in (2, 4, 12, 132)
        ),
    ),
    targets=("sm_90a",),
)
