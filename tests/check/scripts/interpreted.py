"""A softmax in place that the interpreter finds right: more threads than elements load them."""

import os

import torch
import triton
import triton.language as tl

DEVICE = "cpu" if os.environ.get("TRITON_INTERPRET") else "cuda"


@triton.jit
def softmax_kernel(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    power = tl.exp(tl.load(x + at))  # hazard
    tl.store(x + at, power)
    tl.store(x + at, tl.load(x + at) / tl.sum(power))


torch.manual_seed(0)
x = torch.randn(64, device=DEVICE)
expected = x.softmax(0)
softmax_kernel[(1,)](x, BLOCK=64)
torch.testing.assert_close(x, expected)
print("right")
