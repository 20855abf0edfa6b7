"""tcgen05.shift: what it moves between lanes, in each quadrant and at several columns.

It is the only instruction that moves data between lanes, so it determines their order. Probes of
loads, stores and copies leave that order open.
"""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tmem.copies import Copies, CopyReading, images
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
)
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    commit,
    fill,
    kernel,
    read_back,
)

SOURCE = HEAD + kernel(
    "tcgen05_shift",
    ("images", "output"),
    1,
    [
        fill("filling"),
        barrier(),
        Piece(
            """\
    ld.shared.b32 target, [slot];
    add.u32 target, target, offset;
    @one tcgen05.shift.cta_group::1.down [target];
""",
            "offset one",
            "target",
        ),
        commit("committing"),
        barrier(),
        read_back("reading"),
    ],
)


@axis("lane", (0, 32, 64, 96))
@axis("column", (0, 96, 504))
@probe("tcgen05.shift.down", target="sm_100a", source=SOURCE, analysis=Copies())
def tcgen05_shift(state: State) -> list[CopyReading]:
    """Which bit of tensor memory does each bit of the shifted lanes receive?"""
    lane, column = int(state["lane"]), int(state["column"])
    device, passes = state.device, len(images())
    output = device.zeros((passes, COLUMNS, LANES), np.uint32)
    place = np.uint32(lane << 16 | column), np.uint32(0)
    state.entry("tcgen05_shift")(
        (passes, 1, 1), (CTA_THREADS, 1, 1), [device.array(images()), output, *place]
    )
    words = f"taddr at lane {lane}, column {column}"
    return [
        CopyReading(
            "tcgen05.shift.down", f"lane{lane}.column{column}", words, lane, column, output.get()
        )
    ]
