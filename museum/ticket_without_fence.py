"""The last block by ticket reads the parts of the others, which no fence released."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Add up 132 blocks."""
    values = np.arange(132 * 64, dtype=np.int32)
    parts, ticket = device.zeros(132, np.int32), device.zeros(1, np.uint32)
    out = device.zeros(1, np.int32)
    module["ticket_without_fence"](132, 64, (device.array(values), parts, ticket, out))
    return [(out.get(), np.array([values.sum()]))]


EXHIBIT = Exhibit(
    threads=("https://github.com/karpathy/llm.c/blob/master/dev/cuda/layernorm_backward.cu",),
    cause="An atomic alone releases nothing: the parts may become visible after the ticket that "
    "stands for them. A __threadfence belongs between the store and the ticket.",
    kind="order",
    says="GPU scope",
    launch=launch,
)
