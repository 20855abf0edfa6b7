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
from parts import in_shared, loading, one_stage, stage_bytes, threads

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
    heads: cutlass.Constexpr,
    scores: cute.Tensor,
    packed: cute.Tensor,
    largest: SINGLE,
    total: SINGLE,
    scale: SINGLE,
    beyond: cutlass.Int32,
):
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


@cute.jit
def load_tiles(
    atom_q: cute.CopyAtom,
    q: Any,
    atom_k: cute.CopyAtom,
    k: Any,
    atom_v: cute.CopyAtom,
    v: Any,
    load_q: Any,
    loads: Any,
    steps: cutlass.Int32,
):
    """Load the queries, and keys and values in turn, the keys a step ahead."""
    asked = load_q.acquire_and_advance()
    cute.copy(atom_q, q[1], q[0][None, 0], tma_bar_ptr=asked.barrier)
    key = loads.acquire_and_advance()
    cute.copy(atom_k, k[1][None, 0], k[0][None, key.index], tma_bar_ptr=key.barrier)
    for j in cutlass.range(steps, unroll=1):
        if j + 1 < steps:
            later = loads.acquire_and_advance()
            to = k[0][None, later.index]
            cute.copy(atom_k, k[1][None, j + 1], to, tma_bar_ptr=later.barrier)
        value = loads.acquire_and_advance()
        cute.copy(atom_v, v[1][None, j], v[0][None, value.index], tma_bar_ptr=value.barrier)
    loads.tail()


@cute.jit
def multiply_steps(
    heads: cutlass.Constexpr,
    first: cute.TiledMma,
    second: cute.TiledMma,
    held_q: cute.Tensor,
    held_k: cute.Tensor,
    held_v: cute.Tensor,
    place: Any,
    sums: cute.Tensor,
    loaded_q: Any,
    loaded: Any,
    scoring: Any,
    weighed: Any,
    summing: Any,
    steps: cutlass.Int32,
):
    """Multiply the next scores while the threads weigh the last, then weights by values."""
    scores_layout = first.make_fragment_C(first.partition_shape_C((TILE, TILE))).layout
    weights_layout = second.make_fragment_A(second.partition_shape_A((TILE, TILE))).layout
    loaded_q.wait_and_advance()
    for j in cutlass.range(steps + 1, unroll=1):
        if j < steps:
            key = loaded.wait_and_advance()
            into = scoring.acquire_and_advance()
            scores = cute.make_tensor(place + TILE * into.index, scores_layout)
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
            at = cute.recast_ptr(place + TILE * taken.index, dtype=heads.kind)
            weights = cute.make_tensor(at, weights_layout)
            second.set(tcgen05.Field.ACCUMULATE, j > 1)
            for i in cutlass.range_constexpr(cute.size(weights, mode=[2])):
                step_v = (None, None, i, value.index)
                cute.gemm(second, sums, weights[None, None, i], held_v[step_v], sums)
                second.set(tcgen05.Field.ACCUMULATE, True)
            room.commit()
            taken.release()
            value.release()


def copy_atom(operation: Any) -> cute.CopyAtom:
    """A copy of 32 columns a thread between registers and tensor memory."""
    return cute.make_copy_atom(operation(tcgen05.Repetition.x32), SINGLE)


def rows_of(columns: int) -> cute.Layout:
    """So many columns of 32 bits on all lanes of tensor memory, a row of the tile each."""
    return cute.make_layout(((TILE, columns), 1, 1), stride=((1 << 16, 1), 0, 0))


def in_registers(copy: Any, layout: cute.Layout, of_target: bool) -> cute.Tensor:
    """A thread's registers for a copy between them and tensor memory of a layout."""
    whole = cute.make_identity_tensor(layout.shape)
    part = copy.partition_D(whole) if of_target else copy.partition_S(whole)
    return cute.make_rmem_tensor(part.shape, SINGLE)


@cute.jit
def rescale(sums: cute.Tensor, row_of_o: cute.Tensor, factor: SINGLE, thread: cutlass.Int32):
    """Multiply a thread's row of the output, in tensor memory, by a factor."""
    reader = tcgen05.make_tmem_copy(copy_atom(tcgen05.Ld32x32bOp), sums).get_slice(thread)
    writer = tcgen05.make_tmem_copy(copy_atom(tcgen05.St32x32bOp), sums).get_slice(thread)
    partial = cute.make_rmem_tensor(row_of_o.shape, SINGLE)
    cute.copy(reader, reader.partition_S(sums), partial)
    cute.arch.fence_view_async_tmem_load()
    partial.store(partial.load() * factor)
    cute.copy(writer, partial, writer.partition_D(sums))
    cute.arch.fence_view_async_tmem_store()


