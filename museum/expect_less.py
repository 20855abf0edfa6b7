"""An mbarrier expects the bytes of one operand, and two are loaded."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 32 pairs of tiles."""
    a = np.arange(32 * 1024, dtype=np.float32) % 97
    b = np.arange(32 * 1024, dtype=np.float32) % 89
    out = device.zeros(a.size, np.float32)
    module["expect_less"](32, 128, (device.array(a), device.array(b), out))
    return [(out.get(), a * b)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cutlass/issues/2364",
        "https://github.com/NVIDIA/cutlass/issues/3314",
    ),
    cause="The phase ends when as many bytes have arrived as it expects, of whichever copy. What "
    "the other copy brings may arrive after the wait.",
    kind="pending",
    says="a wait for it is missing",
    launch=launch,
    hangs=True,
)
