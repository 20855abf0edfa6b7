"""A named barrier counts the threads of two warps, and five warps meet there."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Sum 128 values."""
    values = np.arange(128, dtype=np.int32)
    out = device.zeros(1, np.int32)
    module["named_barrier_count"](1, 160, (device.array(values), out))
    return [(out.get(), np.array([values.sum()]))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/Dao-AILab/quack/pull/146",
        "https://github.com/deepseek-ai/FlashMLA/pull/57",
    ),
    cause="The number of threads was written for one loading warp, and four load. The barrier "
    "opens when two warps have arrived, so the warp that waits may be alone in the next phase.",
    kind="deadlock",
    says="no warp can go on",
    launch=launch,
    hangs=True,
)
