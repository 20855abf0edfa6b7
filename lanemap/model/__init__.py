"""Our own statement of each variant: its map, its legality, its citation.

One module for each instruction family; each has a function `variants()` that lists its own. The
emulator executes these maps, so its agreeing with them says nothing of silicon.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from lanemap.model.variant import Variant, named

__all__ = ["Variant", "variant", "variants"]

FAMILIES = ("lds_transpose",)


@cache
def _all() -> tuple[Variant, ...]:
    found: list[Variant] = []
    for family in FAMILIES:
        found += import_module(f"lanemap.model.{family}").variants()
    return tuple(found)


def variants(target: str | None = None) -> list[Variant]:
    """Every variant of the model, or those that a target has (an unknown target has none)."""
    return [each for each in _all() if target is None or target in each.targets]


def variant(name: str) -> Variant:
    """The variant of a name.

    Raises:
        UserError: There is none; the sentence offers the closest names.
    """
    return named(name, _all())
