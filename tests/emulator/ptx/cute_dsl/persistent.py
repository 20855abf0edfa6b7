"""A persistent matrix product of our own in CuTe DSL for sm_100a, specialized by warps.

One warp loads by TMA, one issues tcgen05.mma, four write finished tiles through the epilogue that
the DSL's library offers. Pairs of CTAs and clusters with multicast differ in the recipe only.
"""

from __future__ import annotations

from typing import Any

import cutlass
import cutlass.cute as cute
import cutlass.utils.blackwell_helpers as sm100
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, tcgen05
from cutlass.utils.gemm.sm100 import epilogue, epilogue_tma_store
from parts import in_shared, loading, one_stage, stage_bytes, threads

EPILOGUE_WARPS, MULTIPLY_WARP, LOAD_WARP = (0, 1, 2, 3), 4, 5
THREADS = 32 * 6
K_MAJOR = tcgen05.OperandMajorMode.K


def block_range(blocks: Any) -> Any:
    """The first block of tiles of this cluster, the end of all, and how many clusters there are."""
    _, _, first = cute.arch.block_idx()
    _, _, clusters = cute.arch.grid_dim()
    return first, blocks[0] * blocks[1], clusters


class Persistent:
    """A recipe and what the library's epilogue asks for by these names."""

    epilogue_warp_id = EPILOGUE_WARPS
    epilog_sync_bar_id = 1
    num_c_stage = 2
    c_layout = cutlass.utils.LayoutEnum.ROW_MAJOR

    def __init__(
        self,
        name: str,
        operand: Any,
        out: Any,
        tile: tuple[int, int, int],
        cluster: tuple[int, int] = (1, 1),
        pair: bool = False,
        stages: int = 3,
        sums: int = 2,
        by_tma: bool = True,
    ) -> None:
        """Take the recipe; `by_tma`: whether tiles are stored by way of shared memory and TMA."""
        self.name, self.operand = name, operand
        self.c_dtype, self.acc_dtype = out, cutlass.Float32
        self.tile, self.cluster, self.use_2cta_instrs = tile, (*cluster, 1), pair
        self.stages, self.sums, self.by_tma = stages, sums, by_tma
        self.cta_tile_shape_mnk = (tile[0] // (1 + pair), *tile[1:])

    def __repr__(self) -> str:
        return self.name

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, clusters: cutlass.Constexpr):
        """Launch so many clusters over the tiles of c; a is (m, k, 1), b (n, k, 1), c (m, n, 1)."""
        group = tcgen05.CtaGroup.TWO if self.use_2cta_instrs else tcgen05.CtaGroup.ONE
        multiply = sm100.make_trivial_tiled_mma(
            self.operand, self.operand, K_MAJOR, K_MAJOR, self.acc_dtype, group, self.tile[:2]
        )
        ctas = cute.tiled_divide(cute.make_layout(self.cluster), (multiply.thr_id.shape,))
        layout_a = sm100.make_smem_layout_a(multiply, self.tile, self.operand, self.stages)
        layout_b = sm100.make_smem_layout_b(multiply, self.tile, self.operand, self.stages)
        atom_a, view_a = cute.nvgpu.make_tiled_tma_atom_A(
            sm100.cluster_shape_to_tma_atom_A(self.cluster, multiply.thr_id),
            a,
            one_stage(layout_a),
            self.tile,
            multiply,
            ctas.shape,
        )
        atom_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(
            sm100.cluster_shape_to_tma_atom_B(self.cluster, multiply.thr_id),
            b,
            one_stage(layout_b),
            self.tile,
            multiply,
            ctas.shape,
        )
        part = sm100.compute_epilogue_tile_shape(
            self.cta_tile_shape_mnk, self.use_2cta_instrs, self.c_layout, self.c_dtype
        )
        layout_c = sm100.make_smem_layout_epi(self.c_dtype, self.c_layout, part, self.num_c_stage)
        atom_c, view_c = cpasync.make_tiled_tma_atom(
            cpasync.CopyBulkTensorTileS2GOp(), c, cute.select(layout_c, mode=[0, 1]), part
        )
        self.persistent_kernel(
            multiply,
            atom_a,
            view_a,
            atom_b,
            view_b,
            atom_c,
            view_c if self.by_tma else c,
            ctas,
            layout_a,
            layout_b,
            layout_c,
            part,
        ).launch(grid=[*self.cluster[:2], clusters], block=[THREADS, 1, 1], cluster=self.cluster)

    def pipelines(self, storage: Any, bytes_each: int, ctas: cute.Layout) -> Any:
        """Loads with those that wait for them, and sums, whose two sides keep their own state."""
        group = cute.size(ctas, mode=[0])
        sharing = cute.size(ctas, mode=[1]) + cute.size(ctas, mode=[2]) - 1
        loads = pipeline.PipelineTmaUmma.create(
            num_stages=self.stages,
            producer_group=threads(),
            consumer_group=threads(sharing),
            tx_count=group * bytes_each,
            barrier_storage=storage.loads.data_ptr(),
            cta_layout_vmnk=ctas,
            defer_sync=True,
        )
        sums = pipeline.PipelineUmmaAsync.create(
            num_stages=self.sums,
            producer_group=threads(),
            consumer_group=threads(len(EPILOGUE_WARPS) * group),
            barrier_storage=storage.results.data_ptr(),
            cta_layout_vmnk=ctas,
            defer_sync=True,
        )
        return *loads.make_participants(), sums

    @cute.jit
    def load_tiles(
        self,
        atom_a: cute.CopyAtom,
        a: Any,
        atom_b: cute.CopyAtom,
        b: Any,
        loads: Any,
        ctas: cute.Layout,
        at: Any,
        blocks: Any,
    ):
        """Load the tiles of every block of tiles, and multicast them in the cluster."""
        across = cute.size(ctas, mode=[1]), cute.size(ctas, mode=[2])
        mask_a = cpasync.create_tma_multicast_mask(ctas, at, mcast_mode=2)
        mask_b = cpasync.create_tma_multicast_mask(ctas, at, mcast_mode=1)
        first, total, clusters = block_range(blocks)
        for block in cutlass.range(first, total, clusters, unroll=1):
            row = block % blocks[0] * across[0] + at[1]
            column = block // blocks[0] * across[1] + at[2]
            for k in cutlass.range(cute.size(a[1], mode=[2]), unroll=1):
                empty = loads.acquire_and_advance()
                bar, to = empty.barrier, (None, empty.index)
                source_a, source_b = a[1][None, row, k, 0], b[1][None, column, k, 0]
                cute.copy(atom_a, source_a, a[0][to], tma_bar_ptr=bar, mcast_mask=mask_a)
                cute.copy(atom_b, source_b, b[0][to], tma_bar_ptr=bar, mcast_mask=mask_b)
        loads.tail()

    @cute.jit
    def multiply_tiles(
        self,
        multiply: cute.TiledMma,
        held_a: cute.Tensor,
        held_b: cute.Tensor,
        sums: cute.Tensor,
        loaded: Any,
        results: Any,
        steps: cutlass.Int32,
        leads: cutlass.Boolean,
        blocks: Any,
    ):
        """Multiply every tile into one of the sums in tensor memory; of a pair, one CTA does."""
        room = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, self.sums)
        first, total, clusters = block_range(blocks)
        for _ in cutlass.range(first, total, clusters, unroll=1):
            if leads:
                results.producer_acquire(room)
                into = sums[None, None, None, room.index]
                multiply.set(tcgen05.Field.ACCUMULATE, False)
                for _ in cutlass.range(steps, unroll=1):
                    full = loaded.wait_and_advance()
                    for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
                        step = (None, None, k, full.index)
                        cute.gemm(multiply, into, held_a[step], held_b[step], into)
                        multiply.set(tcgen05.Field.ACCUMULATE, True)
                    full.release()
                results.producer_commit(room)
            room.advance()
        results.producer_tail(room)

    @cute.jit
    def write_tiles(
        self,
        thread: cutlass.Int32,
        warp: cutlass.Int32,
        atom_c: cute.CopyAtom,
        sums: cute.Tensor,
        shared_c: cute.Tensor,
        part_c: cute.Tensor,
        part: cute.Tile,
        results: Any,
        ctas: cute.Layout,
        at: Any,
        blocks: Any,
    ):
        """Write every tile by the library's epilogue."""
        across = cute.size(ctas, mode=[1]), cute.size(ctas, mode=[2])
        ready = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, self.sums)
        stores = pipeline.PipelineTmaStore.create(
            num_stages=self.num_c_stage, producer_group=threads(32 * len(EPILOGUE_WARPS))
        )
        first, total, clusters = block_range(blocks)
        for block in cutlass.range(first, total, clusters, unroll=1):
            row = block % blocks[0] * across[0] + at[1]
            where = (row, block // blocks[0] * across[1] + at[2], 0)
            if cutlass.const_expr(self.by_tma):
                ready = epilogue_tma_store(
                    self,
                    thread,
                    warp,
                    atom_c,
                    sums,
                    shared_c,
                    part_c,
                    part,
                    (block - first) // clusters,
                    lambda x: x,
                    where,
                    ready,
                    results,
                    stores,
                )
            else:
                ready = epilogue(
                    self, thread, sums, part_c, part, lambda x: x, where, ready, results
                )
        stores.producer_tail()

    @cute.kernel
    def persistent_kernel(
        self,
        multiply: cute.TiledMma,
        atom_a: cute.CopyAtom,
        a: cute.Tensor,
        atom_b: cute.CopyAtom,
        b: cute.Tensor,
        atom_c: cute.CopyAtom,
        c: cute.Tensor,
        ctas: cute.Layout,
        layout_a: cute.ComposedLayout,
        layout_b: cute.ComposedLayout,
        layout_c: cute.ComposedLayout,
        part: cute.Tile,
    ):
        """c = a @ b.T; cluster z of the grid takes block z of tiles, and every so many after it.

        A cluster multiplies a block of tiles at once, one each CTA or pair. Every warp walks the
        same blocks.
        """
        thread, _, _ = cute.arch.thread_idx()
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        rank = cute.arch.make_warp_uniform(cute.arch.block_idx_in_cluster())
        at = ctas.get_flat_coord(rank)
        peer = cute.arch.block_idx()[0] % cute.size(multiply.thr_id.shape)

        @cute.struct
        class Storage:
            loads: cute.struct.MemRange[cutlass.Int64, 2 * self.stages]
            results: cute.struct.MemRange[cutlass.Int64, 2 * self.sums]
            freed: cutlass.Int64
            columns: cutlass.Int32

        allocator = cutlass.utils.SmemAllocator()
        storage = allocator.allocate(Storage)
        shared_c = in_shared(allocator, self.c_dtype, layout_c)
        shared_a = in_shared(allocator, self.operand, layout_a)
        shared_b = in_shared(allocator, self.operand, layout_b)
        bytes_each = stage_bytes((self.operand, layout_a), (self.operand, layout_b))
        load, loaded, sum_pipe = self.pipelines(storage, bytes_each, ctas)
        memory = cutlass.memory.TmemAllocator(
            storage.columns,
            barrier_for_retrieve=pipeline.NamedBarrier(2, 32 * (1 + len(EPILOGUE_WARPS))),
            is_two_cta=self.use_2cta_instrs,
            two_cta_tmem_dealloc_mbar_ptr=storage.freed,
        )
        pipeline.pipeline_init_arrive(cluster_shape_mn=ctas, is_relaxed=True)

        mine, tile = multiply.get_slice(peer), self.tile
        part_a = mine.partition_A(cute.local_tile(a, (tile[0], tile[2]), (None, None, None)))
        part_b = mine.partition_B(cute.local_tile(b, tile[1:], (None, None, None)))
        part_c = mine.partition_C(cute.local_tile(c, tile[:2], (None, None, None)))
        both_a = loading(atom_a, shared_a, part_a, at[2], cute.size(ctas, mode=[2]))
        both_b = loading(atom_b, shared_b, part_b, at[1], cute.size(ctas, mode=[1]))
        held_a, held_b = multiply.make_fragment_A(shared_a), multiply.make_fragment_B(shared_b)
        shape = cute.append(multiply.partition_shape_C(tile[:2]), self.sums)
        unplaced = multiply.make_fragment_C(shape)
        across = cute.size(ctas, mode=[1]), cute.size(ctas, mode=[2])
        blocks = cute.ceil_div(part_c.shape[3:5], across)
        pipeline.pipeline_init_wait(cluster_shape_mn=ctas)

        if warp == LOAD_WARP:
            self.load_tiles(atom_a, both_a, atom_b, both_b, load, ctas, at, blocks)
        if warp == MULTIPLY_WARP:
            memory.wait_for_alloc()
            base = memory.retrieve_ptr(self.acc_dtype)
            into = cute.make_tensor(base, unplaced.layout)
            steps, leads = cute.size(part_a, mode=[4]), peer == 0
            self.multiply_tiles(
                multiply, held_a, held_b, into, loaded, sum_pipe, steps, leads, blocks
            )
        if warp < MULTIPLY_WARP:
            memory.allocate(cutlass.memory.get_num_tmem_alloc_cols(unplaced))
            memory.wait_for_alloc()
            place = memory.retrieve_ptr(self.acc_dtype)
            finished = cute.make_tensor(place, unplaced.layout)
            self.write_tiles(
                thread, warp, atom_c, finished, shared_c, part_c, part, sum_pipe, ctas, at, blocks
            )
            memory.relinquish_alloc_permit()
            pipeline.NamedBarrier(1, 32 * len(EPILOGUE_WARPS)).arrive_and_wait()
            memory.free(place)
