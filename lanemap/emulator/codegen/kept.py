"""What a launch needs of a program, kept in the object cache beside the code of its units.

A later process that finds it neither parses the text nor lowers it: it launches a `KeptProgram`.
What a launch does not need, such as the instructions that a report names, is lowered from the text
when it is first asked for. Keys hash the text and every source file that lowering depends on
(`key_of`); lanemap/cache.py ignores what is damaged.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from lanemap import cache
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.sources import source_hash
from lanemap.emulator.codegen.values import Register

_PACKAGE = Path(__file__).parents[2]
#: What a text's meaning to the emulator depends on.
_SOURCES = tuple(_PACKAGE / name for name in ("emulator", "layout", "model", "targets"))
#: Fields of a program that every launch reads, but its tables and its registers.
_PLAIN = (
    "name", "lanes", "synchronous_memory", "clocks", "kept_bytes", "independent", "releases",
    "allocates", "lanes_part", "key", "block_sizes", "wave_bytes", "start_bytes",
)  # fmt: skip


def key_of(*what: object) -> str:
    """Key of something that lowering makes, and that `what` decides."""
    parts = [*what, sys.version_info[:2], source_hash(*_SOURCES)]
    return hashlib.sha256("\0".join(map(str, ("kept", *parts))).encode()).hexdigest()


class Kept(Protocol):
    """What can be kept."""

    def record(self) -> Any:
        """All of it, of plain Python types."""


Facts = TypeVar("Facts", bound=Kept)


def recalled(of_record: Callable[[Any], Facts], make: Callable[[], Facts], *what: object) -> Facts:
    """What is kept of a text, or what `make` makes of it, which is kept.

    Args:
        of_record: What has this record.
        make: Makes it from the text; called if nothing is kept.
        what: What decides it, for `key_of`.
    """
    key = key_of(*what)
    found = cache.lookup(key)
    if found is not None:
        return of_record(marshal.loads(found))
    made = make()
    cache.keep(key, marshal.dumps(made.record()))
    return made


class KeptProgram(Program):
    """A program whose other attributes come from the text, when one of them is first read."""

    __slots__ = ("_lower",)
    _lower: Callable[[], Program]

    def __init__(self, given: Mapping[str, Any], lower: Callable[[], Program]) -> None:
        """Keep some attributes; `lower` makes the program from its text."""
        self._lower = lower
        for name, value in given.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """Take what is not there from the program lowered anew."""
        if name not in Program.__slots__:
            raise AttributeError(f"a program has no attribute {name!r}")
        whole = self._lower()
        for each in Program.__slots__:
            try:
                object.__getattribute__(self, each)
            except AttributeError:
                setattr(self, each, getattr(whole, each))
        return object.__getattribute__(self, name)


def record_of(program: Program) -> dict[str, Any]:
    """What `kept_program` needs of a program, of plain Python types."""
    return {
        **{name: getattr(program, name) for name in _PLAIN},
        "front_end": dict(program.front_end),
        "tables": [table.tobytes() for table in program.tables],
        "start_slots": [
            (register.name, register.type, register.lanes, register.tracked, at)
            for register, at in program.start_slots.items()
        ],
    }


def kept_program(
    record: Mapping[str, Any], given: Mapping[str, Any], lower: Callable[[], Program]
) -> KeptProgram:
    """The program of a record.

    Args:
        record: What `record_of` returned.
        given: The attributes that the front end knows how to make.
        lower: Makes the program from its text.
    """
    slots = {Register(*words): at for *words, at in record["start_slots"]}
    own: dict[str, Any] = {
        "tables": [np.frombuffer(table, np.int32) for table in record["tables"]],
        "start_slots": slots,
        "code": {},
        "cluster_seconds": 0.0,
        "number": Program.next_number(),
    }
    return KeptProgram({**record, **own, **given}, lower)
