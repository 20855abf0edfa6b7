"""Builds a kernel: NVRTC makes PTX of its source, its includes and its emitted headers."""

from __future__ import annotations

import hashlib
import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from lanemap import cache, paths
from lanemap.benching.compiled import COMPILED, Wanted
from lanemap.errors import UserError
from lanemap.toolchain import nvrtc

if TYPE_CHECKING:
    from lanemap.records.files import Roots

#: How the names of sources end: CUDA C++, HIP, C and assembly.
SUFFIXES = (".cu", ".hip", ".c", ".s")

#: NVRTC writes the current folder before the names of sources, which lie in none. Without it a text
#: is the same wherever it is made, and so is its hash.
_FOLDER = re.compile(r'^(\s*\.file\s+\d+ ")[^"]*/', re.MULTILINE)


def sources(kernel: str, target: str) -> dict[str, str]:
    """Return a kernel's source and the headers of kernels/include, by name; its own comes first.

    Args:
        kernel: Name of its folder.
        target: Name of the source, which is that of its target unless a kernel has several.

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
        texts: The result of `sources`.
        target: "sm_90a", ..
        defines: Macros of the source, by name.
        emitted: Headers that lanemap has made, by name.

    Raises:
        UserError: NVRTC refuses the source, or the folder of compiled code that is in use lacks it.
        MissingEnvironment: NVRTC is not here.
    """
    name, *_ = texts
    headers = {**{each: text for each, text in texts.items() if each != name}, **emitted}
    options = ["-lineinfo", *(f"-D{each}={value}" for each, value in sorted(defines.items()))]

    given = [texts[name], *(part for item in sorted(headers.items()) for part in item)]

    def compiled() -> bytes:
        text = nvrtc.compile_cuda(texts[name], target, options, name, headers)
        return _FOLDER.sub(r"\1", text).encode()

    def make() -> bytes:
        if any("#include <" in each for each in given):
            return compiled()  # what CUDA's own headers say is not in the key
        what = ["kernel", nvrtc.identity(), name, target, *options, *given]
        return cache.cached(hashlib.sha256(json.dumps(what).encode()).hexdigest(), compiled)

    return COMPILED.get(Wanted("ptx", name, target, tuple(options)), given, make).decode()


class Typed(Protocol):
    """A problem whose operands have a type."""

    @property
    def element(self) -> str:
        """The type's name."""


ProblemT = TypeVar("ProblemT", bound=Typed)
TilingT = TypeVar("TilingT")


class CompiledKernel(ABC, Generic[ProblemT, TilingT]):
    """A kernel whose PTX depends on the problem's types and on the tile, and on no size.

    Attributes:
        name: Name of the folder in kernels/ and of the entry.
        target: An instruction set.
    """

    name: str
    target: str

    @property
    def stem(self) -> str:
        """Name of the source in the folder, without its suffix."""
        return self.target

    @cached_property
    def _texts(self) -> dict[tuple[Any, ...], str]:
        return {}

    @abstractmethod
    def defines(self, problem: ProblemT, tiling: TilingT) -> dict[str, int]:
        """Return the macros of the source."""

    @abstractmethod
    def headers(self, problem: ProblemT, tiling: TilingT, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name; `results` is where observations are.

        Raises:
            UserError: a map was never observed.
        """

    def ptx(self, problem: ProblemT, tiling: TilingT, results: Roots | None = None) -> str:
        """Return the kernel's PTX for a tile; texts are kept.

        Args:
            problem: Its types and options choose the text, its sizes do not.
            tiling: The tile.
            results: Folders of observations; by default those that lanemap came with.

        Raises:
            UserError: a map was never observed, or NVRTC refuses the source.
            MissingEnvironment: NVRTC is not here.
        """
        key = (problem.element, str(results), *sorted(self.defines(problem, tiling).items()))
        if key not in self._texts:
            texts = sources(self.name, self.stem)
            self._texts[key] = self.compile(problem, tiling, texts, results)
        return self._texts[key]

    def compile(
        self,
        problem: ProblemT,
        tiling: TilingT,
        texts: Mapping[str, str],
        results: Roots | None = None,
    ) -> str:
        """Return the PTX of given source texts; see `sources` and `ptx`."""
        roots = results if results is not None else paths.find("results")
        emitted = self.headers(problem, tiling, roots)
        return compile_kernel(texts, self.target, self.defines(problem, tiling), emitted)
