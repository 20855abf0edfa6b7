"""Faults that people make in kernels: each file here lists `SUITES`, one test applies each fault.

A fault is one edit of a kernel's source, or of what its host side does. The tables in the READMEs
of kernels are made of these lists.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

#: Kinds: order is missing; bytes lie elsewhere than the reader looks; the formula is wrong.
ORDER, LAYOUT, ARITHMETIC = "synchronization", "layout", "arithmetic"


@dataclass(frozen=True)
class Fault:
    """One edit.

    Attributes:
        name: What is wrong, in words.
        kind: `ORDER`, `LAYOUT` or `ARITHMETIC`.
        caught: By a hazard; by one of the strict emulator alone; by the comparison of the result;
            or by the compiler, which refuses the source.
        message: Words of the hazard or of the refusal; "" where the result is wrong.
        file: Of the source; "" for the kernel's own file.
        old: What the source says, once; "" where the source stays as it is.
        new: What it says with the fault.
        host: What the host side does instead; each suite says what it is called with.
    """

    name: str
    kind: str
    caught: Literal["hazard", "strict", "wrong", "refused"]
    message: str = ""
    file: str = ""
    old: str = ""
    new: str = ""
    host: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Suite:
    """The faults of a kernel on one target.

    Attributes:
        kernel: Of the folder kernels/.
        target: An instruction set.
        faults: All of them.
        outcome: Computes on the emulator, and returns which part of the result is wrong. It is
            called with the source texts by name, a fault's `host` and whether to be strict.
        quick: Names of those that the fast tests apply; the others are slow.
    """

    kernel: str
    target: str
    faults: tuple[Fault, ...]
    outcome: Callable[[Mapping[str, str], Callable[[Any], Any] | None, bool], float]
    quick: tuple[str, ...]

    @property
    def name(self) -> str:
        """As READMEs name it."""
        return f"{self.kernel}.{self.target}"


def adapted(faults: tuple[Fault, ...], edits: Mapping[str, Mapping[str, str]]) -> tuple[Fault, ...]:
    """Faults that several kernels have, with the fields that differ in one of them, by name."""
    names = {each.name for each in faults}
    assert edits.keys() <= names, edits.keys() - names
    return tuple(replace(each, **edits.get(each.name, {})) for each in faults)


@cache
def suites() -> dict[str, Suite]:
    """Return all suites by name."""
    files = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    modules = [importlib.import_module(f"{__name__}.{stem}") for stem in files]
    return {suite.name: suite for module in modules for suite in module.SUITES}
