"""Claims of documents, tools and projects about instructions, one file for each source.

A claim is an executable map with the citation of its original source and what it rests on. The
files import `lanemap.layout` and nothing else, so that no claim can be derived from the model.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from lanemap.claims.claim import Claim, Level, Statement

__all__ = ["SUBJECTS", "Claim", "Level", "Statement", "claims_of", "sources", "statements"]

# A subject of claims that is not a variant: which lanes the lane field of taddr selects.
SUBJECTS = ("tcgen05.ld.32x32b:taddr",)
# What the sources' files share, and published cycle counts, which are no maps.
_SHARED = {"claim", "shape_stride", "spaces", "timings"}


@cache
def _all() -> tuple[Statement, ...]:
    found: list[Statement] = []
    for module in sorted(each.name for each in pkgutil.iter_modules(__path__)):
        if module not in _SHARED:
            found += import_module(f"lanemap.claims.{module}").STATEMENTS
    return tuple(found)


def statements() -> list[Statement]:
    """Every statement of every source, by file."""
    return list(_all())


def sources() -> list[str]:
    """The name of every source, once."""
    return list(dict.fromkeys(each.source for each in _all()))


def claims_of(variant: str) -> list[Claim]:
    """Return the claims about a variant, the strongest level first."""
    found = [claim for each in _all() if (claim := each.claim(variant)) is not None]
    return sorted(found, key=lambda claim: list(Level).index(claim.level))
