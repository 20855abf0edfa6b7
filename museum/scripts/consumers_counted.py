"""Load tiles by TMA through a pipeline, and add them up in four warps."""

import cutlass
import cutlass.cute as cute
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.runtime import make_fake_compact_tensor

STAGES, TILES, ROWS, COLUMNS = 2, 8, 4, 128


@cute.kernel
def consumers_counted(
    atom: cute.CopyAtom,
    x: cute.Tensor,
    out: cute.Tensor,
    layout: cute.Layout,
    faulty: cutlass.Constexpr,
):
    """Add up the tiles of x."""
    thread, _, _ = cute.arch.thread_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    @cute.struct
    class Storage:
        barriers: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        tiles: cute.struct.Align[cute.struct.MemRange[cutlass.Int32, cute.cosize(layout)], 128]

    storage = cutlass.utils.SmemAllocator().allocate(Storage)
    tiles = storage.tiles.get_tensor(layout)
    consumers = 128 if cutlass.const_expr(faulty) else 4  # one lane of each warp arrives
    pipe = pipeline.PipelineTmaAsync.create(
        num_stages=STAGES,
        producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, consumers),
        tx_count=ROWS * COLUMNS * 4,
        barrier_storage=storage.barriers.data_ptr(),
        cta_layout_vmnk=cute.make_layout((1, 1, 1, 1)),
    )
    from_x = cute.local_tile(x, (ROWS, COLUMNS), (None, 0))
    to_tile, from_tile = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(tiles, 0, 2), cute.group_modes(from_x, 0, 2)
    )
    ahead = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
    reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
    if warp == 4:
        for tile in cutlass.range(TILES):
            pipe.producer_acquire(ahead)  # hazard
            full = pipe.producer_get_barrier(ahead)
            cute.copy(atom, from_tile[None, tile], to_tile[None, ahead.index], tma_bar_ptr=full)
            pipe.producer_commit(ahead)
            ahead.advance()
    else:
        total = cutlass.Int32(0)
        for _ in cutlass.range(TILES):
            pipe.consumer_wait(reads)  # hazard
            for row in cutlass.range_constexpr(ROWS):
                total += tiles[row, thread, reads.index]
            pipe.consumer_release(reads)
            reads.advance()
        out[thread] = total


@cute.jit
def host(x: cute.Tensor, out: cute.Tensor, faulty: cutlass.Constexpr):
    """Launch one CTA: four warps that add, and one that loads."""
    layout = cute.make_layout((ROWS, COLUMNS, STAGES), stride=(COLUMNS, 1, ROWS * COLUMNS))
    load, stage = cpasync.CopyBulkTensorTileG2SOp(), (None, None, 0)
    atom, view = cpasync.make_tiled_tma_atom(load, x, cute.slice_(layout, stage), (ROWS, COLUMNS))
    consumers_counted(atom, view, out, layout, faulty).launch(grid=[1, 1, 1], block=[160, 1, 1])


TARGET = "sm_90a"
LAUNCHED = {"threads": 160, "shared_bytes": 8192, "cluster": 1}


def job(faulty: bool) -> tuple[object, ...]:
    """What is compiled: the function of the host and its arguments."""
    x = make_fake_compact_tensor(
        cutlass.Int32, (TILES * ROWS, COLUMNS), stride_order=(1, 0), assumed_align=16
    )
    return host, x, make_fake_compact_tensor(cutlass.Int32, (128,), assumed_align=16), faulty
