"""Which instructions AMD's targets have: beside each definition lies the list clang accepts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lanemap.targets.every import TARGETS


def list_of(target: str) -> Path:
    """The file with the names of a target's instructions, below a line that says who asked clang.

    `python -m lanemap.conformance.instructions` writes it.
    """
    return Path(__file__).with_name(f"{target}.instructions.txt")


@cache
def instructions_of(target: str) -> frozenset[str]:
    """Every mnemonic that clang's assembler accepts for a target, without suffixes."""
    return frozenset(list_of(target).read_text().partition("\n")[2].split())


@cache
def targets_with(*names: str, modeled: bool = True) -> tuple[str, ...]:
    """Return AMD's targets that have an instruction by any of its names, the oldest first.

    Args:
        names: Other spellings of one instruction.
        modeled: Leave out targets for which no maps are stated.
    """
    return tuple(
        each.name
        for each in TARGETS.values()
        if not each.is_nvidia
        and (each.modeled or not modeled)
        and instructions_of(each.name).intersection(names)
    )
