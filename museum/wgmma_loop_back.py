"""One warpgroup loads the next tile while the other's wgmma reads the last one."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, neighbor

products = neighbor(__file__, "_products")


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 64 x 256 by 256 x 8 in each of two warpgroups."""
    a, b = products.operands()
    out = device.zeros((128, 8), np.float32)
    given = (device.array(products.bfloat16(each)) for each in (a, b))
    module["wgmma_loop_back"](1, 256, (*given, out))
    return [(out.get(), np.concatenate([a @ b.T] * 2))]


EXHIBIT = Exhibit(
    threads=("https://github.com/tile-ai/tilelang/issues/2613",),
    cause="wgmma.wait_group orders the products of the warpgroup that waits. The loads of the next "
    "step also need the other warpgroup to be done: a barrier at the loop's end is missing.",
    kind="order",
    says="missing",
    launch=launch,
)
