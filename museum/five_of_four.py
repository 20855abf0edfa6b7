"""A pipeline fills five stages of a ring that has four buffers."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Reverse 24 rows."""
    values = np.arange(24 * 64, dtype=np.int32).reshape(24, 64)
    out = device.zeros(values.shape, np.int32)
    module["five_of_four"](1, 64, (device.array(values), out, np.int32(24)))
    return [(out.get(), values[:, ::-1])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cuda-samples/blob/master/Samples/3_CUDA_Features/"
        "globalToShmemAsyncCopy/globalToShmemAsyncCopy.cu",
    ),
    cause="The loop that fills the ring compares with <= where < is meant, so a copy goes to the "
    "buffer that is about to be read. It is right only as long as the copy comes late.",
    kind="pending",
    says="cp.async.wait_group",
    launch=launch,
)
