"""A script that profiles and multiplies with cuBLAS, as tutorials do, where neither is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("triton")
pytest.importorskip("torch")

from lanemap.check.run import Options, check

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


def test_scaled_products_of_cublas_are_refused(tmp_path: Path) -> None:
    from lanemap.errors import UserError

    script = tmp_path / "script.py"
    lines = SCRIPT.splitlines()[:6]
    script.write_text("\n".join([*lines, "cublas.block_scaled_matmul_nvfp4(1, 2, 3, 4, 5)"]))
    with pytest.raises(UserError, match="block-scaled products of cuBLAS have no counterpart"):
        check(script, [], Options("sm_100a", quiet=True))
