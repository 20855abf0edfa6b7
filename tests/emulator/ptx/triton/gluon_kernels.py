"""Gluon kernels of our own for sm_100a, which place operands and synchronize by themselves.

Triton compiles them from triton.experimental.gluon: a ring of tiles between warps of three roles, a
left operand in tensor memory, an accumulator that tcgen05.cp fills, and a product by two CTAs.
"""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout,
    TensorMemoryScalesLayout,
    allocate_tensor_memory,
    fence_async_shared,
    mbarrier,
    tcgen05_commit,
    tcgen05_copy,
    tcgen05_mma,
    tcgen05_mma_scaled,
    tma,
)


@gluon.jit
def _loads(a, b, xs, ys, full, free, row, column, steps, K: gl.constexpr, STAGES: gl.constexpr):
    for step in range(steps):
        stage = step % STAGES
        mbarrier.wait(free.index(stage), step // STAGES & 1 ^ 1)
        mbarrier.expect(full.index(stage), a.nbytes_per_cta + b.nbytes_per_cta)
        tma.async_load(a, [row, step * K], full.index(stage), xs.index(stage))
        tma.async_load(b, [column, step * K], full.index(stage), ys.index(stage))


@gluon.jit
def _multiplies(xs, ys, full, free, acc, done, steps, STAGES: gl.constexpr):
    for step in range(steps):
        stage = step % STAGES
        mbarrier.wait(full.index(stage), step // STAGES & 1)
        tcgen05_mma(xs.index(stage), ys.index(stage).permute((1, 0)), acc, use_acc=step > 0)
        tcgen05_commit(free.index(stage))
    tcgen05_commit(done)


@gluon.jit
def _stores(acc, done, o, tile, row, column):
    mbarrier.wait(done, 0)
    tile.store(acc.load().to(o.dtype))
    fence_async_shared()
    tma.async_store(o, [row, column], tile)
    tma.store_wait(0)


@gluon.jit
def ring(
    a,
    b,
    o,
    k,
    M: gl.constexpr,
    N: gl.constexpr,
    K: gl.constexpr,
    STAGES: gl.constexpr,
):
    """o = a @ b.T: a warp loads tiles, a warp multiplies them, four warps store the result."""
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    xs = gl.allocate_shared_memory(a.dtype, [STAGES, M, K], a.layout)
    ys = gl.allocate_shared_memory(b.dtype, [STAGES, N, K], b.layout)
    tile = gl.allocate_shared_memory(o.dtype, [M, N], o.layout)
    full = mbarrier.allocate_mbarrier(batch=STAGES)
    free = mbarrier.allocate_mbarrier(batch=STAGES)
    done = mbarrier.allocate_mbarrier()
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), 1)
        mbarrier.init(free.index(stage), 1)
    mbarrier.init(done, 1)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], col_stride=1))
    steps = gl.cdiv(k, K)
    gl.warp_specialize(
        [
            (_stores, (acc, done, o, tile, row, column)),
            (_loads, (a, b, xs, ys, full, free, row, column, steps, K, STAGES)),
            (_multiplies, (xs, ys, full, free, acc, done, steps, STAGES)),
        ],
        [1, 1],
        [48, 48],
    )


@gluon.jit
def widened(
    a_ptr,
    b,
    o_ptr,
    n,
    k,
    M: gl.constexpr,
    N: gl.constexpr,
    K: gl.constexpr,
):
    """o = a @ b.T, where a are bytes, widened to b's type on their way to tensor memory."""
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    y = gl.allocate_shared_memory(b.dtype, [N, K], b.layout)
    ready = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, 1)
    mbarrier.init(done, 1)
    x = allocate_tensor_memory(b.dtype, [M, K], TensorMemoryLayout([M, K], col_stride=1))
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], col_stride=1))
    across: gl.constexpr = x.get_reg_layout()
    rows = gl.arange(0, M, gl.SliceLayout(1, across))
    ks = gl.arange(0, K, gl.SliceLayout(0, across))
    for step in range(gl.cdiv(k, K)):
        mbarrier.expect(ready, b.nbytes_per_cta)
        tma.async_load(b, [column, step * K], ready, y)
        places = a_ptr + (row + rows)[:, None] * k + (step * K + ks)[None, :]
        x.store(gl.load(places, ((step * K + ks) < k)[None, :], 0).to(b.dtype))
        mbarrier.wait(ready, step & 1)
        tcgen05_mma(x, y.permute((1, 0)), acc, use_acc=step > 0, mbarriers=[done])
        mbarrier.wait(done, step & 1)
    out: gl.constexpr = acc.get_reg_layout()
    rows = row + gl.arange(0, M, gl.SliceLayout(1, out))
    columns = column + gl.arange(0, N, gl.SliceLayout(0, out))
    gl.store(o_ptr + rows[:, None] * n + columns[None, :], acc.load(), (columns < n)[None, :])


