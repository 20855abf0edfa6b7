"""An arrival at another CTA's mbarrier releases at CTA scope."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse 16 rows."""
    values = np.arange(16 * 128, dtype=np.uint32).reshape(16, 128)
    out = device.zeros(values.shape, np.uint32)
    module["cta_scope_arrive"](32, 128, (device.array(values), out), cluster=2)
    return [(out.get(), values[:, ::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cutlass/issues/3643",
        "https://github.com/NVIDIA/cutlass/pull/3647",
    ),
    cause="The arrival says .release.cta, though the barrier and the reader belong to another CTA "
    "of the cluster. What the arriving CTA has stored needs .release.cluster.",
    kind="rule",
    says="the arrival has .cta scope",
    launch=launch,
    strict=True,
)
