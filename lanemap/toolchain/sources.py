"""Compiles source in a higher language to the text that a target's devices load."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.errors import UserError
from lanemap.toolchain import amdgpu, nvrtc

CUDA_LANGUAGES = ("cuda", "c")
#: Files in a higher language, by their suffix.
SUFFIXES = {".cu": "cuda", ".hip": "hip", ".cpp": "hip", ".c": "c"}


def default_language(target: str) -> str:
    """The language of a source for a target unless another one is named."""
    return "hip" if target.startswith("gfx") else "cuda"


def text_suffix(target: str) -> str:
    """The suffix of files with a target's assembly."""
    return "s" if target.startswith("gfx") else "ptx"


def compile_source(
    source: str, target: str, language: str | None, name: str, options: Sequence[str] = ()
) -> str:
    """Return assembly (gfx targets: from HIP or C) or PTX (sm targets: from CUDA C++).

    `options` are the compiler's (clang's or NVRTC's): defines, include folders, .. The text names
    the lines of the source, so that a hazard can.

    Raises:
        UserError: The language is none of the target's, or the compiler refuses a line or option.
        MissingEnvironment: There is no compiler for the target.
    """
    language = language or default_language(target)
    if target.startswith("gfx"):
        return amdgpu.compile_to_assembly(source, target, language, name, options)
    if language not in CUDA_LANGUAGES:
        raise UserError(f"language {language!r} is not one of {', '.join(CUDA_LANGUAGES)}")
    return nvrtc.compile_cuda(source, target, ["-lineinfo", *options], name)
