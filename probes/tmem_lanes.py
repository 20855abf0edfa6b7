"""The part of tensor memory that each warp reaches, by the lane in taddr.

NVIDIA's PTX ISA demands that a warp name the lanes of its own quadrant; DeepGEMM, FlashMLA and TVM
pass lane 0 from all four warps and run so on hardware. No source says what happens if a
warp names another warp's quadrant: `--axis named=own,zero` leaves that out.
"""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tmem.forms import (
    CTA_THREADS,
    WARPS,
)
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    fill,
    kernel,
)
from lanemap.probing.tmem.lanes import LaneReading, Lanes
from lanemap.probing.tmem.moves import load_images

SOURCE = HEAD + kernel(
    "tmem_lanes",
    ("images", "named", "output"),
    1,
    [
        fill("filling"),
        barrier(),
        Piece(
            f"""\
    mul.wide.u32 from, warp, 4;
    add.s64 from, from, named;
    ld.global.b32 word, [from];
    shl.b32 word, word, 16;
    ld.shared.b32 target, [slot];
    add.u32 target, target, word;
    tcgen05.ld.sync.aligned.32x32b.x1.b32 {{word}}, [target];
    tcgen05.wait::ld.sync.aligned;
    mad.lo.u32 address, pass, {CTA_THREADS}, thread;
    mul.wide.u32 to, address, 4;
    add.s64 to, to, output;
    st.global.b32 [to], word;
""",
            "warp pass thread named output",
            "from word target address to",
        ),
    ],
)
# The lanes that warps 0 to 3 name in a launch.
NAMED = {
    "own": ((0, 32, 64, 96),),
    "zero": ((0, 0, 0, 0),),
    "others": ((32, 64, 96, 0), (64, 96, 0, 32), (96, 0, 32, 64)),
}


@axis("named", tuple(NAMED))
@probe("tcgen05.ld.32x32b:taddr", target="sm_100a", source=SOURCE, analysis=Lanes())
def tmem_lanes(state: State) -> list[LaneReading]:
    """Which lane does each thread of each warp reach, by the lane in taddr?"""
    device, passes = state.device, len(load_images())
    images = device.array(load_images())
    readings = []
    for named in state.choose("named", NAMED):
        output = device.zeros((passes, WARPS, 32), np.uint32)
        given = device.array(np.array(named, np.uint32))
        state.entry("tmem_lanes")(
            (passes, 1, 1),
            (CTA_THREADS, 1, 1),
            [images, given, output, np.uint32(0), np.uint32(0)],
        )
        readings.append(LaneReading(state.label, named, output.get()))
    return readings
