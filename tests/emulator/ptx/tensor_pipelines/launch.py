"""One launch of a pipeline on the emulator."""

from __future__ import annotations

from typing import Any

import numpy as np

import lanemap
from tests.emulator.ptx.tensor_pipelines.operands import (
    UNTOUCHED,
    image,
    numbers,
    sums,
    tile_of,
)
from tests.emulator.ptx.tensor_pipelines.shape import WARPS, Shape
from tests.emulator.ptx.tensor_pipelines.text import ENTRY, text
from tests.emulator.ptx.tensor_pipelines.writer import box_rows, share_bytes, sharers


def images(s: Shape) -> tuple[Any, Any]:
    """What each CTA loads: of A and scales, and of B; uint8[CTA, tile, byte]."""
    t, teams, share = tile_of(s), numbers(s), share_bytes(s)
    near = np.zeros((s.ctas, s.tiles, t.near), np.uint8)
    far = np.zeros((s.ctas, s.tiles, share), np.uint8)
    for cta in range(s.ctas):
        for tile in range(s.tiles):
            whole = image(s, cta, tile, teams[cta // s.group])
            part = cta // s.group if sharers(s) > 1 else 0
            near[cta, tile] = whole[: t.near]
            far[cta, tile] = whole[t.near + part * share :][:share]
    return near, far


def launch(
    s: Shape, program: str | None = None, strict: bool = False, hazards: str = "raise"
) -> tuple[Any, Any]:
    """Run a program: the device, and what it wrote, as `operands.sums` has it.

    Raises:
        LanemapError: the program is refused, or meets a hazard.
    """
    device = lanemap.open_device("sm_100a", device="emulator", strict=strict, hazards=hazards)
    near, far = images(s)
    arrays = [device.array(each) for each in (near, far)]
    maps = [
        device.tensor_map(
            array,
            (box_rows(each.shape[2]), 128),
            dtype="uint8",
            sizes=(each.size // 128, 128),
            strides=(128,),
        )
        for array, each in zip(arrays, (near, far), strict=True)
    ]
    out = device.array(np.full(sums(s).shape, UNTOUCHED, np.uint32))
    device.load(program or text(s))[ENTRY](
        (s.ctas, 1, 1),
        (32 * WARPS, 1, 1),
        [*maps, *arrays, out],
        shared_bytes=s.stages * tile_of(s).size,
        cluster=(s.ctas, 1, 1),
    )
    return device, out.get()