@gluon.jit
def added(a, b, c, o, k, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    """o = c + a @ b.T, where tcgen05.cp writes c into the accumulator."""
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    x = gl.allocate_shared_memory(a.dtype, [M, K], a.layout)
    y = gl.allocate_shared_memory(b.dtype, [N, K], b.layout)
    tile = gl.allocate_shared_memory(c.dtype, [M, N], c.layout)
    ready = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, 1)
    mbarrier.init(done, 1)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], col_stride=1))
    mbarrier.expect(ready, c.nbytes_per_cta)
    tma.async_load(c, [row, column], ready, tile)
    mbarrier.wait(ready, 0)
    tcgen05_copy(tile, acc)
    for step in range(gl.cdiv(k, K)):
        mbarrier.expect(ready, a.nbytes_per_cta + b.nbytes_per_cta)
        tma.async_load(a, [row, step * K], ready, x)
        tma.async_load(b, [column, step * K], ready, y)
        mbarrier.wait(ready, step & 1 ^ 1)
        tcgen05_mma(x, y.permute((1, 0)), acc, mbarriers=[done])
        mbarrier.wait(done, step & 1)
    tile.store(acc.load())
    fence_async_shared()
    tma.async_store(o, [row, column], tile)
    tma.store_wait(0)


@gluon.jit
def paired(
    a,
    b,
    o,
    k,
    M: gl.constexpr,
    N: gl.constexpr,
    K: gl.constexpr,
):
    """o = a @ b.T by the CTAs of a pair, each with half of a, b and o; the even one multiplies."""
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    x = gl.allocate_shared_memory(a.dtype, [M, K], a.layout)
    y = gl.allocate_shared_memory(b.dtype, [N, K], b.layout)
    tile = gl.allocate_shared_memory(o.dtype, [M, N], o.layout)
    ready = mbarrier.allocate_mbarrier(two_ctas=True)
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, 1)
    mbarrier.init(done, 1)
    halves: gl.constexpr = TensorMemoryLayout(
        [M // 2, N], col_stride=1, cga_layout=[[1, 0]], two_ctas=True
    )
    acc = allocate_tensor_memory(gl.float32, [M, N], halves)
    for step in range(gl.cdiv(k, K)):
        mbarrier.expect(ready, a.nbytes_per_cta + b.nbytes_per_cta)
        tma.async_load(a, [row, step * K], ready, x)
        tma.async_load(b, [column, step * K], ready, y)
        mbarrier.wait(ready, step & 1)
        tcgen05_mma(x, y.permute((1, 0)), acc, use_acc=step > 0, multicast=True, mbarriers=[done])
        mbarrier.wait(done, step & 1)
    tile.store(acc.load().to(o.dtype))
    fence_async_shared()
    tma.async_store(o, [row, column], tile)
    tma.store_wait(0)


@gluon.jit
def paired_scaled(
    a,
    a_scale,
    b,
    b_scale,
    o,
    k,
    M: gl.constexpr,
    N: gl.constexpr,
    K: gl.constexpr,
    PER: gl.constexpr,
    A_FORMAT: gl.constexpr,
    B_FORMAT: gl.constexpr,
):
    """The same with scales, which each CTA copies to its tensor memory: those of b come to both."""
    a_pack: gl.constexpr = 2 if A_FORMAT == "e2m1" else 1
    b_pack: gl.constexpr = 2 if B_FORMAT == "e2m1" else 1
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    x = gl.allocate_shared_memory(a.dtype, [M, K // a_pack], a.layout)
    y = gl.allocate_shared_memory(b.dtype, [N, K // b_pack], b.layout)
    fours: gl.constexpr = K // PER // 4
    p = gl.allocate_shared_memory(a_scale.dtype, [M // 128, fours, 2, 256], a_scale.layout)
    q = gl.allocate_shared_memory(b_scale.dtype, [N // 128, fours, 2, 256], b_scale.layout)
    tile = gl.allocate_shared_memory(o.dtype, [M, N], o.layout)
    ready = mbarrier.allocate_mbarrier(two_ctas=True)
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, 1)
    mbarrier.init(done, 1)
    halves: gl.constexpr = TensorMemoryLayout(
        [M // 2, N], col_stride=1, cga_layout=[[1, 0]], two_ctas=True
    )
    acc = allocate_tensor_memory(gl.float32, [M, N], halves)
    ps = allocate_tensor_memory(
        a_scale.dtype, [M, K // PER], TensorMemoryScalesLayout(cga_layout=[[1, 0]])
    )
    qs = allocate_tensor_memory(
        b_scale.dtype, [N, K // PER], TensorMemoryScalesLayout(cga_layout=[[0, 0]])
    )
    for step in range(gl.cdiv(k, K)):
        loaded: gl.constexpr = a.nbytes_per_cta + b.nbytes_per_cta
        mbarrier.expect(ready, loaded + a_scale.nbytes_per_cta + b_scale.nbytes_per_cta)
        tma.async_load(a, [row, step * (K // a_pack)], ready, x)
        tma.async_load(b, [column, step * (K // b_pack)], ready, y)
        tma.async_load(a_scale, [row // 128, step * fours, 0, 0], ready, p)
        tma.async_load(b_scale, [column // 128, step * fours, 0, 0], ready, q)
        mbarrier.wait(ready, step & 1)
        tiles = p.reshape((M // 128, fours, 32, 4, 4)).permute((0, 3, 2, 1, 4))
        tcgen05_copy(tiles.reshape((M, K // PER)), ps)
        tiles = q.reshape((N // 128, fours, 32, 4, 4)).permute((0, 3, 2, 1, 4))
        tcgen05_copy(tiles.reshape((N, K // PER)), qs)
        tcgen05_mma_scaled(
            x,
            y.permute((1, 0)),
            acc,
            ps,
            qs,
            A_FORMAT,
            B_FORMAT,
            use_acc=step > 0,
            multicast=True,
            mbarriers=[done],
        )
        mbarrier.wait(done, step & 1)
    tile.store(acc.load().to(o.dtype))
    fence_async_shared()
    tma.async_store(o, [row, column], tile)
    tma.store_wait(0)
