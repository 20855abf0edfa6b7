"""A flag is polled through the generic proxy, and the data it stands for loaded by a bulk copy."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Hand 32 rows from one CTA to the next."""
    rows, out = (device.zeros(32 * 256, np.float32) for _ in range(2))
    flags = device.zeros(32, np.uint32)
    module["poll_then_bulk"](64, 256, (rows, flags, out))
    expected = 1000 * np.arange(32)[:, None] + np.arange(256)
    return [(out.get(), expected.reshape(-1).astype(np.float32))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/deepseek-ai/DeepEP/issues/621",
        "https://github.com/deepseek-ai/DeepEP/pull/632",
    ),
    cause="The acquire of the flag orders accesses of the generic proxy. The bulk copy reads "
    "through the async proxy, so fence.proxy.async must come between them.",
    kind="order",
    says="fence.proxy.async",
    launch=launch,
)
