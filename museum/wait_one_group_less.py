"""A buffer of a bulk store is written again one group too early."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 16 tiles in each of 8 CTAs."""
    values = np.arange(8 * 16 * 1024, dtype=np.float32)
    out = device.zeros(values.size, np.float32)
    module["wait_one_group_less"](8, 256, (device.array(values), out, np.int32(16)))
    return [(out.get(), 5 * values)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/deepseek-ai/DeepEP/issues/657",
        "https://github.com/NVIDIA/TransformerEngine/pull/3417",
    ),
    cause="With two buffers, all groups but one must have read their source before the next tile "
    "is written. The number of cp.async.bulk.wait_group.read is one too large.",
    kind="pending",
    says="wait_group.read",
    launch=launch,
)
