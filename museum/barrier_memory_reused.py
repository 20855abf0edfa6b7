"""The bytes of an mbarrier are used for numbers while it is still one."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse the numbers of 128 threads."""
    out = device.zeros(128, np.uint32)
    module["barrier_memory_reused"](1, 128, (out,))
    return [(out.get(), np.arange(128, dtype=np.uint32)[::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/triton-lang/triton/pull/3858",
        "https://github.com/triton-lang/triton/issues/11244",
    ),
    cause="PTX allows only operations of mbarriers on the object until mbarrier.inval. Triton gave "
    "its bytes to the next buffer without that, and suspected it of sporadic corruption.",
    kind="rule",
    says="lies in an mbarrier object",
    launch=launch,
)
