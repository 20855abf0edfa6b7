"""The lanes of a wave are combined as unsigned numbers before a signed atomic minimum."""

import numpy as np

from lanemap.conformance.museum.exhibit import (
    WRONG_RESULT,
    Device,
    Exhibit,
    Module,
    Pairs,
    compiled,
)

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Find the least of 700 numbers in 13 bins."""
    numbers = np.random.default_rng(3)
    x = numbers.integers(-1000, 1000, 700, np.int32)
    bins = numbers.integers(0, 13, 700, np.int32)
    right = np.full(13, 2**31 - 1, np.int32)
    least = device.array(right)
    np.minimum.at(right, bins, x)
    kernel(module, 3, (device.array(x), device.array(bins), least, np.int32(700)))
    return [(least.get(), right)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/triton-lang/triton/blob/main/third_party/amd/lib/TritonAMDGPUToLLVM/AtomicRMWOpsEmitter.cpp",
    ),
    cause="Triton's AMD back end combines lanes that hit one address by v_min_u32, and then issues "
    "global_atomic_smin. A negative number is large as an unsigned one, and is lost.",
    kind=WRONG_RESULT,
    launch=launch,
    target="gfx950",
)
