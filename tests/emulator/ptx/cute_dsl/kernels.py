"""Kernels of our own in CuTe DSL; build.py compiles them."""

from __future__ import annotations

import cutlass
import cutlass.cute as cute

WARP = 32


@cute.kernel
def axpy_kernel(x: cute.Tensor, y: cute.Tensor, n: cutlass.Int32, a: cutlass.Float32):
    """y = a x + y, an element a thread."""
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    threads, _, _ = cute.arch.block_dim()
    i = block * threads + thread
    if i < n:
        y[i] = a * x[i] + y[i]


@cute.jit
def axpy(x: cute.Tensor, y: cute.Tensor, n: cutlass.Int32, a: cutlass.Float32):
    """Launch with 128 threads."""
    axpy_kernel(x, y, n, a).launch(grid=[(n + 127) // 128, 1, 1], block=[128, 1, 1])


@cute.kernel
def square_kernel(x: cute.Tensor, y: cute.Tensor, layout: cute.Layout):
    """y = x * x in 16-bit floats, tiles of 8 values a thread."""
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    tile_x = cute.local_tile(x, (512,), (block,))
    tile_y = cute.local_tile(y, (512,), (block,))
    own_x = cute.zipped_divide(tile_x, (8,))[None, thread]
    own_y = cute.zipped_divide(tile_y, (8,))[None, thread]
    values = own_x.load().to(cutlass.Float32)
    own_y.store((values * values).to(own_y.element_type))


@cute.jit
def square(x: cute.Tensor, y: cute.Tensor, n: cutlass.Int32):
    """Launch over 512 values a CTA."""
    layout = cute.make_layout((64, 8), stride=(8, 1))
    square_kernel(x, y, layout).launch(grid=[n // 512, 1, 1], block=[64, 1, 1])


@cute.kernel
def softmax_kernel(x: cute.Tensor, y: cute.Tensor, columns: cutlass.Constexpr):
    """One warp a row: maximum and sum by butterfly shuffles."""
    lane, _, _ = cute.arch.thread_idx()
    row, _, _ = cute.arch.block_idx()
    largest = cutlass.Float32(float("-inf"))
    for j in range(lane, columns, WARP):
        largest = cute.arch.fmax(largest, x[row, j])
    for step in cutlass.range_constexpr(5):
        other = cute.arch.shuffle_sync_bfly(largest, offset=1 << step)
        largest = cute.arch.fmax(largest, other)
    total = cutlass.Float32(0.0)
    for j in range(lane, columns, WARP):
        e = cute.math.exp(x[row, j] - largest)
        y[row, j] = e
        total += e
    for step in cutlass.range_constexpr(5):
        total += cute.arch.shuffle_sync_bfly(total, offset=1 << step)
    for j in range(lane, columns, WARP):
        y[row, j] = y[row, j] / total


@cute.jit
def softmax(x: cute.Tensor, y: cute.Tensor, rows: cutlass.Int32, columns: cutlass.Constexpr):
    """Launch a CTA of one warp for each row."""
    softmax_kernel(x, y, columns).launch(grid=[rows, 1, 1], block=[WARP, 1, 1])


@cute.kernel
def transpose_kernel(x: cute.Tensor, y: cute.Tensor, layout: cute.ComposedLayout):
    """A 32 x 32 tile through swizzled shared memory."""
    thread, _, _ = cute.arch.thread_idx()
    bx, by, _ = cute.arch.block_idx()
    storage = cutlass.utils.SmemAllocator()
    tile = storage.allocate_tensor(
        cutlass.Float32, layout.outer, byte_alignment=128, swizzle=layout.inner
    )
    column, row = thread % 32, thread // 32
    for i in cutlass.range_constexpr(8):
        tile[row + 4 * i, column] = x[by * 32 + row + 4 * i, bx * 32 + column]
    cute.arch.sync_threads()
    for i in cutlass.range_constexpr(8):
        y[bx * 32 + row + 4 * i, by * 32 + column] = tile[column, row + 4 * i]


@cute.jit
def transpose(x: cute.Tensor, y: cute.Tensor, m: cutlass.Int32, n: cutlass.Int32):
    """Launch a CTA of 4 warps for each tile."""
    layout = cute.make_composed_layout(
        cute.make_swizzle(3, 2, 3), 0, cute.make_layout((32, 32), stride=(32, 1))
    )
    transpose_kernel(x, y, layout).launch(grid=[n // 32, m // 32, 1], block=[128, 1, 1])
