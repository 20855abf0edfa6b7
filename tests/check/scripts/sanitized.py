"""What Triton's own sanitizers look at: sums in another order, and a tensor map's strides."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def sums_kernel(x, left, right, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    a, b, c = tl.load(x + at), tl.load(x + BLOCK + at), tl.load(x + 2 * BLOCK + at)
    tl.store(left + at, (a + b) + c)
    tl.store(right + at, a + (b + c))


@triton.jit
def tile_kernel(x, y, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    tile = tl.make_tensor_descriptor(x, [ROWS, COLUMNS], [stride, 1], [ROWS, COLUMNS])
    value = tile.load([0, 0])
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(y + at, value)


def sums():
    """Print in how many elements two orders of a sum differ."""
    x = torch.randn(3, 128, device="cuda")
    left, right = torch.empty(2, 128, device="cuda")
    sums_kernel[(1,)](x, left, right, BLOCK=128)
    differ = (left.view(torch.int32) != right.view(torch.int32)).sum()
    print(f"{int(differ)} sums differ")


def tile(stride):
    """Load a tile of rows that are some elements apart."""
    triton.set_allocator(lambda size, align, _: torch.empty(size, dtype=torch.int8, device="cuda"))
    x = torch.arange(8 * 64, device="cuda", dtype=torch.float32)
    y = torch.empty(8, 32, device="cuda")
    tile_kernel[(1,)](x, y, stride, ROWS=8, COLUMNS=32)
    assert torch.equal(y, x.as_strided((8, 32), (stride, 1)))


torch.manual_seed(0)
sums() if sys.argv[1] == "sums" else tile(int(sys.argv[1]))
