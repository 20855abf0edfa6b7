"""Sums of rows, with two faults that can go unnoticed on a GPU; docs/check.md shows the report."""

import torch
import triton
import triton.language as tl


@triton.jit
def sums_kernel(x_ptr, sums_ptr, columns, BLOCK: tl.constexpr):
    """Sum one row of fewer than BLOCK columns."""
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + column)  # fault: nothing keeps it within the row
    x = tl.where(column < columns, x, 0.0)
    tl.store(sums_ptr + row, tl.sum(x, axis=0))


if __name__ == "__main__":
    x = torch.ones((7, 1000), device="cuda")
    sums = torch.empty(8, device="cuda")
    sums_kernel[(7,)](x, sums, 1000, BLOCK=1024)
    print(f"the first seven sums are {sums[:7].tolist()}")
    print(f"the largest is {sums.max().item() >= 1000}")  # fault: the eighth was never written
