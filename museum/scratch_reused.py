"""Two reductions in a row use one scratch without a barrier between them."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Softmax of 64 rows of 256, in powers of 2."""
    values = (np.arange(64 * 256).reshape(64, 256) * 7 % 13).astype(np.float32)
    out = device.zeros(values.shape, np.float32)
    module["scratch_reused"](64, 256, (device.array(values), out))
    powers = np.exp2(values - values.max(1, keepdims=True))
    close = np.isclose(out.get(), powers / powers.sum(1, keepdims=True), rtol=1e-5)
    return [(close, np.ones_like(close))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/karpathy/llm.c/blob/master/dev/cuda/softmax_forward.cu",
        "https://github.com/gau-nernst/learn-cuda",
    ),
    cause="Every warp reads the scratch after the barrier, and a fast warp writes its part of the "
    "next reduction there. The second reduction needs a barrier before its first store.",
    kind="order",
    says="missing between them",
    launch=launch,
)
