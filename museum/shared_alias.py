"""The epilogue's tile lies where an operand lay that other warps still read."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 32 pairs of 16 x 16 tiles, and transpose."""
    a = (np.arange(32 * 256) % 7).astype(np.float32).reshape(32, 16, 16)
    b = (np.arange(32 * 256) % 5).astype(np.float32).reshape(32, 16, 16)
    out = device.zeros(a.shape, np.float32)
    module["shared_alias"](32, 256, (device.array(a), device.array(b), out))
    return [(out.get(), (a @ b).transpose(0, 2, 1))]


EXHIBIT = Exhibit(
    threads=("https://github.com/sgl-project/sglang/issues/37287",),
    cause="The result is staged in shared memory that an operand had. Without a barrier, a fast "
    "warp overwrites what a slow one has yet to read.",
    kind="order",
    says="missing between them",
    launch=launch,
)
