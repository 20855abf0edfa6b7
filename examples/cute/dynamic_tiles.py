"""C = A B^T, each CTA taking tile after tile from clusterlaunchcontrol, on sm_100a.

    lanemap check examples/cute/dynamic_tiles.py

One warp asks the hardware for the coordinates of a CTA that has not begun, which it then does not
begin. Four warps multiply tiles of the CTAs that they so take over.
"""

import cutlass
import cutlass.cute as cute
import torch
from cutlass import pipeline
from cutlass.cute.nvgpu import warp
from cutlass.cute.runtime import from_dlpack
from cutlass.utils import ClcDynamicPersistentTileScheduler as Scheduler
from cutlass.utils import ClcDynamicPersistentTileSchedulerParams as SchedulerParams

TILE, WORKERS = 64, 4
THREADS = 32 * (WORKERS + 1)
HALF = cutlass.Float16


@cute.jit
def multiply_tile(
    a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, multiply: cute.TiledMma, thread: cutlass.Int32
):
    """Multiply a tile's rows of A and B along all of K, by mma.sync from global memory."""
    mine = multiply.get_slice(thread)
    part_a, part_b, part_c = mine.partition_A(a), mine.partition_B(b), mine.partition_C(c)
    sums = multiply.make_fragment_C(part_c)
    sums.fill(0.0)
    for k in cutlass.range(cute.size(part_a, mode=[2]), unroll=1):
        own_a = cute.make_fragment_like(part_a[None, None, 0])
        own_b = cute.make_fragment_like(part_b[None, None, 0])
        cute.autovec_copy(part_a[None, None, k], own_a)
        cute.autovec_copy(part_b[None, None, k], own_b)
        cute.gemm(multiply, sums, own_a, own_b, sums)
    out = cute.make_fragment_like(part_c)
    out.store(sums.load().to(HALF))
    cute.autovec_copy(out, part_c)


@cute.kernel
def gemm_kernel(
    a: cute.Tensor,
    b: cute.Tensor,
    c: cute.Tensor,
    multiply: cute.TiledMma,
    tiles: SchedulerParams,
    taken: cute.Tensor,
):
    """Multiply the tile of this CTA, and those that it takes; `taken` counts them."""
    thread, _, _ = cute.arch.thread_idx()
    role = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    @cute.struct
    class Storage:
        barriers: cute.struct.MemRange[cutlass.Int64, 2]
        answer: cute.struct.Align[cute.struct.MemRange[cutlass.Int32, 4], 16]

    storage = cutlass.memory.SmemAllocator().allocate(Storage)
    group = pipeline.CooperativeGroup
    answers = pipeline.PipelineClcFetchAsync.create(
        num_stages=1,
        producer_group=group(pipeline.Agent.Thread),
        consumer_group=group(pipeline.Agent.Thread, THREADS),
        tx_count=16,
        barrier_storage=storage.barriers.data_ptr(),
        cta_layout_vmnk=cute.make_layout((1, 1, 1, 1)),
    )
    scheduler = Scheduler.create(
        tiles, cute.arch.block_idx(), cute.arch.grid_dim(), storage.answer.data_ptr()
    )
    asked = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
    got = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
    work = scheduler.initial_work_tile_info()
    count = cutlass.Int32(0)
    while work.is_valid_tile:
        if role == WORKERS:
            answers.producer_acquire(asked)
            scheduler.advance_to_next_work(answers.producer_get_barrier(asked))
            asked.advance()
        else:
            row, column, _ = work.tile_idx
            own_a = cute.local_tile(a, (TILE, a.shape[1]), (row, 0))
            own_b = cute.local_tile(b, (TILE, b.shape[1]), (column, 0))
            own_c = cute.local_tile(c, (TILE, TILE), (row, column))
            multiply_tile(own_a, own_b, own_c, multiply, thread)
            count += 1
        answers.consumer_wait(got)
        work = scheduler.get_current_work()
        answers.consumer_release(got)
        got.advance()
    if role == WORKERS:
        answers.producer_tail(asked)
    if thread == 0:
        x, y, _ = cute.arch.block_idx()
        taken[x, y] = count


@cute.jit
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, taken: cute.Tensor):
    """Launch a CTA for each tile of c (m, n); a is (m, k), b (n, k)."""
    operation = warp.MmaF16BF16Op(HALF, cutlass.Float32, (16, 8, 16))
    multiply = cute.make_tiled_mma(operation, cute.make_layout((2, 2, 1)), (32, 32, 16))
    tiles = SchedulerParams((c.shape[0] // TILE, c.shape[1] // TILE, 1), (1, 1, 1))
    gemm_kernel(a, b, c, multiply, tiles, taken).launch(
        grid=Scheduler.get_grid_shape(tiles), block=[THREADS, 1, 1], cluster=[1, 1, 1]
    )


torch.manual_seed(0)
m, n, k = 256, 320, 64
a, b = (torch.randint(-4, 5, (rows, k), device="cuda").half() for rows in (m, n))
c = torch.empty(m, n, dtype=torch.float16, device="cuda")
taken = torch.zeros(m // TILE, n // TILE, dtype=torch.int32, device="cuda")
gemm(*(from_dlpack(each, assumed_align=16) for each in (a, b, c, taken)))
expected = a.double() @ b.double().T
assert torch.equal(c.double(), expected), (c.double() - expected).abs().max()
assert taken.sum() == taken.numel()
print(f"{taken.numel()} tiles by {int((taken > 0).sum())} CTAs: right")
