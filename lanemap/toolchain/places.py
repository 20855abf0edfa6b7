"""Where NVIDIA's tools and libraries lie: in a PyPI wheel, on PATH, or in a CUDA toolkit.

The CUDA 13 wheels share one folder, `nvidia/cu13`, inside site-packages.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from lanemap.errors import MissingEnvironment, UserError, extra
from lanemap.targets import TARGETS

#: What the CUDA 13.0 tools generate code for (`ptxas --help`, option gpu-name).
_KNOWN = frozenset(
    ["sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a"]
    + [f"sm_{number}{suffix}" for number in (100, 103, 110, 120, 121) for suffix in ("", "a", "f")]
)


def check_target(target: str) -> None:
    """Refuse a target before a tool sees it: nvJitLink ends the process on some of them.

    Raises:
        UserError: CUDA 13.0 does not know it.
    """
    if target not in _KNOWN:
        ours = [each.name for each in TARGETS.values() if each.is_nvidia]
        raise UserError(
            f"target {target!r} is not known to CUDA 13.0; lanemap supports {', '.join(ours)}"
        )


def wheel_folder() -> Path | None:
    """Return the folder that the CUDA 13 wheels share, or None."""
    spec = importlib.util.find_spec("nvidia")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "cu13"
        if folder.is_dir():
            return folder
    return None


def toolkit_folders() -> list[Path]:
    """Return CUDA toolkits that this machine names or has in the usual place."""
    named = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    return [Path(place) for place in (*named, "/usr/local/cuda") if Path(place).is_dir()]


@cache
def find_program(name: str, package: str) -> str:
    """Return the path of a program of the CUDA toolkit.

    Raises:
        MissingEnvironment: it is not here; the sentence names the extra that brings `package`.
    """
    wheel = wheel_folder()
    places = [wheel / "bin" / name] if wheel else []
    found = shutil.which(name)
    places += [Path(found)] if found else []
    places += [folder / "bin" / name for folder in toolkit_folders()]
    for place in places:
        if os.access(place, os.X_OK):
            return str(place)
    raise MissingEnvironment(f"{name} is not installed: run {extra('nvidia')} ({package})")


@cache
def find_library(name: str, package: str) -> str:
    """Return the path of a shared library of the CUDA toolkit, such as libnvrtc.so.13.

    Raises:
        MissingEnvironment: it is not here; the sentence names the extra that brings `package`.
    """
    wheel = wheel_folder()
    folders = [wheel / "lib"] if wheel else []
    folders += [folder / "lib64" for folder in toolkit_folders()]
    for folder in folders:
        if (folder / name).exists():
            return str(folder / name)
    raise MissingEnvironment(f"{name} is not installed: run {extra('nvidia')} ({package})")


def identity(program: str) -> str:
    """Return what a program says of its version, which tells results of two versions apart.

    Raises:
        MissingEnvironment: it cannot be run.
    """
    try:
        return _identity(program, os.stat(program).st_mtime_ns)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingEnvironment(f"{program} cannot be run: {error}") from error


@cache
def _identity(program: str, _changed: int) -> str:
    command = (program, "--version")
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


def include_folders() -> list[Path]:
    """Return the folders with cuda_fp16.h and cub/cub.cuh; none when the headers are not here."""
    wheel = wheel_folder()
    folders = [wheel / "include"] if wheel else []
    folders += [folder / "include" for folder in toolkit_folders()]
    found = [folder for folder in folders if (folder / "cuda_fp16.h").exists()][:1]
    return found + [folder / "cccl" for folder in found if (folder / "cccl").exists()]
