"""What `torch.empty` left: a kernel or PyTorch that uses it is told, with both lines."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("triton")
pytest.importorskip("torch")

from lanemap.check.run import Options, check

#: Line 9 adds to `out`, line 16 makes it, line 18 reads it.
SPLIT = """import torch
import triton
import triton.language as tl


@triton.jit
def split_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr + at, tl.load(x_ptr + tl.program_id(0) * BLOCK + at))


N = 64


x = torch.ones(4 * N, device="cuda")
out = torch.{make}(N, device="cuda")
split_kernel[(4,)](x, out, BLOCK=N)
print(torch.all(out == 4).item())
"""
#: Line 8 uses what line 14 made as an index.
GATHER = """import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(x_ptr, index_ptr, out_ptr, BLOCK: tl.constexpr):
    value = tl.load(x_ptr + tl.load(index_ptr + tl.arange(0, BLOCK)))
    tl.store(out_ptr + tl.arange(0, BLOCK), value)


N = 64
x, out = torch.ones(N, device="cuda"), torch.zeros(N, device="cuda")
index = torch.{make}(N, dtype=torch.int64, device="cuda")
{fill}
gather_kernel[(1,)](x, index, out, BLOCK=N)
"""


def hazards(folder: Path, text: str) -> list[str]:
    script = folder / "script.py"
    script.write_text(text)
    outcome = check(script, [], Options("sm_90a", quiet=True))
    assert not outcome.ended
    return [str(each) for each in outcome.findings.hazards]


def test_adding_to_what_empty_left(tmp_path: Path) -> None:
    assert hazards(tmp_path, SPLIT.format(make="zeros")) == []
    (found,) = hazards(tmp_path, SPLIT.format(make="empty"))
    assert found.startswith("script.py:18: PyTorch: 256 of 256 bytes that the host reads")
    assert "they come from global memory, byte 0 of array made at script.py:16 of 256" in found


def test_an_index_that_nothing_wrote(tmp_path: Path) -> None:
    zeros = {"make": "zeros", "fill": ""}
    assert hazards(tmp_path, GATHER.format(**zeros)) == []
    assert hazards(tmp_path, GATHER.format(make="empty", fill="index.copy_(torch.arange(N))")) == []
    found = hazards(tmp_path, GATHER.format(make="empty", fill="index[:32] = 1"))
    address = [each for each in found if "decide the address" in each]
    assert address and all(each.startswith("script.py:8: gather_kernel") for each in address)
    assert "byte 256 of array made at script.py:14 of 512 bytes, which nothing had" in address[0]
