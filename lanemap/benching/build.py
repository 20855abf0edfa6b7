"""Builds a kernel: NVRTC makes PTX of its source, its includes and its emitted headers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from lanemap import paths
from lanemap.errors import UserError
from lanemap.toolchain import nvrtc

#: How the names of sources end: CUDA C++, HIP, C and assembly.
SUFFIXES = (".cu", ".hip", ".c", ".s")

#: NVRTC writes the current folder before the names of sources, which lie in none. Without it a text
#: is the same wherever it is made, and so is its hash.
_FOLDER = re.compile(r'^(\s*\.file\s+\d+ ")[^"]*/', re.MULTILINE)


def sources(kernel: str, target: str) -> dict[str, str]:
    """Return a kernel's source and the headers of kernels/include, by name; its own comes first.

    Raises:
        UserError: there is no such kernel, or it has no source for the target.
    """
    folder = paths.find("kernels")
    places = [folder / kernel / f"{target}{suffix}" for suffix in SUFFIXES]
    path = next((each for each in places if each.is_file()), None)
    if path is None:
        raise UserError(f"kernel {kernel!r} has no source for {target}: there is no {places[0]}")
    headers = {each.name: each.read_text() for each in sorted((folder / "include").glob("*.h"))}
    return {f"{kernel}{path.suffix}": path.read_text(), **headers}


def debugging() -> dict[str, int]:
    """Return the macro that compiles in the checkpoints and checks of kernels/include/debug.h.

    The environment variable LANEMAP_DEBUG switches them on, unless it is empty or 0.
    """
    return {"LANEMAP_DEBUG": int(os.environ.get("LANEMAP_DEBUG", "0") not in ("", "0"))}


def compile_kernel(
    texts: Mapping[str, str], target: str, defines: Mapping[str, int], emitted: Mapping[str, str]
) -> str:
    """Return the PTX of a kernel.

    Args:
        texts: As `sources` returns them.
        target: "sm_90a", ..
        defines: Macros of the source, by name.
        emitted: Headers that lanemap has made, by name.

    Raises:
        UserError: NVRTC refuses the source.
        MissingEnvironment: NVRTC is not here.
    """
    name, *_ = texts
    headers = {each: text for each, text in texts.items() if each != name}
    options = ["-lineinfo", *(f"-D{each}={value}" for each, value in sorted(defines.items()))]
    text = nvrtc.compile_cuda(texts[name], target, options, name, {**headers, **emitted})
    return _FOLDER.sub(r"\1", text)
