"""Ask ptxas which forms of PTX it accepts, and store its answers beside this file.

`python -m lanemap.conformance.forms.judge sm_90a sm_100a`; needs the extra `nvidia`. With
`--family texture --family surface`, it asks about these only and keeps the stored answers about all
others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator

from lanemap.conformance.forms.judged import (
    FAMILIES,
    accepted,
    all_forms,
    judged_targets,
    judgement,
    refused,
)
from lanemap.conformance.forms.packing import pack, pack_reasons
from lanemap.conformance.forms.rows import Form, head, kernel
from lanemap.errors import LanemapError, UserError
from lanemap.toolchain import ptxas

_BATCH = 800


def judge(forms: Iterable[Form], target: str) -> dict[str, str]:
    """Ask ptxas; return the reasons for its refusals, by form name.

    Raises:
        MissingEnvironment: ptxas is not here.
    """
    reasons: dict[str, str] = {}
    for batch in _batches(list(forms)):
        left = batch
        while left:
            found = _refusals(left, target)
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


def _refusals(forms: list[Form], target: str) -> dict[str, str]:
    """Judge one text with one kernel per line; the first message about a line is its reason."""
    above = head(target, forms[0].context)
    text = above + "".join(kernel(form, f"k{number}") for number, form in enumerate(forms))
    cubin, found = ptxas.judge(text, target, ["-O0"])
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
    return _refusals(forms[:middle], target) or _refusals(forms[middle:], target)


def write(target: str, families: Collection[str] = FAMILIES) -> tuple[int, int]:
    """Judge all forms for a target and store the result; return the accepted and refused counts.

    Args:
        target: The instruction set.
        families: Judge these only, and take the answers about others from what is stored.

    Raises:
        MissingEnvironment: ptxas is not here.
        UserError: answers about others are missing, or are those of another ptxas.
    """
    others = {name for name, (own, _) in all_forms().items() if own not in families}
    stored = _stored(target, others) if others else {}
    found = judge([form for name, (_, form) in all_forms().items() if name not in others], target)
    reasons = stored | {name: general(reason) for name, reason in found.items()}
    names = [name for name in all_forms() if name not in reasons]
    lines = [f"{_title(target)}{len(names)} forms accepted; {_command(target)}", *pack(names)]
    judgement(target, "accepted").write_text("\n".join(lines) + "\n")
    lines = [f"{_title(target)}{len(reasons)} forms refused; {_command(target)}"]
    lines += pack_reasons(reasons)
    judgement(target, "refused").write_text("\n".join(lines) + "\n")
    accepted.cache_clear()
    refused.cache_clear()
    return len(names), len(reasons)


def _title(target: str) -> str:
    return f"# ptxas {ptxas.version()}, {target}: "


def _command(target: str) -> str:
    return f"python -m lanemap.conformance.forms.judge {target}"


def _stored(target: str, names: set[str]) -> dict[str, str]:
    """Return the stored reasons of those of the forms that ptxas refuses.

    Raises:
        UserError: answers are missing, or are those of another ptxas.
    """
    again = f"judge all families: {_command(target)}"
    if target not in judged_targets():
        raise UserError(f"no answers are stored for {target}; {again}")
    if not judgement(target, "accepted").read_text().startswith(_title(target)):
        raise UserError(f"the stored answers for {target} are those of another ptxas; {again}")
    missing = names - set(accepted(target)) - refused(target).keys()
    if missing:
        raise UserError(f"no answer is stored about {min(missing)} for {target}; {again}")
    return {name: reason for name, reason in refused(target).items() if name in names}


def general(reason: str) -> str:
    """Return a reason of ptxas up to the part that depends on the form's text."""
    return reason.partition(", ptxas")[0]


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
