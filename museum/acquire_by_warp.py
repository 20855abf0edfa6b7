"""All lanes wait for an empty buffer, and one of them fills it before the others have waited."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse 24 rows."""
    values = np.arange(24 * 32, dtype=np.float32).reshape(24, 32)
    out = device.zeros(values.shape, np.float32)
    module["acquire_by_warp"](1, 64, (device.array(values), out, np.int32(24)))
    return [(out.get(), values[:, ::-1])]


EXHIBIT = Exhibit(
    threads=("https://github.com/NVIDIA/cutlass/pull/3654",),
    cause="A lane that is late to its wait may miss the phase: the elected lane's load, and the "
    "consumer's release, end the next one of that parity. __syncwarp() after the wait lets the "
    "elected lane go on when all have seen it.",
    kind="rule",
    says="the wait may miss it",
    launch=launch,
    strict=True,
    hangs=True,
)
