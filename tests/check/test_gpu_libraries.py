"""A script that profiles and multiplies with cuBLAS, as tutorials do, where neither is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("triton")
pytest.importorskip("torch")

from lanemap.check.run import Options, check
from lanemap.errors import UserError

SCRIPT = """import torch
import triton.profiler as proton
from triton._C.libtriton import nvidia

assert torch.cuda.is_available()
cublas = nvidia.cublas.CublasLt(torch.empty(1 << 20, device="cuda", dtype=torch.uint8))


@proton.profile
def product(a, b):
    c = torch.empty((a.shape[0], b.shape[0]), device="cuda", dtype=a.dtype)
    with proton.scope("cublas", {"flops": 1}):
        cublas.matmul(a, b, c)
    return c


proton.start("run", hook="triton")
proton.deactivate(0)
a = torch.randn((8, 16), device="cuda", dtype=torch.float16)
b = torch.randn((4, 16), device="cuda", dtype=torch.float16)
proton.activate(0)
c = product(a, b)
proton.finalize()
torch.testing.assert_close(c, (a.double() @ b.double().T).half())
d = torch.empty_like(c)
cublas.gemm(a, b, c, d, 2.0, -1.0)
torch.testing.assert_close(d, c, rtol=1e-2, atol=1e-2)

import triton.profiler.viewer as viewer
tree, metrics = viewer.parse(["time/ms"], "run.hatchet")
viewer.print_tree(tree, metrics)
"""


def test_profiles_and_products_of_cublas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    before = sys.modules.get("triton.profiler")
    outcome = check(script, [], Options("sm_100a"))
    told = capsys.readouterr().err
    assert outcome.faultless, told
    assert "triton.profiler profiles nothing" in told
    assert told.count("cuBLAS's products through Triton are PyTorch's") == 1
    assert sys.modules.get("triton.profiler") is before


SCALED = """
import ml_dtypes
import numpy as np

M, N, K = 144, 96, 256
chance = np.random.default_rng(5)


def swizzled(scales):  # cuBLAS, 1D Block Scaling Factors Layout
    rows, across = scales.shape[0], scales.shape[1] // 4
    out = np.zeros((-(-rows // 128), across, 32, 4, 4), np.uint8)
    for r in range(rows):
        for c in range(scales.shape[1]):
            out[r // 128, c // 4, r % 32, r % 128 // 32, c % 4] = scales[r, c].view(np.uint8)
    return torch.from_numpy(out).cuda().flatten()


for size, kind in ((32, ml_dtypes.float8_e8m0fnu), (16, ml_dtypes.float8_e4m3fn)):
    wide, operands = [], []
    for rows in (M, N):
        scales = np.exp2(chance.integers(-3, 4, (rows, K // size))).astype(kind)
        codes = chance.integers(0, 16, (rows, K), np.uint8)
        values = codes.view(ml_dtypes.float4_e2m1fn).astype(np.float32)
        packed = torch.from_numpy(codes[:, ::2] | codes[:, 1::2] << 4)
        if size == 32:
            packed = torch.from_numpy(values).to(torch.float8_e4m3fn)
        wide.append(values.astype(float) * scales.astype(float).repeat(size, 1))
        operands.append((packed.cuda(), swizzled(scales)))
    (a, u), (b, v) = operands
    if size == 16:
        u, v = u.view(torch.float8_e4m3fn), v.view(torch.float8_e4m3fn)
    c = torch.empty((M, N), device="cuda", dtype=torch.float16)
    named = "mxfp8" if size == 32 else "nvfp4"
    getattr(cublas, f"block_scaled_matmul_{named}")(a, b, c, u, v)
    np.testing.assert_allclose(c.cpu().double(), wide[0] @ wide[1].T, rtol=1e-3)
"""


def test_scaled_products_of_cublas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.py"
    beginning = "\n".join(SCRIPT.splitlines()[:6])
    script.write_text(beginning + SCALED)
    assert check(script, [], Options("sm_100a")).faultless
    assert "cuBLAS's products through Triton" in capsys.readouterr().err
    script.write_text(beginning + SCALED.replace("torch.float16", "torch.bfloat16"))
    with pytest.raises(UserError, match="block-scaled products by cuBLAS are float16"):
        check(script, [], Options("sm_100a", quiet=True))
