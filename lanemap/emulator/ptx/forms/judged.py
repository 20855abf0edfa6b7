"""All forms, judged by ptxas: the accepted ones are what a front end is measured against.

`python -m lanemap.emulator.ptx.forms sm_90a sm_100a` writes the judgement beside this file, where
`accepted` and `refused` read it. Names are packed by their common beginnings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from lanemap.emulator.ptx.forms import arithmetic, memory
from lanemap.emulator.ptx.forms.packing import pack, unpack
from lanemap.emulator.ptx.forms.rows import HEAD, Form, Row, expand, kernel
from lanemap.toolchain import ptxas

FAMILIES: dict[str, Sequence[Row]] = {
    "integer": arithmetic.INTEGER_ROWS,
    "float": arithmetic.FLOAT_ROWS,
    "comparison": arithmetic.COMPARISON_ROWS,
    "logic": arithmetic.LOGIC_ROWS,
    "conversion": arithmetic.CONVERSION_ROWS,
    "video": arithmetic.VIDEO_ROWS,
    "movement": [*memory.MOVEMENT_ROWS, *memory.PACKING_ROWS],
    "synchronisation": memory.SYNCHRONISATION_ROWS,
    "control": memory.CONTROL_ROWS,
    "special registers": memory.SPECIAL_ROWS,
}
_BATCH = 800
HERE = Path(__file__).resolve().parent


@cache
def all_forms() -> dict[str, tuple[str, Form]]:
    """Return every generated form with its family, by name; the first row of a name counts."""
    forms: dict[str, tuple[str, Form]] = {}
    for family, rows in FAMILIES.items():
        for form in chain.from_iterable(expand(row) for row in rows):
            forms.setdefault(form.name, (family, form))
    return forms


def judge(forms: Iterable[Form], target: str) -> dict[str, str]:
    """Ask ptxas; return the refused forms by name with its reason.

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
    """Judge one text with a kernel a line; ptxas names lines, the first reason of each counts."""
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
    # ptxas ended without naming a line: look for the form in either half.
    if len(forms) == 1:
        return {forms[0].name: "ptxas fails without naming a line"}
    middle = len(forms) // 2
    return _refusals(forms[:middle], target) or _refusals(forms[middle:], target)


def _file(target: str, kind: str) -> Path:
    return HERE / f"{target}.{kind}.txt"


def write(target: str) -> tuple[int, int]:
    """Judge all forms for a target and store the result; return how many it accepts and refuses."""
    forms = [form for _, form in all_forms().values()]
    refused = judge(forms, target)
    names = [form.name for form in forms if form.name not in refused]
    title = (
        f"# ptxas {ptxas.version()}, {target}: {{}}; python -m lanemap.emulator.ptx.forms {target}"
    )
    lines = [title.format(f"{len(names)} forms accepted"), *pack(names)]
    _file(target, "accepted").write_text("\n".join(lines) + "\n")
    lines = [title.format(f"{len(refused)} forms refused")]
    for reason in sorted(set(map(general, refused.values()))):
        lines.append(f"= {reason}")
        lines += pack([name for name, why in refused.items() if general(why) == reason])
    _file(target, "refused").write_text("\n".join(lines) + "\n")
    return len(names), len(refused)


def general(reason: str) -> str:
    """Return a reason of ptxas without the operand names that forms.py chose."""
    return reason.partition(", ptxas")[0]


@cache
def accepted(target: str) -> tuple[str, ...]:
    """Return the names of the forms that ptxas accepts for a target.

    Raises:
        FileNotFoundError: nobody has judged that target.
    """
    lines = _file(target, "accepted").read_text().splitlines()
    return tuple(unpack(lines[1:]))


@cache
def refused(target: str) -> dict[str, str]:
    """Return the refused forms with ptxas's reason.

    Raises:
        FileNotFoundError: nobody has judged that target.
    """
    found: dict[str, str] = {}
    reason = ""
    for line in _file(target, "refused").read_text().splitlines()[1:]:
        if line.startswith("= "):
            reason = line[2:]
        else:
            found.update(dict.fromkeys(unpack([line]), reason))
    return found
