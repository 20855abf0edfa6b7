"""A product of 8-bit integers with bf16 of our own in CuTe DSL for sm_100a: A in tensor memory.

Four warps convert A's integers and store them to tensor memory, from where tcgen05.mma reads them;
B comes by TMA. The same warps write the tile.
"""

from __future__ import annotations

from typing import Any

import cutlass
import cutlass.cute as cute
import cutlass.utils.blackwell_helpers as sm100
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, tcgen05
from parts import in_shared, loading, one_stage, stage_bytes, threads, write_sums

TILE = (128, 128, 64)
STAGES = 2
WORKERS, MULTIPLY_WARP, LOAD_WARP = 128, 4, 5
THREADS = WORKERS + 64
KIND = cutlass.BFloat16


@cute.jit
def load_b(atom: cute.CopyAtom, source: cute.Tensor, to: cute.Tensor, loads: Any):
    """Load the tiles of b along k."""
    for _ in cutlass.range(cute.size(source, mode=[1]), unroll=1):
        empty = loads.acquire_and_advance()
        at = source[None, empty.count]
        cute.copy(atom, at, to[None, empty.index], tma_bar_ptr=empty.barrier)
    loads.tail()


@cute.jit
def multiply_steps(
    multiply: cute.TiledMma,
    held_a: cute.Tensor,
    held_b: cute.Tensor,
    sums: cute.Tensor,
    steps: cutlass.Int32,
    loaded: Any,
    stored: Any,
    results: Any,
):
    """Multiply the tiles along k, once a is in tensor memory and b in shared memory."""
    room = results.acquire_and_advance()
    multiply.set(tcgen05.Field.ACCUMULATE, False)
    for _ in cutlass.range(steps, unroll=1):
        full_b = loaded.wait_and_advance()
        full_a = stored.wait_and_advance()
        for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
            step_a, step_b = (None, None, k, full_a.index), (None, None, k, full_b.index)
            cute.gemm(multiply, sums, held_a[step_a], held_b[step_b], sums)
            multiply.set(tcgen05.Field.ACCUMULATE, True)
        full_b.release()
        full_a.release()
    room.commit()


@cute.jit
def convert_a(
    own_row: cute.Tensor,
    place: cute.Pointer,
    stores: Any,
    steps: cutlass.Int32,
    thread: cutlass.Int32,
):
    """Convert a thread's row of a and store it to tensor memory, two elements to a column."""
    wide = TILE[2] // 2
    store = cute.make_copy_atom(tcgen05.St32x32bOp(tcgen05.Repetition(wide)), cutlass.Float32)
    shape = ((TILE[0], wide), 1, 1)
    for k in cutlass.range(steps, unroll=1):
        integers = cute.make_rmem_tensor((1, TILE[2]), cutlass.Int8)
        cute.autovec_copy(own_row[None, None, k], integers)
        free = stores.acquire_and_advance()
        into = cute.make_tensor(
            cute.recast_ptr(place, dtype=cutlass.Float32) + wide * free.index,
            cute.make_layout(shape, stride=((1 << 16, 1), 0, 0)),
        )
        writer = tcgen05.make_tmem_copy(store, into).get_slice(thread)
        own = writer.partition_S(cute.make_identity_tensor(shape))
        pairs = cute.make_rmem_tensor(own.shape, cutlass.Float32)
        values = cute.make_tensor(cute.recast_ptr(pairs.iterator, dtype=KIND), integers.layout)
        values.store(integers.load().to(cutlass.Float32).to(KIND))
        cute.copy(writer, pairs, writer.partition_D(into))
        cute.arch.fence_view_async_tmem_store()
        free.commit()


