"""All warps decide by shared memory whether to skip a block; the first to skip overwrites it."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Sum 24 blocks, of which two thirds are skipped."""
    values = np.arange(24 * 64, dtype=np.float32).reshape(24, 64)
    mask = (np.arange(24 * 64).reshape(24, 64) % 3 == 0) & (np.arange(24) % 3 == 0)[:, None]
    out = device.zeros(64, np.float32)
    given = device.array(values), device.array(mask.astype(np.int32))
    module["skip_masked"](1, 64, (*given, out, np.int32(24)))
    return [(out.get(), (values * mask).sum(0).astype(np.float32))]


EXHIBIT = Exhibit(
    threads=("https://github.com/ggml-org/llama.cpp/pull/13742",),
    cause="Each warp reads the whole mask and comes to the same decision, unless another warp has "
    "gone on and written the next mask. The barrier stood behind the continue.",
    kind="order",
    says="missing between them",
    launch=launch,
    hangs=True,
)
