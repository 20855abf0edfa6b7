"""A relaxed flag after one wave's wait stands for what all waves of the block have stored."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Hand 4 rows from one block to the next."""
    values = np.arange(4 * 256, dtype=np.int32)
    rows, out = (device.zeros(values.size, np.int32) for _ in range(2))
    flags = device.zeros(4, np.uint32)
    module["flag_of_one_wave"](8, 256, (device.array(values), rows, flags, out))
    return [(out.get(), 7 * values)]


EXHIBIT = Exhibit(
    threads=("https://github.com/AMD-AGI/Primus-Turbo/pull/482",),
    cause="s_waitcnt waits for the stores of its own wave, and a relaxed store writes back no "
    "cache. Each wave has to release what it has stored before the block's barrier.",
    kind="order",
    says="missing",
    launch=launch,
    target="gfx950",
)
