"""Tensor memory is released to the next product before it has been read."""

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, neighbor

products = neighbor(__file__, "_tensor_memory")


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 6 tiles."""
    return products.multiply(device, module, "tmem_released_early", 6)


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/flashinfer-ai/flashinfer/issues/5334",
        "https://github.com/flashinfer-ai/flashinfer/pull/5335",
        "https://github.com/vllm-project/flash-attention/pull/182",
    ),
    cause="tcgen05.ld is asynchronous: only after tcgen05.wait::ld has it read the columns. An "
    "arrival before that lets the next tcgen05.mma overwrite them.",
    kind="order",
    says="which reads it",
    launch=launch,
    target="sm_100a",
)
