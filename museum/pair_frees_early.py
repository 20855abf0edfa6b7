"""A CTA of a pair gives tensor memory back that its peer still uses."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Pass the numbers of 256 threads through tensor memory."""
    out = device.zeros((256, 4), np.uint32)
    module["pair_frees_early"](2, 128, (out,), 0, (2, 1, 1))
    number = np.arange(256, dtype=np.uint32)[:, None]
    return [(out.get(), number + np.arange(4, dtype=np.uint32))]


EXHIBIT = Exhibit(
    threads=("https://github.com/NVIDIA/cutlass/issues/3435",),
    cause="With cta_group::2 the release concerns both CTAs of the pair, and __syncthreads orders "
    "the threads of one. A barrier of the cluster must come before it.",
    kind="order",
    says="deallocates tensor memory",
    launch=launch,
    target="sm_100a",
)
