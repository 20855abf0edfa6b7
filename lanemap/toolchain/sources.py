"""Compiles source in a higher language to the text that a target's devices load."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lanemap.errors import MissingEnvironment, UserError
from lanemap.toolchain import amdgpu, nvcc, nvrtc

CUDA_LANGUAGES = ("cuda", "c")
#: Files in a higher language, by their suffix.
SUFFIXES = {".cu": "cuda", ".hip": "hip", ".cpp": "hip", ".c": "c"}
_COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)


@dataclass(frozen=True)
class Compilation:
    """What a compiler made of a source.

    Attributes:
        text: PTX or AMDGCN assembly.
        note: What whoever compiled should know of how it was made, a sentence; mostly "".
    """

    text: str
    note: str = ""


def default_language(target: str) -> str:
    """The language of a source for a target unless another one is named."""
    return "hip" if target.startswith("gfx") else "cuda"


def text_suffix(target: str) -> str:
    """The suffix of files with a target's assembly."""
    return "s" if target.startswith("gfx") else "ptx"


def compile_source(
    source: str,
    target: str,
    language: str | None,
    name: str,
    options: Sequence[str] = (),
    instances: Sequence[str] = (),
) -> Compilation:
    """Compile to assembly (gfx targets: HIP or C) or PTX (sm targets: CUDA C++).

    `options` are the compiler's (clang's, NVRTC's or nvcc's): defines, include folders, .. The
    text names the lines of the source, so that a hazard can. `instances` are templates of CUDA C++
    to instantiate, with their arguments.

    Raises:
        UserError: The language is none of the target's, or the compiler refuses a line or option.
        MissingEnvironment: There is no compiler for the target.
    """
    language = language or default_language(target)
    if target.startswith("gfx"):
        if instances:
            raise UserError(f"{instances[0]} cannot be named here: instantiate it in the source")
        return Compilation(amdgpu.compile_to_assembly(source, target, language, name, options))
    if language not in CUDA_LANGUAGES:
        raise UserError(f"language {language!r} is not one of {', '.join(CUDA_LANGUAGES)}")
    bare = _COMMENT_OR_STRING.sub(" ", source)
    if "<<<" not in bare:
        try:
            given = ["-lineinfo", *options]
            return Compilation(nvrtc.compile_cuda(source, target, given, name, None, instances))
        except nvrtc.HostCode as error:
            without = error
    else:
        without = nvrtc.HostCode(f"{name} launches kernels with <<<>>>, which NVRTC does not take")
    try:
        text = nvcc.compile_cuda(source, target, options, name, instances)
    except MissingEnvironment as error:
        raise MissingEnvironment(f"{without}, and {error}") from error
    main = "; main() is not run" if re.search(r"\bmain\s*\(", bare) else ""
    return Compilation(text, f"{name} has host code, so nvcc compiles it{main}")
