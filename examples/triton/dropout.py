"""Dropout whose mask is never stored: the backward pass makes it again from the seed."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    """Zero elements with probability p, and scale the others."""
    at = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    kept = tl.rand(seed, at) > p
    x = tl.load(x_ptr + at, mask=inside)
    tl.store(out_ptr + at, tl.where(kept, x / (1 - p), 0.0), mask=inside)


class Dropout(torch.autograd.Function):
    """Dropout with a seed."""

    @staticmethod
    def forward(ctx, x, p, seed):
        """Drop elements of x."""
        ctx.p, ctx.seed = p, seed
        return drop(x, p, seed)

    @staticmethod
    def backward(ctx, gradient):
        """Drop the same elements of the gradient."""
        return drop(gradient.contiguous(), ctx.p, ctx.seed), None, None


def drop(x: torch.Tensor, p: float, seed: int) -> torch.Tensor:
    """Return x with a share p of its elements dropped."""
    out = torch.empty_like(x)
    assert x.is_contiguous()
    dropout_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), p, seed, BLOCK=1024)
    return out


if __name__ == "__main__":
    x = torch.randn(size=(5000,), device=DEVICE).requires_grad_()
    first = Dropout.apply(x, 0.5, 123)
    again, other = drop(x.detach(), 0.5, 123), drop(x.detach(), 0.5, 512)
    assert torch.equal(first, again), "one seed gives one mask"
    assert not torch.equal(first, other), "another seed gives another"
    kept = first != 0
    torch.testing.assert_close(first[kept], 2 * x[kept], rtol=0, atol=0)
    share = kept.float().mean().item()
    assert abs(share - 0.5) < 0.05, f"a share of {share} is kept"
    weight = torch.randn_like(x)
    (first * weight).sum().backward()
    torch.testing.assert_close(x.grad, torch.where(kept, 2 * weight, 0), rtol=0, atol=0)
    print(f"{share:.1%} of the elements are kept; their gradients are those of the mask")
