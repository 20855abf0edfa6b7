"""A driver library without a GPU, so that the real hip-python runs its real calls."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def fake_hip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds libamdhip64.so, built from fake_hip.c."""
    folder = tmp_path_factory.mktemp("hip")
    clang = ["clang", "-target", "x86_64-linux-gnu", "-fPIC", "-O1", "-c", HERE / "fake_hip.c"]
    for command in (clang + ["-o", "o"], ["ld.lld", "-shared", "o", "-o", "libamdhip64.so"]):
        subprocess.run([sys.executable, "-m", "ziglang", *command], cwd=folder, check=True)
    return folder
