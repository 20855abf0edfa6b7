"""What the emulator does not get right yet, with the reason; whoever mends it removes the lines.

Cells are named `<hazard>: <access kind>-<space>`, and patterns of them written as for a shell. Each
is marked as failing, strictly: a cell that begins to pass while it stands here is an error.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

_HALVES_READ_ONLY = "atomics of 16 bits, packed and of 128 bits do not look for read-only memory"
_HALVES_SCOPE = "atomics of 16 bits, packed and of 128 bits forget their scope"
_CLUSTER_SCOPE = "the scope .cta counts as .cluster"
_RELAXED_READ = "a relaxed load leaves no trace for the store that follows it"
_ATOMIC_RESULT = "what an atomic returns has no origin"
_ATOMIC_OPERAND = "the origin of an atomic's operand is lost in memory"
_MATRIX = "the origin of ldmatrix is the first row's address"
_MATRIX_STORED = "stmatrix stores no origin"
_DISCARD = "discard checks neither alignment, read-only memory nor order, and leaves no origin"

PTX: dict[str, str] = {
    "read-only: atom.cas.b16-*": _HALVES_READ_ONLY,
    "read-only: atom.add.*f16*": _HALVES_READ_ONLY,
    "read-only: atom.*.b128-*": _HALVES_READ_ONLY,
    "read-only: red*.*f16x2-*": _HALVES_READ_ONLY,
    "scope: atom.cas.b16-global": _HALVES_SCOPE,
    "scope: atom.add.*f16*-global": _HALVES_SCOPE,
    "scope: atom.*.b128-global": _HALVES_SCOPE,
    "scope: red*.*f16x2-global": _HALVES_SCOPE,
    "scope: *-shared": _CLUSTER_SCOPE,
    "scope: ld.relaxed.*-global": _RELAXED_READ,
    "order: ld.relaxed.*": _RELAXED_READ,
    "undefined: atom.*": _ATOMIC_RESULT,
    "undefined: ldmatrix.*": _MATRIX,
    "origin kept: atom.*": _ATOMIC_OPERAND,
    "origin kept: red.*": _ATOMIC_OPERAND,
    "origin kept: stmatrix.*": _MATRIX_STORED,
    "alignment: discard-*": _DISCARD,
    "read-only: discard-*": _DISCARD,
    "order: discard-*": _DISCARD,
    "origin kept: discard-*": _DISCARD,
}

GFX950: dict[str, str] = {
    "undefined: ds_*_rtn_*": _ATOMIC_RESULT,
    "undefined: *_atomic_*": _ATOMIC_RESULT,
    "origin kept: ds_add*": _ATOMIC_OPERAND,
    "origin kept: ds_cmpst*": _ATOMIC_OPERAND,
    "origin kept: *_atomic_*": _ATOMIC_OPERAND,
}

TENSOR: dict[str, str] = {
    "undefined: tcgen05.cp.* source": "the origin of a copied byte is its word's first byte",
}


def gap(known: dict[str, str], cell: str) -> str:
    """Why a cell is known to fail; "" if it is not."""
    return next((why for pattern, why in known.items() if fnmatchcase(cell, pattern)), "")
