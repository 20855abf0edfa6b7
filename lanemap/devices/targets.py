"""Targets by the names that people give them, and those of GPUs."""

from __future__ import annotations

import functools
import re
import reprlib
from collections.abc import Mapping
from typing import Any

from lanemap.errors import UserError
from lanemap.targets import TARGETS, gpu_of


@functools.cache
def products() -> Mapping[str, str]:
    """Return the targets of GPUs by the words with which people ask for them."""
    return {word: each.name for each in TARGETS.values() for word in each.products}


def target_named(name: Any) -> str:
    """Return the target of a name: its own, or that of a GPU, such as "H200" or "mi355x".

    The `.target` of a GPU's texts names the GPU, too: sm_90, or sm_100f.

    Raises:
        UserError: no device executes it; the sentence says which target is meant, or which exist.
    """
    if not isinstance(name, str):
        raise UserError(f"{reprlib.repr(name)} is not a target name; use one such as 'sm_90a'")
    found = name if name in TARGETS else gpu_of(name) or target_of_gpu(name)
    if found is not None:
        return found
    alike = [f"{product} ({target})" for product, target in _containing(name).items()]
    if alike:
        raise UserError(
            f"{name!r} says too little: it may be {', '.join(alike)}; name one of these"
        )
    meant = _meant(name)
    if meant is not None:
        raise UserError(f"no device executes target {name!r}; did you mean {meant}?")
    known = [f"{each.name} ({', '.join(each.products)})" for each in TARGETS.values()]
    raise UserError(f"no device executes target {name!r}; the targets are {', '.join(known)}")


def target_of_gpu(name: str) -> str | None:
    """Return the target of a GPU by its name, such as "NVIDIA H100 80GB HBM3"; None if unknown."""
    words = set(_words(name))
    found = {target for product, target in products().items() if words.issuperset(_words(product))}
    return found.pop() if len(found) == 1 else None


def _containing(name: str) -> dict[str, str]:
    """Return the GPUs, with their targets, whose names have every word of a name."""
    words = set(_words(name))
    return {
        product: target
        for product, target in products().items()
        if words and words <= set(_words(product))
    }


def _words(name: str) -> list[str]:
    return re.findall(r"[A-Z0-9]+", name.upper())


def _meant(name: str) -> str | None:
    """Return the target that a near miss means: "sm_90", "SM100a", "sm90a", "9.0", "gfx950:xnack-".

    Or that of all GPUs whose names begin so: "MI300". Else only the spelling is forgiven. Another
    number is another instruction set.
    """
    digits = re.fullmatch(r"(?:sm|compute)?[_ -]?(\d+)\.?(\d?)[af]?", name.strip().lower())
    number = f"{digits[1]}{digits[2]}" if digits else ""
    for found in (f"sm_{number}", f"sm_{number}a"):
        if found in TARGETS:
            return found
    amd = name.strip().lower().partition(":")[0]
    if amd in TARGETS:
        return amd
    begun = " ".join(_words(name))
    family = {each for product, each in products().items() if begun and product.startswith(begun)}
    return family.pop() if len(family) == 1 else None
