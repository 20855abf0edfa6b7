"""A driver library whose GPU is the emulator, so that the real hip-python runs its real calls."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment under which hip-python finds the stand-in as ROCm's library."""
    folder = tmp_path_factory.mktemp("rocm")
    (folder / "lib").mkdir()
    source = HERE / "hip_stand_in.c"
    clang = ["clang", "-target", "x86_64-linux-gnu", "-fPIC", "-O1", "-Wall", "-Werror", "-c"]
    link = ["ld.lld", "-shared", "o", "-o", "lib/libamdhip64.so"]
    for command in ([*clang, str(source), "-o", "o"], link):
        subprocess.run([sys.executable, "-m", "ziglang", *command], cwd=folder, check=True)
    path = folder / "gpu"
    server = subprocess.Popen(
        [sys.executable, HERE / "hip_server.py", path],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(HERE.parent.parent)),
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    try:
        yield {"ROCM_PATH": str(folder), "LANEMAP_STAND_IN": str(path)}
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()
