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

EPILOGUE_WARPS, MULTIPLY_WARP, LOAD_WARP = (0, 1, 2, 3), 4, 5
THREADS = 32 * 6
K_MAJOR = tcgen05.OperandMajorMode.K


class Persistent:
    """A recipe and what the library's epilogue asks for by these names."""

    epilogue_warp_id = EPILOGUE_WARPS
    epilog_sync_bar_id = 1
    num_c_stage = 2
    c_layout = cutlass.utils.LayoutEnum.ROW_MAJOR

    def __init__(
        self, name: str, operand: Any, out: Any, tile: tuple[int, int, int],
        cluster: tuple[int, int] = (1, 1), pair: bool = False, stages: int = 3, sums: int = 2,
        by_tma: bool = True,
    ) -> None:  # fmt: skip
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
        stage = [0, 1, 2]
        atom_a, view_a = cute.nvgpu.make_tiled_tma_atom_A(
            sm100.cluster_shape_to_tma_atom_A(self.cluster, multiply.thr_id), a,
            cute.select(layout_a, mode=stage), self.tile, multiply, ctas.shape,
        )  # fmt: skip
        atom_b, view_b = cute.nvgpu.make_tiled_tma_atom_B(
            sm100.cluster_shape_to_tma_atom_B(self.cluster, multiply.thr_id), b,
            cute.select(layout_b, mode=stage), self.tile, multiply, ctas.shape,
        )  # fmt: skip
        part = sm100.compute_epilogue_tile_shape(
            self.cta_tile_shape_mnk, self.use_2cta_instrs, self.c_layout, self.c_dtype
        )
        layout_c = sm100.make_smem_layout_epi(self.c_dtype, self.c_layout, part, self.num_c_stage)
        atom_c, view_c = cpasync.make_tiled_tma_atom(
            cpasync.CopyBulkTensorTileS2GOp(), c, cute.select(layout_c, mode=[0, 1]), part
        )
        self.persistent_kernel(
            multiply, atom_a, view_a, atom_b, view_b, atom_c, view_c if self.by_tma else c, ctas,
            layout_a, layout_b, layout_c, part,
        ).launch(
            grid=[*self.cluster[:2], clusters], block=[THREADS, 1, 1], cluster=self.cluster
        )  # fmt: skip

    @cute.kernel
    def persistent_kernel(
        self, multiply: cute.TiledMma,
        atom_a: cute.CopyAtom, a: cute.Tensor, atom_b: cute.CopyAtom, b: cute.Tensor,
        atom_c: cute.CopyAtom, c: cute.Tensor, ctas: cute.Layout,
        layout_a: cute.ComposedLayout, layout_b: cute.ComposedLayout,
        layout_c: cute.ComposedLayout, part: cute.Tile,
    ):  # fmt: skip
        """c = a @ b.T; cluster z of the grid takes block z of tiles, and every so many after it.

        A cluster multiplies a block of tiles at once, one each CTA or pair. Every warp walks the
        same blocks.
        """
        thread, _, _ = cute.arch.thread_idx()
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        rank = cute.arch.make_warp_uniform(cute.arch.block_idx_in_cluster())
        at = ctas.get_flat_coord(rank)
        peer = cute.arch.block_idx()[0] % cute.size(multiply.thr_id.shape)
        group_size = cute.size(multiply.thr_id.shape)

        @cute.struct
        class Storage:
            loads: cute.struct.MemRange[cutlass.Int64, 2 * self.stages]
            sums: cute.struct.MemRange[cutlass.Int64, 2 * self.sums]
            freed: cutlass.Int64
            columns: cutlass.Int32

        allocator = cutlass.utils.SmemAllocator()
        storage = allocator.allocate(Storage)
        shared_c = allocator.allocate_tensor(self.c_dtype, layout_c.outer, 1024, layout_c.inner)
        shared_a = allocator.allocate_tensor(self.operand, layout_a.outer, 1024, layout_a.inner)
        shared_b = allocator.allocate_tensor(self.operand, layout_b.outer, 1024, layout_b.inner)
        stage_bytes = group_size * sum(
            cute.size_in_bytes(self.operand, cute.select(each, mode=[0, 1, 2]))
            for each in (layout_a, layout_b)
        )
        one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
        loads, loaded = pipeline.PipelineTmaUmma.create(
            num_stages=self.stages, producer_group=one,
            consumer_group=pipeline.CooperativeGroup(
                pipeline.Agent.Thread,
                cute.size(ctas, mode=[1]) + cute.size(ctas, mode=[2]) - 1,
            ),
            tx_count=stage_bytes, barrier_storage=storage.loads.data_ptr(), cta_layout_vmnk=ctas,
            defer_sync=True,
        ).make_participants()  # fmt: skip
        results = pipeline.PipelineUmmaAsync.create(
            num_stages=self.sums, producer_group=one,
            consumer_group=pipeline.CooperativeGroup(
                pipeline.Agent.Thread, len(EPILOGUE_WARPS) * group_size
            ),
            barrier_storage=storage.sums.data_ptr(), cta_layout_vmnk=ctas, defer_sync=True,
        )  # fmt: skip
        memory = cutlass.memory.TmemAllocator(
            storage.columns,
            barrier_for_retrieve=pipeline.NamedBarrier(2, 32 * (1 + len(EPILOGUE_WARPS))),
            is_two_cta=self.use_2cta_instrs, two_cta_tmem_dealloc_mbar_ptr=storage.freed,
        )  # fmt: skip
        pipeline.pipeline_init_arrive(cluster_shape_mn=ctas, is_relaxed=True)

        mine = multiply.get_slice(peer)
        tile = self.tile
        part_a = mine.partition_A(cute.local_tile(a, (tile[0], tile[2]), (None, None, None)))
        part_b = mine.partition_B(cute.local_tile(b, tile[1:], (None, None, None)))
        part_c = mine.partition_C(cute.local_tile(c, tile[:2], (None, None, None)))
        steps = cute.size(part_a, mode=[4])
        to_a, from_a = cpasync.tma_partition(
            atom_a, at[2], cute.make_layout(cute.size(ctas, mode=[2])),
            cute.group_modes(shared_a, 0, 3), cute.group_modes(part_a, 0, 3),
        )  # fmt: skip
        to_b, from_b = cpasync.tma_partition(
            atom_b, at[1], cute.make_layout(cute.size(ctas, mode=[1])),
            cute.group_modes(shared_b, 0, 3), cute.group_modes(part_b, 0, 3),
        )  # fmt: skip
        held_a, held_b = multiply.make_fragment_A(shared_a), multiply.make_fragment_B(shared_b)
        shape = cute.append(multiply.partition_shape_C(tile[:2]), self.sums)
        unplaced = multiply.make_fragment_C(shape)
        columns = cutlass.memory.get_num_tmem_alloc_cols(unplaced)
        across = cute.size(ctas, mode=[1]), cute.size(ctas, mode=[2])
        blocks = cute.ceil_div(part_c.shape[3:5], across)
        _, _, first = cute.arch.block_idx()
        _, _, clusters = cute.arch.grid_dim()
        total = blocks[0] * blocks[1]
        pipeline.pipeline_init_wait(cluster_shape_mn=ctas)

        if warp == LOAD_WARP:
            mask_a = cpasync.create_tma_multicast_mask(ctas, at, mcast_mode=2)
            mask_b = cpasync.create_tma_multicast_mask(ctas, at, mcast_mode=1)
            for block in cutlass.range(first, total, clusters, unroll=1):
                row = block % blocks[0] * across[0] + at[1]
                column = block // blocks[0] * across[1] + at[2]
                for k in cutlass.range(steps, unroll=1):
                    empty = loads.acquire_and_advance()
                    bar, to = empty.barrier, (None, empty.index)
                    source_a, source_b = from_a[None, row, k, 0], from_b[None, column, k, 0]
                    cute.copy(atom_a, source_a, to_a[to], tma_bar_ptr=bar, mcast_mask=mask_a)
                    cute.copy(atom_b, source_b, to_b[to], tma_bar_ptr=bar, mcast_mask=mask_b)
            loads.tail()

        if warp == MULTIPLY_WARP:
            memory.wait_for_alloc()
            base = memory.retrieve_ptr(self.acc_dtype)
            all_sums = cute.make_tensor(base, unplaced.layout)
            room = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, self.sums)
            for _ in cutlass.range(first, total, clusters, unroll=1):
                if peer == 0:
                    results.producer_acquire(room)
                    into = all_sums[None, None, None, room.index]
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

        if warp < MULTIPLY_WARP:
            memory.allocate(columns)
            memory.wait_for_alloc()
            place = memory.retrieve_ptr(self.acc_dtype)
            finished = cute.make_tensor(place, unplaced.layout)
            ready = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, self.sums)
            stores = pipeline.PipelineTmaStore.create(
                num_stages=self.num_c_stage,
                producer_group=pipeline.CooperativeGroup(
                    pipeline.Agent.Thread, 32 * len(EPILOGUE_WARPS)
                ),
            )
            for block in cutlass.range(first, total, clusters, unroll=1):
                row = block % blocks[0] * across[0] + at[1]
                where = (row, block // blocks[0] * across[1] + at[2], 0)
                if cutlass.const_expr(self.by_tma):
                    ready = epilogue_tma_store(
                        self, thread, warp, atom_c, finished, shared_c, part_c, part,
                        (block - first) // clusters, lambda x: x, where, ready, results, stores,
                    )  # fmt: skip
                else:
                    ready = epilogue(
                        self, thread, finished, part_c, part, lambda x: x, where, ready, results
                    )
            memory.relinquish_alloc_permit()
            pipeline.NamedBarrier(1, 32 * len(EPILOGUE_WARPS)).arrive_and_wait()
            memory.free(place)
            stores.producer_tail()
