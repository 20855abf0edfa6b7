"""The named rules that an observation is held against: the model's map and the claims'.

Only what happens after an observation may know them; a probe never does.
"""

from __future__ import annotations

from lanemap import model
from lanemap.layout import LayoutMap

MODEL = "model"


def named_rules(variant: str) -> list[tuple[str, LayoutMap]]:
    """The maps that are stated of a variant, by name, the model's first."""
    return [(MODEL, model.variant(variant).map)]
