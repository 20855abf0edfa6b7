"""Operands of the exhibits that multiply 64 x K by K x 8 with wgmma."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.conformance.museum.exhibit import Device, Module, Pairs

STEPS = 16


def operands() -> tuple[NDArray[Any], NDArray[Any]]:
    """A of 64 x 256 and B of 8 x 256, small integers, so that every sum is exact."""
    numbers = np.random.default_rng(5)
    a = numbers.integers(-3, 4, (64, 16 * STEPS)).astype(np.float32)
    b = numbers.integers(-3, 4, (8, 16 * STEPS)).astype(np.float32)
    return a, b


def bfloat16(values: NDArray[Any]) -> NDArray[Any]:
    """The bits of values that bf16 represents."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def multiply(device: Device, module: Module, name: str) -> Pairs:
    """What the kernel of a name makes of the operands, and the product."""
    a, b = operands()
    out = device.zeros((64, 8), np.float32)
    module[name](1, 128, (device.array(bfloat16(a)), device.array(bfloat16(b)), out))
    return [(out.get(), a @ b.T)]
