"""y = x / sqrt(mean(x^2) + eps) * weight, a CTA a row: shuffles, and shared memory between warps.

lanemap check examples/cute/rms_norm.py
"""

import operator

import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack

WARPS, WIDTH = 4, 8  # values of a thread's copy
THREADS = 32 * WARPS


@cute.jit
def sum_of_block(value: cutlass.Float32, parts: cute.Tensor) -> cutlass.Float32:
    """Return the sum of a value over all threads; `parts` has a place for each warp."""
    warp, lane = cute.arch.warp_idx(), cute.arch.lane_idx()
    value = cute.arch.warp_reduction(value, operator.add)
    if lane == 0:
        parts[warp] = value
    cute.arch.barrier()
    total = cutlass.Float32(0.0)
    if lane < WARPS:
        total = parts[lane]
    return cute.arch.warp_reduction(total, operator.add)


@cute.kernel
def rms_norm_kernel(
    x: cute.Tensor,
    weight: cute.Tensor,
    y: cute.Tensor,
    eps: cutlass.Float32,
    chunks: cutlass.Constexpr,
):
    """One row: a thread holds `chunks` runs of WIDTH values."""
    thread, _, _ = cute.arch.thread_idx()
    row, _, _ = cute.arch.block_idx()
    parts = cutlass.memory.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(WARPS))
    # ((width), chunk): run number `thread` of each tile of THREADS runs
    own_x, own_weight, own_y = (
        cute.logical_divide(each, cute.make_layout(WIDTH))
        for each in (x[row, None], weight, y[row, None])
    )
    held = cute.make_rmem_tensor((WIDTH, chunks), cutlass.Float32)
    for i in cutlass.range_constexpr(chunks):
        held[None, i].store(own_x[None, thread + i * THREADS].load().to(cutlass.Float32))
    values = held.load()
    squares = (values * values).reduce(cute.ReductionOp.ADD, cutlass.Float32(0.0), 0)
    mean = sum_of_block(squares, parts) / (WIDTH * THREADS * chunks)
    scale = cute.math.rsqrt(mean + eps)
    for i in cutlass.range_constexpr(chunks):
        at = (None, thread + i * THREADS)
        scaled = held[None, i].load() * scale * own_weight[at].load().to(cutlass.Float32)
        own_y[at].store(scaled.to(y.element_type))


@cute.jit
def rms_norm(x: cute.Tensor, weight: cute.Tensor, y: cute.Tensor, eps: cutlass.Float32):
    """Launch a CTA for each row."""
    chunks = x.shape[1] // (WIDTH * THREADS)
    rms_norm_kernel(x, weight, y, eps, chunks).launch(
        grid=[x.shape[0], 1, 1], block=[THREADS, 1, 1]
    )


torch.manual_seed(0)
for dtype, tolerance in ((torch.float16, 2e-3), (torch.bfloat16, 2e-2)):
    x = torch.randn(6, 2 * WIDTH * THREADS, device="cuda").to(dtype)
    weight = torch.randn(x.shape[1], device="cuda").to(dtype)
    y = torch.empty_like(x)
    rms_norm(*(from_dlpack(each, assumed_align=16) for each in (x, weight, y)), 1e-5)
    square = x.double().square().mean(-1, keepdim=True)
    expected = x.double() / (square + 1e-5).sqrt() * weight.double()
    assert torch.allclose(y.double(), expected, atol=tolerance, rtol=tolerance)
    print(f"rows of {dtype} are normalized")
