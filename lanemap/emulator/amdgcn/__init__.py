"""AMDGCN assembly of CDNA: parser, instruction table and semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanemap.emulator.amdgcn import isa as isa  # fills the table of instructions
from lanemap.emulator.amdgcn.text.module import PROCESSOR
from lanemap.emulator.codegen.garbage import without_collections
from lanemap.emulator.host.settings import Settings

if TYPE_CHECKING:
    from lanemap.emulator.amdgcn.lower.loaded import LoadedAssembly

__all__ = ["executes", "load"]


def load(
    text: str, file: str, settings: Settings | None = None, target: str = PROCESSOR
) -> LoadedAssembly:
    """Parse a file; each kernel is checked and lowered at its first use.

    Args:
        text: AMDGCN assembly.
        file: Its name, for messages.
        settings: Settings with the `models` and `strict` of the text; None for the defaults.

        target: The target that executes it, such as "gfx950".

    Raises:
        AssemblyError: Something is malformed; the message names file and line.
        UserError: The text is for another target.
    """
    from lanemap.emulator.amdgcn.lower.loaded import load_assembly

    with without_collections():
        return load_assembly(text, file, settings or Settings(), target)


def executes(name: str, target: str) -> bool:
    """Whether the emulator executes the instruction of this name for a target: "v_add_f32", say."""
    from lanemap.emulator.amdgcn.lower.table import lookup

    return lookup(name, target) is not None
