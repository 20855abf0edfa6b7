"""Attention forward of our own in CuTe DSL for sm_100a, specialized by warps.

One warp loads by TMA, one issues tcgen05.mma: Q K^T with both operands in shared memory, then P V
with P in tensor memory, over the scores that it came from. Four warps, a row a thread, take the
softmax online and rescale the output in tensor memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cutlass
import cutlass.cute as cute
import cutlass.utils.blackwell_helpers as sm100
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, tcgen05

TILE = 128  # queries of a CTA, and keys of a step
STAGES = 3
ROWS, MULTIPLY_WARP, LOAD_WARP = 128, 4, 5
THREADS = ROWS + 64
ONE_CTA = tcgen05.CtaGroup.ONE
K_MAJOR, MN_MAJOR = tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.MN
SINGLE = cutlass.Float32


@dataclass(frozen=True, repr=False)
class Heads:
    """The type of Q, K, V and O, the width of a head, and whether a query sees later keys."""

    name: str
    kind: Any
    width: int
    causal: bool

    def __repr__(self) -> str:
        return self.name

    @property
    def scores_tile(self) -> tuple[int, int, int]:
        """M, N and K of Q K^T."""
        return TILE, TILE, self.width

    @property
    def output_tile(self) -> tuple[int, int, int]:
        """M, N and K of P V."""
        return TILE, self.width, TILE


@cute.jit
def softmax_step(
    heads: cutlass.Constexpr, scores: cute.Tensor, packed: cute.Tensor, largest: SINGLE,
    total: SINGLE, scale: SINGLE, beyond: cutlass.Int32,
):  # fmt: skip
    """Turn a row of scores into weights; return the new maximum and sum, and the old one's factor.

    `packed` receives the weights; columns from `beyond` on are masked.
    """
    if cutlass.const_expr(heads.causal):
        for i in cutlass.range_constexpr(TILE):
            scores[i] = scores[i] if i < beyond else -cutlass.Float32.inf
    highest = scores.load().reduce(cute.ReductionOp.MAX, largest, 0)
    factor = cute.math.exp2((largest - highest) * scale, fastmath=True)
    for i in cutlass.range_constexpr(TILE):
        scores[i] = cute.math.exp2(scores[i] * scale - highest * scale, fastmath=True)
    weights = scores.load()
    packed.store(weights.to(heads.kind))
    added = weights.reduce(cute.ReductionOp.ADD, cutlass.Float32(0.0), 0)
    return highest, total * factor + added, factor


@cute.kernel
def attention_kernel(
    heads: cutlass.Constexpr, scale: SINGLE, first: cute.TiledMma, second: cute.TiledMma,
    atom_q: cute.CopyAtom, q: cute.Tensor, atom_k: cute.CopyAtom, k: cute.Tensor,
    atom_v: cute.CopyAtom, v: cute.Tensor, o: cute.Tensor, layout_q: cute.ComposedLayout,
    layout_k: cute.ComposedLayout, layout_v: cute.ComposedLayout,
):  # fmt: skip
    """o = softmax(q @ k.T * scale) @ v for one tile of queries of one head."""
    thread, _, _ = cute.arch.thread_idx()
    row, head, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    @cute.struct
    class Storage:
        queries: cute.struct.MemRange[cutlass.Int64, 2]
        keys: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        scored: cute.struct.MemRange[cutlass.Int64, 4]
        weighed: cute.struct.MemRange[cutlass.Int64, 4]
        output: cute.struct.MemRange[cutlass.Int64, 2]
        columns: cutlass.Int32

    allocator = cutlass.utils.SmemAllocator()
    storage = allocator.allocate(Storage)
    shared_q = allocator.allocate_tensor(heads.kind, layout_q.outer, 1024, layout_q.inner)
    shared_k = allocator.allocate_tensor(heads.kind, layout_k.outer, 1024, layout_k.inner)
    shared_v = cute.make_tensor(  # stages hold keys and values in turn
        cute.recast_ptr(shared_k.iterator, layout_v.inner), layout_v.outer
    )
    stage_bytes = cute.size_in_bytes(heads.kind, cute.select(layout_k, mode=[0, 1, 2]))
    query_bytes = cute.size_in_bytes(heads.kind, cute.select(layout_q, mode=[0, 1, 2]))
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    rows = pipeline.CooperativeGroup(pipeline.Agent.Thread, ROWS)
    load_q, loaded_q = pipeline.PipelineTmaUmma.create(
        num_stages=1, producer_group=one, consumer_group=one, tx_count=query_bytes,
        barrier_storage=storage.queries.data_ptr(),
    ).make_participants()  # fmt: skip
    loads, loaded = pipeline.PipelineTmaUmma.create(
        num_stages=STAGES, producer_group=one, consumer_group=one, tx_count=stage_bytes,
        barrier_storage=storage.keys.data_ptr(),
    ).make_participants()  # fmt: skip
    scoring, scored = pipeline.PipelineUmmaAsync.create(
        num_stages=2, producer_group=one, consumer_group=rows,
        barrier_storage=storage.scored.data_ptr(),
    ).make_participants()  # fmt: skip
    weighing, weighed = pipeline.PipelineAsyncUmma.create(
        num_stages=2, producer_group=rows, consumer_group=one,
        barrier_storage=storage.weighed.data_ptr(),
    ).make_participants()  # fmt: skip
    summing, summed = pipeline.PipelineUmmaAsync.create(
        num_stages=1, producer_group=one, consumer_group=rows,
        barrier_storage=storage.output.data_ptr(),
    ).make_participants()  # fmt: skip

    memory = cutlass.memory.TmemAllocator(
        storage.columns, barrier_for_retrieve=pipeline.NamedBarrier(1, THREADS)
    )
    pool = memory.reserve(512)
    scores_at = pool.allocate(2 * TILE, SINGLE)
    scores_layout = first.make_fragment_C(first.partition_shape_C((TILE, TILE))).layout
    sums = pool.allocate_tensor(
        second.make_fragment_C(second.partition_shape_C((TILE, heads.width))).layout, SINGLE
    )
    weights_layout = second.make_fragment_A(second.partition_shape_A((TILE, TILE))).layout
    own_first, own_second = first.get_slice(0), second.get_slice(0)
    tiles_q = cute.local_tile(q, (TILE, heads.width), (row, 0, head))
    tiles_k = cute.local_tile(k, (TILE, heads.width), (None, 0, head))
    tiles_v = cute.local_tile(v, (heads.width, TILE), (0, None, head))
    tile_o = cute.local_tile(o, (TILE, heads.width), (row, 0, head))
    part_q, part_k = own_first.partition_A(tiles_q), own_first.partition_B(tiles_k)
    part_v, part_o = own_second.partition_B(tiles_v), own_second.partition_C(tile_o)
    alone = cute.make_layout(1)
    to_q, from_q = cpasync.tma_partition(
        atom_q, 0, alone, cute.group_modes(shared_q, 0, 3), cute.group_modes(part_q, 0, 3)
    )
    to_k, from_k = cpasync.tma_partition(
        atom_k, 0, alone, cute.group_modes(shared_k, 0, 3), cute.group_modes(part_k, 0, 3)
    )
    to_v, from_v = cpasync.tma_partition(
        atom_v, 0, alone, cute.group_modes(shared_v, 0, 3), cute.group_modes(part_v, 0, 3)
    )
    steps = cute.size(from_k, mode=[1])
    if cutlass.const_expr(heads.causal):
        steps = row + 1

    if warp == LOAD_WARP:
        asked = load_q.acquire_and_advance()
        cute.copy(atom_q, from_q, to_q[None, 0], tma_bar_ptr=asked.barrier)
        key = loads.acquire_and_advance()
        cute.copy(atom_k, from_k[None, 0], to_k[None, key.index], tma_bar_ptr=key.barrier)
        for j in cutlass.range(steps, unroll=1):
            if j + 1 < steps:
                later = loads.acquire_and_advance()
                to = to_k[None, later.index]
                cute.copy(atom_k, from_k[None, j + 1], to, tma_bar_ptr=later.barrier)
            value = loads.acquire_and_advance()
            cute.copy(atom_v, from_v[None, j], to_v[None, value.index], tma_bar_ptr=value.barrier)
        loads.tail()

    if warp == MULTIPLY_WARP:
        held_q, held_k = first.make_fragment_A(shared_q), first.make_fragment_B(shared_k)
        held_v = second.make_fragment_B(shared_v)
        loaded_q.wait_and_advance()
        for j in cutlass.range(steps + 1, unroll=1):
            if j < steps:  # the next scores, while the threads weigh the last
                key = loaded.wait_and_advance()
                into = scoring.acquire_and_advance()
                scores = cute.make_tensor(scores_at + TILE * into.index, scores_layout)
                first.set(tcgen05.Field.ACCUMULATE, False)
                for i in cutlass.range_constexpr(cute.size(held_q, mode=[2])):
                    step_q, step_k = (None, None, i, 0), (None, None, i, key.index)
                    cute.gemm(first, scores, held_q[step_q], held_k[step_k], scores)
                    first.set(tcgen05.Field.ACCUMULATE, True)
                into.commit()
                key.release()
            if j > 0:
                value = loaded.wait_and_advance()
                taken = weighed.wait_and_advance()
                room = summing.acquire_and_advance()
                place = cute.recast_ptr(scores_at + TILE * taken.index, dtype=heads.kind)
                weights = cute.make_tensor(place, weights_layout)
                second.set(tcgen05.Field.ACCUMULATE, j > 1)
                for i in cutlass.range_constexpr(cute.size(weights, mode=[2])):
                    step_v = (None, None, i, value.index)
                    cute.gemm(second, sums, weights[None, None, i], held_v[step_v], sums)
                    second.set(tcgen05.Field.ACCUMULATE, True)
                room.commit()
                taken.release()
                value.release()

    if warp < MULTIPLY_WARP:
        read = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), SINGLE)
        write = cute.make_copy_atom(tcgen05.St32x32bOp(tcgen05.Repetition.x32), SINGLE)
        half = cute.make_layout(((TILE, TILE // 2), 1, 1), stride=((1 << 16, 1), 0, 0))
        reader = tcgen05.make_tmem_copy(read, sums).get_slice(thread)
        writer = tcgen05.make_tmem_copy(write, sums).get_slice(thread)
        row_of_o = reader.partition_D(part_o)
        largest, total = -cutlass.Float32.inf, cutlass.Float32(0.0)
        for j in cutlass.range(steps, unroll=1):
            full = scored.wait_and_advance()
            at = scores_at + TILE * full.index
            scores_tensor = cute.make_tensor(at, scores_layout)
            score_reader = tcgen05.make_tmem_copy(read, scores_tensor).get_slice(thread)
            source = score_reader.partition_S(scores_tensor)
            shape = score_reader.partition_D(cute.make_identity_tensor(scores_layout.shape)).shape
            own = cute.make_rmem_tensor(shape, SINGLE)
            cute.copy(score_reader, source, own)
            cute.arch.fence_view_async_tmem_load()
            half_tensor = cute.make_tensor(at, half)
            half_writer = tcgen05.make_tmem_copy(write, half_tensor).get_slice(thread)
            half_shape = half_writer.partition_S(cute.make_identity_tensor(half.shape)).shape
            pairs = cute.make_rmem_tensor(half_shape, SINGLE)
            flat = cute.make_layout(TILE)
            values = cute.make_tensor(cute.recast_ptr(pairs.iterator, dtype=heads.kind), flat)
            largest, total, factor = softmax_step(
                heads, cute.make_tensor(own.iterator, flat), values, largest, total, scale,
                thread + 1 if j == row else TILE,
            )  # fmt: skip
            if j > 0:
                before = summed.wait_and_advance()
                partial = cute.make_rmem_tensor(row_of_o.shape, SINGLE)
                cute.copy(reader, reader.partition_S(sums), partial)
                cute.arch.fence_view_async_tmem_load()
                partial.store(partial.load() * factor)
                cute.copy(writer, partial, writer.partition_D(sums))
                cute.arch.fence_view_async_tmem_store()
                before.release()
            free = weighing.acquire_and_advance()
            cute.copy(half_writer, pairs, half_writer.partition_D(half_tensor))
            cute.arch.fence_view_async_tmem_store()
            free.commit()
            full.release()
        last = summed.wait_and_advance()
        result = cute.make_rmem_tensor(row_of_o.shape, SINGLE)
        cute.copy(reader, reader.partition_S(sums), result)
        cute.arch.fence_view_async_tmem_load()
        last.release()
        narrow = cute.make_rmem_tensor(row_of_o.shape, heads.kind)
        narrow.store((result.load() * (1.0 / total)).to(heads.kind))
        cute.autovec_copy(narrow, row_of_o)
        memory.relinquish_alloc_permit()
    pipeline.sync(barrier_id=1)
    memory.free(pool.base_ptr)


@cute.jit
def attention(
    heads: cutlass.Constexpr, q: cute.Tensor, k: cute.Tensor, v: cute.Tensor, o: cute.Tensor,
    scale: SINGLE,
):  # fmt: skip
    """Launch a CTA for each 128 queries of each head.

    q, k and o have (length, width, heads), v (width, length, heads); the width is contiguous.
    """
    kind = heads.kind
    first = sm100.make_trivial_tiled_mma(
        kind, kind, K_MAJOR, K_MAJOR, SINGLE, ONE_CTA, (TILE, TILE)
    )
    second = sm100.make_trivial_tiled_mma(
        kind, kind, K_MAJOR, MN_MAJOR, SINGLE, ONE_CTA, (TILE, heads.width),
        tcgen05.OperandSource.TMEM,
    )  # fmt: skip
    layout_q = sm100.make_smem_layout_a(first, heads.scores_tile, kind, 1)
    layout_k = sm100.make_smem_layout_b(first, heads.scores_tile, kind, STAGES)
    layout_v = sm100.make_smem_layout_b(second, heads.output_tile, kind, STAGES)
    load, stage = cpasync.CopyBulkTensorTileG2SOp(ONE_CTA), [0, 1, 2]
    atom_q, view_q = cute.nvgpu.make_tiled_tma_atom_A(
        load, q, cute.select(layout_q, mode=stage), heads.scores_tile, first
    )
    atom_k, view_k = cute.nvgpu.make_tiled_tma_atom_B(
        load, k, cute.select(layout_k, mode=stage), heads.scores_tile, first
    )
    atom_v, view_v = cute.nvgpu.make_tiled_tma_atom_B(
        load, v, cute.select(layout_v, mode=stage), heads.output_tile, second
    )
    attention_kernel(
        heads, scale * math.log2(math.e), first, second, atom_q, view_q, atom_k, view_k,
        atom_v, view_v, o, layout_q, layout_k, layout_v,
    ).launch(
        grid=[cute.ceil_div(q.shape[0], TILE), q.shape[2], 1], block=[THREADS, 1, 1]
    )  # fmt: skip
