"""Our own statement of each variant: its map, its legality, its citation.

One module for each instruction family; each has a function `variants()` that lists its own, and
may have `resolve(name)` for those that it does not list. `spellings` reads what others call them.
The emulator executes these maps, so a match between the two says nothing about silicon.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from lanemap.model.variant import Variant

if TYPE_CHECKING:
    from lanemap.model.names import Name

__all__ = ["Variant", "named", "variant", "variants", "variants_named"]

FAMILIES = (
    "lds_transpose",
    "mfma",
    "smfmac",
    "ldmatrix",
    "mma_sync",
    "mma_sparse",
    "mma_scales",
    "wmma",
    "wgmma",
    "shared_layout",
    "tensor_swizzle",
    "tcgen05_ldst",
    "tcgen05_cp",
    "tcgen05_mma",
)


@cache
def _module(family: str) -> ModuleType:
    return import_module(f"lanemap.model.{family}")


@cache
def _of_family(family: str) -> tuple[Variant, ...]:
    return tuple(_module(family).variants())


@cache
def _all() -> tuple[Variant, ...]:
    return tuple(each for family in FAMILIES for each in _of_family(family))


def variants(target: str | None = None) -> list[Variant]:
    """Every listed variant, or those that a target has (an unknown target has none).

    Families with an operand or a size that takes hundreds of values list some of them; `variant`
    knows every legal one.
    """
    return [each for each in _all() if target is None or target in each.targets]


def _own(name: str) -> tuple[Variant, ...]:
    """The variants that a name of ours stands for, listed or not; () if it is none."""
    # a launch asks for few, whose names mostly have the first word of their families'
    words = name.replace(".", "_").split("_")
    likely = tuple(family for family in FAMILIES if family.partition("_")[0] in words)
    return (_found(name, likely) if likely else ()) or _found(name, FAMILIES)


def _found(name: str, families: Sequence[str]) -> tuple[Variant, ...]:
    """The variants of some families that a name of ours stands for."""
    from lanemap.model import names  # the emulator imports this package, and reads no names

    found = names.listed(name, [each for family in families for each in _of_family(family)])
    for family in families:
        resolve = getattr(_module(family), "resolve", None)
        found = found or (resolve(name) if resolve else ())
    return found


@cache
def named(name: str) -> Name:
    """What a name means: one in our spelling, or in one of `lanemap.model.spellings`.

    Raises:
        UserError: Nothing; the sentence says why, or names the nearest, or the legal values.
    """
    from lanemap.model import names

    if found := _own(name):
        return names.Name(name, (names.Meaning(name, found),))
    return names.read(name, _all(), _own)


def variants_named(name: str) -> tuple[Variant, ...]:
    """The variants of the one thing that a name stands for, listed or not.

    An instruction without an operand names all of its operands:
    `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32` names A, B and D.

    Raises:
        UserError: There is none, or the name means several things; the sentence says which.
    """
    return named(name).operands()


def variant(name: str) -> Variant:
    """The one variant of a name, as `variants_named` finds it.

    Raises:
        UserError: There is none, or there are several.
    """
    from lanemap.model import names

    return names.one(name, variants_named(name))
