"""A pipeline commits its copies after the wait, so that the wait counts one group too few."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse 24 rows."""
    values = np.arange(24 * 64, dtype=np.int32).reshape(24, 64)
    out = device.zeros(values.shape, np.int32)
    module["commit_after_wait"](1, 64, (device.array(values), out, np.int32(24)))
    return [(out.get(), values[:, ::-1])]


EXHIBIT = Exhibit(
    threads=("https://github.com/csarofeen/pytorch/pull/2457",),
    cause="cp.async.wait_group counts the groups that are committed when it executes. With the "
    "commit behind it, the one group that may be pending is the one that is needed.",
    kind="pending",
    says="cp.async.wait_group",
    launch=launch,
)
