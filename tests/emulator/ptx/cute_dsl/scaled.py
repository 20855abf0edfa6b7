"""Block-scaled matrix products of our own in CuTe DSL for sm_100a: nvfp4, mxfp4 and mxfp8.

TMA loads operands and scale factors, tcgen05.cp brings the factors to tensor memory, one warp
issues tcgen05.mma, by one CTA or by a pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cutlass
import cutlass.cute as cute
import cutlass.utils.blackwell_helpers as sm100
import cutlass.utils.blockscaled_layout as factors
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, tcgen05

THREADS = 128
STAGES = 2
K_MAJOR = tcgen05.OperandMajorMode.K


@dataclass(frozen=True, repr=False)
class ScaledRecipe:
    """Kinds of operands and factors, elements a factor, the tile, and whether two CTAs share it."""

    name: str
    operand: Any
    factor: Any
    vector: int
    tile: tuple[int, int, int]
    pair: bool = False

    def __repr__(self) -> str:
        return self.name

    def group(self) -> Any:
        """The group of CTAs that executes one tcgen05.mma."""
        return tcgen05.CtaGroup.TWO if self.pair else tcgen05.CtaGroup.ONE

    def instruction(self, group: Any, rows: int) -> cute.TiledMma:
        """The block-scaled tcgen05.mma with so many rows."""
        return sm100.make_blockscaled_trivial_tiled_mma(
            self.operand, self.operand, K_MAJOR, K_MAJOR, self.factor, self.vector, group,
            (rows, self.tile[1]),
        )  # fmt: skip


def copies_to_tensor_memory(recipe: ScaledRecipe, shared: cute.Tensor, held: cute.Tensor) -> Any:
    """Return the tcgen05.cp of scale factors, what it reads of each stage and where it writes."""
    atom = cute.make_copy_atom(tcgen05.Cp4x32x128bOp(recipe.group()), recipe.factor)
    target = cute.filter_zeros(held)
    copier = tcgen05.make_s2t_copy(atom, target)
    source = copier.get_slice(0).partition_S(cute.filter_zeros(shared))
    described = tcgen05.get_s2t_smem_desc_tensor(copier, source)
    return copier, described, copier.get_slice(0).partition_D(target)


@cute.kernel
def scaled_kernel(
    recipe: cutlass.Constexpr, multiply: cute.TiledMma, multiply_b: cute.TiledMma,
    atom_a: cute.CopyAtom, a: cute.Tensor, atom_b: cute.CopyAtom, b: cute.Tensor,
    atom_sa: cute.CopyAtom, sa: cute.Tensor, atom_sb: cute.CopyAtom, sb: cute.Tensor,
    layout_a: cute.ComposedLayout, layout_b: cute.ComposedLayout,
    layout_sa: cute.Layout, layout_sb: cute.Layout, c: cute.Tensor, ctas: cute.Layout,
):  # fmt: skip
    """c = (a * sa) @ (b * sb).T for one tile; sa and sb scale runs of `vector` elements along k."""
    thread, _, _ = cute.arch.thread_idx()
    x, column, _ = cute.arch.block_idx()
    group_size = cute.size(multiply.thr_id.shape)
    row, peer = x // group_size, x % group_size
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    tile = recipe.tile

    @cute.struct
    class Storage:
        loads: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        result: cute.struct.MemRange[cutlass.Int64, 2]
        freed: cutlass.Int64
        columns: cutlass.Int32

    allocator = cutlass.utils.SmemAllocator()
    storage = allocator.allocate(Storage)
    shared_a = allocator.allocate_tensor(recipe.operand, layout_a.outer, 1024, layout_a.inner)
    shared_b = allocator.allocate_tensor(recipe.operand, layout_b.outer, 1024, layout_b.inner)
    shared_sa = allocator.allocate_tensor(recipe.factor, layout_sa, 128)
    shared_sb = allocator.allocate_tensor(recipe.factor, layout_sb, 128)
    stage_bytes = group_size * sum(
        cute.size_in_bytes(kind, cute.select(each, mode=[0, 1, 2]))
        for kind, each in (
            (recipe.operand, layout_a), (recipe.operand, layout_b),
            (recipe.factor, layout_sa), (recipe.factor, layout_sb),
        )
    )  # fmt: skip
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    loads, loaded = pipeline.PipelineTmaUmma.create(
        num_stages=STAGES, producer_group=one, consumer_group=one, tx_count=stage_bytes,
        barrier_storage=storage.loads.data_ptr(), cta_layout_vmnk=ctas,
    ).make_participants()  # fmt: skip
    results, ready = pipeline.PipelineUmmaAsync.create(
        num_stages=1, producer_group=one,
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, THREADS * group_size),
        barrier_storage=storage.result.data_ptr(), cta_layout_vmnk=ctas,
    ).make_participants()  # fmt: skip
    memory = cutlass.memory.TmemAllocator(
        storage.columns, barrier_for_retrieve=pipeline.NamedBarrier(1, THREADS),
        is_two_cta=recipe.pair, two_cta_tmem_dealloc_mbar_ptr=storage.freed,
    )  # fmt: skip
    if cutlass.const_expr(recipe.pair):
        pipeline.sync(barrier_id=2)
    pool = memory.reserve(512)
    stage = (None, None, None, 0)
    sums = pool.allocate_tensor(
        multiply.make_fragment_C(multiply.partition_shape_C(tile[:2])).layout, cutlass.Float32
    )
    held_sa = pool.allocate_tensor(
        factors.make_tmem_layout_sfa(multiply, tile, recipe.vector, cute.slice_(layout_sa, stage)),
        recipe.factor,
    )
    held_sb = pool.allocate_tensor(
        factors.make_tmem_layout_sfb(multiply, tile, recipe.vector, cute.slice_(layout_sb, stage)),
        recipe.factor,
    )

    mine, mine_b = multiply.get_slice(peer), multiply_b.get_slice(peer)
    at = (row, column, None)
    part_a = mine.partition_A(cute.local_tile(a, tile, at, proj=(1, None, 1)))
    part_b = mine.partition_B(cute.local_tile(b, tile, at, proj=(None, 1, 1)))
    part_sa = mine.partition_A(cute.local_tile(sa, tile, at, proj=(1, None, 1)))
    part_sb = mine_b.partition_B(cute.local_tile(sb, tile, at, proj=(None, 1, 1)))
    part_c = mine.partition_C(cute.local_tile(c, tile, at, proj=(1, 1, None)))
    alone = cute.make_layout(1)
    to_a, from_a = cpasync.tma_partition(
        atom_a, 0, alone, cute.group_modes(shared_a, 0, 3), cute.group_modes(part_a, 0, 3)
    )
    to_b, from_b = cpasync.tma_partition(
        atom_b, 0, alone, cute.group_modes(shared_b, 0, 3), cute.group_modes(part_b, 0, 3)
    )
    to_sa, from_sa = cpasync.tma_partition(
        atom_sa, 0, alone, cute.group_modes(shared_sa, 0, 3), cute.group_modes(part_sa, 0, 3)
    )
    both = cute.make_layout(group_size)  # every CTA holds all factors of b
    to_sb, from_sb = cpasync.tma_partition(
        atom_sb, peer, both, cute.group_modes(shared_sb, 0, 3), cute.group_modes(part_sb, 0, 3)
    )
    to_sa, from_sa = cute.filter_zeros(to_sa), cute.filter_zeros(from_sa)
    to_sb, from_sb = cute.filter_zeros(to_sb), cute.filter_zeros(from_sb)
    held_a, held_b = multiply.make_fragment_A(shared_a), multiply.make_fragment_B(shared_b)
    copy_sa, source_sa, target_sa = copies_to_tensor_memory(recipe, shared_sa, held_sa)
    copy_sb, source_sb, target_sb = copies_to_tensor_memory(recipe, shared_sb, held_sb)

    if warp == 0:
        mask = cutlass.Int16((1 << group_size) - 1)
        multiply.set(tcgen05.Field.ACCUMULATE, False)
        if peer == 0:
            results.acquire_and_advance()
        for _ in cutlass.range(cute.size(from_a, mode=[1]), unroll=1):
            empty = loads.acquire_and_advance()
            source, to, bar = (None, empty.count), (None, empty.index), empty.barrier
            cute.copy(atom_a, from_a[source], to_a[to], tma_bar_ptr=bar)
            cute.copy(atom_b, from_b[source], to_b[to], tma_bar_ptr=bar)
            cute.copy(atom_sa, from_sa[source], to_sa[to], tma_bar_ptr=bar)
            if cutlass.const_expr(recipe.pair):
                cute.copy(atom_sb, from_sb[source], to_sb[to], tma_bar_ptr=bar, mcast_mask=mask)
            else:
                cute.copy(atom_sb, from_sb[source], to_sb[to], tma_bar_ptr=bar)
            if peer == 0:
                full = loaded.wait_and_advance()
                slot = (None, None, None, None, full.index)
                cute.copy(copy_sa, source_sa[slot], target_sa)
                cute.copy(copy_sb, source_sb[slot], target_sb)
                for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
                    step, factor = (None, None, k, full.index), (None, None, k)
                    multiply.set(tcgen05.Field.SFA, held_sa[factor].iterator)
                    multiply.set(tcgen05.Field.SFB, held_sb[factor].iterator)
                    cute.gemm(multiply, sums, held_a[step], held_b[step], sums)
                    multiply.set(tcgen05.Field.ACCUMULATE, True)
                full.release()
        if peer == 0:
            results.commit()
    memory.relinquish_alloc_permit()

    load = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), cutlass.Float32)
    reader = tcgen05.make_tmem_copy(load, sums)
    from_memory = reader.get_slice(thread).partition_S(sums)
    to_c = reader.get_slice(thread).partition_D(part_c)
    out = cute.make_rmem_tensor(to_c.shape, cutlass.Float32)
    done = ready.wait_and_advance()
    cute.copy(reader, from_memory, out)
    cute.arch.fence_view_async_tmem_load()
    done.release()
    cute.autovec_copy(out, to_c)
    if warp == 0:
        loads.tail()
        if peer == 0:
            results.tail()
    pipeline.sync(barrier_id=1)
    memory.free(pool.base_ptr)


@cute.jit
def scaled(
    recipe: cutlass.Constexpr, a: cute.Tensor, b: cute.Tensor, factors_a: cute.Pointer,
    factors_b: cute.Pointer, c: cute.Tensor,
):  # fmt: skip
    """Launch a CTA, or a pair, for each tile of c; a is m by k, b n by k, c float32.

    The factors lie in the 128 by 4 blocks that the PTX ISA draws for tcgen05.cp.
    """
    tile, pair = recipe.tile, recipe.pair
    multiply = recipe.instruction(recipe.group(), tile[0])
    multiply_b = recipe.instruction(tcgen05.CtaGroup.ONE, 128)
    ctas = cute.tiled_divide(cute.make_layout((1 + pair, 1, 1)), (multiply.thr_id.shape,))
    ctas_b = cute.tiled_divide(cute.make_layout((1 + pair, 1, 1)), (multiply_b.thr_id.shape,))
    layout_a = sm100.make_smem_layout_a(multiply, tile, recipe.operand, STAGES)
    layout_b = sm100.make_smem_layout_b(multiply, tile, recipe.operand, STAGES)
    layout_sa = factors.make_smem_layout_sfa(multiply, tile, recipe.vector, STAGES)
    layout_sb = factors.make_smem_layout_sfb(multiply, tile, recipe.vector, STAGES)
    block = factors.BlockScaledBasicChunk(recipe.vector).layout
    blocks_a = cute.make_tensor(factors_a, cute.tile_to_shape(block, a.shape, (2, 1)))
    blocks_b = cute.make_tensor(factors_b, cute.tile_to_shape(block, b.shape, (2, 1)))
    load, stage = cpasync.CopyBulkTensorTileG2SOp(recipe.group()), [0, 1, 2]
    load_sb = sm100.cluster_shape_to_tma_atom_SFB((1 + pair, 1, 1), multiply.thr_id)
    atom_a, view_a = cute.nvgpu.make_tiled_tma_atom_A(
        load, a, cute.select(layout_a, mode=stage), tile, multiply, ctas.shape
    )
    atom_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(
        load, b, cute.select(layout_b, mode=stage), tile, multiply, ctas.shape
    )
    atom_sa, view_sa = cute.nvgpu.make_tiled_tma_atom_A(
        load, blocks_a, cute.select(layout_sa, mode=stage), tile, multiply, ctas.shape,
        internal_type=cutlass.Int16,
    )  # fmt: skip
    atom_sb, view_sb = cute.nvgpu.make_tiled_tma_atom_B(
        load_sb, blocks_b, cute.select(layout_sb, mode=stage), tile, multiply_b, ctas_b.shape,
        internal_type=cutlass.Int16,
    )  # fmt: skip
    tiles = cute.ceil_div(c.shape, tile[:2])
    scaled_kernel(
        recipe, multiply, multiply_b, atom_a, view_a, atom_b, view_b, atom_sa, view_sa,
        atom_sb, view_sb, layout_a, layout_b, layout_sa, layout_sb, c, ctas,
    ).launch(
        grid=[tiles[0] * (1 + pair), tiles[1], 1], block=[THREADS, 1, 1], cluster=(1 + pair, 1, 1)
    )  # fmt: skip
