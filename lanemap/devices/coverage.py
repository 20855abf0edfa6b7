"""How much of PTX the emulator executes, measured against the forms that ptxas accepts."""

from __future__ import annotations

from lanemap.emulator.ptx.forms.coverage import Coverage, coverage, unsupported
from lanemap.emulator.ptx.forms.judged import refused

__all__ = ["Coverage", "coverage", "judged_targets", "refused", "unsupported"]


def judged_targets() -> tuple[str, ...]:
    """Return the targets whose forms ptxas has judged and the emulator has tried."""
    from lanemap.emulator.ptx.forms.judged import HERE

    names = (path.name.removesuffix(".unsupported.txt") for path in HERE.glob("*.unsupported.txt"))
    return tuple(sorted(names))
