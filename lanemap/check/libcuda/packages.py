"""The versions of packages on the driver API that lanemap is tested with; others are refused."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path

from lanemap.check.imports import wrong_version

#: Packages by the module that a script imports: the versions that the tests run with.
VERSIONS = {
    "numba_cuda": ("numba-cuda", "0.30"),
    "cuda.core": ("cuda-core", "1.2"),
    "cuda.bindings": ("cuda-bindings", "13.5"),
    "warp": ("warp-lang", "1.19"),
}
_WARP = (
    "Warp's library asks for tables of NVIDIA's driver that are not public; `lanemap check SCRIPT` "
    "makes it do without them"
)


def installed(module: str) -> str:
    """Return the version of a package; "" where it is not installed."""
    try:
        found = importlib.util.find_spec(module.partition(".")[0])
        return importlib.metadata.version(VERSIONS[module][0]) if found else ""
    except importlib.metadata.PackageNotFoundError:
        return ""


def is_known(module: str, version: str) -> bool:
    """Whether the tests run with a version."""
    return version.startswith(f"{VERSIONS[module][1]}.")


def requirement(module: str) -> str:
    """Return the requirement that pip is given for a version that the tests run with."""
    package, known = VERSIONS[module]
    return f"{package}=={known}.*"


def refusal_of(process: int) -> str:
    """Say why a process cannot use the driver: "" unless it has loaded what is refused.

    Python packages load libraries of their own before they load the driver.
    """
    try:
        maps = Path(f"/proc/{process}/maps").read_text(errors="replace").splitlines()
    except OSError:
        return ""
    paths = {line.partition("/")[2] for line in maps}
    for module, (package, known) in VERSIONS.items():
        inside = f"/{module.replace('.', '/')}/"
        folders = {f"/{path.partition(inside)[0]}" for path in paths if inside in path}
        for folder in sorted(folders):
            for found in Path(folder).glob(f"{package.replace('-', '_')}-*.dist-info"):
                version = found.name.removesuffix(".dist-info").rpartition("-")[2]
                if not is_known(module, version):
                    return wrong_version(package, known, version, requirement(module))
                if module == "warp":
                    return _WARP
    return ""
