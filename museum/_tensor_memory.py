"""Operands of the exhibits that multiply 128 x 16 by 16 x 16 with tcgen05.mma."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Module, Pairs


def multiply(device: Device, module: Module, name: str, tiles: int) -> Pairs:
    """What the kernel of a name makes of so many tiles of A, and the products."""
    numbers = np.random.default_rng(9)
    a = numbers.integers(-3, 4, (tiles, 128, 16)).astype(np.float32)
    b = numbers.integers(-3, 4, (16, 16)).astype(np.float32)
    out = device.zeros((tiles, 128, 4), np.float32)
    given = (device.array((each.view(np.uint32) >> 16).astype(np.uint16)) for each in (a, b))
    module[name](1, 128, (*given, out, np.int32(tiles)))
    return [(out.get(), (a @ b.T)[:, :, :4])]
