"""Ask ptxas which forms of PTX it accepts, and store their names beside this file.

`python -m lanemap.conformance.forms.judge sm_90a sm_100a`; needs the extra `nvidia`. With
`--family texture --family surface`, it asks about these only and keeps the stored answers about all
others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from lanemap.conformance.forms.judged import (
    FAMILIES,
    accepted,
    all_forms,
    family_hashes,
    judged_hashes,
    judged_targets,
    judgement,
)
from lanemap.conformance.forms.packing import pack
from lanemap.conformance.forms.rows import WIDE_REGISTERS, WIDE_SINCE, Form, head, kernel
from lanemap.errors import LanemapError, UserError
from lanemap.toolchain import ptxas

_BATCH = 800


@dataclass(frozen=True)
class Assembler:
    """A ptxas: the path of one, or none for the one that lanemap finds, and what PTX it knows."""

    program: str | None = None
    newest: tuple[int, int] = ptxas.PTX_VERSION


def judge(forms: Iterable[Form], target: str, assembler: Assembler = Assembler()) -> dict[str, str]:
    """Ask ptxas; return the reasons for its refusals, by form name.

    A text for an older ptxas names the newest version of PTX that it knows.

    Raises:
        MissingEnvironment: ptxas is not here.
    """
    reasons: dict[str, str] = {}
    for batch in _batches(list(forms)):
        left = batch
        while left:
            found = _refusals(left, target, assembler)
            if not found:
                break
            reasons.update(found)
            left = [form for form in left if form.name not in found]
    return reasons


def _batches(forms: list[Form]) -> Iterator[list[Form]]:
    """Yield forms that can stand in one text."""
    independent = [form for form in forms if form.context == "independent"]
    for own in ([form for form in forms if form.context != "independent"], independent):
        for begin in range(0, len(own), _BATCH):
            yield own[begin : begin + _BATCH]


def _refusals(forms: list[Form], target: str, assembler: Assembler) -> dict[str, str]:
    """Judge one text with one kernel per line; the first message about a line is its reason."""
    above = head(target, forms[0].context)
    text = above + "".join(kernel(form, f"k{number}") for number, form in enumerate(forms))
    text = ptxas.lowered(text, assembler.newest)
    if assembler.newest < WIDE_SINCE:
        text = text.replace(WIDE_REGISTERS, "")
    cubin, found = ptxas.judge(text, target, ["-O0"], assembler.program)
    if cubin is not None:
        return {}
    first = above.count("\n") + 1
    reasons: dict[str, str] = {}
    for message in found:
        if message.severity in ("error", "fatal") and message.line >= first:
            reasons.setdefault(forms[message.line - first].name, message.message)
    if reasons:
        return reasons
    # ptxas failed without naming a line, so bisect.
    if len(forms) == 1:
        return {forms[0].name: "ptxas fails without naming a line"}
    middle = len(forms) // 2
    lower, upper = forms[:middle], forms[middle:]
    return _refusals(lower, target, assembler) or _refusals(upper, target, assembler)


def write(target: str, families: Collection[str] = FAMILIES) -> tuple[int, int]:
    """Judge all forms for a target and store the result; return the accepted and refused counts.

    Args:
        target: The instruction set.
        families: Judge these only, and take the answers about others from what is stored.

    Raises:
        MissingEnvironment: ptxas is not here.
        UserError: answers about others are missing, or are those of another ptxas.
    """
    others = {family for family in FAMILIES if family not in families}
    names = _stored(target, others) if others else set()
    asked = [form for family, form in all_forms().values() if family not in others]
    reasons = judge(asked, target)
    names |= {form.name for form in asked} - reasons.keys()
    lines = [f"{_title(target)}{len(names)} forms accepted; {_command(target)}"]
    lines += [f"# asked about {family} {hash_}" for family, hash_ in family_hashes().items()]
    judgement(target, "accepted").write_text("\n".join([*lines, *pack(sorted(names))]) + "\n")
    accepted.cache_clear()
    return len(names), len(all_forms()) - len(names)


def _title(target: str) -> str:
    return f"# ptxas {ptxas.version()}, {target}: "


def _command(target: str) -> str:
    return f"python -m lanemap.conformance.forms.judge {target}"


def _stored(target: str, families: set[str]) -> set[str]:
    """Return the stored names of the forms of these families that ptxas accepts.

    Raises:
        UserError: answers are missing, or are those of another ptxas.
    """
    again = f"judge all families: {_command(target)}"
    if target not in judged_targets():
        raise UserError(f"no answers are stored for {target}; {again}")
    if not judgement(target, "accepted").read_text().startswith(_title(target)):
        raise UserError(f"the stored answers for {target} are those of another ptxas; {again}")
    judged, hashes = judged_hashes(target), family_hashes()
    for family in sorted(families):
        if judged.get(family) != hashes[family]:
            raise UserError(f"forms of {family} have changed since {target} was judged; {again}")
    return {name for name in accepted(target) if all_forms()[name][0] in families}


def main() -> int:
    """Run as a program; the exit status of the command line."""
    parser = argparse.ArgumentParser(prog="lanemap.conformance.forms.judge", description=__doc__)
    parser.add_argument("targets", nargs="+", metavar="target")
    parser.add_argument("--family", choices=FAMILIES, metavar="FAMILY", action="append")
    options = parser.parse_args()
    try:
        for target in options.targets:
            taken, left = write(target, options.family or FAMILIES)
            print(f"{target}: {taken} accepted, {left} refused")
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
