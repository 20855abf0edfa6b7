"""A tile goes from warps to a bulk store by an mbarrier, and from CTA to CTA by a flag.

lanemap check examples/cute/handoff.py
"""

import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.runtime import from_dlpack

SIZE = 256  # numbers of a tile, and threads of a CTA
WARPS = SIZE // 32


@cute.kernel
def handoff_kernel(x: cute.Tensor, tiles: cute.Tensor, flags: cute.Tensor, y: cute.Tensor):
    """Even CTAs double a tile and store it; the CTA after each reverses what it has stored."""
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    pair = block // 2
    flag = flags.iterator + pair

    @cute.struct
    class Storage:
        written: cutlass.Int64
        tile: cute.struct.Align[cute.struct.MemRange[cutlass.Float32, SIZE], 128]

    storage = cutlass.memory.SmemAllocator().allocate(Storage)
    written, tile = storage.written.ptr, storage.tile.get_tensor(cute.make_layout(SIZE))
    store = cute.make_copy_atom(cpasync.CopyBulkS2GOp(), cutlass.Float32)
    if block % 2 == 0:
        if thread == 0:
            cute.arch.mbarrier_init(written, WARPS)
            cute.arch.mbarrier_init_fence()
        cute.arch.barrier()
        tile[thread] = 2 * x[pair, thread]
        cute.arch.fence_view_async_shared()
        cute.arch.sync_warp()
        with cute.arch.elect_one():
            cute.arch.mbarrier_arrive(written)
        if thread == 0:
            cute.arch.mbarrier_wait(written, 0)
            cute.copy(store, tile, tiles[pair, None])
            cute.arch.cp_async_bulk_commit_group()
            cute.arch.cp_async_bulk_wait_group(0, read=False)
            cute.arch.store(flag, cutlass.Int32(1), sem="release", scope="gpu")
    else:
        if thread == 0:
            while cute.arch.load(flag, cutlass.Int32, sem="acquire", scope="gpu") == 0:
                pass
        cute.arch.barrier()
        y[pair, thread] = tiles[pair, SIZE - 1 - thread]


@cute.jit
def handoff(x: cute.Tensor, tiles: cute.Tensor, flags: cute.Tensor, y: cute.Tensor):
    """Launch two CTAs for each row of x."""
    handoff_kernel(x, tiles, flags, y).launch(grid=[2 * x.shape[0], 1, 1], block=[SIZE, 1, 1])


torch.manual_seed(0)
x = torch.randn(8, SIZE, device="cuda")
tiles, y = torch.empty_like(x), torch.empty_like(x)
flags = torch.zeros(8, dtype=torch.int32, device="cuda")
handoff(*(from_dlpack(each, assumed_align=16) for each in (x, tiles, flags, y)))
assert torch.equal(y, 2 * x.flip(1))
print(f"{len(x)} tiles of {SIZE} numbers are right")