def pipelines(storage: Any, bytes_each: int) -> Any:
    """Loads of b, stores of a, and sums, each with those that wait for them."""
    loads = pipeline.PipelineTmaUmma.create(
        num_stages=STAGES,
        producer_group=threads(),
        consumer_group=threads(),
        tx_count=bytes_each,
        barrier_storage=storage.loads.data_ptr(),
    )
    stores = pipeline.PipelineAsyncUmma.create(
        num_stages=STAGES,
        producer_group=threads(WORKERS),
        consumer_group=threads(),
        barrier_storage=storage.converted.data_ptr(),
    )
    sums = pipeline.PipelineUmmaAsync.create(
        num_stages=1,
        producer_group=threads(),
        consumer_group=threads(WORKERS),
        barrier_storage=storage.result.data_ptr(),
    )
    return *loads.make_participants(), *stores.make_participants(), *sums.make_participants()


@cute.kernel
def mixed_kernel(
    multiply: cute.TiledMma,
    a: cute.Tensor,
    atom_b: cute.CopyAtom,
    b: cute.Tensor,
    c: cute.Tensor,
    layout_b: cute.ComposedLayout,
):
    """c = a @ b.T for one tile of c; a is int8, b bf16."""
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    @cute.struct
    class Storage:
        loads: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        converted: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        result: cute.struct.MemRange[cutlass.Int64, 2]
        columns: cutlass.Int32

    allocator = cutlass.utils.SmemAllocator()
    storage = allocator.allocate(Storage)
    shared_b = in_shared(allocator, KIND, layout_b)
    load, loaded, stores, stored, results, ready = pipelines(storage, stage_bytes((KIND, layout_b)))
    memory = cutlass.memory.TmemAllocator(
        storage.columns, barrier_for_retrieve=pipeline.NamedBarrier(1, THREADS)
    )
    pool = memory.reserve(256)
    sums_layout = multiply.make_fragment_C(multiply.partition_shape_C(TILE[:2])).layout
    sums = pool.allocate_tensor(sums_layout, cutlass.Float32)
    shape_a = cute.append(multiply.partition_shape_A((TILE[0], TILE[2])), STAGES)
    place = pool.allocate(TILE[2] // 2 * STAGES, KIND)
    held_a = cute.make_tensor(place, multiply.make_fragment_A(shape_a).layout)
    held_b = multiply.make_fragment_B(shared_b)

    mine = multiply.get_slice(0)
    part_b = mine.partition_B(cute.local_tile(b, TILE, (row, column, None), proj=(None, 1, 1)))
    part_c = mine.partition_C(cute.local_tile(c, TILE, (row, column, None), proj=(1, 1, None)))
    to_b, from_b = loading(atom_b, shared_b, part_b)
    steps = cute.size(from_b, mode=[1])
    if warp == LOAD_WARP:
        load_b(atom_b, from_b, to_b, load)
    if warp == MULTIPLY_WARP:
        multiply_steps(multiply, held_a, held_b, sums, steps, loaded, stored, results)
    if warp < MULTIPLY_WARP:
        own_row = cute.local_tile(a, (1, TILE[2]), (row * TILE[0] + thread, None))
        convert_a(own_row, place, stores, steps, thread)
        write_sums(sums, part_c, ready, thread)
        memory.relinquish_alloc_permit()
    pipeline.sync(barrier_id=1)
    memory.free(pool.base_ptr)


@cute.jit
def mixed(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    """Launch a CTA for each tile of c; a is m by k, b n by k, c float32."""
    source = tcgen05.OperandSource.TMEM
    major = tcgen05.OperandMajorMode.K
    multiply = sm100.make_trivial_tiled_mma(
        KIND, KIND, major, major, cutlass.Float32, tcgen05.CtaGroup.ONE, TILE[:2], source
    )
    layout_b = sm100.make_smem_layout_b(multiply, TILE, KIND, STAGES)
    atom_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(
        cpasync.CopyBulkTensorTileG2SOp(tcgen05.CtaGroup.ONE),
        b,
        one_stage(layout_b),
        TILE,
        multiply,
    )
    grid = [cute.ceil_div(c.shape[0], TILE[0]), cute.ceil_div(c.shape[1], TILE[1]), 1]
    mixed_kernel(multiply, a, atom_b, view_b, c, layout_b).launch(grid=grid, block=[THREADS, 1, 1])
