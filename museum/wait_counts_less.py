"""A hand-written schedule waits for one LDS read of the two that it uses."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Add the halves of 128 values, in reverse."""
    values = np.arange(128, dtype=np.int32) ** 2
    out = device.zeros(64, np.int32)
    module["wait_counts_less"](1, 64, (device.array(values), out))
    return [(out.get(), (values[:64] + values[64:])[::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/ROCm/rocm-libraries/pull/3003",
        "https://github.com/ROCm/rocm-libraries/pull/3017",
    ),
    cause="s_waitcnt lgkmcnt(1) leaves the newer of two reads pending, and its register is used. "
    "The count of a schedule that is written by hand has to follow each change of its order.",
    kind="pending",
    says="lgkmcnt",
    launch=launch,
    target="gfx950",
)
