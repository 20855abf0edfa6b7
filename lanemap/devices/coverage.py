"""How much of PTX the emulator executes, measured against the forms that ptxas accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lanemap.emulator.ptx.forms.coverage import Coverage, accepted_forms, coverage, unsupported
from lanemap.emulator.ptx.forms.judged import refused
from lanemap.emulator.ptx.forms.packing import pack, unpack

__all__ = [
    "Coverage", "count_by_family", "coverage", "judged_targets", "pack", "refused", "unsupported",
]  # fmt: skip


def count_by_family(target: str, packed: Iterable[str]) -> Counter[str]:
    """Count forms by family; `packed` are lines of `forms.packing.pack`."""
    names = set(unpack(packed))
    return Counter(family for family, form in accepted_forms(target) if form.name in names)


def judged_targets() -> tuple[str, ...]:
    """Return the targets whose forms ptxas has judged and the emulator has tried."""
    from lanemap.emulator.ptx.forms.judged import HERE

    names = (path.name.removesuffix(".unsupported.txt") for path in HERE.glob("*.unsupported.txt"))
    return tuple(sorted(names))
