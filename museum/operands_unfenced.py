"""tcgen05.mma reads operands that threads have stored, without a proxy fence."""

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, neighbor

products = neighbor(__file__, "_tensor_memory")


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 3 tiles."""
    return products.multiply(device, module, "operands_unfenced", 3)


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cutlass/blob/main/examples/cute/tutorial/blackwell/"
        "01_mma_sm100.cu",
        "https://github.com/sgl-project/sglang/issues/39124",
    ),
    cause="The tensor core reads shared memory through the async proxy. Threads that store "
    "operands themselves need fence.proxy.async before the barrier.",
    kind="order",
    says="fence.proxy.async",
    launch=launch,
    target="sm_100a",
)