@cute.jit
def weigh_steps(
    heads: cutlass.Constexpr,
    place: Any,
    sums: cute.Tensor,
    row_of_o: cute.Tensor,
    scale: SINGLE,
    scored: Any,
    weighing: Any,
    summed: Any,
    steps: cutlass.Int32,
    row: cutlass.Int32,
    thread: cutlass.Int32,
):
    """Turn a thread's row of scores into weights, step by step, and write its row of the output."""
    load, store = copy_atom(tcgen05.Ld32x32bOp), copy_atom(tcgen05.St32x32bOp)
    largest, total = -cutlass.Float32.inf, cutlass.Float32(0.0)
    for j in cutlass.range(steps, unroll=1):
        full = scored.wait_and_advance()
        at = place + TILE * full.index
        scores = cute.make_tensor(at, rows_of(TILE))
        reader = tcgen05.make_tmem_copy(load, scores).get_slice(thread)
        own = in_registers(reader, rows_of(TILE), True)
        cute.copy(reader, reader.partition_S(scores), own)
        cute.arch.fence_view_async_tmem_load()
        weights = cute.make_tensor(at, rows_of(TILE // 2))
        writer = tcgen05.make_tmem_copy(store, weights).get_slice(thread)
        pairs = in_registers(writer, rows_of(TILE // 2), False)
        flat = cute.make_layout(TILE)
        values = cute.make_tensor(cute.recast_ptr(pairs.iterator, dtype=heads.kind), flat)
        largest, total, factor = softmax_step(
            heads,
            cute.make_tensor(own.iterator, flat),
            values,
            largest,
            total,
            scale,
            thread + 1 if j == row else TILE,
        )
        if j > 0:
            before = summed.wait_and_advance()
            rescale(sums, row_of_o, factor, thread)
            before.release()
        free = weighing.acquire_and_advance()
        cute.copy(writer, pairs, writer.partition_D(weights))
        cute.arch.fence_view_async_tmem_store()
        free.commit()
        full.release()
    last = summed.wait_and_advance()
    result = cute.make_rmem_tensor(row_of_o.shape, SINGLE)
    output = tcgen05.make_tmem_copy(load, sums).get_slice(thread)
    cute.copy(output, output.partition_S(sums), result)
    cute.arch.fence_view_async_tmem_load()
    last.release()
    narrow = cute.make_rmem_tensor(row_of_o.shape, heads.kind)
    narrow.store((result.load() * (1.0 / total)).to(heads.kind))
    cute.autovec_copy(narrow, row_of_o)


def pipelines(storage: Any, query_bytes: int, key_bytes: int) -> Any:
    """Queries, keys and values, scores, weights, outputs: each with those that wait for them."""
    made = [
        pipeline.PipelineTmaUmma.create(
            num_stages=stages,
            producer_group=threads(),
            consumer_group=threads(),
            tx_count=count,
            barrier_storage=bars.data_ptr(),
        )
        for stages, count, bars in (
            (1, query_bytes, storage.queries),
            (STAGES, key_bytes, storage.keys),
        )
    ]
    for kind, stages, bars, sides in (
        (pipeline.PipelineUmmaAsync, 2, storage.scored_bars, (0, ROWS)),
        (pipeline.PipelineAsyncUmma, 2, storage.weighed_bars, (ROWS, 0)),
        (pipeline.PipelineUmmaAsync, 1, storage.summed_bars, (0, ROWS)),
    ):
        made.append(
            kind.create(
                num_stages=stages,
                producer_group=threads(sides[0]),
                consumer_group=threads(sides[1]),
                barrier_storage=bars.data_ptr(),
            )
        )
    return [side for each in made for side in each.make_participants()]


@cute.kernel
def attention_kernel(
    heads: cutlass.Constexpr,
    scale: SINGLE,
    first: cute.TiledMma,
    second: cute.TiledMma,
    atom_q: cute.CopyAtom,
    q: cute.Tensor,
    atom_k: cute.CopyAtom,
    k: cute.Tensor,
    atom_v: cute.CopyAtom,
    v: cute.Tensor,
    o: cute.Tensor,
    layout_q: cute.ComposedLayout,
    layout_k: cute.ComposedLayout,
    layout_v: cute.ComposedLayout,
):
    """o = softmax(q @ k.T * scale) @ v for one tile of queries of one head."""
    thread, _, _ = cute.arch.thread_idx()
    row, head, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    @cute.struct
    class Storage:
        queries: cute.struct.MemRange[cutlass.Int64, 2]
        keys: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        scored_bars: cute.struct.MemRange[cutlass.Int64, 4]
        weighed_bars: cute.struct.MemRange[cutlass.Int64, 4]
        summed_bars: cute.struct.MemRange[cutlass.Int64, 2]
        columns: cutlass.Int32

    allocator = cutlass.utils.SmemAllocator()
    storage = allocator.allocate(Storage)
    shared_q = in_shared(allocator, heads.kind, layout_q)
    shared_k = in_shared(allocator, heads.kind, layout_k)
    shared_v = cute.make_tensor(  # stages hold keys and values in turn
        cute.recast_ptr(shared_k.iterator, layout_v.inner), layout_v.outer
    )
    sizes = stage_bytes((heads.kind, layout_q)), stage_bytes((heads.kind, layout_k))
    (
        load_q,
        loaded_q,
        loads,
        loaded,
        scoring,
        scored,
        weighing,
        weighed,
        summing,
        summed,
    ) = pipelines(storage, *sizes)
    memory = cutlass.memory.TmemAllocator(
        storage.columns, barrier_for_retrieve=pipeline.NamedBarrier(1, THREADS)
    )
    pool = memory.reserve(512)
    place = pool.allocate(2 * TILE, SINGLE)
    sums = pool.allocate_tensor(
        second.make_fragment_C(second.partition_shape_C((TILE, heads.width))).layout, SINGLE
    )
    own_first, own_second = first.get_slice(0), second.get_slice(0)
    part_q = own_first.partition_A(cute.local_tile(q, (TILE, heads.width), (row, 0, head)))
    part_k = own_first.partition_B(cute.local_tile(k, (TILE, heads.width), (None, 0, head)))
    part_v = own_second.partition_B(cute.local_tile(v, (heads.width, TILE), (0, None, head)))
    part_o = own_second.partition_C(cute.local_tile(o, (TILE, heads.width), (row, 0, head)))
    both_q, both_k = loading(atom_q, shared_q, part_q), loading(atom_k, shared_k, part_k)
    both_v = loading(atom_v, shared_v, part_v)
    steps = cute.size(both_k[1], mode=[1])
    if cutlass.const_expr(heads.causal):
        steps = row + 1
    if warp == LOAD_WARP:
        load_tiles(atom_q, both_q, atom_k, both_k, atom_v, both_v, load_q, loads, steps)
    if warp == MULTIPLY_WARP:
        held_q, held_k = first.make_fragment_A(shared_q), first.make_fragment_B(shared_k)
        multiply_steps(
            heads,
            first,
            second,
            held_q,
            held_k,
            second.make_fragment_B(shared_v),
            place,
            sums,
            loaded_q,
            loaded,
            scoring,
            weighed,
            summing,
            steps,
        )
    if warp < MULTIPLY_WARP:
        reader = tcgen05.make_tmem_copy(copy_atom(tcgen05.Ld32x32bOp), sums)
        row_of_o = reader.get_slice(thread).partition_D(part_o)
        weigh_steps(
            heads, place, sums, row_of_o, scale, scored, weighing, summed, steps, row, thread
        )
        memory.relinquish_alloc_permit()
    pipeline.sync(barrier_id=1)
    memory.free(pool.base_ptr)


@cute.jit
def attention(
    heads: cutlass.Constexpr,
    q: cute.Tensor,
    k: cute.Tensor,
    v: cute.Tensor,
    o: cute.Tensor,
    scale: SINGLE,
):
    """Launch a CTA for each 128 queries of each head.

    q, k and o have (length, width, heads), v (width, length, heads); the width is contiguous.
    """
    kind = heads.kind
    first = sm100.make_trivial_tiled_mma(
        kind, kind, K_MAJOR, K_MAJOR, SINGLE, ONE_CTA, (TILE, TILE)
    )
    second = sm100.make_trivial_tiled_mma(
        kind,
        kind,
        K_MAJOR,
        MN_MAJOR,
        SINGLE,
        ONE_CTA,
        (TILE, heads.width),
        tcgen05.OperandSource.TMEM,
    )
    layout_q = sm100.make_smem_layout_a(first, heads.scores_tile, kind, 1)
    layout_k = sm100.make_smem_layout_b(first, heads.scores_tile, kind, STAGES)
    layout_v = sm100.make_smem_layout_b(second, heads.output_tile, kind, STAGES)
    load = cpasync.CopyBulkTensorTileG2SOp(ONE_CTA)
    atom_q, view_q = cute.nvgpu.make_tiled_tma_atom_A(
        load, q, one_stage(layout_q), heads.scores_tile, first
    )
    atom_k, view_k = cute.nvgpu.make_tiled_tma_atom_B(
        load, k, one_stage(layout_k), heads.scores_tile, first
    )
    atom_v, view_v = cute.nvgpu.make_tiled_tma_atom_B(
        load, v, one_stage(layout_v), heads.output_tile, second
    )
    attention_kernel(
        heads,
        scale * math.log2(math.e),
        first,
        second,
        atom_q,
        view_q,
        atom_k,
        view_k,
        atom_v,
        view_v,
        o,
        layout_q,
        layout_k,
        layout_v,
    ).launch(grid=[cute.ceil_div(q.shape[0], TILE), q.shape[2], 1], block=[THREADS, 1, 1])
