"""A tile is handed to a TMA store in CuTe DSL without a proxy fence."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Double 32 x 32."""
    x = np.arange(1024, dtype=np.int32).reshape(32, 32)
    out = device.zeros(x.shape, np.int32)
    kernel(module, 1, (device.array(x), device.tensor_map(out, (32, 32))))
    return [(out.get(), 2 * x)]


EXHIBIT = Exhibit(
    threads=("https://github.com/NVIDIA/cudnn-frontend/pull/784",),
    cause="Stores go to shared memory through the generic proxy, and the TMA unit reads it through "
    "the async proxy. A barrier orders threads; only fence.proxy.async orders the two proxies.",
    kind="order",
    says="fence.proxy.async",
    launch=launch,
)
