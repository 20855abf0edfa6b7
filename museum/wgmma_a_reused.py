"""The next fragment of A is loaded into registers that wgmma still reads."""

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, neighbor

products = neighbor(__file__, "_products")


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 64 x 256 by 256 x 8."""
    return products.multiply(device, module, "wgmma_a_reused")


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/deepseek-ai/DeepGEMM/issues/449",
        "https://github.com/deepseek-ai/DeepGEMM/pull/448",
    ),
    cause="wgmma reads A's registers asynchronously, until its group is complete. Without a wait, "
    "the loads of the next step overwrite them.",
    kind="pending",
    says="a wait for its wgmma-group",
    launch=launch,
)
