"""One lane arrives at an mbarrier for the stores of its whole warp."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse 64 rows."""
    values = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    out = device.zeros(values.shape, np.float32)
    module["leader_releases"](64, 64, (device.array(values), out))
    return [(out.get(), values[:, ::-1])]


EXHIBIT = Exhibit(
    threads=("https://github.com/NVIDIA/cudnn-frontend/pull/426",),
    cause="An arrival releases the stores of the thread that arrives. The stores of the other "
    "lanes need __syncwarp before it, or an arrival of each lane.",
    kind="order",
    says="__syncwarp()",
    launch=launch,
    strict=True,
)
