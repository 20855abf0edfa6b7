"""The target of a user's kernel, read from the text's own directive."""

from __future__ import annotations

from pathlib import Path

from lanemap.errors import UserError
from lanemap.targets import TARGETS, runs_on

#: What a source is compiled for unless a target is named, by its language.
_DEFAULTS = {"cuda": "sm_90a", "hip": "gfx950"}


def chosen_target(file: Path, target: str) -> str:
    """Return a target that was named for a file, or else the file's own.

    Raises:
        UserError: the file is for the other vendor, cannot be read, or names no target.
    """
    from lanemap.devices import target_named

    if not target:
        return target_of(file)
    require_instruction_set(file, target_named(target))
    return target_named(target)


def target_of(file: Path) -> str:
    """Return the target that a file's own directive names, or its object's metadata.

    HIP is for gfx950, CUDA C++ for sm_90a, unless another target is named.

    Raises:
        UserError: the file cannot be read, or names no target.
    """
    from lanemap.devices.sources import read_source
    from lanemap.toolchain.codeobject import read_code_object
    from lanemap.toolchain.sources import SUFFIXES

    language = SUFFIXES.get(file.suffix)
    if language in _DEFAULTS:
        return _DEFAULTS[language]
    content, name = read_source(file)
    if isinstance(content, bytes):
        return read_code_object(content, name).target
    known = ", ".join(TARGETS)
    if language is not None:
        raise UserError(f"{name} can be compiled for several targets; give --target ({known})")
    named = _named_target(content)
    if named is None:
        raise UserError(
            f"{name} names no target (.amdgcn_target or .target); give --target ({known})"
        )
    return named


def require_instruction_set(file: Path, target: str) -> None:
    """Refuse a file that is written for a target of the other vendor.

    Raises:
        UserError: the file cannot be read, or is such a one.
    """
    from lanemap.devices.sources import read_source
    from lanemap.toolchain.sources import SUFFIXES

    language, amd = SUFFIXES.get(file.suffix), target.startswith("gfx")
    if language == "cuda" and amd:
        raise UserError(f"{file} is CUDA C++, which is not compiled for {target}; write HIP (.hip)")
    if language == "hip" and not amd:
        raise UserError(f"{file} is HIP, which is not compiled for {target}; write CUDA C++ (.cu)")
    if language is not None:
        return
    content, name = read_source(file)
    named = _named_target(content) if isinstance(content, str) else None
    if named is not None and named.startswith("gfx") != amd:
        raise UserError(f"{name} is assembly for {named}; --target {target} does not execute it")


def _named_target(content: str) -> str | None:
    """Return the target here that executes a text by its own directive; None if it has none."""
    from lanemap.devices.sources import written_for

    named = written_for(content)
    return named if named is None or named.startswith("gfx") else _executing(named)


def _executing(target: str) -> str:
    """Return the oldest target here that executes PTX for a target, or the target itself."""
    gpus = [each for each in TARGETS if each.startswith("sm_") and runs_on(target, each)]
    return min(gpus, key=lambda each: TARGETS[each].capability, default=target)
