"""Shapes alone and other parts of a name: m16n8k16, 16x16x32, 64x128x16, 32x32b.x32, 32x32b x4."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lanemap.model import wgmma
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

# A part that chooses a map by itself.
_SHAPE = re.compile(r"m\d+(n\d+)?(k\d+)?|\d+x\d+(x\d+)?b?(x2)?|\d+x\d+b?")
_SIZES = re.compile(r"(\d+)x(\d+)x(\d+)")
_TENSOR = re.compile(r"m?(\d+)[nx](\d+)")


def read(pasted: Pasted, known: Iterable[str]) -> Iterator[Reading]:
    """Every variant whose name has all of the parts, one of which is a shape.

    Args:
        pasted: The text.
        known: The names of all listed variants.
    """
    parts = [part for part in re.split(r"[\s.:_,]+", pasted.text.lower()) if part]
    if not any(_SHAPE.fullmatch(part) for part in parts) or len(parts) > 6:
        return
    wanted = [_spelled(part) for part in parts]
    for name in known:
        own = set(re.split(r"[.:_]+", name.lower())) | _also(name)
        if all(own & choices for choices in wanted):
            yield Reading.one(name)
    for size in parts:
        yield from _warpgroup(size, parts)


def _spelled(part: str) -> set[str]:
    """A part in every spelling of it: 16x8x16, as CuTe has it, is m16n8k16."""
    sizes = _SIZES.fullmatch(part)
    return {part, "m{}n{}k{}".format(*sizes.groups())} if sizes else {part}


def _also(name: str) -> set[str]:
    """v_mfma_f32_32x32x4bf16 writes the type after the shape; a result's D has no K."""
    older = re.search(r"_(\d+x\d+x\d+)(\w+?)(?::|$)", name)
    return {older[1], older[2]} if older else set()


def _warpgroup(size: str, parts: list[str]) -> Iterator[Reading]:
    """A and D of wgmma, whose names have M with K, and M with N."""
    match = re.fullmatch(r"m?64[nx](\d+)[kx](\d+)", size)
    if match is None:
        return
    columns, depth = int(match[1]), int(match[2])
    named = [kind for kind in wgmma.TYPES if kind in parts]
    for kind in named or wgmma.TYPES:
        if wgmma.STEP_BITS // wgmma.TYPES[kind] == depth:
            yield Reading.one(f"wgmma.m64k{depth}.{kind}:A")
    for kind in wgmma.RESULTS:
        if columns in wgmma.legal_columns(kind):
            yield Reading.one(f"wgmma.m64n{columns}.{kind}:D")
