"""Multiply tiles one after the other by tcgen05.mma, and store each product from tensor memory."""

import cutlass
import cutlass.cute as cute
import cutlass.utils.blackwell_helpers as sm100
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, tcgen05
from cutlass.cute.runtime import make_fake_compact_tensor

TILES, TILE, THREADS = 3, (128, 64, 64), 128
ONE = pipeline.CooperativeGroup(pipeline.Agent.Thread)
ALL = pipeline.CooperativeGroup(pipeline.Agent.Thread, THREADS)


def pipelines(storage):
    """Loads and those that wait for them, room for sums and those that wait for sums."""
    loads = pipeline.PipelineTmaUmma.create(
        num_stages=1,
        producer_group=ONE,
        consumer_group=ONE,
        tx_count=(TILE[0] + TILE[1]) * TILE[2] * 2,
        barrier_storage=storage.loads.data_ptr(),
    )
    sums = pipeline.PipelineUmmaAsync.create(
        num_stages=1,
        producer_group=ONE,
        consumer_group=ALL,
        barrier_storage=storage.result.data_ptr(),
    )
    return *loads.make_participants(), *sums.make_participants()


def loading(atom, shared, part):
    """Where a TMA load writes, and what it reads of each tile."""
    one = cute.make_layout(1)
    return cpasync.tma_partition(
        atom, 0, one, cute.group_modes(shared, 0, 3), cute.group_modes(part, 0, 3)
    )


@cute.kernel
def sums_released_early(
    multiply: cute.TiledMma,
    atom_a: cute.CopyAtom,
    a: cute.Tensor,
    atom_b: cute.CopyAtom,
    b: cute.Tensor,
    c: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
    faulty: cutlass.Constexpr,
):
    """Warp 0 loads and multiplies; all four warps store the sums."""
    thread, _, _ = cute.arch.thread_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    @cute.struct
    class Storage:
        loads: cute.struct.MemRange[cutlass.Int64, 2]
        result: cute.struct.MemRange[cutlass.Int64, 2]
        columns: cutlass.Int32

    allocator = cutlass.utils.SmemAllocator()
    storage = allocator.allocate(Storage)
    half = cutlass.Float16
    shared_a = allocator.allocate_tensor(half, layout_a.outer, 1024, layout_a.inner)
    shared_b = allocator.allocate_tensor(half, layout_b.outer, 1024, layout_b.inner)
    load, loaded, room, ready = pipelines(storage)
    mine = multiply.get_slice(0)
    part_a = mine.partition_A(cute.local_tile(a, (TILE[0], TILE[2]), (None, 0)))
    part_b = mine.partition_B(cute.local_tile(b, (TILE[1], TILE[2]), (0, 0)))
    part_c = mine.partition_C(cute.local_tile(c, (TILE[0], TILE[1]), (None, 0)))
    held_a, held_b = multiply.make_fragment_A(shared_a), multiply.make_fragment_B(shared_b)
    to_a, from_a = loading(atom_a, shared_a, part_a)
    to_b, from_b = loading(atom_b, shared_b, part_b)

    memory = cutlass.memory.TmemAllocator(
        storage.columns, barrier_for_retrieve=pipeline.NamedBarrier(1, THREADS)
    )
    unplaced = multiply.make_fragment_C(multiply.partition_shape_C(TILE[:2]))
    memory.allocate(cutlass.memory.get_num_tmem_alloc_cols(unplaced))
    memory.wait_for_alloc()
    base = memory.retrieve_ptr(cutlass.Float32)
    sums = cute.make_tensor(base, unplaced.layout)
    atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), cutlass.Float32)
    reader = tcgen05.make_tmem_copy(atom, sums)
    own = reader.get_slice(thread)
    from_sums, to_c = own.partition_S(sums), own.partition_D(part_c)
    values = cute.make_rmem_tensor(to_c[None, None, None, None, 0].shape, cutlass.Float32)

    for tile in cutlass.range_constexpr(TILES):
        if warp == 0:
            empty = load.acquire_and_advance()
            cute.copy(atom_a, from_a[None, tile], to_a[None, 0], tma_bar_ptr=empty.barrier)
            cute.copy(atom_b, from_b, to_b[None, 0], tma_bar_ptr=empty.barrier)
            full = loaded.wait_and_advance()
            free = room.acquire_and_advance()
            multiply.set(tcgen05.Field.ACCUMULATE, False)
            for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
                step = (None, None, k, 0)
                cute.gemm(multiply, sums, held_a[step], held_b[step], sums)  # hazard
                multiply.set(tcgen05.Field.ACCUMULATE, True)
            full.release()
            free.commit()
        done = ready.wait_and_advance()
        cute.copy(reader, from_sums, values)  # hazard
        if cutlass.const_expr(not faulty):
            cute.arch.fence_view_async_tmem_load()
        done.release()
        cute.autovec_copy(values, to_c[None, None, None, None, tile])
    memory.relinquish_alloc_permit()
    pipeline.sync(barrier_id=1)
    memory.free(base)


@cute.jit
def host(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, faulty: cutlass.Constexpr):
    """Launch one CTA."""
    half, major = cutlass.Float16, tcgen05.OperandMajorMode.K
    multiply = sm100.make_trivial_tiled_mma(
        half, half, major, major, cutlass.Float32, tcgen05.CtaGroup.ONE, TILE[:2]
    )
    layout_a = sm100.make_smem_layout_a(multiply, TILE, half, 1)
    layout_b = sm100.make_smem_layout_b(multiply, TILE, half, 1)
    load = cpasync.CopyBulkTensorTileG2SOp(tcgen05.CtaGroup.ONE)
    one_a, one_b = (cute.select(layout, mode=[0, 1, 2]) for layout in (layout_a, layout_b))
    atom_a, view_a = cute.nvgpu.make_tiled_tma_atom_A(load, a, one_a, TILE, multiply)
    atom_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(load, b, one_b, TILE, multiply)
    sums_released_early(
        multiply, atom_a, view_a, atom_b, view_b, c, layout_a, layout_b, faulty
    ).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


TARGET = "sm_100a"
LAUNCHED = {"threads": THREADS, "shared_bytes": 1024 + 192 * 64 * 2, "cluster": 1}


def job(faulty: bool) -> tuple[object, ...]:
    """What is compiled: the function of the host and its arguments."""
    half, single, rows = cutlass.Float16, cutlass.Float32, TILES * TILE[0]
    a, b, c = (
        make_fake_compact_tensor(kind, shape, stride_order=(1, 0), assumed_align=16)
        for kind, shape in ((half, (rows, 64)), (half, (64, 64)), (single, (rows, 64)))
    )
    return host, a, b, c, faulty
