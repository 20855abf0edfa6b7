"""What one warp stores to tensor memory is read by another before the store is complete."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Triple 512 values."""
    values = np.arange(512, dtype=np.uint32)
    out = device.zeros(512, np.uint32)
    module["tmem_store_unfinished"](1, 256, (device.array(values), out))
    return [(out.get(), 3 * values)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cutlass/pull/3653",
        "https://github.com/NVIDIA/cutlass/pull/2687",
    ),
    cause="tcgen05.st is asynchronous. The warp that stores must wait with tcgen05.wait::st before "
    "it tells another warp that the columns are written.",
    kind="order",
    says="tcgen05.wait::st",
    launch=launch,
    target="sm_100a",
)
