"""A product whose second operand has its strides swapped; it is wider than high."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def product(a_ptr, b_ptr, c_ptr, a_row, a_column, b_row, b_column, N: tl.constexpr):
    row, column = tl.program_id(0) * 16 + tl.arange(0, 16), tl.program_id(1) * 32 + tl.arange(0, 32)
    k = tl.arange(0, 16)
    a = tl.load(a_ptr + row[:, None] * a_row + k[None, :] * a_column)
    b = tl.load(b_ptr + k[:, None] * b_row + column[None, :] * b_column)  # out-of-bounds
    tl.store(c_ptr + row[:, None] * N + column[None, :], tl.dot(a, b))


a = torch.randn((64, 16), device=DEVICE)
b = torch.randn((16, 4096), device=DEVICE)
c = torch.zeros((64, 4096), device=DEVICE)
product[(4, 128)](a, b, c, *a.stride(), *b.stride()[::-1], N=4096)
