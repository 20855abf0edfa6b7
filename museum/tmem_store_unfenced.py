"""A barrier orders what is in tensor memory, without the fence that it needs."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Triple 512 values."""
    values = np.arange(512, dtype=np.uint32)
    out = device.zeros(512, np.uint32)
    module["tmem_store_unfenced"](1, 256, (device.array(values), out))
    return [(out.get(), 3 * values)]


EXHIBIT = Exhibit(
    threads=("https://github.com/Dao-AILab/flash-attention/issues/2033",),
    cause="A barrier orders accesses of tensor memory by different warps only between two fences: "
    "tcgen05.fence::before_thread_sync is missing where the columns were written.",
    kind="order",
    says="before_thread_sync",
    launch=launch,
    target="sm_100a",
    strict=True,
)
