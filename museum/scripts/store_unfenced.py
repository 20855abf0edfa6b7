"""Double a tile, and hand it to a TMA store."""

import cutlass
import cutlass.cute as cute
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.runtime import make_fake_compact_tensor

SIZE = (32, 32)


@cute.kernel
def store_unfenced(
    x: cute.Tensor,
    atom: cute.CopyAtom,
    out: cute.Tensor,
    layout: cute.Layout,
    faulty: cutlass.Constexpr,
):
    """Write 2 x to out by way of shared memory."""
    thread, _, _ = cute.arch.thread_idx()
    tile = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Int32, layout, 128)
    for i in cutlass.range_constexpr(8):
        place = i * 128 + thread
        tile[place // 32, place % 32] = 2 * x[place // 32, place % 32]  # hazard
    if cutlass.const_expr(not faulty):
        cute.arch.fence_proxy("async.shared", space="cta")
    cute.arch.sync_threads()
    if thread < 32:
        alone = cute.make_layout(1)
        from_tile, to_out = cpasync.tma_partition(
            atom, 0, alone, cute.group_modes(tile, 0, 2), cute.group_modes(out, 0, 2)
        )
        cute.copy(atom, from_tile, to_out)  # hazard
        cute.arch.cp_async_bulk_commit_group()
        cute.arch.cp_async_bulk_wait_group(0)


@cute.jit
def host(x: cute.Tensor, out: cute.Tensor, faulty: cutlass.Constexpr):
    """Launch one CTA."""
    layout = cute.make_layout(SIZE, stride=(32, 1))
    atom, view = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), out, layout, SIZE)
    store_unfenced(x, atom, view, layout, faulty).launch(grid=[1, 1, 1], block=[128, 1, 1])


TARGET = "sm_90a"
LAUNCHED = {"threads": 128, "shared_bytes": 8192, "cluster": 1}


def job(faulty: bool) -> tuple[object, ...]:
    """What is compiled: the function of the host and its arguments."""
    x, out = (
        make_fake_compact_tensor(cutlass.Int32, SIZE, stride_order=(1, 0), assumed_align=16)
        for _ in range(2)
    )
    return host, x, out, faulty
