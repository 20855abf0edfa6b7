"""A program reads from global memory what another of its waves has stored, without a barrier."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Reverse and double 4 rows."""
    x = np.arange(4 * 1024, dtype=np.int32).reshape(4, 1024)
    scratch, out = device.zeros(x.shape, np.int32), device.zeros(x.shape, np.int32)
    kernel(module, 4, (device.array(x), scratch, out))
    return [(out.get(), 2 * x[:, ::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/triton-lang/triton/issues/9887",
        "https://github.com/pytorch/helion/pull/1845",
        "https://github.com/ROCm/aiter/pull/3132",
    ),
    cause="Triton orders accesses to shared memory by barriers, and those to global memory not at "
    "all. A wave reads the row while another has yet to store its part of it.",
    kind="order",
    says="missing",
    launch=launch,
    target="gfx950",
)
