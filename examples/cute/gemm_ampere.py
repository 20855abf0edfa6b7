"""C = A B^T by mma.sync: cp.async into swizzled stages of shared memory, ldmatrix from there.

lanemap check examples/cute/gemm_ampere.py
"""

import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.nvgpu import cpasync, warp
from cutlass.cute.runtime import from_dlpack

TILE_M, TILE_N, TILE_K = 64, 64, 32
STAGES, THREADS = 3, 128
HALF = cutlass.Float16


@cute.kernel
def gemm_kernel(
    a: cute.Tensor,
    b: cute.Tensor,
    c: cute.Tensor,
    held: cute.ComposedLayout,
    copy_in: cute.TiledCopy,
    multiply: cute.TiledMma,
):
    """One tile of C; loads of later tiles along K are under way while one is multiplied."""
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    tiles_a = cute.local_tile(a, (TILE_M, TILE_K), (row, None))
    tiles_b = cute.local_tile(b, (TILE_N, TILE_K), (column, None))
    tile_c = cute.local_tile(c, (TILE_M, TILE_N), (row, column))
    allocator = cutlass.memory.SmemAllocator()
    shared_a = allocator.allocate_tensor(HALF, held, 128)
    shared_b = allocator.allocate_tensor(HALF, held, 128)

    loads = copy_in.get_slice(thread)
    from_a, to_a = loads.partition_S(tiles_a), loads.partition_D(shared_a)
    from_b, to_b = loads.partition_S(tiles_b), loads.partition_D(shared_b)
    steps = cute.size(from_a, mode=[3])

    mine = multiply.get_slice(thread)
    own_a = multiply.make_fragment_A(mine.partition_A(shared_a[None, None, 0]))
    own_b = multiply.make_fragment_B(mine.partition_B(shared_b[None, None, 0]))
    own_c = mine.partition_C(tile_c)
    sums = multiply.make_fragment_C(own_c)
    sums.fill(0.0)
    matrices = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), HALF)
    reader_a = cute.make_tiled_copy_A(matrices, multiply)
    reader_b = cute.make_tiled_copy_B(matrices, multiply)
    slice_a, slice_b = reader_a.get_slice(thread), reader_b.get_slice(thread)
    source_a, source_b = slice_a.partition_S(shared_a), slice_b.partition_S(shared_b)
    target_a, target_b = slice_a.retile(own_a), slice_b.retile(own_b)

    for stage in cutlass.range_constexpr(STAGES - 1):
        if stage < steps:
            cute.copy(copy_in, from_a[None, None, None, stage], to_a[None, None, None, stage])
            cute.copy(copy_in, from_b[None, None, None, stage], to_b[None, None, None, stage])
        cute.arch.cp_async_commit_group()
    for step in cutlass.range(steps, unroll=1):
        cute.arch.cp_async_wait_group(STAGES - 2)
        cute.arch.barrier()
        later = step + STAGES - 1
        if later < steps:
            stage = later % STAGES
            cute.copy(copy_in, from_a[None, None, None, later], to_a[None, None, None, stage])
            cute.copy(copy_in, from_b[None, None, None, later], to_b[None, None, None, stage])
        cute.arch.cp_async_commit_group()
        now = step % STAGES
        cute.copy(reader_a, source_a[None, None, None, now], target_a)
        cute.copy(reader_b, source_b[None, None, None, now], target_b)
        cute.gemm(multiply, sums, own_a, own_b, sums)
    out = cute.make_fragment_like(own_c)
    out.store(sums.load().to(HALF))
    cute.autovec_copy(out, own_c)


@cute.jit
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    """Launch a CTA for each tile of c (m, n); a is (m, k), b (n, k)."""
    atom = cute.make_composed_layout(
        cute.make_swizzle(2, 3, 3), 0, cute.make_layout((8, TILE_K), stride=(TILE_K, 1))
    )
    held = cute.tile_to_shape(atom, (TILE_M, TILE_K, STAGES), (0, 1, 2))
    wide = cute.make_copy_atom(cpasync.CopyG2SOp(), HALF, num_bits_per_copy=128)
    threads = cute.make_layout((THREADS * 8 // TILE_K, TILE_K // 8), stride=(TILE_K // 8, 1))
    copy_in = cute.make_tiled_copy_tv(wide, threads, cute.make_layout((1, 8)))
    operation = warp.MmaF16BF16Op(HALF, cutlass.Float32, (16, 8, 16))
    multiply = cute.make_tiled_mma(operation, cute.make_layout((2, 2, 1)), (32, 32, 16))
    grid = [cute.ceil_div(c.shape[0], TILE_M), cute.ceil_div(c.shape[1], TILE_N), 1]
    gemm_kernel(a, b, c, held, copy_in, multiply).launch(grid=grid, block=[THREADS, 1, 1])


torch.manual_seed(0)
m, n, k = 128, 192, 160
a, b = (torch.randint(-4, 5, (rows, k), device="cuda").half() for rows in (m, n))
c = torch.empty(m, n, dtype=torch.float16, device="cuda")
gemm(*(from_dlpack(each, assumed_align=16) for each in (a, b, c)))
expected = a.double() @ b.double().T
assert torch.equal(c.double(), expected), (c.double() - expected).abs().max()
print(f"a product of {m} x {n} x {k} is right")
