"""A loop waits for one group of copies less than it must."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Add 24 parts of 512 numbers."""
    x = np.arange(24 * 512, dtype=np.int32).reshape(24, 512)
    out = device.zeros(512, np.int32)
    kernel(module, 1, (device.array(x), out, np.int32(24)))
    return [(out.get(), x.sum(0, dtype=np.int32))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/triton-lang/triton/blob/main/python/test/gluon/test_consan.py",
        "https://github.com/deepseek-ai/DeepEP/issues/657",
    ),
    cause="wait_group counts the groups that may be pending, and the newest two are allowed where "
    "the older of them is read next. The index of the group is off by one.",
    kind="pending",
    says="cp.async.wait_group",
    launch=launch,
)
