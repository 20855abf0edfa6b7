"""AMDGCN assembly for gfx950: parser, instruction table and semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanemap.emulator.amdgcn import isa as isa  # fills the table of instructions
from lanemap.emulator.codegen.garbage import without_collections
from lanemap.emulator.host.settings import Settings

if TYPE_CHECKING:
    from lanemap.emulator.amdgcn.lower.loaded import LoadedAssembly

__all__ = ["executes", "load"]


def load(text: str, file: str, settings: Settings | None = None) -> LoadedAssembly:
    """Parse a file; each kernel is checked and lowered at its first use.

    Args:
        text: AMDGCN assembly for gfx950.
        file: Its name, for messages.
        settings: Settings with the `models` and `strict` of the text; None for the defaults.

    Raises:
        AssemblyError: Something is malformed; the message names file and line.
    """
    from lanemap.emulator.amdgcn.lower.loaded import load_assembly

    with without_collections():
        return load_assembly(text, file, settings or Settings())


def executes(name: str) -> bool:
    """Whether the emulator executes the gfx950 instruction of this name, such as "v_add_f32"."""
    from lanemap.emulator.amdgcn.lower.table import lookup

    return lookup(name) is not None
