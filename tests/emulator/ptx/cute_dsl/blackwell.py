"""Matrix products of our own in CuTe DSL for sm_100a, one CTA a tile; build.py compiles them.

TMA loads both operands, one warp issues tcgen05.mma, four warps read the accumulator from tensor
memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cutlass
import cutlass.cute as cute
import cutlass.utils.blackwell_helpers as sm100
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, tcgen05
from parts import in_shared, loading, one_stage, stage_bytes, threads

THREADS = 128
K_MAJOR, MN_MAJOR = tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.MN


@dataclass(frozen=True, repr=False)
class Recipe:
    """What one kernel multiplies, in which tiles."""

    name: str
    operand: Any
    sum: Any
    out: Any
    tile: tuple[int, int, int] = (128, 128, 64)
    stages: int = 3
    majors: tuple[Any, Any] = (K_MAJOR, K_MAJOR)

    def __repr__(self) -> str:
        return self.name

    def instruction(self) -> cute.TiledMma:
        """The tcgen05.mma of one CTA that reads both operands from shared memory."""
        return sm100.make_trivial_tiled_mma(
            self.operand, self.operand, *self.majors, self.sum, tcgen05.CtaGroup.ONE, self.tile[:2]
        )

    def load(self) -> Any:
        """The tcgen05.ld for the layout of the sums in tensor memory."""
        if self.tile[0] == 64:
            return tcgen05.Ld16x256bOp(tcgen05.Repetition.x4)
        packed = self.sum is cutlass.Float16
        pack = tcgen05.Pack.PACK_16b_IN_32b if packed else tcgen05.Pack.NONE
        return tcgen05.Ld32x32bOp(tcgen05.Repetition.x32, pack)

    def pipelines(self, storage: Any, stage: int) -> Any:
        """Loads and those that wait for them, sums and those that wait for them."""
        loads = pipeline.PipelineTmaUmma.create(
            num_stages=self.stages,
            producer_group=threads(),
            consumer_group=threads(),
            tx_count=stage,
            barrier_storage=storage.loads.data_ptr(),
        )
        sums = pipeline.PipelineUmmaAsync.create(
            num_stages=1,
            producer_group=threads(),
            consumer_group=threads(THREADS),
            barrier_storage=storage.result.data_ptr(),
        )
        return *loads.make_participants(), *sums.make_participants()


@cute.jit
def multiply_steps(
    multiply: cute.TiledMma,
    atom_a: cute.CopyAtom,
    from_a: cute.Tensor,
    to_a: cute.Tensor,
    atom_b: cute.CopyAtom,
    from_b: cute.Tensor,
    to_b: cute.Tensor,
    held_a: cute.Tensor,
    held_b: cute.Tensor,
    sums: cute.Tensor,
    loads: Any,
    loaded: Any,
    results: Any,
    ahead: cutlass.Constexpr,
):
    """Load the tiles along k, so many ahead, and multiply them."""
    room = results.acquire_and_advance()
    multiply.set(tcgen05.Field.ACCUMULATE, False)
    for _ in cutlass.range(cute.size(from_a, mode=[1]), prefetch_stages=ahead):
        empty = loads.acquire_and_advance()
        from_at, to_at = (None, empty.count), (None, empty.index)
        cute.copy(atom_a, from_a[from_at], to_a[to_at], tma_bar_ptr=empty.barrier)
        cute.copy(atom_b, from_b[from_at], to_b[to_at], tma_bar_ptr=empty.barrier)
        full = loaded.wait_and_advance()
        for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
            step = (None, None, k, full.index)
            cute.gemm(multiply, sums, held_a[step], held_b[step], sums)
            multiply.set(tcgen05.Field.ACCUMULATE, True)
        full.release()
    room.commit()
    loads.tail()


@cute.jit
def write_parts(
    recipe: cutlass.Constexpr,
    sums: cute.Tensor,
    part_c: cute.Tensor,
    ready: Any,
    thread: cutlass.Int32,
):
    """Wait for the sums and write them part after part, rounded; without tcgen05.wait::ld."""
    part = ((cute.size(sums, mode=[0, 0]), 1024 // recipe.sum.width),)
    parts, out = cute.zipped_divide(sums, part), cute.zipped_divide(part_c, part)
    load = cute.make_copy_atom(recipe.load(), recipe.sum)
    copier = tcgen05.make_tmem_copy(load, parts[None, 0])
    from_memory = copier.get_slice(thread).partition_S(parts)
    to_c = copier.get_slice(thread).partition_D(out)
    values = cute.make_rmem_tensor(to_c[None, None, 0].shape, recipe.sum)
    narrow = cute.make_rmem_tensor(to_c[None, None, 0].shape, recipe.out)
    done = ready.wait_and_advance()
    for i in cutlass.range(cute.size(from_memory, mode=[2])):
        cute.copy(copier, from_memory[None, None, i], values)
        narrow.store(values.load().to(recipe.out))
        cute.autovec_copy(narrow, to_c[None, None, i])
    done.release()


@cute.kernel
def product_kernel(
    recipe: cutlass.Constexpr,
    multiply: cute.TiledMma,
    atom_a: cute.CopyAtom,
    a: cute.Tensor,
    atom_b: cute.CopyAtom,
    b: cute.Tensor,
    c: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
):
    """c = a @ b.T for one tile: warp 0 loads and multiplies, all four warps write the tile."""
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    stages, tile, kind = recipe.stages, recipe.tile, recipe.operand

    @cute.struct
    class Storage:
        loads: cute.struct.MemRange[cutlass.Int64, 2 * stages]
        result: cute.struct.MemRange[cutlass.Int64, 2]
        columns: cutlass.Int32

    allocator = cutlass.utils.SmemAllocator()
    storage = allocator.allocate(Storage)
    shared_a = in_shared(allocator, kind, layout_a)
    shared_b = in_shared(allocator, kind, layout_b)
    bytes_each = stage_bytes((kind, layout_a), (kind, layout_b))
    load, loaded, results, ready = recipe.pipelines(storage, bytes_each)

    mine = multiply.get_slice(0)
    at = (row, column, None)
    part_a = mine.partition_A(cute.local_tile(a, tile, at, proj=(1, None, 1)))
    part_b = mine.partition_B(cute.local_tile(b, tile, at, proj=(None, 1, 1)))
    part_c = mine.partition_C(cute.local_tile(c, tile, at, proj=(1, 1, None)))
    held_a, held_b = multiply.make_fragment_A(shared_a), multiply.make_fragment_B(shared_b)
    to_a, from_a = loading(atom_a, shared_a, part_a)
    to_b, from_b = loading(atom_b, shared_b, part_b)

    memory = cutlass.memory.TmemAllocator(
        storage.columns, barrier_for_retrieve=pipeline.NamedBarrier(1, THREADS)
    )
    unplaced = multiply.make_fragment_C(multiply.partition_shape_C(tile[:2]))
    memory.allocate(cutlass.memory.get_num_tmem_alloc_cols(unplaced))
    memory.wait_for_alloc()
    base = memory.retrieve_ptr(recipe.sum)
    sums = cute.make_tensor(base, unplaced.layout)

    if warp == 0:
        multiply_steps(
            multiply,
            atom_a,
            from_a,
            to_a,
            atom_b,
            from_b,
            to_b,
            held_a,
            held_b,
            sums,
            load,
            loaded,
            results,
            stages - 1,
        )
    memory.relinquish_alloc_permit()
    write_parts(recipe, sums, part_c, ready, thread)
    pipeline.sync(barrier_id=1)
    memory.free(base)


@cute.jit
def product(recipe: cutlass.Constexpr, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    """Launch a CTA for each tile of c; a is m by k, b is n by k."""
    multiply = recipe.instruction()
    tile = recipe.tile
    layout_a = sm100.make_smem_layout_a(multiply, tile, recipe.operand, recipe.stages)
    layout_b = sm100.make_smem_layout_b(multiply, tile, recipe.operand, recipe.stages)
    load = cpasync.CopyBulkTensorTileG2SOp(tcgen05.CtaGroup.ONE)
    atom_a, view_a = cute.nvgpu.make_tiled_tma_atom_A(load, a, one_stage(layout_a), tile, multiply)
    atom_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(load, b, one_stage(layout_b), tile, multiply)
    grid = [cute.ceil_div(c.shape[0], tile[0]), cute.ceil_div(c.shape[1], tile[1]), 1]
    product_kernel(recipe, multiply, atom_a, view_a, atom_b, view_b, c, layout_a, layout_b).launch(
        grid=grid, block=[THREADS, 1, 1]
    )
