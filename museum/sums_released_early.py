"""Sums in tensor memory are released in CuTe DSL before they have been read."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)
#: What the kernel is given of its TiledMma: no flag is set.
FLAGS = bytes(32)


def launch(device: Device, module: Module) -> Pairs:
    """Multiply three tiles of 128 x 64 by 64 x 64."""
    numbers = np.random.default_rng(9)
    a = numbers.integers(-3, 4, (384, 64)).astype(np.float16)
    b = numbers.integers(-3, 4, (64, 64)).astype(np.float16)
    c = device.zeros((384, 64), np.float32)
    described = (
        device.tensor_map(device.array(each), (rows, 64), swizzle="128b")
        for each, rows in ((a, 128), (b, 64))
    )
    kernel(module, 1, (FLAGS, *described, c))
    return [(c.get(), a.astype(np.float32) @ b.astype(np.float32).T)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/flashinfer-ai/flashinfer/issues/5334",
        "https://github.com/flashinfer-ai/flashinfer/pull/5335",
    ),
    cause="The copy from tensor memory is a tcgen05.ld, which is complete after tcgen05.wait::ld "
    "only. The consumer releases the sums before that, and the next product overwrites them.",
    kind="order",
    says="which reads it",
    launch=launch,
    target="sm_100a",
)
