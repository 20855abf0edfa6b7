"""Load a tile by TMA and store it transposed."""

import sys

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


@gluon.jit
def tile_read_early(x, out, FAULTY: gl.constexpr):
    """Transpose 64 x 64."""
    tile = gl.allocate_shared_memory(x.dtype, [64, 64], x.layout)
    ready = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, 1)
    mbarrier.expect(ready, x.nbytes_per_cta)
    tma.async_load(x, [0, 0], ready, tile)  # hazard
    if not FAULTY:
        mbarrier.wait(ready, 0)
    own: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0])
    values = tile.load(own)  # hazard
    if FAULTY:
        mbarrier.wait(ready, 0)
    row = gl.arange(0, 64, gl.SliceLayout(1, own))[:, None]
    column = gl.arange(0, 64, gl.SliceLayout(0, own))[None, :]
    gl.store(out + column * 64 + row, values)


LAYOUT = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=32, rank=2)
KERNEL, TARGET, WARPS = tile_read_early, "sm_90a", 4
TYPES = {"x": f"tensordesc<i32[64,64],{LAYOUT!r}>", "out": "*i32"}


def main(faulty: bool) -> None:
    """Launch, and count what is wrong."""
    x = torch.arange(64 * 64, dtype=torch.int32, device="cuda").reshape(64, 64)
    out = torch.zeros_like(x)
    described = TensorDescriptor.from_tensor(x, [64, 64], LAYOUT)
    tile_read_early[(1,)](described, out, FAULTY=faulty, num_warps=WARPS)
    print(f"{int((out.cpu() != x.cpu().T).sum())} of {x.numel()} wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
