"""Two sides of a branch have a barrier each."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse 8 rows of 128 values."""
    values = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
    out = device.zeros(values.shape, np.float32)
    module["two_barriers"](8, 128, (device.array(values), out))
    odd = np.arange(128) % 2 == 1
    return [(out.get(), np.where(odd, 2 * values, values + 1)[:, ::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/ggml-org/llama.cpp/pull/27955",
        "https://github.com/mlc-ai/TIRx-kernels/pull/21",
    ),
    cause="bar.sync is the aligned form: all threads of a warp must execute the same one. Here "
    "the lanes of a warp reach two different ones.",
    kind="deadlock",
    says="lanes that do not come",
    launch=launch,
    hangs=True,
)
