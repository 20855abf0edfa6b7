"""Count visits of rows in place, and fill each row of a table from the count before."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def in_place(visits, table, FAULTY: tl.constexpr):
    """Set table[row] to 1000 visits[row] + column; then visits[row] += 1."""
    row = tl.program_id(0) * 8 + tl.arange(0, 8)[:, None]
    column = tl.arange(0, 128)[None, :]
    before = tl.load(visits + row)  # hazard
    if not FAULTY:
        tl.debug_barrier()
    tl.store(visits + row, before + 1)  # hazard
    tl.store(table + row * 128 + column, 1000 * before + column)


KERNEL, TARGET, WARPS = in_place, "sm_90a", 4
TYPES = {"visits": "*i32", "table": "*i32"}


def main(faulty: bool) -> None:
    """Launch a program for each 8 of 512 rows, and count what is wrong."""
    visits = torch.zeros(512, dtype=torch.int32, device="cuda")
    table = torch.zeros((512, 128), dtype=torch.int32, device="cuda")
    in_place[(64,)](visits, table, FAULTY=faulty, num_warps=WARPS)
    wrong = int((table.cpu() != torch.arange(128)).sum() + (visits.cpu() != 1).sum())
    print(f"{wrong} of {table.numel() + visits.numel()} wrong")


if __name__ == "__main__":
    main("fixed" not in sys.argv)
