"""What works above a target works on each: CUDA C++, `run`, counts, hazards, `check`, pytest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.cli import main
from lanemap.targets import TARGETS

NVIDIA = [name for name, each in TARGETS.items() if each.is_nvidia]
#: Sums of 64 neighbors, through shared memory; each warp reads what the other has written.
SUMS = """__global__ void sums(const float *x, float *y) {
  __shared__ float all[64];
  all[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int step = 32; step; step /= 2) {
    if (threadIdx.x < step) all[threadIdx.x] += all[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = all[0];
}
"""
TRITON = """import torch, triton, triton.language as tl

@triton.jit
def products(a, b, c, N: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))


def product():
    a, b = (torch.randint(-4, 5, (32, 32), device="cuda").half() for _ in range(2))
    c = torch.empty((32, 32), device="cuda")
    products[(1,)](a, b, c, N=32)
    assert torch.equal(c, a.float() @ b.float())


def test_product():
    product()


if __name__ == "__main__":
    product()
    print("right")
"""


def run(capsys: Any, *words: object) -> tuple[int, str]:
    status = main.run(["run", *map(str, words)])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out + err


@pytest.mark.parametrize("target", NVIDIA)
def test_cuda_runs_is_counted_and_its_races_are_found(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, x = tmp_path / "sums.cu", np.arange(256, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    launch = [file, "--target", target, "--grid", 4, "--block", 64]
    launch += ["--arg", f"{tmp_path / 'x.npy'}", "--arg", f"zeros:f32:4@{tmp_path / 'y.npy'}"]
    file.write_text(SUMS)
    status, out = run(capsys, *launch, "--count", "--json")
    assert status == 0
    assert np.array_equal(np.load(tmp_path / "y.npy"), x.reshape(4, 64).sum(1))
    counts = json.loads(out)["counts"]
    # Each CTA stores two warps at first; then one warp adds in six steps.
    assert counts["by_kind"]["shared store"]["lanes"] == 4 * (64 + 63)
    # Without the first barrier, warp 0 reads what warp 1 stores.
    file.write_text(SUMS.replace("  __syncthreads();\n  for", "  for"))
    status, out = run(capsys, *launch)
    assert status == 1 and "(sums.cu:" in out and "not ordered with that" in out


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONWARNINGS": "ignore"}


@pytest.mark.slow
@pytest.mark.parametrize("target", NVIDIA)
def test_a_triton_product_is_checked_as_a_script_and_as_a_test(target: str, tmp_path: Path) -> None:
    pytest.importorskip("triton", minversion="3.8")
    script = tmp_path / "test_products.py"
    script.write_text(TRITON)
    for words in (
        ["lanemap", "check", "--target", target, str(script)],
        ["pytest", "-q", "-p", "no:cacheprovider", f"--lanemap={target}", str(script)],
    ):
        command = [sys.executable, "-m", *words]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, env=environment(), check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
