"""Our own statement of each variant: its map, its legality, its citation.

One module for each instruction family; each has a function `variants()` that lists its own, and
may have `resolve(name)` for those that it does not list. The emulator executes these maps, so its
agreeing with them says nothing of silicon.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType

from lanemap.model.variant import Variant, named

__all__ = ["Variant", "variant", "variants"]

FAMILIES = (
    "lds_transpose",
    "mfma",
    "ldmatrix",
    "mma_sync",
    "wgmma",
    "shared_layout",
    "tcgen05_ldst",
    "tcgen05_cp",
    "tcgen05_mma",
)


@cache
def _modules() -> tuple[ModuleType, ...]:
    return tuple(import_module(f"lanemap.model.{family}") for family in FAMILIES)


@cache
def _all() -> tuple[Variant, ...]:
    return tuple(each for module in _modules() for each in module.variants())


def variants(target: str | None = None) -> list[Variant]:
    """Every listed variant, or those that a target has (an unknown target has none).

    Families with an operand or a size that takes hundreds of values list some of them; `variant`
    knows every legal one.
    """
    return [each for each in _all() if target is None or target in each.targets]


@cache
def variant(name: str) -> Variant:
    """The variant of a name, listed or not.

    Raises:
        UserError: There is none; the sentence offers the closest names, or the legal values.
    """
    by_name = {each.name: each for each in _all()}
    if name in by_name:
        return by_name[name]
    for module in _modules():
        resolve = getattr(module, "resolve", None)
        found: Variant | None = resolve(name) if resolve else None
        if found is not None:
            return found
    return named(name, _all())
