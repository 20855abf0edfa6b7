"""Copy the parts of rows ahead into two buffers, and add them up."""

import sys

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def copy_group_late(x, out, count, FAULTY: gl.constexpr):
    """Write to out the sum of count parts of 512 numbers, with one copy ahead."""
    own: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    plain: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    buffers = gl.allocate_shared_memory(gl.int32, [2, 512], plain)
    places = gl.arange(0, 512, own)
    async_copy.async_load(buffers.index(0), x + places)
    async_copy.commit_group()
    total = gl.zeros([512], gl.int32, own)
    for i in range(count):
        kept = (places >= 0) & (i + 1 < count)
        async_copy.async_load(
            buffers.index((i + 1) % 2), x + (i + 1) * 512 + places, kept
        )  # hazard
        async_copy.commit_group()
        async_copy.wait_group(2 if FAULTY else 1)
        total += buffers.index(i % 2).load(own)  # hazard
    gl.store(out + places, total)


KERNEL, TARGET, WARPS = copy_group_late, "sm_90a", 4
TYPES = {"x": "*i32", "out": "*i32", "count": "i32"}


def main(faulty: bool) -> None:
    """Add 24 parts, and count what is wrong."""
    x = torch.arange(24 * 512, dtype=torch.int32, device="cuda").reshape(24, 512)
    out = torch.zeros(512, dtype=torch.int32, device="cuda")
    copy_group_late[(1,)](x, out, 24, FAULTY=faulty, num_warps=WARPS)
    print(f"{int((out.cpu() != x.cpu().sum(0)).sum())} of 512 wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
