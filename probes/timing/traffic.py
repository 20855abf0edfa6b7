"""Traffic between SMs and L2 or memory: what one SM moves, and what each of all moves at once.

Every window moves so much that only the rate counts. Memory is read and written at addresses that
no cache holds: each round of each launch goes on where the one before ended, through more bytes
than L2 has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lanemap.timing.bulk import bulk_copies
from lanemap.timing.global_memory import ctas
from lanemap.timing.launch import ROUNDS, WARP
from lanemap.timing.series import Series, SeriesProbe

#: Warps of a CTA, and bytes that each lane moves at once.
WARPS, WIDE = 32, 16
#: Bytes that all warps move with one instruction each.
STEP = WARPS * WARP * WIDE
_LINKS = (8, 12, 16, 24, 32)


def _own(bytes_of_cta: int) -> Callable[[Any], Sequence[Any]]:
    """Memory of which each CTA has so many bytes."""
    return lambda device: (device.zeros(ctas(device) * bytes_of_cta, np.uint8, name="own"),)


def _moves(residency: str, alone: bool, reads: int, writes: int) -> Series:
    """Loads and stores of 16 bytes by all lanes; with both, what was read is written."""
    far = residency == "memory"
    name = "copy" if reads and writes else "loads" if reads else "stores"
    bytes_of_link = STEP * max(reads, writes)
    advance = bytes_of_link if far else 0
    half = bytes_of_link * (ROUNDS * max(_LINKS) if far else 1)
    region = half * (2 if reads and writes else 1)
    load = "ld.global.v2.b64" if far else "ld.relaxed.gpu.global.v2.b64"
    opcode = "LDG.E.128" if far else "LDG.E.128.STRONG.GPU"
    to = half if reads else 0
    loaded = "".join(f"{load} {{e{2 * n}, e{2 * n + 1}}}, [a+{n * STEP}]; " for n in range(reads))
    stored = "".join(
        f"st.global.v2.b64 [a+{to + n * STEP}], {{e{2 * n}, e{2 * n + 1}}}; " for n in range(writes)
    )
    folded = "" if writes else "".join(f"xor.b64 sum, sum, e{n}; " for n in range(2 * reads))
    return Series(
        f"{name} of 16 bytes a lane",
        opcode if reads else "STG.E.128",
        (
            f"issue of the first of {max(reads, writes)} {name} of each warp",
            f"issue of the next {max(reads, writes)} {name}, of which each SM moves "
            f"{bytes_of_link} bytes",
        ),
        "rate",
        link=loaded + stored + folded + f"add.u64 a, a, {advance};" * far,
        period={
            **({opcode: reads} if reads else {}),
            **({"STG.E.128": writes} if writes else {"LOP3.LUT": 2 * reads}),
        },
        axes={"residency": residency, "SMs": "one" if alone else "all", "bytes": bytes_of_link},
        warps=WARPS,
        lengths=_LINKS,
        parameters=", .param .u64 own_at",
        registers=".reg .b64 own, a, start, sum, e<8>;",
        setup=f"""
    ld.param.u64 own, [own_at]; mad.wide.u32 own, cta, {region}, own;
    mul.wide.u32 d0, thread, {WIDE}; add.u64 own, own, d0; mov.u64 start, own; mov.u64 sum, 0;
    mov.b64 e0, {{k0, k1}}; mov.b64 e1, {{k2, k3}};
"""
        + "".join(f"    mov.b64 e{n}, e{n % 2};\n" for n in range(2, 8)),
        first="and.b32 low, low, zero; cvt.u64.u32 d0, low; add.u64 a, start, d0;",
        last="mov.b64 {u0, u1}, sum; and.b32 u0, u0, zero; and.b32 u1, u1, zero;"
        " or.b32 u0, u0, u1; xor.b32 x, x, u0;"
        if reads and not writes
        else "",
        after=f"add.u64 start, start, {advance * max(_LINKS)};" * far,
        arguments=_own(region),
        domain=residency,
        alone=alone,
        exact=False,
    )


traffic = SeriesProbe(
    "traffic",
    series=tuple(
        each
        for residency in ("L2", "memory")
        for alone in (False, True)
        for each in (
            _moves(residency, alone, 4, 0),
            _moves(residency, alone, 0, 4),
            _moves(residency, alone, 4, 4),
            *(bulk_copies(residency, alone, size) for size in (16384, 65536)),
        )
    ),
    targets=("sm_90a",),
)
