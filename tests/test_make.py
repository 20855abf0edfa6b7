"""What `make` installs: for each target what it needs, and no more."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: What only the tests, scripts under check and GPUs need; 3.7 GB of a test environment's.
UNNEEDED = ("torch", "triton", "cupy", "cuda", "hip", "pytest", "mypy", "pandas", "IPython")
#: Compiled by NVRTC, and by ziglang's clang.
BENCH = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[1].split(","), None))
from lanemap.cli import main
for words in ("ss_gemm --target sm_90a --problem m=64,n=64,k=64",
              "lds_attention --problem batch=1,queries=16,keys=64,heads=1,kv_heads=1"):
    assert main.run(["bench", *words.split(), "--device", "emulator", "--json"]) == 0, words
"""


def installs(target: str, tmp_path: Path) -> set[str]:
    """The extras that a target would install on a fresh machine; "" is the plain package."""
    done = subprocess.run(
        ["make", "--dry-run", f"VENV={tmp_path / 'venv'}", target], cwd=ROOT, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return set(re.findall(r'--editable "?\.(?:\[(\w+)\])?', done.stdout))


@pytest.mark.parametrize(
    ("target", "extras"),
    [
        ("probe-tr8", {""}),
        ("bench-ss_gemm", {"", "bench"}),
        ("bench-all", {"", "analysis", "bench"}),
        ("capsule-sm_100a", {"", "capsule"}),
        ("report", {"", "analysis"}),
        ("notebooks", {"", "analysis"}),
        ("lint", {"test"}),
        ("test", {"test"}),
        ("ray", {"ray"}),
    ],
)
def test_a_target_installs_what_it_needs(target: str, extras: set[str], tmp_path: Path) -> None:
    assert installs(target, tmp_path) == extras


@pytest.mark.slow
def test_kernels_need_no_more_than_their_compilers(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BENCH, ",".join(UNNEEDED)], cwd=tmp_path, capture_output=True,
        text=True, check=False, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_python_that_is_given_keeps_where_it_finds_packages(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$PYTHONPATH"\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "--silent", f"PYTHON={python}", "silicon"], cwd=ROOT, check=True,
        env={**os.environ, "PYTHONPATH": "/opt/packages"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "/opt/packages\n"
