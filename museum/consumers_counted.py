"""A pipeline counts 128 consumers where one lane of each of four warps arrives."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Add up 8 tiles of 4 rows."""
    x = np.arange(32 * 128, dtype=np.int32).reshape(32, 128)
    out = device.zeros(128, np.int32)
    kernel(module, 1, (device.tensor_map(device.array(x), (4, 128)), out))
    return [(out.get(), x.sum(0, dtype=np.int32))]


EXHIBIT = Exhibit(
    threads=("https://github.com/NVIDIA/cutlass/issues/2404",),
    cause="CooperativeGroup(Agent.Thread, 128) counts threads, but consumer_release of this "
    "pipeline arrives once a warp. The producer waits for 124 arrivals that never come.",
    kind="deadlock",
    says="mbarrier",
    launch=launch,
    hangs=True,
)
