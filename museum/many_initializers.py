"""Sixteen threads of a two-dimensional block initialize the same barrier."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse 8 rows."""
    values = np.arange(8 * 256, dtype=np.int32).reshape(8, 256)
    out = device.zeros(values.shape, np.int32)
    module["many_initializers"](8, (16, 16), (device.array(values), out))
    return [(out.get(), values[:, ::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cuda-samples/blob/master/Samples/3_CUDA_Features/"
        "globalToShmemAsyncCopy/globalToShmemAsyncCopy.cu",
    ),
    cause="threadIdx.x == 0 names one thread of a one-dimensional block, and sixteen of a block "
    "of 16 x 16. To initialize a valid mbarrier again is undefined.",
    kind="rule",
    says="already holds an mbarrier object",
    launch=launch,
)
