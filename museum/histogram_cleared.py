"""A radix select clears its histogram for the next digit while others still read it."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Find the 77th largest of 2,000 values."""
    values = np.random.default_rng(7).integers(0, 1 << 32, 2000, np.uint32)
    out = device.zeros(1, np.uint32)
    given = device.array(values), out, np.int32(2000), np.int32(77)
    module["histogram_cleared"](1, 256, given)
    return [(out.get(), np.sort(values)[-77:-76])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/flashinfer-ai/flashinfer/pull/3529",
        "https://github.com/intel/torch-xpu-ops/pull/4312",
    ),
    cause="At the end of a round all threads read the histogram, and at the start of the next they "
    "clear it. A barrier is missing between the rounds.",
    kind="order",
    says="missing between them",
    launch=launch,
    hangs=True,
)
