"""A scan loads the next step's coefficients while slow warps still use the last ones."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Scan 64 channels over 24 steps."""
    numbers = np.random.default_rng(1)
    b, c = (numbers.integers(-3, 4, (24, 16)).astype(np.float32) for _ in range(2))
    x = numbers.integers(-3, 4, (24, 64)).astype(np.float32)
    y = device.zeros(x.shape, np.float32)
    given = (device.array(each) for each in (b, c, x))
    module["scan_reuse"](1, 64, (*given, y, np.int32(24)))
    state, expected = np.zeros((64, 16)), np.zeros_like(x)
    for step in range(24):
        state = 0.5 * state + b[step] * x[step][:, None]
        expected[step] = state @ c[step]
    return [(np.round(y.get(), 2), np.round(expected, 2))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/ggml-org/llama.cpp/pull/24360",
        "https://github.com/ggml-org/llama.cpp/pull/23364",
    ),
    cause="One barrier orders the stores of a step before its loads, and none orders the loads "
    "before the stores of the next step. A warp that is ahead overwrites what another reads.",
    kind="order",
    says="missing between them",
    launch=launch,
)
