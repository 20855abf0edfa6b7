"""Variants of instructions, each with our own statement of its layout map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lanemap.layout import LayoutMap


@dataclass(frozen=True)
class Variant:
    """Our statement of one exact instruction form, or of one operand of it.

    Attributes:
        name: The form as assembly text spells it; an operand of a matrix instruction comes after
            a colon, as in `v_mfma_f32_16x16x32_fp8_fp8:A`.
        targets: Every target that has the form, the oldest first.
        family: The forms that share one formula.
        formula: The map in the words of an index formula.
        citations: The original sources of the formula, each with its place.
        legality: The instruction's requirements on its operands, in words.
        build: Makes the map, when `map` is first used.
        gauge: The ambiguity of this map that no execution can resolve; empty if there is none.
        rest: Contents of destination cells that the map leaves undefined, in words; empty for
            a total map.
    """

    name: str
    targets: tuple[str, ...]
    family: str
    formula: str
    citations: tuple[str, ...]
    legality: str
    build: Callable[[], LayoutMap]
    gauge: str = ""
    rest: str = ""

    @property
    def map(self) -> LayoutMap:
        """Which source cell each destination cell receives; the last few are kept."""
        return _built(self.build)

    @property
    def target(self) -> str:
        """The oldest target that has the form."""
        return self.targets[0]


# The largest maps have two million cells, so that not all of them are kept.
@lru_cache(maxsize=24)
def _built(build: Callable[[], LayoutMap]) -> LayoutMap:
    return build()
