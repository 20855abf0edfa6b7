"""Which of the forms that ptxas accepts the emulator executes, and why it refuses the others.

`python -m lanemap.conformance.forms.coverage sm_90a sm_100a` loads one kernel for each form and
stores the refusals beside this file; `coverage` reads them.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from lanemap.conformance.forms.judged import accepted, all_forms, judgement
from lanemap.conformance.forms.packing import pack_reasons, unpack_reasons
from lanemap.conformance.forms.rows import HEAD, Form, kernel
from lanemap.devices import Device, open_device
from lanemap.errors import UserError


@dataclass(frozen=True)
class Coverage:
    """How many forms of a family ptxas accepts, and how many of them the emulator executes."""

    family: str
    accepted: int
    executed: int


def text_of(form: Form, target: str) -> str:
    """Return PTX with a kernel that uses the form, or that calls a function that uses it."""
    text = HEAD.format(target=target) + kernel(form, "form")
    if form.context == "func":
        text += ".entry caller() { .param .align 32 .b8 a[64]; call form, (a); ret; }\n"
    return text


def refusal(form: Form, emulator: Device) -> str | None:
    """Return why the emulator refuses a form, without operand names; None if it executes it."""
    try:
        module = emulator.load(text_of(form, emulator.target))
        for entry in module.entries:
            module[entry]
    except UserError as error:
        return re.sub(r" `[^`]*`|`[^`]*`: ", "", str(error).split(": ", 1)[1])
    return None


def write(target: str) -> int:
    """Try every accepted form and store the refusals; return how many there are."""
    emulator = open_device(target, device="emulator")
    reasons: dict[str, str] = {}
    for name in accepted(target):
        reason = refusal(all_forms()[name][1], emulator)
        if reason is not None:
            reasons[name] = reason
    title = (
        f"# {target}: {len(reasons)} of {len(accepted(target))} forms that ptxas accepts and the "
        f"emulator does not execute; python -m lanemap.conformance.forms.coverage {target}"
    )
    lines = [title, *pack_reasons(reasons)]
    judgement(target, "unsupported").write_text("\n".join(lines) + "\n")
    return len(reasons)


def unsupported(target: str) -> dict[str, str]:
    """Return the accepted forms that the emulator refuses, with its reasons.

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
    for name in accepted(target):
        count = counts.setdefault(all_forms()[name][0], [0, 0])
        count[0] += 1
        count[1] += name not in missing
    return [Coverage(family, *count) for family, count in counts.items()]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {write(name)} forms not executed")
