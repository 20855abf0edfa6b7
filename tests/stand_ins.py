"""Drivers' libraries that have no GPU behind them: tests/devices has their sources."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

SOURCES = Path(__file__).parent / "devices"
CLANG = ("clang", "-target", "x86_64-linux-gnu", "-fPIC", "-O1", "-Wall", "-Werror", "-c")


@contextmanager
def _running(target: str, source: str, library: str, folder: Path) -> Iterator[dict[str, str]]:
    """Build a library and start the server behind it; give the environment of its users.

    Texts of cubins are sought in `folder`/texts, by the hash of the cubin.
    """
    (folder / "lib").mkdir()
    texts = folder / "texts"
    link = ["ld.lld", "-shared", "o", "-o", f"lib/{library}"]
    for command in ([*CLANG, str(SOURCES / source), "-o", "o"], link):
        subprocess.run([sys.executable, "-m", "ziglang", *command], cwd=folder, check=True)
    path = folder / "gpu"
    cubins = [] if target.startswith("gfx") else [str(texts)]
    server = subprocess.Popen(
        [sys.executable, SOURCES / "stand_in_server.py", path, target, *cubins],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(SOURCES.parent.parent)),
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    try:
        found = {"ROCM_PATH": str(folder), "LANEMAP_STAND_IN": str(path)}
        yield {**found, "LD_LIBRARY_PATH": str(folder / "lib")}
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


#: By target: makes the library in a folder, and gives the environment under which it is found.
STAND_INS: Mapping[str, Callable[[Path], AbstractContextManager[dict[str, str]]]] = {
    "gfx950": partial(_running, "gfx950", "hip_stand_in.c", "libamdhip64.so"),
    "sm_90a": partial(_running, "sm_90a", "cuda_stand_in.c", "libcuda.so.1"),
}
