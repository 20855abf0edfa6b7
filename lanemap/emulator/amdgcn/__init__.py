"""AMDGCN assembly of CDNA: parser, instruction table and semantics."""

from __future__ import annotations

from lanemap.emulator.amdgcn.entry import LoadedAssembly
from lanemap.emulator.amdgcn.text import PROCESSOR
from lanemap.emulator.host.settings import Settings

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
    return LoadedAssembly(text, file, settings or Settings(), target)


def executes(name: str, target: str) -> bool:
    """Whether the emulator executes the instruction of this name for a target: "v_add_f32", say."""
    from lanemap.emulator.amdgcn import isa  # noqa: F401  fills the table of instructions
    from lanemap.emulator.amdgcn.lower.table import lookup

    return lookup(name, target) is not None
