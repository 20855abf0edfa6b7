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
from parts import in_shared, loading, one_stage, stage_bytes, threads, write_sums

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
            self.operand,
            self.operand,
            K_MAJOR,
            K_MAJOR,
            self.factor,
            self.vector,
            group,
            (rows, self.tile[1]),
        )


def copies_to_tensor_memory(recipe: ScaledRecipe, shared: cute.Tensor, held: cute.Tensor) -> Any:
    """Return the tcgen05.cp of scale factors, what it reads of each stage and where it writes."""
    atom = cute.make_copy_atom(tcgen05.Cp4x32x128bOp(recipe.group()), recipe.factor)
    target = cute.filter_zeros(held)
    copier = tcgen05.make_s2t_copy(atom, target)
    source = copier.get_slice(0).partition_S(cute.filter_zeros(shared))
    described = tcgen05.get_s2t_smem_desc_tensor(copier, source)
    return copier, described, copier.get_slice(0).partition_D(target)


@cute.jit
def load_step(
    recipe: cutlass.Constexpr,
    atom_a: cute.CopyAtom,
    a: Any,
    atom_b: cute.CopyAtom,
    b: Any,
    atom_sa: cute.CopyAtom,
    sa: Any,
    atom_sb: cute.CopyAtom,
    sb: Any,
    empty: Any,
):
    """Load the operands and factors of one step; of a pair, each CTA loads half of b's factors."""
    source, to, bar = (None, empty.count), (None, empty.index), empty.barrier
    cute.copy(atom_a, a[1][source], a[0][to], tma_bar_ptr=bar)
    cute.copy(atom_b, b[1][source], b[0][to], tma_bar_ptr=bar)
    cute.copy(atom_sa, sa[1][source], sa[0][to], tma_bar_ptr=bar)
    if cutlass.const_expr(recipe.pair):
        both = cutlass.Int16(3)
        cute.copy(atom_sb, sb[1][source], sb[0][to], tma_bar_ptr=bar, mcast_mask=both)
    else:
        cute.copy(atom_sb, sb[1][source], sb[0][to], tma_bar_ptr=bar)


@cute.jit
def multiply_steps(
    recipe: cutlass.Constexpr,
    multiply: cute.TiledMma,
    atoms: Any,
    tiles: Any,
    held: Any,
    copies: Any,
    sums: cute.Tensor,
    loads: Any,
    loaded: Any,
    results: Any,
    leads: cutlass.Boolean,
):
    """Load, bring factors to tensor memory and multiply; of a pair, one CTA does but the loads."""
    (atom_a, atom_b, atom_sa, atom_sb), (a, b, sa, sb) = atoms, tiles
    (held_a, held_b, held_sa, held_sb), (of_a, of_b) = held, copies
    multiply.set(tcgen05.Field.ACCUMULATE, False)
    for _ in cutlass.range(cute.size(a[1], mode=[1]), unroll=1):
        load_step(
            recipe, atom_a, a, atom_b, b, atom_sa, sa, atom_sb, sb, loads.acquire_and_advance()
        )
        if leads:
            full = loaded.wait_and_advance()
            slot = (None, None, None, None, full.index)
            cute.copy(of_a[0], of_a[1][slot], of_a[2])
            cute.copy(of_b[0], of_b[1][slot], of_b[2])
            for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
                step, factor = (None, None, k, full.index), (None, None, k)
                multiply.set(tcgen05.Field.SFA, held_sa[factor].iterator)
                multiply.set(tcgen05.Field.SFB, held_sb[factor].iterator)
                cute.gemm(multiply, sums, held_a[step], held_b[step], sums)
                multiply.set(tcgen05.Field.ACCUMULATE, True)
            full.release()
    if leads:
        results.commit()
    loads.tail()


def pipelines(storage: Any, bytes_each: int, ctas: cute.Layout) -> Any:
    """Loads and sums, each with those that wait for them."""
    group = cute.size(ctas, mode=[0])
    loads = pipeline.PipelineTmaUmma.create(
        num_stages=STAGES,
        producer_group=threads(),
        consumer_group=threads(),
        tx_count=group * bytes_each,
        barrier_storage=storage.loads.data_ptr(),
        cta_layout_vmnk=ctas,
    )
    sums = pipeline.PipelineUmmaAsync.create(
        num_stages=1,
        producer_group=threads(),
        consumer_group=threads(THREADS * group),
        barrier_storage=storage.result.data_ptr(),
        cta_layout_vmnk=ctas,
    )
    return *loads.make_participants(), *sums.make_participants()


