"""From source in a higher language to the text that a target's devices load."""

from __future__ import annotations

from lanemap.errors import UserError
from lanemap.toolchain import amdgpu, nvrtc

CUDA_LANGUAGES = ("cuda", "c")


def default_language(target: str) -> str:
    """The language of a source for a target unless another one is named."""
    return "hip" if target.startswith("gfx") else "cuda"


def compile_source(source: str, target: str, language: str | None, name: str) -> str:
    """Return assembly (gfx targets: from HIP or C) or PTX (sm targets: from CUDA C++).

    Raises:
        UserError: The language is none of the target's, or the compiler refuses a line.
        MissingEnvironment: There is no compiler for the target.
    """
    language = language or default_language(target)
    if target.startswith("gfx"):
        return amdgpu.compile_to_assembly(source, target, language, name)
    if language not in CUDA_LANGUAGES:
        raise UserError(f"language {language!r} is none of {', '.join(CUDA_LANGUAGES)}")
    return nvrtc.compile_cuda(source, target, name=name)
