"""A user's file as a module: its compiler's options, and which kernel of it is meant."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.devices import Device, Module


@dataclass(frozen=True)
class CompilerOptions:
    """What the command line gives to a compiler, as its options write it."""

    defines: Sequence[str] = ()
    includes: Sequence[str] = ()
    standard: str = ""
    fast_math: bool = False
    optimization: str = ""

    def words(self, language: str | None, target: str) -> list[str]:
        """Return the options for the compiler of a language for a target.

        Raises:
            UserError: that compiler has none of the kind, or there is none.
        """
        words = [*(f"-D{each}" for each in self.defines), *(f"-I{each}" for each in self.includes)]
        nvidia = not target.startswith("gfx")
        if self.standard:
            words.append(f"-std={self.standard}")
        if self.fast_math:
            words.append("--use_fast_math" if nvidia else "-ffast-math")
        if self.optimization:
            if self.optimization not in ("0", "1", "2", "3"):
                raise UserError(f"-O{self.optimization} is not one of -O0, -O1, -O2, -O3")
            if language and nvidia:
                raise UserError("-O is clang's, for AMD's targets; NVRTC and nvcc always optimize")
            words.append(f"-O{self.optimization}")
        return words


def compiled(
    device: Device, file: Path, options: CompilerOptions, instances: Sequence[str] = ()
) -> Module:
    """Compile a source, or load what is compiled already; say what is notable, in one line.

    Raises:
        UserError: the file cannot be read, compiled or loaded, or options are given for nothing.
        MissingEnvironment: there is no compiler.
    """
    from lanemap.toolchain.sources import SUFFIXES

    language = SUFFIXES.get(file.suffix)
    words = options.words(language, device.target)
    if not language:
        if words:
            raise UserError(
                f"{file} is not compiled, so -D, -I, -O, -std and --use_fast_math have no effect; "
                "remove them"
            )
        return device.load(file)
    module = device.compile(file, language, words, instances)
    if module.note:
        print(f"lanemap: {module.note}", file=sys.stderr)
    return module


def only_entry(module: Module, file: Path) -> str:
    """Return the kernel of a module that has one, not counting those of libraries.

    Raises:
        UserError: it has none, or several.
    """
    from lanemap.devices import kernel_names

    own = [each for each in module.entries if not kernel_names.of_library(each)]
    found = own if own else list(module.entries)
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(
            f"{file} has {len(found)} kernels ({kernel_names.listed(found)}); give --entry"
        )
    raise UserError(
        f"{file} has no kernels; a template is one where it is launched, or named by --entry, such "
        "as --entry 'scale<float>'"
    )