@cute.kernel
def scaled_kernel(
    recipe: cutlass.Constexpr,
    multiply: cute.TiledMma,
    multiply_b: cute.TiledMma,
    atom_a: cute.CopyAtom,
    a: cute.Tensor,
    atom_b: cute.CopyAtom,
    b: cute.Tensor,
    atom_sa: cute.CopyAtom,
    sa: cute.Tensor,
    atom_sb: cute.CopyAtom,
    sb: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
    layout_sa: cute.Layout,
    layout_sb: cute.Layout,
    c: cute.Tensor,
    ctas: cute.Layout,
):
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
    shared_a = in_shared(allocator, recipe.operand, layout_a)
    shared_b = in_shared(allocator, recipe.operand, layout_b)
    shared_sa = allocator.allocate_tensor(recipe.factor, layout_sa, 128)
    shared_sb = allocator.allocate_tensor(recipe.factor, layout_sb, 128)
    bytes_each = stage_bytes(
        (recipe.operand, layout_a),
        (recipe.operand, layout_b),
        (recipe.factor, layout_sa),
        (recipe.factor, layout_sb),
    )
    loads, loaded, results, ready = pipelines(storage, bytes_each, ctas)
    memory = cutlass.memory.TmemAllocator(
        storage.columns,
        barrier_for_retrieve=pipeline.NamedBarrier(1, THREADS),
        is_two_cta=recipe.pair,
        two_cta_tmem_dealloc_mbar_ptr=storage.freed,
    )
    if cutlass.const_expr(recipe.pair):
        pipeline.sync(barrier_id=2)
    pool = memory.reserve(512)
    unplaced = multiply.make_fragment_C(multiply.partition_shape_C(tile[:2]))
    sums = pool.allocate_tensor(unplaced.layout, cutlass.Float32)
    held_sa = pool.allocate_tensor(
        factors.make_tmem_layout_sfa(multiply, tile, recipe.vector, one_stage(layout_sa)),
        recipe.factor,
    )
    held_sb = pool.allocate_tensor(
        factors.make_tmem_layout_sfb(multiply, tile, recipe.vector, one_stage(layout_sb)),
        recipe.factor,
    )

    mine, mine_b = multiply.get_slice(peer), multiply_b.get_slice(peer)
    at = (row, column, None)
    part_a = mine.partition_A(cute.local_tile(a, tile, at, proj=(1, None, 1)))
    part_b = mine.partition_B(cute.local_tile(b, tile, at, proj=(None, 1, 1)))
    part_sa = mine.partition_A(cute.local_tile(sa, tile, at, proj=(1, None, 1)))
    part_sb = mine_b.partition_B(cute.local_tile(sb, tile, at, proj=(None, 1, 1)))
    part_c = mine.partition_C(cute.local_tile(c, tile, at, proj=(1, 1, None)))
    both_a, both_b = loading(atom_a, shared_a, part_a), loading(atom_b, shared_b, part_b)
    both_sa = [cute.filter_zeros(each) for each in loading(atom_sa, shared_sa, part_sa)]
    both_sb = loading(atom_sb, shared_sb, part_sb, peer, group_size)  # every CTA holds all of b's
    both_sb = [cute.filter_zeros(each) for each in both_sb]
    held_a, held_b = multiply.make_fragment_A(shared_a), multiply.make_fragment_B(shared_b)
    copies = (
        copies_to_tensor_memory(recipe, shared_sa, held_sa),
        copies_to_tensor_memory(recipe, shared_sb, held_sb),
    )
    leads = peer == 0
    if warp == 0:
        if leads:
            results.acquire_and_advance()
        multiply_steps(
            recipe,
            multiply,
            (atom_a, atom_b, atom_sa, atom_sb),
            (both_a, both_b, both_sa, both_sb),
            (held_a, held_b, held_sa, held_sb),
            copies,
            sums,
            loads,
            loaded,
            results,
            leads,
        )
    memory.relinquish_alloc_permit()
    write_sums(sums, part_c, ready, thread)
    if warp == 0 and leads:
        results.tail()
    pipeline.sync(barrier_id=1)
    memory.free(pool.base_ptr)


@cute.jit
def scaled(
    recipe: cutlass.Constexpr,
    a: cute.Tensor,
    b: cute.Tensor,
    factors_a: cute.Pointer,
    factors_b: cute.Pointer,
    c: cute.Tensor,
):
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
    load = cpasync.CopyBulkTensorTileG2SOp(recipe.group())
    load_sb = sm100.cluster_shape_to_tma_atom_SFB((1 + pair, 1, 1), multiply.thr_id)
    atom_a, view_a = cute.nvgpu.make_tiled_tma_atom_A(
        load, a, one_stage(layout_a), tile, multiply, ctas.shape
    )
    atom_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(
        load, b, one_stage(layout_b), tile, multiply, ctas.shape
    )
    atom_sa, view_sa = cute.nvgpu.make_tiled_tma_atom_A(
        load,
        blocks_a,
        one_stage(layout_sa),
        tile,
        multiply,
        ctas.shape,
        internal_type=cutlass.Int16,
    )
    atom_sb, view_sb = cute.nvgpu.make_tiled_tma_atom_B(
        load_sb,
        blocks_b,
        one_stage(layout_sb),
        tile,
        multiply_b,
        ctas_b.shape,
        internal_type=cutlass.Int16,
    )
    tiles = cute.ceil_div(c.shape, tile[:2])
    scaled_kernel(
        recipe,
        multiply,
        multiply_b,
        atom_a,
        view_a,
        atom_b,
        view_b,
        atom_sa,
        view_sa,
        atom_sb,
        view_sb,
        layout_a,
        layout_b,
        layout_sa,
        layout_sb,
        c,
        ctas,
    ).launch(
        grid=[tiles[0] * (1 + pair), tiles[1], 1], block=[THREADS, 1, 1], cluster=(1 + pair, 1, 1)
    )
