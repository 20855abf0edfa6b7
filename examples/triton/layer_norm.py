"""Layer normalization, forward and backward; locks order the sums of weights' gradients."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def forward_kernel(
    x_ptr, y_ptr, w_ptr, b_ptr, mean_ptr, rstd_ptr, stride, N, eps, BLOCK: tl.constexpr
):
    """Normalize one row, in pieces of BLOCK."""
    row = tl.program_id(0)
    x_ptr += row * stride
    y_ptr += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, N, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + at, mask=at < N, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / N
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, N, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < N, other=0.0).to(tl.float32)
        x = tl.where(at < N, x - mean, 0.0)
        squares += x * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / N + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, N, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < N
        w = tl.load(w_ptr + at, mask=inside)
        b = tl.load(b_ptr + at, mask=inside)
        x = tl.load(x_ptr + at, mask=inside, other=0.0).to(tl.float32)
        tl.store(y_ptr + at, (x - mean) * rstd * w + b, mask=inside)


@triton.jit
def backward_kernel(
    dx_ptr,
    dy_ptr,
    dw_ptr,
    db_ptr,
    x_ptr,
    w_ptr,
    mean_ptr,
    rstd_ptr,
    lock_ptr,
    stride,
    N,
    GROUPS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Compute a row of dx, and add its part of dw and db to the sums of its group."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < N
    x = tl.load(x_ptr + row * stride + at, mask=inside, other=0).to(tl.float32)
    dy = tl.load(dy_ptr + row * stride + at, mask=inside, other=0).to(tl.float32)
    w = tl.load(w_ptr + at, mask=inside, other=0).to(tl.float32)
    mean = tl.load(mean_ptr + row)
    rstd = tl.load(rstd_ptr + row)
    normal = tl.where(inside, (x - mean) * rstd, 0.0)
    wdy = tl.where(inside, w * dy, 0.0)
    along = tl.sum(normal * wdy, axis=0) / N
    average = tl.sum(wdy, axis=0) / N
    dx = (wdy - (normal * along + average)) * rstd
    tl.store(dx_ptr + row * stride + at, dx, mask=inside)

    group = row % GROUPS
    lock = lock_ptr + group
    count = lock_ptr + GROUPS + group
    dw_ptrs = dw_ptr + group * N + at
    db_ptrs = db_ptr + group * N + at
    dw = (dy * normal).to(w.dtype)
    db = dy.to(w.dtype)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        dw += tl.load(dw_ptrs, mask=inside)
        db += tl.load(db_ptrs, mask=inside)
    tl.store(dw_ptrs, dw, mask=inside)
    tl.store(db_ptrs, db, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def sum_kernel(dw_ptr, db_ptr, out_dw_ptr, out_db_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Add up what the groups have for BN columns."""
    column = tl.program_id(0) * BN + tl.arange(0, BN)
    dw = tl.zeros((BM, BN), dtype=tl.float32)
    db = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, M, BM):
        row = start + tl.arange(0, BM)
        inside = (row[:, None] < M) & (column[None, :] < N)
        at = row[:, None] * N + column[None, :]
        dw += tl.load(dw_ptr + at, mask=inside, other=0.0)
        db += tl.load(db_ptr + at, mask=inside, other=0.0)
    tl.store(out_dw_ptr + column, tl.sum(dw, axis=0), mask=column < N)
    tl.store(out_db_ptr + column, tl.sum(db, axis=0), mask=column < N)


class LayerNorm(torch.autograd.Function):
    """Layer normalization of the last dimension."""

    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        """Normalize the rows of x."""
        y = torch.empty_like(x)
        M, N = x.shape
        mean = torch.empty((M,), dtype=torch.float32, device=x.device)
        rstd = torch.empty((M,), dtype=torch.float32, device=x.device)
        block = min(256, triton.next_power_of_2(N))
        forward_kernel[(M,)](
            x, y, weight, bias, mean, rstd, x.stride(0), N, eps, BLOCK=block, num_warps=4
        )
        ctx.save_for_backward(x, weight, mean, rstd)
        return y

    @staticmethod
    def backward(ctx, dy):
        """Return the gradients of x, weight and bias."""
        x, w, mean, rstd = ctx.saved_tensors
        M, N = x.shape
        groups = 8
        locks = torch.zeros(2 * groups, dtype=torch.int32, device=w.device)
        part_dw = torch.zeros((groups, N), dtype=torch.float32, device=w.device)
        part_db = torch.zeros((groups, N), dtype=torch.float32, device=w.device)
        dw, db = torch.empty_like(w), torch.empty_like(w)
        dx = torch.empty_like(dy)
        backward_kernel[(M,)](
            dx,
            dy,
            part_dw,
            part_db,
            x,
            w,
            mean,
            rstd,
            locks,
            x.stride(0),
            N,
            GROUPS=groups,
            BLOCK=triton.next_power_of_2(N),
            num_warps=4,
        )
        sum_kernel[(triton.cdiv(N, 128),)](
            part_dw, part_db, dw, db, min(groups, M), N, BM=8, BN=128, num_ctas=1
        )
        return dx, dw, db, None


if __name__ == "__main__":
    torch.manual_seed(0)
    shape = (37, 600)
    weight = torch.rand(shape[-1:], device=DEVICE, requires_grad=True)
    bias = torch.rand(shape[-1:], device=DEVICE, requires_grad=True)
    x = (-2.3 + 0.5 * torch.randn(shape, device=DEVICE)).requires_grad_(True)
    dy = 0.1 * torch.randn_like(x)
    y = LayerNorm.apply(x, weight, bias, 1e-5)
    y.backward(dy)
    wide = [each.detach().double().requires_grad_() for each in (x, weight, bias)]
    expected = torch.nn.functional.layer_norm(wide[0], shape[-1:], wide[1], wide[2], 1e-5)
    expected.backward(dy.double())
    torch.testing.assert_close(y, expected.float(), rtol=1e-4, atol=1e-5)
    for ours, theirs in zip((x, weight, bias), wide, strict=True):
        torch.testing.assert_close(ours.grad, theirs.grad.float(), rtol=1e-4, atol=1e-5)
    print("y, dx, dw and db equal PyTorch's in float64")
