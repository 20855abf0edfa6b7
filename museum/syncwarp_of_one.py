"""An elected lane waits for its whole warp in a branch that the others do not enter."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Hand out 32 words."""
    words = 100 * np.arange(32, dtype=np.int32)
    out = device.zeros(16 * 64, np.int32)
    module["syncwarp_of_one"](16, 64, (device.array(words), out))
    return [(out.get(), np.repeat(words, 32) + np.tile(np.arange(64), 16))]


EXHIBIT = Exhibit(
    threads=("https://github.com/deepseek-ai/DeepGEMM/pull/343",),
    cause="A full __syncwarp must be executed by all lanes that have not ended. The other lanes "
    "skip the branch and meet another barrier.",
    kind="deadlock",
    says="lanes that do not come",
    launch=launch,
    hangs=True,
)
