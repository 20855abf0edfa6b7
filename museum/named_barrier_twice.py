"""Warps that arrive without waiting come around and arrive a second time."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 20 tiles."""
    values = np.arange(20 * 64, dtype=np.int32)
    out = device.zeros(values.size, np.int32)
    module["named_barrier_twice"](1, 96, (device.array(values), out, np.int32(20)))
    return [(out.get(), 3 * values)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/vllm-project/vllm/pull/26026",
        "https://github.com/flashinfer-ai/flashinfer/pull/4732",
    ),
    cause="barrier.arrive does not wait, so a warp may arrive again before the barrier has opened. "
    "The surplus arrivals complete a phase that others have yet to reach.",
    kind="deadlock",
    says="no warp can go on",
    launch=launch,
    hangs=True,
)
