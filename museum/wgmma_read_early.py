"""The product is stored before wgmma has written it."""

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, neighbor

products = neighbor(__file__, "_products")


def launch(device: Device, module: Module) -> Pairs:
    """Multiply 64 x 256 by 256 x 8."""
    return products.multiply(device, module, "wgmma_read_early")


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/HazyResearch/ThunderKittens/issues/33",
        "https://github.com/HazyResearch/ThunderKittens/pull/34",
    ),
    cause="wgmma writes D asynchronously, until its group is complete. A thread may read D only "
    "after wgmma.wait_group.",
    kind="pending",
    says="a wait for its wgmma-group",
    launch=launch,
)
