"""Reads the names that people paste: what assembly text, compilers and libraries call a variant.

One module for each source of names. Each has a function `read(text)` that returns what the text
means, the readings of one name that means several things one after the other; none if the name is
none of its own. Every reading gives variants by the names of `lanemap.model`. `ptx` and `amdgcn`
read assembly text, and the others translate to it. `shapes` knows parts of names alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

__all__ = ["Pasted", "Reading", "readings", "reason"]

SOURCES = ("ptx", "amdgcn", "sass", "cute", "cute_dsl", "triton", "llvm", "cuda")


def readings(text: str) -> tuple[Reading, ...]:
    """What a text means to the first source that knows it."""
    pasted = Pasted.of(text)
    for source in SOURCES:
        found: Iterator[Reading] = import_module(f"{__name__}.{source}").read(pasted)
        if each := tuple(dict.fromkeys(found)):
            return each
    return ()


def reason(text: str) -> str:
    """Why an instruction that is known by name has no variant; empty for other texts."""
    from lanemap.model.spellings.unmapped import why

    return why(Pasted.of(text))
