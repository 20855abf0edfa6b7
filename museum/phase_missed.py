"""A warp that is late waits for a phase whose parity has come around."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Pass 24 tokens."""
    out = device.zeros(128, np.int32)
    kernel(module, 1, (out, np.int32(24)))
    return [(out.get(), np.full(128, 276, np.int32))]


EXHIBIT = Exhibit(
    threads=("https://github.com/triton-lang/triton/pull/10035",),
    cause="The first warp of four releases a stage before the others have seen that it was full. "
    "The producer fills it again, and a warp that looks only then waits for the next phase of that "
    "parity, which never comes.",
    kind="rule",
    says="the wait may miss it",
    launch=launch,
    strict=True,
    hangs=True,
)
