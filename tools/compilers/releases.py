"""Releases of compilers as wheels of PyPI: the last patch of each minor release, 25 in all.

The stored rows also have answers of ptxas 13.1, 13.2 and 13.3, which are those of 13.0 and 13.4. A
wheel is unpacked, never installed: its programs need nothing of the environment.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lanemap.errors import MissingEnvironment
from lanemap.toolchain import ptxas


@dataclass(frozen=True)
class Release:
    """One release of a compiler.

    Attributes:
        compiler: "ptxas", "triton" or "clang".
        project: Its name on PyPI.
        version: Of the wheel.
    """

    compiler: str
    project: str
    version: str

    @property
    def name(self) -> str:
        """The compiler and the version, "ptxas 12.0.140"."""
        return f"{self.compiler} {self.version}"


def _each(compiler: str, project: str, versions: str) -> tuple[Release, ...]:
    return tuple(Release(compiler, project, version) for version in versions.split())


RELEASES = (
    *_each(
        "ptxas",
        "nvidia-cuda-nvcc-cu12",
        "12.0.140 12.1.105 12.2.140 12.3.107 12.4.131 12.5.82 12.6.85 12.8.93 12.9.86",
    ),
    *_each("ptxas", "nvidia-cuda-nvcc", "13.0.88 13.4.92 13.5.37"),
    *_each("triton", "triton", "3.0.0 3.1.0 3.2.0 3.3.1 3.4.0 3.5.1 3.6.0"),
    *_each("clang", "ziglang", "0.12.1 0.13.0.post1 0.14.1 0.15.2 0.16.0 0.17.1"),
)


def of(compiler: str) -> tuple[Release, ...]:
    """The releases of one compiler, oldest first."""
    return tuple(each for each in RELEASES if each.compiler == compiler)


def wheel(release: Release, folder: Path) -> Path:
    """The wheel of a release in `folder`, downloaded with pip unless it is there.

    Raises:
        MissingEnvironment: pip cannot get it.
    """
    stem = f"{release.project.replace('-', '_')}-{release.version}-"
    for there in folder.glob(f"{stem}*.whl"):
        return there
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
    done = subprocess.run([*map(str, words), f"{release.project}=={release.version}"])
    found = next(folder.glob(f"{stem}*.whl"), None)
    if done.returncode or found is None:
        raise MissingEnvironment(f"pip cannot download {release.project} {release.version}")
    return found


def unpack(release: Release, wheels: Path, programs: Path) -> Path:
    """Unpack what a release needs to run; return its folder.

    Raises:
        MissingEnvironment: pip cannot get the wheel.
    """
    place = programs / release.name.replace(" ", "-")
    if not place.is_dir():
        part = place.with_name(f"{place.name}.part")
        with zipfile.ZipFile(wheel(release, wheels)) as archive:
            names = archive.namelist()
            if release.compiler == "ptxas":
                names = [each for each in names if each.endswith("/bin/ptxas")]
            archive.extractall(part, names)
        for path in _programs(part):
            path.chmod(0o755)
        part.rename(place)
    return place


def _programs(place: Path) -> Iterable[Path]:
    yield from (each for each in place.rglob("bin/*") if each.is_file())
    yield from place.glob("ziglang/zig")


def program(release: Release, wheels: Path, programs: Path) -> str:
    """The path of a release's ptxas or zig.

    Raises:
        MissingEnvironment: pip cannot get the wheel, or it has no such program.
    """
    name = {"ptxas": "bin/ptxas", "clang": "ziglang/zig"}[release.compiler]
    place = unpack(release, wheels, programs)
    found = next((each for each in place.rglob(Path(name).name) if str(each).endswith(name)), None)
    if found is None:
        raise MissingEnvironment(f"the wheel of {release.name} has no {name}")
    return str(found)


def digest(path: str) -> str:
    """The hash of a program."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def newest_ptx(path: str) -> tuple[int, int]:
    """The newest version of PTX that a ptxas knows, (8, 0); it names it when it refuses another.

    Raises:
        MissingEnvironment: it does not say so.
    """
    text = ".version 99.0\n.target sm_90\n.address_size 64\n"
    _, found = ptxas.judge(text, "sm_90", program=path)
    for each in found:
        if match := re.search(r"current version is '(\d+)\.(\d+)'", each.message):
            return int(match[1]), int(match[2])
    raise MissingEnvironment(f"{path} does not say which PTX it knows: {found}")
