"""All forms, judged by ptxas: the accepted ones are what a front end is measured against.

`python -m lanemap.devices.judge_forms sm_90a sm_100a` writes the judgement beside this file, where
`accepted` and `refused` read it. Names are packed by their common beginnings.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from lanemap.emulator.ptx.forms import arithmetic, asynchronous, memory
from lanemap.emulator.ptx.forms.packing import unpack, unpack_reasons
from lanemap.emulator.ptx.forms.rows import Form, Row, expand

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
    "mbarrier": asynchronous.MBARRIER_ROWS,
    "tensor memory": asynchronous.TENSOR_MEMORY_ROWS,
}
HERE = Path(__file__).resolve().parent


@cache
def all_forms() -> dict[str, tuple[str, Form]]:
    """Return every generated form with its family, by name; the first row of a name counts."""
    forms: dict[str, tuple[str, Form]] = {}
    for family, rows in FAMILIES.items():
        for form in chain.from_iterable(expand(row) for row in rows):
            forms.setdefault(form.name, (family, form))
    return forms


def judgement(target: str, kind: str) -> Path:
    """Return the file of what was "accepted", "refused" or "unsupported" for a target."""
    return HERE / f"{target}.{kind}.txt"


@cache
def accepted(target: str) -> tuple[str, ...]:
    """Return the names of the forms that ptxas accepts for a target.

    Raises:
        FileNotFoundError: nobody has judged that target.
    """
    lines = judgement(target, "accepted").read_text().splitlines()
    return tuple(unpack(lines[1:]))


@cache
def refused(target: str) -> dict[str, str]:
    """Return the refused forms with ptxas's reason.

    Raises:
        FileNotFoundError: nobody has judged that target.
    """
    return unpack_reasons(judgement(target, "refused").read_text().splitlines()[1:])
