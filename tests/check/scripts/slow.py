"""A kernel that runs for minutes, after one with a fault."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def beyond(x_ptr):
    tl.store(x_ptr + 1024, 0.0)


@triton.jit
def slow(x_ptr, turns):
    total = 0.0
    for turn in range(turns):  # here
        total += tl.load(x_ptr + turn % 1024)  # here
    tl.store(x_ptr + tl.program_id(0), total)


x = torch.ones(1024, device=DEVICE)
beyond[(1,)](x)
slow[(1024,)](x, 1_000_000)
