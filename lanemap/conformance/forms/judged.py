"""All forms, and which of them ptxas accepts. The emulator's coverage counts accepted forms.

`python -m lanemap.conformance.forms.judge sm_90a` stores the names that ptxas accepts beside
this file, and a hash of the names of each family that it was asked about. It refuses all others.
`packing` describes how names are packed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from lanemap.conformance.forms import (
    arithmetic,
    asynchronous,
    copies,
    matrix,
    memory,
    multimem,
    tcgen05_mma,
    tensor_copies,
    textures,
    warpgroup,
    wmma,
)
from lanemap.conformance.forms.packing import unpack
from lanemap.conformance.forms.rows import Form, Row, expand

FAMILIES: dict[str, Sequence[Row]] = {
    "integer": arithmetic.INTEGER_ROWS,
    "float": arithmetic.FLOAT_ROWS,
    "comparison": arithmetic.COMPARISON_ROWS,
    "logic": arithmetic.LOGIC_ROWS,
    "conversion": arithmetic.CONVERSION_ROWS,
    "video": arithmetic.VIDEO_ROWS,
    "movement": [*memory.MOVEMENT_ROWS, *memory.PACKING_ROWS],
    "synchronization": memory.SYNCHRONISATION_ROWS,
    "control": memory.CONTROL_ROWS,
    "special registers": memory.SPECIAL_ROWS,
    "mbarrier": asynchronous.MBARRIER_ROWS,
    "tensor memory": asynchronous.TENSOR_MEMORY_ROWS,
    "tcgen05.mma": tcgen05_mma.TENSOR_MMA_ROWS,
    "mma.sync": matrix.MMA_ROWS,
    "sparse mma.sync": matrix.SPARSE_ROWS,
    "matrix loads and stores": matrix.MOVE_ROWS,
    "wgmma": warpgroup.WGMMA_ROWS,
    "wmma": wmma.WMMA_ROWS,
    "asynchronous copies": copies.COPY_ROWS,
    "bulk copies": copies.BULK_ROWS,
    "tensor copies": tensor_copies.TENSOR_ROWS,
    "asynchronous stores": copies.STORE_ROWS,
    "bulk stores and cluster launch control": copies.CLUSTER_LAUNCH_ROWS,
    "texture": textures.TEXTURE_ROWS,
    "surface": textures.SURFACE_ROWS,
    "multimem": multimem.MULTIMEM_ROWS,
}
HERE = Path(__file__).resolve().parent


@cache
def all_forms() -> dict[str, tuple[str, Form]]:
    """Return every generated form and its family, by name; the first row wins a name."""
    forms: dict[str, tuple[str, Form]] = {}
    for family, rows in FAMILIES.items():
        for form in chain.from_iterable(expand(row) for row in rows):
            forms.setdefault(form.name, (family, form))
    return forms


def judgement(target: str, kind: str) -> Path:
    """Return the file of what was "accepted" or "unsupported" for a target."""
    return HERE / f"{target}.{kind}.txt"


@cache
def family_hashes() -> dict[str, str]:
    """Return a hash of the names of each family's forms."""
    names: dict[str, list[str]] = {family: [] for family in FAMILIES}
    for name, (family, _) in all_forms().items():
        names[family].append(name)
    return {
        family: hashlib.sha256("\n".join(sorted(own)).encode()).hexdigest()[:12]
        for family, own in names.items()
    }


@cache
def accepted(target: str) -> tuple[str, ...]:
    """Return the names of the forms that ptxas accepts for a target.

    Raises:
        FileNotFoundError: no answers of ptxas are stored for that target.
    """
    lines = judgement(target, "accepted").read_text().splitlines()
    return tuple(unpack(line for line in lines if not line.startswith("#")))


def judged_hashes(target: str) -> dict[str, str]:
    """Return the `family_hashes` of the forms that ptxas was asked about for a target.

    Raises:
        FileNotFoundError: no answers of ptxas are stored for that target.
    """
    lines = judgement(target, "accepted").read_text().splitlines()
    rows = (line.removeprefix("# asked about ").rpartition(" ") for line in lines[1:])
    return {family: hash_ for family, _, hash_ in rows if family in FAMILIES}


def accepted_forms(target: str) -> list[Form]:
    """Return every opcode and type form that ptxas accepts for a target, sorted by name.

    Raises:
        FileNotFoundError: no answers of ptxas are stored for that target.
    """
    forms = all_forms()
    return [forms[name][1] for name in sorted(accepted(target))]


def count_by_family(target: str, packed: Iterable[str]) -> Counter[str]:
    """Count the accepted forms that `packed`, lines of `packing.pack`, stand for, by family.

    Raises:
        FileNotFoundError: no answers of ptxas are stored for that target.
    """
    forms = all_forms()
    return Counter(forms[name][0] for name in set(unpack(packed)) & set(accepted(target)))


def judged_targets() -> tuple[str, ...]:
    """Return the targets for which both ptxas and the emulator have tried every form."""
    names = (path.name.removesuffix(".unsupported.txt") for path in HERE.glob("*.unsupported.txt"))
    return tuple(sorted(names))
