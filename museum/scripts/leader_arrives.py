"""Pass rows from one warp to four through a ring of buffers."""

import re

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier


@gluon.jit
def _consume(ring, full, free, out, count):
    own: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    total = gl.zeros([128], gl.int32, own)
    for i in range(count):
        mbarrier.wait(full.index(i % 2), i // 2 & 1)
        total += ring.index(i % 2).load(own)  # hazard
        mbarrier.arrive(free.index(i % 2))
    gl.store(out + gl.arange(0, 128, own), total)


@gluon.jit
def _produce(ring, full, free, x, count):
    own: gl.constexpr = gl.BlockedLayout([4], [32], [1], [0])
    for i in range(count):
        mbarrier.wait(free.index(i % 2), i // 2 & 1 ^ 1)
        ring.index(i % 2).store(gl.load(x + i * 128 + gl.arange(0, 128, own)))  # hazard
        mbarrier.arrive(full.index(i % 2))


@gluon.jit
def leader_arrives(x, out, count, FAULTY: gl.constexpr):
    """Write to out the sum of count rows of 128 numbers, which one warp passes to four."""
    plain: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    ring = gl.allocate_shared_memory(gl.int32, [2, 128], plain)
    full = mbarrier.allocate_mbarrier(batch=2)
    free = mbarrier.allocate_mbarrier(batch=2)
    for stage in gl.static_range(2):
        mbarrier.init(full.index(stage), 1)
        mbarrier.init(free.index(stage), 1)
    gl.warp_specialize(
        [(_consume, (ring, full, free, out, count)), (_produce, (ring, full, free, x, count))],
        [1],
        [32],
    )


def cut(text: str) -> str:
    """Delete the barrier before the consumers' arrival, which older versions of Triton lack."""
    return re.sub(r"\tbar\.sync \t0, 128;\n(?=.*\n.*mbarrier\.arrive)", "", text)


KERNEL, TARGET, WARPS = leader_arrives, "sm_90a", 4
TYPES = {"x": "*i32", "out": "*i32", "count": "i32"}


def main() -> None:
    """Add 24 rows, and count what is wrong: the installed Triton decides what is compiled."""
    x = torch.arange(24 * 128, dtype=torch.int32, device="cuda").reshape(24, 128)
    out = torch.zeros(128, dtype=torch.int32, device="cuda")
    leader_arrives[(1,)](x, out, 24, FAULTY=False, num_warps=WARPS)
    print(f"{int((out.cpu() != x.cpu().sum(0)).sum())} of 128 wrong")


if __name__ == "__main__":
    main()
