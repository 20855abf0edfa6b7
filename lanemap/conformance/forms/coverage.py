"""Which of the forms that ptxas accepts the emulator executes, and why it refuses the others.

`python -m lanemap.conformance.forms.coverage sm_90a sm_100a` loads one kernel for each form and
stores the refusals beside this file; `coverage` reads them. With `--family texture --family
surface`, it tries these only and keeps the stored answers about all others.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection
from dataclasses import dataclass

from lanemap.conformance.forms.judged import FAMILIES, accepted, all_forms, judgement
from lanemap.conformance.forms.packing import pack_reasons, unpack_reasons
from lanemap.conformance.forms.rows import Form, head, kernel
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
    text = head(target, form.context) + kernel(form, "form")
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
        reason = re.sub(r" `[^`]*`|`[^`]*`: ", "", str(error).split(": ", 1)[1])
        return re.sub(r"^`[^`.]\S*`", "the instruction", reason)
    return None


def write(target: str, families: Collection[str] = FAMILIES) -> int:
    """Try every accepted form and store the refusals; return how many there are.

    Args:
        target: The instruction set.
        families: Try these only, and take the answers about others from what is stored.

    Raises:
        FileNotFoundError: no forms are stored for that target.
    """
    emulator = open_device(target, device="emulator")
    stored = unsupported(target) if set(families) < set(FAMILIES) else {}
    reasons: dict[str, str] = {}
    for name in accepted(target):
        own, form = all_forms()[name]
        reason = refusal(form, emulator) if own in families else stored.get(name)
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
        FileNotFoundError: no forms are stored for that target.
    """
    return unpack_reasons(judgement(target, "unsupported").read_text().splitlines()[1:])


def coverage(target: str) -> list[Coverage]:
    """Return the counts by family.

    Raises:
        FileNotFoundError: no forms are stored for that target.
    """
    missing = unsupported(target)
    counts: dict[str, list[int]] = {}
    for name in accepted(target):
        count = counts.setdefault(all_forms()[name][0], [0, 0])
        count[0] += 1
        count[1] += name not in missing
    return [Coverage(family, *count) for family, count in counts.items()]


def main() -> None:
    """Try the forms for each target on the command line."""
    parser = argparse.ArgumentParser(prog="lanemap.conformance.forms.coverage", description=__doc__)
    parser.add_argument("targets", nargs="+", metavar="target")
    parser.add_argument("--family", choices=FAMILIES, metavar="FAMILY", action="append")
    options = parser.parse_args()
    for target in options.targets:
        print(f"{target}: {write(target, options.family or FAMILIES)} forms not executed")


if __name__ == "__main__":
    main()
