"""A pipelined loop loads a number before the store that writes it."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Write 1024 numbers by two programs."""
    scratch, out = device.zeros(1024, np.int32), device.zeros(1024, np.int32)
    kernel(module, 2, (scratch, out, np.int32(1024)))
    return [(out.get(), np.arange(1, 1025, dtype=np.int32))]


EXHIBIT = Exhibit(
    threads=("https://github.com/triton-lang/triton/issues/8259",),
    cause="With two stages Triton's pipeliner makes the load a cp.async of the iteration before, "
    "and so moves it above the store to the same place. It does not ask whether a store of the "
    "loop may write what the load reads.",
    kind="pending",
    says="cp.async.wait_group",
    launch=launch,
)
