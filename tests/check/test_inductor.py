"""torch.compile under LANEMAP_INDUCTOR=1: Inductor's Triton kernels run on the emulator."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.check.test_scripts import COMPILED
from tests.cli.processes import LANEMAP

FUSED = """import torch
from torch import nn

@torch.compile
def losses(x, y):
    return torch.relu(x * 2 + y).sum(-1), torch.softmax(x, -1)

@torch.compile(mode="max-autotune", fullgraph=True)
def norm(x, w):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w

x, y = torch.randn(2, 64, 128, device="cuda")
w = torch.randn(128, device="cuda")
sums, shares = losses(x, y)
assert sums.is_cuda and torch.allclose(sums, torch.relu(x * 2 + y).sum(-1), atol=1e-4)
assert torch.allclose(shares, torch.softmax(x, -1), atol=1e-5)
for rows in (x, x[:32].contiguous()):
    exact = rows * torch.rsqrt(rows.pow(2).mean(-1, keepdim=True) + 1e-6) * w
    assert torch.allclose(norm(rows, w), exact, atol=1e-5)
model = nn.Sequential(nn.Linear(128, 64), nn.GELU(), nn.LayerNorm(64)).cuda()
with torch.no_grad():
    assert torch.allclose(torch.compile(model)(x), model(x), atol=1e-5)
"""

AS_WRITTEN = """import torch
@torch.compile
def made(x):
    return x + torch.ones(x.shape, device="cuda")
@torch.compile
def trained(x):
    return (x * x).sum()
x = torch.ones(8, device="cuda", requires_grad=True)
trained(x).backward()
assert torch.equal(x.grad, 2 * x)
with torch.no_grad():
    assert torch.equal(made(x), x + 1)
"""


def check(folder: Path, text: str, *options: str) -> tuple[int, str, str]:
    """Check a script in a process of its own: PyTorch's tracer keeps what it has seen."""
    script = folder / "script.py"
    script.write_text(text)
    environment = {
        **os.environ, "LANEMAP_INDUCTOR": "1", "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"),
    }  # fmt: skip
    done = subprocess.run(
        [*LANEMAP, "check", *options, str(script)], env=environment, capture_output=True,
        text=True, timeout=600, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("target", ["sm_90a", "sm_100a", "gfx950"])
def test_kernels_of_inductor_are_right_and_clean(tmp_path: Path, target: str) -> None:
    status, out, err = check(tmp_path, FUSED, "--json", "--target", target)
    assert status == 0, err
    found = json.loads(out)
    assert found["hazards"] == [] and "runs as it is written" not in err
    kernels = found["launches"]
    assert len(kernels) >= 3 and all(name.startswith("triton_") for name in kernels), kernels


@pytest.mark.slow
def test_a_scripts_own_kernel_runs_in_a_compiled_function(tmp_path: Path) -> None:
    status, out, err = check(tmp_path, COMPILED)
    assert (status, out) == (0, ""), err
    assert "no hazards" in err


@pytest.mark.slow
def test_what_inductor_cannot_compile_here_runs_as_it_is_written(tmp_path: Path) -> None:
    status, _, err = check(tmp_path, AS_WRITTEN, "--allow-no-launch")
    assert status == 0, err
    assert "torch.compile: trained runs as it is written: it computes gradients" in err
    assert "torch.compile: made runs as it is written: " in err
