"""Which of the forms that ptxas accepts the emulator executes, and why not the others.

`python -m lanemap.emulator.ptx.forms.coverage sm_90a sm_100a` loads a kernel of each and stores
what is refused beside this file; `coverage` reads it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.emulator.ptx.forms.judged import accepted, all_forms, judgement
from lanemap.emulator.ptx.forms.packing import pack_reasons, unpack_reasons
from lanemap.emulator.ptx.forms.rows import HEAD, Form, kernel
from lanemap.emulator.ptx.lower.entry import load
from lanemap.emulator.ptx.text.errors import PtxError


@dataclass(frozen=True)
class Coverage:
    """How many forms of a family ptxas accepts, and how many of them the emulator executes."""

    family: str
    accepted: int
    executed: int


def text_of(form: Form, target: str) -> str:
    """Return a PTX text with a kernel that has the form, or calls a function that has it."""
    text = HEAD.format(target=target) + kernel(form, "form")
    if form.context == "func":
        text += ".entry caller() { .param .align 32 .b8 a[64]; call form, (a); ret; }\n"
    return text


def refusal(form: Form, target: str) -> str | None:
    """Return the emulator's reason for not executing a form, without names; None if it does."""
    try:
        for entry in load(text_of(form, target), "form.ptx", {}).kernels.values():
            entry.require()
    except PtxError as error:
        return re.sub(r" `[^`]*`|`[^`]*`: ", "", str(error).split(": ", 1)[1])
    return None


def accepted_forms(target: str) -> Iterator[tuple[str, Form]]:
    """Yield the forms that ptxas accepts for a target, with their families."""
    forms = all_forms()
    return (forms[name] for name in accepted(target))


def write(target: str) -> int:
    """Try every accepted form and store the refused ones; return how many they are."""
    reasons: dict[str, str] = {}
    for _, form in accepted_forms(target):
        reason = refusal(form, target)
        if reason is not None:
            reasons[form.name] = reason
    title = (
        f"# {target}: {len(reasons)} of {len(accepted(target))} forms that ptxas accepts and the "
        f"emulator does not execute; python -m lanemap.emulator.ptx.forms.coverage {target}"
    )
    lines = [title, *pack_reasons(reasons)]
    judgement(target, "unsupported").write_text("\n".join(lines) + "\n")
    return len(reasons)


def unsupported(target: str) -> dict[str, str]:
    """Return the accepted forms that the emulator refuses, with its reason.

    Raises:
        FileNotFoundError: nobody has tried that target.
    """
    return unpack_reasons(judgement(target, "unsupported").read_text().splitlines()[1:])


def coverage(target: str) -> list[Coverage]:
    """Return the counts by family.

    Raises:
        FileNotFoundError: nobody has tried that target.
    """
    missing = unsupported(target)
    counts: dict[str, list[int]] = {}
    for family, form in accepted_forms(target):
        count = counts.setdefault(family, [0, 0])
        count[0] += 1
        count[1] += form.name not in missing
    return [Coverage(family, *count) for family, count in counts.items()]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {write(name)} forms not executed")
