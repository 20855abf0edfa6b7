"""Settings of a machine, which hold for all its launches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.emulator.host.observers import Observer
    from lanemap.layout import LayoutMap
    from lanemap.model.banks import BankRule

#: Instructions that one wave may execute before it counts as endless, unless
#: LANEMAP_INSTRUCTION_LIMIT says otherwise: a second's worth or more.
DEFAULT_LIMIT = 20_000_000


def default_limit() -> int:
    """Return the default for the number of instructions that one wave may execute.

    Raises:
        UserError: LANEMAP_INSTRUCTION_LIMIT is no positive number.
    """
    text = os.environ.get("LANEMAP_INSTRUCTION_LIMIT")
    if text is None:
        return DEFAULT_LIMIT
    if not text.isascii() or not text.isdigit() or not int(text):
        raise UserError(
            f"LANEMAP_INSTRUCTION_LIMIT is {text!r}; set it to how many instructions "
            "a wave may execute, at least 1"
        )
    return int(text)


Size = tuple[int, int, int]
Chosen = Callable[[str, Size, Size], Iterable[int]]


@dataclass(frozen=True)
class Settings:
    """Settings of launches; `dataclasses.replace` makes those of the next launches.

    Attributes:
        hazards: "raise" (the first one is an exception, and memory stays as the faulty launch left
            it) or "report" (they are collected).
        strict: Whether restrictions over which sources disagree are enforced.
        models: Layout maps that replace the models of variants, by the variant's name.
        banks: Rules of shared memory's banks that replace all of the target's, if there are any.
        limit: Instructions that one wave may execute before it counts as endless.
        multiprocessors: Multiprocessors for the CTAs; None for as many as the target's GPU has.
        observers: Observers of the launches.
        clusters: Returns the numbers of the clusters of CTAs of a launch that run, each to its end
            before the next begins, from the kernel's name and the CTAs of the grid and of a cluster
            by dimension; None for all. What the others would have written stays as it is.
    """

    hazards: Literal["raise", "report"] = "raise"
    strict: bool = False
    models: Mapping[str, LayoutMap] = field(default_factory=dict)
    banks: tuple[BankRule, ...] = ()
    limit: int = field(default_factory=default_limit)
    multiprocessors: int | None = None
    observers: tuple[Observer, ...] = ()
    clusters: Chosen | None = None
