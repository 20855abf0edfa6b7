"""Matrix products and attention that Triton compiled for other targets, against NumPy; all clean.

Block-scaled products of sm_120a are stored. The slow test compiles each kernel for sm_80, sm_86,
sm_89 and sm_120a and runs it; those with tensor maps run on sm_120a.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lanemap
from tests.emulator.ptx import triton_cases
from tests.emulator.ptx.triton_cases import CASES, HERE, RANDOM, Compiled, names

SEED = 5
ANYWHERE = [
    "matmul_f16", "matmul_wide_f16", "matmul_low_f16", "matmul_two_warps_f16", "matmul_bf16",
    "matmul_i8", "matmul_tf32", "attention_fp16_64", "attention_fp16_64_causal",
    "attention_fp16_128", "attention_fp16_128_causal", "attention_bf16_64_causal",
    "attention_bf16_128", "matmul_mxfp4",
]  # fmt: skip
#: tl.float8e4nv came with sm_89.
FP8 = ["matmul_e4m3", "matmul_imprecise_e4m3", "matmul_e5m2", "matmul_mxfp8", "matmul_mxfp8_e5m2",
       "matmul_mxfp8_mxfp4", "matmul_nvfp4"]  # fmt: skip
MAPS = ["matmul_described", "matmul_describes", "matmul_persistent",
        "attention_described_fp16_64_causal"]  # fmt: skip
WANTED = [
    *((name, target) for target in ("sm_80", "sm_86", "sm_89", "sm_120a") for name in ANYWHERE),
    *((name, target) for target in ("sm_89", "sm_120a") for name in FP8),
    *((name, "sm_120a") for name in MAPS),
]


@pytest.mark.parametrize(("name", "scales"), [
    ("matmul_mxfp8", "mxf8f6f4.block_scale.scale_vec::1X"),
    ("matmul_mxfp4", "mxf4nvf4.block_scale.scale_vec::2X"),
    ("matmul_nvfp4", "mxf4nvf4.block_scale.scale_vec::4X"),
])  # fmt: skip
def test_dot_scaled_on_sm_120a(name: str, scales: str) -> None:
    kernel = Compiled(name, "sm_120a")
    kinds = set(re.findall(r"mma\.sync\S+kind::(\S+X)", kernel.path.read_text()))
    assert kinds == {scales}
    device = lanemap.open_device("sm_120a", "emulator")
    CASES[name](device, kernel, np.random.default_rng(SEED))
    RANDOM[name](device, kernel, np.random.default_rng(SEED))


def test_what_is_stored_for_sm_120a_is_tried() -> None:
    assert set(names("sm_120a")) == {"matmul_mxfp8", "matmul_mxfp4", "matmul_nvfp4"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target"), WANTED)
def test_on_other_targets(
    name: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    triton = pytest.importorskip("triton")
    stored = json.loads((HERE / "matmul_mxfp8.sm_120a.json").read_text())["triton"]
    if triton.__version__ != stored:
        pytest.skip(f"the kernels are for Triton {stored}, this is {triton.__version__}")
    command = [sys.executable, str(HERE / "build.py"), name, "--target", target]
    subprocess.run([*command, "--out", str(tmp_path)], check=True, capture_output=True)
    monkeypatch.setattr(triton_cases, "HERE", tmp_path)
    device = lanemap.open_device(target, "emulator")
    CASES[name](device, Compiled(name, target), np.random.default_rng(SEED))
