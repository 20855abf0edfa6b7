"""The forms of PTX: which of them ptxas accepts for a target, and which the emulator executes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lanemap.emulator.ptx.forms.coverage import Coverage, coverage, unsupported
from lanemap.emulator.ptx.forms.judged import HERE, accepted, all_forms, refused
from lanemap.emulator.ptx.forms.packing import pack, unpack
from lanemap.emulator.ptx.forms.rows import Form

__all__ = [
    "Coverage", "Form", "accepted_forms", "count_by_family", "coverage", "judged_targets", "pack",
    "refused", "unpack", "unsupported",
]  # fmt: skip


def accepted_forms(target: str) -> list[Form]:
    """Return every opcode and type form that ptxas accepts for a target, in a fixed order.

    Raises:
        FileNotFoundError: nobody has judged that target.
    """
    forms = all_forms()
    return [forms[name][1] for name in sorted(accepted(target))]


def count_by_family(target: str, packed: Iterable[str]) -> Counter[str]:
    """Count those of the accepted forms that `packed`, lines of `pack`, stand for, by family.

    Raises:
        FileNotFoundError: nobody has judged that target.
    """
    forms = all_forms()
    return Counter(forms[name][0] for name in set(unpack(packed)) & set(accepted(target)))


def judged_targets() -> tuple[str, ...]:
    """Return the targets whose forms ptxas has judged and the emulator has tried."""
    names = (path.name.removesuffix(".unsupported.txt") for path in HERE.glob("*.unsupported.txt"))
    return tuple(sorted(names))
