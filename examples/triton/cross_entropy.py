"""Cross-entropy with its gradient in one kernel; some labels are to be ignored."""

import torch
import triton
import triton.language as tl

IGNORED = -100


@triton.jit
def cross_entropy_kernel(
    logits_ptr,
    labels_ptr,
    loss_ptr,
    grad_ptr,
    stride,
    classes,
    IGNORED: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Compute the loss of one row and its gradient, in two passes over the row."""
    row = tl.program_id(0).to(tl.int64)
    label = tl.load(labels_ptr + row)
    logits_ptr += row * stride
    grad_ptr += row * stride
    if label == IGNORED:
        tl.store(loss_ptr + row, 0.0)
        for start in range(0, classes, BLOCK):
            at = start + tl.arange(0, BLOCK)
            tl.store(grad_ptr + at, tl.zeros([BLOCK], tl.float32), mask=at < classes)
    else:
        highest = -float("inf")
        total = 0.0
        for start in range(0, classes, BLOCK):
            at = start + tl.arange(0, BLOCK)
            x = tl.load(logits_ptr + at, mask=at < classes, other=-float("inf")).to(tl.float32)
            higher = tl.maximum(highest, tl.max(x, axis=0))
            total = total * tl.exp(highest - higher) + tl.sum(tl.exp(x - higher), axis=0)
            highest = higher
        lse = highest + tl.log(total)
        tl.store(loss_ptr + row, lse - tl.load(logits_ptr + label).to(tl.float32))
        for start in range(0, classes, BLOCK):
            at = start + tl.arange(0, BLOCK)
            x = tl.load(logits_ptr + at, mask=at < classes, other=-float("inf")).to(tl.float32)
            grad = tl.exp(x - lse) - tl.where(at == label, 1.0, 0.0)
            tl.store(grad_ptr + at, grad, mask=at < classes)


class CrossEntropy(torch.autograd.Function):
    """The mean loss of the rows whose label is not ignored."""

    @staticmethod
    def forward(ctx, logits, labels):
        """Compute the loss, and keep the gradient."""
        rows, classes = logits.shape
        loss = torch.empty(rows, dtype=torch.float32, device="cuda")
        grad = torch.empty_like(logits, dtype=torch.float32)
        cross_entropy_kernel[(rows,)](
            logits, labels, loss, grad, logits.stride(0), classes, IGNORED=IGNORED, BLOCK=256
        )
        count = (labels != IGNORED).sum()
        ctx.save_for_backward(grad / count)
        ctx.dtype = logits.dtype
        return loss.sum() / count

    @staticmethod
    def backward(ctx, upper):
        """Scale the gradient."""
        (grad,) = ctx.saved_tensors
        return (grad * upper).to(ctx.dtype), None


if __name__ == "__main__":
    torch.manual_seed(0)
    logits = (4 * torch.randn(48, 1000)).cuda(non_blocking=True).requires_grad_()
    labels = torch.randint(0, 1000, (48,)).cuda()
    labels[::7] = IGNORED
    loss = CrossEntropy.apply(logits, labels)
    loss.backward()
    wide = logits.detach().double().requires_grad_()
    expected = torch.nn.functional.cross_entropy(wide, labels, ignore_index=IGNORED)
    expected.backward()
    torch.testing.assert_close(loss.double(), expected, rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(logits.grad, wide.grad.float(), rtol=1e-4, atol=1e-7)
    print(f"the loss, {loss.item():.4f}, and its gradient equal PyTorch's in float64")
