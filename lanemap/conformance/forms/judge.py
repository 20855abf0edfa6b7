"""Ask ptxas which forms of PTX it accepts, and store its answers beside this file.

`python -m lanemap.conformance.forms.judge sm_90a sm_100a`; needs the extra `nvidia`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from lanemap.conformance.forms.judged import all_forms, judgement
from lanemap.conformance.forms.packing import pack
from lanemap.conformance.forms.rows import HEAD, Form, kernel
from lanemap.toolchain import ptxas

_BATCH = 800


def judge(forms: Iterable[Form], target: str) -> dict[str, str]:
    """Ask ptxas; return the reasons for its refusals, by form name.

    Raises:
        MissingEnvironment: ptxas is not here.
    """
    refused: dict[str, str] = {}
    for batch in _batches(list(forms)):
        left = batch
        while left:
            reasons = _refusals(left, target)
            if not reasons:
                break
            refused.update(reasons)
            left = [form for form in left if form.name not in reasons]
    return refused


def _batches(forms: list[Form]) -> Iterator[list[Form]]:
    for begin in range(0, len(forms), _BATCH):
        yield forms[begin : begin + _BATCH]


def _refusals(forms: list[Form], target: str) -> dict[str, str]:
    """Judge one text with one kernel per line; the first message about a line is its reason."""
    head = HEAD.format(target=target)
    text = head + "".join(kernel(form, f"k{number}") for number, form in enumerate(forms))
    cubin, found = ptxas.judge(text, target, ["-O0"])
    if cubin is not None:
        return {}
    first = head.count("\n") + 1
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


def write(target: str) -> tuple[int, int]:
    """Judge all forms for a target and store the result; return the accepted and refused counts."""
    forms = [form for _, form in all_forms().values()]
    refused = judge(forms, target)
    names = [form.name for form in forms if form.name not in refused]
    command = f"python -m lanemap.conformance.forms.judge {target}"
    title = f"# ptxas {ptxas.version()}, {target}: {{}}; {command}"
    lines = [title.format(f"{len(names)} forms accepted"), *pack(names)]
    judgement(target, "accepted").write_text("\n".join(lines) + "\n")
    lines = [title.format(f"{len(refused)} forms refused")]
    for reason in sorted(set(map(general, refused.values()))):
        lines.append(f"= {reason}")
        lines += pack([name for name, why in refused.items() if general(why) == reason])
    judgement(target, "refused").write_text("\n".join(lines) + "\n")
    return len(names), len(refused)


def general(reason: str) -> str:
    """Return a reason of ptxas up to the part that depends on the form's text."""
    return reason.partition(", ptxas")[0]


def main() -> None:
    """Judge all forms for each target on the command line."""
    for target in sys.argv[1:]:
        taken, refused = write(target)
        print(f"{target}: {taken} accepted, {refused} refused")


if __name__ == "__main__":
    main()
