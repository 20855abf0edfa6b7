"""RMS norm, with a residual added, and layer norm, forward and backward."""

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(
    x_ptr, residual_ptr, weight_ptr, y_ptr, scale_ptr, columns, epsilon, BLOCK: tl.constexpr
):
    """Add a row to the residual in place; store the sum's norm, and the scale for backward."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    x += tl.load(residual_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    tl.debug_barrier()  # more threads than columns load the same elements; none is late
    tl.store(residual_ptr + row * columns + at, x, mask=inside)
    scale = tl.rsqrt(tl.sum(x * x) / columns + epsilon)
    tl.store(scale_ptr + row, scale)
    weight = tl.load(weight_ptr + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * columns + at, x * scale * weight, mask=inside)


@triton.jit
def rms_norm_backward_kernel(
    dy_ptr,
    x_ptr,
    weight_ptr,
    scale_ptr,
    dx_ptr,
    dw_ptr,
    rows,
    columns,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Store the gradients of some rows; their sum of the weight's goes to this program's row."""
    program = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    weight = tl.load(weight_ptr + at, mask=inside, other=0.0).to(tl.float32)
    dw = tl.zeros((BLOCK,), tl.float32)
    for row in range(program * ROWS, min(program * ROWS + ROWS, rows)):
        dy = tl.load(dy_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        scale = tl.load(scale_ptr + row)
        normed = x * scale
        dw += dy * normed
        wdy = weight * dy
        dx = scale * (wdy - normed * tl.sum(wdy * normed) / columns)
        tl.store(dx_ptr + row * columns + at, dx, mask=inside)
    tl.store(dw_ptr + program * columns + at, dw, mask=inside)


@triton.jit
def layer_norm_backward_kernel(
    dy_ptr, x_ptr, weight_ptr, dx_ptr, dw_ptr, db_ptr, columns, epsilon, BLOCK: tl.constexpr
):
    """Store a row's gradient, and add those of weight and bias to what other rows add."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x) / columns
    centered = tl.where(inside, x - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centered * centered) / columns + epsilon)
    normed = centered * scale
    wdy = weight * dy
    dx = scale * (wdy - (normed * tl.sum(wdy * normed) + tl.sum(wdy)) / columns)
    tl.store(dx_ptr + row * columns + at, dx, mask=inside)
    tl.atomic_add(dw_ptr + at, dy * normed, mask=inside)
    tl.atomic_add(db_ptr + at, dy, mask=inside)


class RMSNorm(torch.autograd.Function):
    """Adds to the residual, which is overwritten, and norms the sum."""

    @staticmethod
    def forward(ctx, x, residual, weight, epsilon):
        rows, columns = x.shape
        y = torch.empty_like(x)
        scale = torch.empty(rows, device=x.device, dtype=torch.float32)
        block = triton.next_power_of_2(columns)
        rms_norm_kernel[(rows,)](x, residual, weight, y, scale, columns, epsilon, BLOCK=block)
        ctx.save_for_backward(residual.detach().clone(), weight, scale)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, weight, scale = ctx.saved_tensors
        rows, columns = x.shape
        each = triton.cdiv(rows, 4)
        programs = triton.cdiv(rows, each)
        dx = torch.empty_like(x)
        dw = torch.empty(programs, columns, device=x.device, dtype=torch.float32)
        rms_norm_backward_kernel[(programs,)](
            dy.contiguous(),
            x,
            weight,
            scale,
            dx,
            dw,
            rows,
            columns,
            ROWS=each,
            BLOCK=triton.next_power_of_2(columns),
        )
        return dx, None, dw.sum(0).to(weight.dtype), None


def rms_norm(x, residual, weight, epsilon=1e-6):
    """Return the RMS norm of x + residual, which becomes the new residual."""
    return RMSNorm.apply(x, residual, weight, epsilon)


def layer_norm_backward(dy, x, weight, epsilon=1e-5):
    """Return the gradients of a layer norm's input, weight and bias."""
    rows, columns = x.shape
    dx = torch.empty_like(x)
    dw, db = torch.zeros(2, columns, device=x.device, dtype=torch.float32)
    block = triton.next_power_of_2(columns)
    layer_norm_backward_kernel[(rows,)](dy, x, weight, dx, dw, db, columns, epsilon, BLOCK=block)
    return dx, dw, db
