"""A wave fills LDS for the next tile while another wave still reads the last one."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Sum 8 tiles."""
    values = np.arange(8 * 256, dtype=np.int32).reshape(8, 256)
    out = device.zeros(256, np.int32)
    module["lds_reuse"](1, 256, (device.array(values), out, np.int32(8)))
    total = sum(np.roll(values.sum(0), -64 * i) for i in range(4))
    return [(out.get(), total)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/ROCm/rocm-libraries/issues/4713",
        "https://github.com/ROCm/rocm-libraries/pull/11454",
    ),
    cause="A barrier orders the stores of a tile before its loads, and none orders the loads "
    "before the next stores. With one wave a block it never shows.",
    kind="order",
    says="missing",
    launch=launch,
    target="gfx950",
)
