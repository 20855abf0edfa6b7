"""Every warp loads a number that one warp then overwrites, without a barrier."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Fill 64 rows."""
    visits, table = device.zeros(64, np.int32), device.zeros((64, 128), np.int32)
    kernel(module, 8, (visits, table))
    right = np.tile(np.arange(128, dtype=np.int32), (64, 1))
    return [(table.get(), right), (visits.get(), np.ones(64, np.int32))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/triton-lang/triton/issues/1615",
        "https://github.com/pytorch/pytorch/pull/100769",
    ),
    cause="A column of 8 numbers is broadcast, so all four warps load it, and one of them stores "
    "the new numbers. A slow warp loads what the fast one has stored already.",
    kind="order",
    says="missing",
    launch=launch,
)
