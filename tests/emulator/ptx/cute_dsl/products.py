"""A matrix product of our own in CuTe DSL for sm_90a; build.py compiles it."""

import cutlass
import cutlass.cute as cute
import cutlass.utils.hopper_helpers as sm90
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, warpgroup

TILE = (128, 128, 64)
STAGES = 3
THREADS = 128


@cute.kernel
def product_kernel(
    multiply: cute.TiledMma,
    atom_a: cute.CopyAtom,
    a: cute.Tensor,
    atom_b: cute.CopyAtom,
    b: cute.Tensor,
    c: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
):
    """c = a @ b.T for one tile, TMA loads ahead of wgmma by a pipeline of stages."""
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    @cute.struct
    class Storage:
        barriers: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        a: cute.struct.Align[cute.struct.MemRange[cutlass.Float16, cute.cosize(layout_a)], 1024]
        b: cute.struct.Align[cute.struct.MemRange[cutlass.Float16, cute.cosize(layout_b)], 1024]

    storage = cutlass.utils.SmemAllocator().allocate(Storage)
    shared_a = storage.a.get_tensor(layout_a.outer, swizzle=layout_a.inner)
    shared_b = storage.b.get_tensor(layout_b.outer, swizzle=layout_b.inner)
    one = cute.slice_(layout_a, (None, None, 0)), cute.slice_(layout_b, (None, None, 0))
    bytes_each = sum(cute.size_in_bytes(cutlass.Float16, each) for each in one)
    pipe = pipeline.PipelineTmaAsync.create(
        num_stages=STAGES,
        producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, THREADS // 32),
        tx_count=bytes_each,
        barrier_storage=storage.barriers.data_ptr(),
        cta_layout_vmnk=cute.make_layout((1, 1, 1, 1)),
    )
    tiles_a = cute.local_tile(a, (TILE[0], TILE[2]), (row, None))
    tiles_b = cute.local_tile(b, (TILE[1], TILE[2]), (column, None))
    tile_c = cute.local_tile(c, (TILE[0], TILE[1]), (row, column))
    alone = cute.make_layout(1)
    to_a, from_a = cpasync.tma_partition(
        atom_a, 0, alone, cute.group_modes(shared_a, 0, 2), cute.group_modes(tiles_a, 0, 2)
    )
    to_b, from_b = cpasync.tma_partition(
        atom_b, 0, alone, cute.group_modes(shared_b, 0, 2), cute.group_modes(tiles_b, 0, 2)
    )
    mine = multiply.get_slice(thread)
    part_c = mine.partition_C(tile_c)
    held_a = multiply.make_fragment_A(mine.partition_A(shared_a))
    held_b = multiply.make_fragment_B(mine.partition_B(shared_b))
    sums = cute.make_rmem_tensor(part_c.shape, cutlass.Float32)
    sums.fill(0.0)
    steps = cute.size(tiles_a, mode=[2])
    ahead = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
    reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
    if warp == 0:
        for _ in cutlass.range(cutlass.min(STAGES - 1, steps)):
            pipe.producer_acquire(ahead)
            full = pipe.producer_get_barrier(ahead)
            from_at, to_at = (None, ahead.count), (None, ahead.index)
            cute.copy(atom_a, from_a[from_at], to_a[to_at], tma_bar_ptr=full)
            cute.copy(atom_b, from_b[from_at], to_b[to_at], tma_bar_ptr=full)
            pipe.producer_commit(ahead)
            ahead.advance()
    multiply.set(warpgroup.Field.ACCUMULATE, True)
    for _ in cutlass.range(steps):
        pipe.consumer_wait(reads)
        warpgroup.fence()
        for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
            at = (None, None, k, reads.index)
            cute.gemm(multiply, sums, held_a[at], held_b[at], sums)
        warpgroup.commit_group()
        warpgroup.wait_group(0)
        pipe.consumer_release(reads)
        reads.advance()
        if warp == 0 and ahead.count < steps:
            pipe.producer_acquire(ahead)
            full = pipe.producer_get_barrier(ahead)
            from_at, to_at = (None, ahead.count), (None, ahead.index)
            cute.copy(atom_a, from_a[from_at], to_a[to_at], tma_bar_ptr=full)
            cute.copy(atom_b, from_b[from_at], to_b[to_at], tma_bar_ptr=full)
            pipe.producer_commit(ahead)
            ahead.advance()
    out = cute.make_rmem_tensor(part_c.shape, cutlass.Float16)
    out.store(sums.load().to(cutlass.Float16))
    cute.autovec_copy(out, part_c)


@cute.jit
def product(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    """Launch a CTA for each tile of c; a and b lie with k or with rows contiguous."""
    half, majors = cutlass.Float16, cutlass.utils.LayoutEnum
    multiply = sm90.make_trivial_tiled_mma(
        half,
        half,
        majors.from_tensor(a).sm90_mma_major_mode(),
        majors.from_tensor(b).sm90_mma_major_mode(),
        cutlass.Float32,
        (1, 1, 1),
        (64, TILE[1]),
    )
    layout_a = sm90.make_smem_layout_a(majors.from_tensor(a), TILE, half, STAGES)
    layout_b = sm90.make_smem_layout_b(majors.from_tensor(b), TILE, half, STAGES)
    load, stage = cpasync.CopyBulkTensorTileG2SOp(), (None, None, 0)
    atom_a, view_a = cpasync.make_tiled_tma_atom(
        load, a, cute.slice_(layout_a, stage), (TILE[0], TILE[2])
    )
    atom_b, view_b = cpasync.make_tiled_tma_atom(
        load, b, cute.slice_(layout_b, stage), (TILE[1], TILE[2])
    )
    grid = [cute.ceil_div(c.shape[0], TILE[0]), cute.ceil_div(c.shape[1], TILE[1]), 1]
    product_kernel(multiply, atom_a, view_a, atom_b, view_b, c, layout_a, layout_b).launch(
        grid=grid, block=[THREADS, 1, 1]
    )
