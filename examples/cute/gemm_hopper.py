"""C = A B^T on sm_90a: persistent CTAs, a warpgroup that loads by TMA and one that multiplies.

lanemap check --target sm_90a examples/cute/gemm_hopper.py
"""

import cutlass
import cutlass.cute as cute
import cutlass.utils.hopper_helpers as sm90
import torch
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, warpgroup
from cutlass.cute.runtime import from_dlpack
from cutlass.tensor_utils import LayoutEnum
from cutlass.utils import PersistentTileSchedulerParams, StaticPersistentTileScheduler

TILE = (128, 128, 64)
STAGES, GROUP = 4, 128
HALF = cutlass.Float16
STORED = 1  # the named barrier of those that store


class PersistentGemm:
    """The kernel, and what launches it."""

    @cute.jit
    def __call__(
        self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, most_ctas: cutlass.Constexpr
    ):
        """Launch at most so many CTAs; a is (m, k), b (n, k), c (m, n)."""
        k_major = cute.nvgpu.OperandMajorMode.K
        multiply = sm90.make_trivial_tiled_mma(
            HALF, HALF, k_major, k_major, cutlass.Float32, (1, 1, 1), (64, TILE[1])
        )
        rows = LayoutEnum.ROW_MAJOR
        layout_a = sm90.make_smem_layout_a(rows, TILE, HALF, STAGES)
        layout_b = sm90.make_smem_layout_b(rows, TILE, HALF, STAGES)
        layout_c = sm90.make_smem_layout_epi(HALF, rows, TILE[:2], 1)
        load, stage = cpasync.CopyBulkTensorTileG2SOp(), (None, None, 0)
        maps = [
            cpasync.make_tiled_tma_atom(load, x, cute.slice_(layout, stage), tile)
            for x, layout, tile in (
                (a, layout_a, (TILE[0], TILE[2])),
                (b, layout_b, (TILE[1], TILE[2])),
            )
        ]
        store_c, view_c = cpasync.make_tiled_tma_atom(
            cpasync.CopyBulkTensorTileS2GOp(), c, cute.slice_(layout_c, stage), TILE[:2]
        )
        tiles = PersistentTileSchedulerParams((*cute.ceil_div(c.shape, TILE[:2]), 1), (1, 1, 1))
        self.gemm_kernel(
            multiply, *maps[0], *maps[1], store_c, view_c, layout_a, layout_b, layout_c, tiles
        ).launch(
            grid=StaticPersistentTileScheduler.get_grid_shape(tiles, most_ctas),
            block=[2 * GROUP, 1, 1],
            cluster=[1, 1, 1],
        )

    @cute.kernel
    def gemm_kernel(
        self,
        multiply: cute.TiledMma,
        atom_a: cute.CopyAtom,
        a: cute.Tensor,
        atom_b: cute.CopyAtom,
        b: cute.Tensor,
        store_c: cute.CopyAtom,
        c: cute.Tensor,
        layout_a: cute.ComposedLayout,
        layout_b: cute.ComposedLayout,
        layout_c: cute.ComposedLayout,
        tiles: PersistentTileSchedulerParams,
    ):
        """Walk the tiles of c; the second warpgroup loads, the first multiplies and stores."""
        thread, _, _ = cute.arch.thread_idx()
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        if warp == 0:
            for each in (atom_a, atom_b, store_c):
                cpasync.prefetch_descriptor(each)

        @cute.struct
        class Storage:
            barriers: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
            a: cute.struct.Align[cute.struct.MemRange[HALF, cute.cosize(layout_a)], 1024]
            b: cute.struct.Align[cute.struct.MemRange[HALF, cute.cosize(layout_b)], 1024]
            c: cute.struct.Align[cute.struct.MemRange[HALF, cute.cosize(layout_c)], 1024]

        storage = cutlass.memory.SmemAllocator().allocate(Storage)
        shared_a = storage.a.get_tensor(layout_a.outer, swizzle=layout_a.inner)
        shared_b = storage.b.get_tensor(layout_b.outer, swizzle=layout_b.inner)
        shared_c = storage.c.get_tensor(layout_c.outer, swizzle=layout_c.inner)
        one = cute.slice_(layout_a, (None, None, 0)), cute.slice_(layout_b, (None, None, 0))
        group = pipeline.CooperativeGroup
        loads = pipeline.PipelineTmaAsync.create(
            num_stages=STAGES,
            producer_group=group(pipeline.Agent.Thread),
            consumer_group=group(pipeline.Agent.Thread, GROUP // 32),
            tx_count=sum(cute.size_in_bytes(HALF, each) for each in one),
            barrier_storage=storage.barriers.data_ptr(),
            cta_layout_vmnk=cute.make_layout((1, 1, 1, 1)),
        )
        tiles_a = cute.local_tile(a, (TILE[0], TILE[2]), (None, None))
        tiles_b = cute.local_tile(b, (TILE[1], TILE[2]), (None, None))
        tiles_c = cute.local_tile(c, TILE[:2], (None, None))
        both_a, both_b = (
            self.parts(atom_a, shared_a, tiles_a),
            self.parts(atom_b, shared_b, tiles_b),
        )
        steps = cute.size(tiles_a, mode=[3])
        schedule = StaticPersistentTileScheduler.create(
            tiles, cute.arch.block_idx(), cute.arch.grid_dim()
        )
        if warp >= GROUP // 32:
            cute.arch.setmaxregister_decrease(40)
            if warp == GROUP // 32:
                self.load_tiles(atom_a, both_a, atom_b, both_b, loads, schedule, steps)
        else:
            cute.arch.setmaxregister_increase(232)
            from_c, to_c = self.parts(store_c, shared_c, tiles_c)
            self.multiply_tiles(
                multiply, shared_a, shared_b, shared_c, store_c, from_c, to_c, loads, schedule,
                steps, thread, warp,
            )  # fmt: skip

    def parts(self, atom, shared, tiles):
        """Where a copy by TMA has its stages in shared memory, and its tiles in global memory."""
        return cpasync.tma_partition(
            atom, 0, cute.make_layout(1), cute.group_modes(shared, 0, 2),
            cute.group_modes(tiles, 0, 2),
        )  # fmt: skip

    @cute.jit
    def load_tiles(self, atom_a, a, atom_b, b, loads, schedule, steps):
        """Load the tiles of a and b along k, for one tile of c after another."""
        empty = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
        work = schedule.initial_work_tile_info()
        while work.is_valid_tile:
            row, column, _ = work.tile_idx
            for k in cutlass.range(steps, unroll=1):
                loads.producer_acquire(empty)
                bar, to = loads.producer_get_barrier(empty), (None, empty.index)
                cute.copy(atom_a, a[1][None, row, k], a[0][to], tma_bar_ptr=bar)
                cute.copy(atom_b, b[1][None, column, k], b[0][to], tma_bar_ptr=bar)
                loads.producer_commit(empty)
                empty.advance()
            schedule.advance_to_next_work()
            work = schedule.get_current_work()
        loads.producer_tail(empty)

    @cute.jit
    def multiply_tiles(
        self, multiply, shared_a, shared_b, shared_c, store_c, from_c, to_c, loads, schedule,
        steps, thread, warp,
    ):  # fmt: skip
        """Multiply a tile, write it to shared memory, and store it by TMA."""
        mine = multiply.get_slice(thread)
        held_a = multiply.make_fragment_A(mine.partition_A(shared_a))
        held_b = multiply.make_fragment_B(mine.partition_B(shared_b))
        sums = cute.make_rmem_tensor(multiply.partition_shape_C(TILE[:2]), cutlass.Float32)
        writer = cute.make_tiled_copy_C(
            sm90.sm90_get_smem_store_op(LayoutEnum.ROW_MAJOR, HALF, cutlass.Float32), multiply
        ).get_slice(thread)
        target = writer.partition_D(shared_c)
        barrier = pipeline.NamedBarrier(STORED, GROUP)
        full = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
        work = schedule.initial_work_tile_info()
        while work.is_valid_tile:
            row, column, _ = work.tile_idx
            multiply.set(warpgroup.Field.ACCUMULATE, False)
            for _ in cutlass.range(steps, unroll=1):
                loads.consumer_wait(full)
                warpgroup.fence()
                for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
                    at = (None, None, k, full.index)
                    cute.gemm(multiply, sums, held_a[at], held_b[at], sums)
                    multiply.set(warpgroup.Field.ACCUMULATE, True)
                warpgroup.commit_group()
                warpgroup.wait_group(0)
                loads.consumer_release(full)
                full.advance()
            out = cute.make_rmem_tensor(sums.shape, HALF)
            out.store(sums.load().to(HALF))
            if warp == 0:
                cute.arch.cp_async_bulk_wait_group(0, read=True)
            barrier.arrive_and_wait()
            cute.copy(writer, writer.retile(out), target[None, None, None, 0])
            cute.arch.fence_view_async_shared()
            barrier.arrive_and_wait()
            if warp == 0:
                cute.copy(store_c, from_c[None, 0], to_c[None, row, column])
                cute.arch.cp_async_bulk_commit_group()
            schedule.advance_to_next_work()
            work = schedule.get_current_work()
        if warp == 0:
            cute.arch.cp_async_bulk_wait_group(0, read=True)


torch.manual_seed(0)
m, n, k = 384, 256, 192
a, b = (torch.randint(-4, 5, (rows, k), device="cuda").half() for rows in (m, n))
c = torch.empty(m, n, dtype=torch.float16, device="cuda")
tensors = [from_dlpack(each, assumed_align=16) for each in (a, b, c)]
compiled = cute.compile(PersistentGemm(), *tensors, 2)
compiled(*tensors)
expected = a.double() @ b.double().T
assert torch.equal(c.double(), expected), (c.double() - expected).abs().max()
print(f"a product of {m} x {n} x {k} is right")
