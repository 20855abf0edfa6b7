"""A CTA reads the shared memory of a CTA of its cluster that may have ended."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Swap 16 pairs of rows."""
    values = np.arange(32 * 128, dtype=np.uint32).reshape(16, 2, 128)
    out = device.zeros(values.shape, np.uint32)
    module["peer_has_left"](32, 128, (device.array(values), out), cluster=2)
    return [(out.get(), values[:, ::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/facebookexperimental/triton/pull/1105",
        "https://github.com/sgl-project/sglang/pull/32954",
    ),
    cause="Distributed shared memory exists as long as its CTA runs. Nothing keeps a CTA alive "
    "until the others have read its memory: a last cluster barrier is missing.",
    kind="ended-cta",
    says="may end before this access",
    launch=launch,
)
