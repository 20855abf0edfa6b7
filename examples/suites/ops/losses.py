"""Cross entropy and the divergence of Kullback and Leibler, each with its gradient in one pass."""

import torch
import triton
import triton.language as tl


@triton.jit
def cross_entropy_kernel(
    logits_ptr,
    labels_ptr,
    loss_ptr,
    row_stride,
    columns,
    ignored,
    smoothing,
    BLOCK: tl.constexpr,
):
    """Store a row's loss, and the gradient in place of its logits."""
    row = tl.program_id(0).to(tl.int64)
    logits_ptr += row * row_stride
    label = tl.load(labels_ptr + row)
    if label == ignored:
        for start in range(0, columns, BLOCK):
            at = start + tl.arange(0, BLOCK)
            tl.store(logits_ptr + at, 0.0, mask=at < columns)
        tl.store(loss_ptr + row, 0.0)
        return
    most = -float("inf")
    total = 0.0
    sum_of_all = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        sum_of_all += tl.sum(tl.where(at < columns, x, 0.0))
        new_most = tl.maximum(most, tl.max(x))
        total = total * tl.exp(most - new_most) + tl.sum(tl.exp(x - new_most))
        most = new_most
    log_total = most + tl.log(total)
    picked = tl.load(logits_ptr + label).to(tl.float32)
    loss = log_total - (1 - smoothing) * picked - smoothing * sum_of_all / columns
    tl.store(loss_ptr + row, loss)
    tl.debug_barrier()  # `picked` has been read by all threads before one of them overwrites it
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        gradient = tl.exp(x - log_total) - smoothing / columns
        gradient = tl.where(at == label, gradient - (1 - smoothing), gradient)
        tl.store(logits_ptr + at, gradient, mask=at < columns)


@triton.jit
def kl_kernel(log_p_ptr, q_ptr, loss_ptr, gradient_ptr, columns, floor, BLOCK: tl.constexpr):
    """Store a row's sum of q (log q - log p), and the gradient with respect to log p."""
    row = tl.program_id(0).to(tl.int64)
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        log_p = tl.load(log_p_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        q = tl.load(q_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        total += tl.sum(q * (tl.log(tl.maximum(q, floor)) - log_p))
        tl.store(gradient_ptr + row * columns + at, -q, mask=inside)
    tl.store(loss_ptr + row, total)


class CrossEntropy(torch.autograd.Function):
    """Mean loss of rows; the logits' memory becomes that of their gradient."""

    @staticmethod
    def forward(ctx, logits, labels, ignored, smoothing):
        rows, columns = logits.shape
        loss = torch.empty(rows, device=logits.device, dtype=torch.float32)
        block = min(triton.next_power_of_2(columns), 512)
        cross_entropy_kernel[(rows,)](
            logits, labels, loss, logits.stride(0), columns, ignored, smoothing, BLOCK=block
        )
        counted = (labels != ignored).sum()
        ctx.save_for_backward(logits.detach(), counted)
        return loss.sum() / counted

    @staticmethod
    def backward(ctx, gradient):
        logits, counted = ctx.saved_tensors
        return logits * (gradient / counted).to(logits.dtype), None, None, None


def cross_entropy(logits, labels, ignored=-100, smoothing=0.0):
    """Return the mean cross entropy of logits [rows, columns], which are overwritten."""
    return CrossEntropy.apply(logits, labels, ignored, smoothing)


class KLDivergence(torch.autograd.Function):
    """Mean over rows of the divergence of q from p."""

    @staticmethod
    def forward(ctx, log_p, q):
        rows, columns = log_p.shape
        loss = torch.empty(rows, device=log_p.device, dtype=torch.float32)
        gradient = torch.empty_like(log_p)
        block = min(triton.next_power_of_2(columns), 512)
        kl_kernel[(rows,)](log_p, q, loss, gradient, columns, 1e-30, BLOCK=block)
        ctx.save_for_backward(gradient)
        return loss.sum() / rows

    @staticmethod
    def backward(ctx, gradient):
        (stored,) = ctx.saved_tensors
        return stored * (gradient / len(stored)).to(stored.dtype), None


def kl_divergence(log_p, q):
    """Return the mean over rows of sum(q (log q - log p)), of contiguous matrices."""
    return KLDivergence.apply(log_p, q)
