"""A CTA of a pair allocates tensor memory before its peer is known to run."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Pass the numbers of 256 threads through tensor memory."""
    out = device.zeros((256, 4), np.uint32)
    module["pair_allocates_early"](2, 128, (out,), 0, (2, 1, 1))
    number = np.arange(256, dtype=np.uint32)[:, None]
    return [(out.get(), number + np.arange(4, dtype=np.uint32))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cutlass/pull/3316",
        "https://github.com/triton-lang/triton/pull/10735",
    ),
    cause="With cta_group::2 a warp of each CTA allocates, and PTX wants the one to make sure that "
    "the other CTA runs. __syncthreads says nothing of it; a barrier of the cluster does.",
    kind="rule",
    says="nothing tells this warp that the CTA of rank",
    launch=launch,
    target="sm_100a",
)
