"""Two steps of training a module whose activation is a kernel, forward and backward."""

import torch
import triton
import triton.language as tl


@triton.jit
def silu_kernel(x_ptr, bias_ptr, out_ptr, n, columns, BLOCK: tl.constexpr):
    """Store silu(x + bias)."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n) + tl.load(bias_ptr + at % columns, mask=at < n)
    tl.store(out_ptr + at, x * tl.sigmoid(x), mask=at < n)


@triton.jit
def silu_backward_kernel(x_ptr, bias_ptr, dy_ptr, dx_ptr, n, columns, BLOCK: tl.constexpr):
    """Store the gradient of silu(x + bias)."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n) + tl.load(bias_ptr + at % columns, mask=at < n)
    s = tl.sigmoid(x)
    dy = tl.load(dy_ptr + at, mask=at < n)
    tl.store(dx_ptr + at, dy * s * (1 + x * (1 - s)), mask=at < n)


class BiasSilu(torch.autograd.Function):
    """silu(x + bias)."""

    @staticmethod
    def forward(ctx, x, bias):
        """Run the kernel, and keep what its gradient needs."""
        ctx.save_for_backward(x, bias)
        y = torch.empty_like(x)
        n = x.numel()
        silu_kernel[(triton.cdiv(n, 512),)](x, bias, y, n, x.shape[1], BLOCK=512)
        return y

    @staticmethod
    def backward(ctx, dy):
        """Return the gradients of x and bias."""
        x, bias = ctx.saved_tensors
        dx = torch.empty_like(x)
        silu_backward_kernel[(triton.cdiv(x.numel(), 512),)](
            x, bias, dy.contiguous(), dx, x.numel(), x.shape[1], BLOCK=512
        )
        return dx, dx.sum(0)


class Layer(torch.nn.Module):
    """A linear layer with its activation."""

    def __init__(self, inputs: int, outputs: int, ours: bool) -> None:
        """Choose whose activation it is."""
        super().__init__()
        self.linear = torch.nn.Linear(inputs, outputs, bias=False)
        self.bias = torch.nn.Parameter(torch.linspace(-1, 1, outputs))
        self.ours = ours

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply both."""
        x = self.linear(x)
        if self.ours:
            return BiasSilu.apply(x, self.bias)
        return torch.nn.functional.silu(x + self.bias)


def trained(ours: bool) -> tuple[list[float], list[torch.Tensor]]:
    """Return the losses of two steps, and the parameters after them."""
    torch.manual_seed(5)
    model = torch.nn.Sequential(Layer(40, 96, ours), Layer(96, 8, ours)).to("cuda")
    x, y = torch.randn(64, 40).to("cuda"), torch.randn(64, 8).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(2):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, [each.detach() for each in model.parameters()]


if __name__ == "__main__":
    torch.backends.cuda.matmul.allow_tf32 = False
    losses, parameters = trained(ours=True)
    expected_losses, expected = trained(ours=False)
    torch.testing.assert_close(losses, expected_losses, rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(parameters, expected, rtol=1e-3, atol=1e-4)
    assert losses[1] < losses[0] and all(each.is_cuda for each in parameters)
    print(f"losses {losses[0]:.4f}, {losses[1]:.4f} as with PyTorch's activation")
