"""AMDGCN assembly for gfx950: parser, instruction table and semantics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lanemap.emulator.amdgcn import isa as isa  # fills the table of instructions

if TYPE_CHECKING:
    from lanemap.emulator.amdgcn.lower.loaded import LoadedAssembly
    from lanemap.layout import LayoutMap

__all__ = ["load"]


def load(
    text: str, file: str, models: Mapping[str, LayoutMap], strict: bool
) -> LoadedAssembly:
    """Parse a file; each kernel is checked and lowered at its first use.

    Args:
        text: AMDGCN assembly for gfx950.
        file: Its name, for messages.
        models: Maps that replace the model's, by the variant's name.
        strict: Whether wait states are missing where only one of their sources asks for them.

    Raises:
        AssemblyError: Something is malformed; the message names file and line.
    """
    from lanemap.emulator.amdgcn.lower.loaded import load_assembly

    return load_assembly(text, file, models, strict)
