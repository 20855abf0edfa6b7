"""The semantics of PTX instructions, one function each; importing this fills the table."""

from lanemap.emulator.ptx.isa import (
    addresses,
    async_copies,
    async_stores,
    bits,
    compare,
    convert,
    floats,
    functions,
    integers,
    matrices,
    mbarrier,
    memory,
    miscellaneous,
    mma,
    mma_sparse,
    narrow,
    tcgen05,
    tcgen05_async,
    tcgen05_mma,
    tensor_copies,
    video,
    warp,
    wgmma,
    wmma,
)

__all__ = [
    "addresses", "async_copies", "async_stores", "bits", "compare", "convert", "floats",
    "functions", "integers", "matrices", "mbarrier", "memory", "miscellaneous", "mma",
    "mma_sparse", "narrow", "tcgen05", "tcgen05_async", "tcgen05_mma", "tensor_copies", "video",
    "warp", "wgmma", "wmma",
]  # fmt: skip
