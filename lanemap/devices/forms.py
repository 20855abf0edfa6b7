"""The forms of PTX that ptxas accepts for a target, for those who write programs of them."""

from __future__ import annotations

from lanemap.emulator.ptx.forms.judged import accepted, all_forms
from lanemap.emulator.ptx.forms.packing import pack, unpack
from lanemap.emulator.ptx.forms.rows import Form

__all__ = ["Form", "accepted_forms", "pack", "unpack"]


def accepted_forms(target: str) -> list[Form]:
    """Return every opcode and type form that ptxas accepts for a target, in a fixed order.

    Raises:
        FileNotFoundError: nobody has judged that target.
    """
    forms = all_forms()
    return [forms[name][1] for name in sorted(accepted(target))]
