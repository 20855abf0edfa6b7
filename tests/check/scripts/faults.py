"""Kernels with one fault each, at the line that a comment names."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def beyond(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)  # out-of-bounds
    tl.store(o_ptr + at, x, at < n)


@triton.jit
def helper(x_ptr, at):
    return tl.load(x_ptr + at + 1)  # misaligned


@triton.jit
def odd(x_ptr, o_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    wide = x_ptr.to(tl.pointer_type(tl.int8)) + 2
    x = helper(wide.to(tl.pointer_type(tl.float32)), at)
    tl.store(o_ptr + at, x)


@triton.jit
def chosen(x_ptr, o_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    index = tl.load(x_ptr + at)
    tl.store(o_ptr + (index & 15), at)  # undefined


x = torch.ones(1000, device=DEVICE)
out = torch.zeros(1024, device=DEVICE)
beyond[(1,)](x, out, 1000, BLOCK=1024)
odd[(1,)](x, out, BLOCK=128)
numbers = torch.zeros(128, dtype=torch.int32, device=DEVICE)
chosen[(1,)](torch.empty(128, dtype=torch.int32, device=DEVICE), numbers, BLOCK=128)
beyond[(1,)](x, out, 1000, BLOCK=1024)
print("the script went on")
