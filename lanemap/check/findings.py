"""What checking a script found: launches, hazards at its lines, rankings of autotuning."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import sysconfig
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, TextIO

from lanemap.errors import Disagreement, UserError

#: Where a line stands: the file's path, and the line from 1.
Place = tuple[str, int]

_LANEMAP = str(Path(__file__).resolve().parent.parent)
_PYTHON = sysconfig.get_paths()["stdlib"]


class Stopped(Disagreement):
    """The script goes no further: what it did is a hazard, which has been told."""


class Hazard(Protocol):
    """What the emulator says of a hazard."""

    kind: str
    sentence: str
    file: str
    line: int
    instruction: str


def _library(path: str) -> bool:
    """Whether a file belongs to lanemap, or was installed, rather than written by the user."""
    return path.startswith((_LANEMAP, _PYTHON, "<")) or path.startswith(_installed())


@functools.cache
def _installed() -> tuple[str, ...]:
    """Return the folders of Triton and PyTorch, and where packages are installed."""
    packages = (find_spec("triton"), find_spec("torch"))
    folders = [each.submodule_search_locations for each in packages if each]
    paths = sysconfig.get_paths()
    return (paths["purelib"], paths["platlib"], *(path for each in folders for path in each or ()))


def own_place(places: Sequence[Place]) -> Place | None:
    """Return the innermost place in the user's own files; else the innermost with a line.

    Line 0 is what a compiler writes for an instruction of no line in particular.
    """
    known = [place for place in places if place[1]]
    own = [place for place in known if not _library(place[0])]
    return next(iter(own or known), None)


def calling_line() -> Place | None:
    """Return the innermost line of the user's that is being executed."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not _library(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def named(place: Place | None) -> str:
    """`script.py:31`, "" for None."""
    return "" if place is None else f"{Path(place[0]).name}:{place[1]}"


def show_traceback(error: BaseException) -> Place | None:
    """Print the traceback of a script's exception without lanemap's frames; return the user's line.

    An exception that it hides or comes from is printed with it, as Python does.
    """
    shown = traceback.TracebackException.from_exception(error)
    one: traceback.TracebackException | None = shown
    while one is not None:
        own = [frame for frame in one.stack if not frame.filename.startswith(_LANEMAP)]
        one.stack = traceback.StackSummary.from_list(own)
        one = one.__cause__ or one.__context__
    sys.stdout.flush()
    print("".join(shown.format()), end="", file=sys.stderr, flush=True)
    return own_place([(frame.filename, frame.lineno or 0) for frame in shown.stack][::-1])


@dataclass(frozen=True)
class Found:
    """A hazard; two of one kind at one instruction are equal, whatever bytes or CTAs they name.

    Attributes:
        kernel: The kernel's name.
        kind: Such as "out-of-bounds".
        sentence: What happened, and to whom.
        place: The line of the script that the instruction stands for.
        ptx: The line of the PTX.
        instruction: The instruction there.
        launched: The line of the script that launched the kernel.
    """

    kernel: str
    kind: str
    sentence: str = field(compare=False)
    place: Place | None
    ptx: Place
    instruction: str
    launched: Place | None = field(compare=False)

    @staticmethod
    def of(hazard: Hazard, kernel: str, places: Sequence[Place], launched: Place | None) -> Found:
        """Take from a hazard what is to be said; `places` are those of its instruction."""
        return Found(kernel, hazard.kind, hazard.sentence, own_place(places),
                     (hazard.file, hazard.line), hazard.instruction.partition(" // ")[0],
                     launched)  # fmt: skip

    def __str__(self) -> str:
        place = f"{named(self.place)}: " if self.place else ""
        text = f"{place}{self.kernel}: {self.sentence}"
        about = [f"`{self.instruction}`, {named(self.ptx)}"] if self.instruction else []
        if self.launched:
            about.append(f"launched at {named(self.launched)}")
        return f"{text} [{'; '.join(about)}]" if about else text

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "kernel": self.kernel, "kind": self.kind, "sentence": self.sentence,
            "file": self.place and self.place[0], "line": self.place and self.place[1],
            "ptx": self.ptx[0], "ptx_line": self.ptx[1], "instruction": self.instruction,
            "launched": named(self.launched),
        }  # fmt: skip


@dataclass(frozen=True)
class Tuned:
    """A configuration that autotuning ran once.

    Attributes:
        config: As Triton writes it.
        work: What its launches did; empty where the configuration cannot run.
        rank: From 1, the least work first; 0 where it cannot run.
    """

    config: str
    work: Mapping[str, int]
    rank: int


@dataclass(frozen=True)
class Tuning:
    """The configurations of a kernel for one key."""

    kernel: str
    key: str
    configs: Sequence[Tuned]


@dataclass
class Findings:
    """What a checked script did so far.

    Attributes:
        launches: Launches by kernel.
        hazards: The first of those that are equal, with how often they were met.
        notes: What is only noted, by kernel and reason.
        tunings: In the order in which they happened.
        refused: What lanemap could not do, even if the script went on without it.
        quiet: Whether hazards are kept for the report rather than told when they are met.
    """

    quiet: bool = False
    launches: Counter[str] = field(default_factory=Counter)
    hazards: dict[Found, int] = field(default_factory=dict)
    notes: dict[tuple[str, str], Found] = field(default_factory=dict)
    tunings: list[Tuning] = field(default_factory=list)
    refused: list[UserError] = field(default_factory=list)
    _said: set[str] = field(default_factory=set)
    _stderr: TextIO | None = None

    def add(self, found: Found) -> None:
        """Note a hazard; tell it when it is met first, unless quiet."""
        if found not in self.hazards and not self.quiet:
            self.say(f"hazard: {found}")
        self.hazards[found] = self.hazards.get(found, 0) + 1

    def add_note(self, found: Found, reason: str) -> None:
        """Keep a note; tell the first of each kernel and reason, unless quiet."""
        if (found.kernel, reason) in self.notes:
            return
        self.notes[found.kernel, reason] = found
        if not self.quiet:
            self.say(f"note: {found}")

    def say_once(self, sentence: str) -> None:
        """Tell something that the user must know, on the first occasion."""
        if sentence not in self._said:
            self._said.add(sentence)
            self.say(sentence)

    @contextlib.contextmanager
    def keeping_stderr(self) -> Iterator[None]:
        """Tell sentences where stderr leads now, even if pytest in the script captures it later."""
        try:
            descriptor = os.dup(sys.stderr.fileno())
        except (OSError, ValueError):  # it is no file: somebody reads it in this process
            yield
            return
        with open(descriptor, "w", encoding=sys.stderr.encoding, errors="backslashreplace") as kept:
            self._stderr = kept
            try:
                yield
            finally:
                self._stderr = None

    def say(self, sentence: str) -> None:
        """Tell a sentence on stderr, after what the script has printed so far."""
        sys.stdout.flush()
        print(f"lanemap: {sentence}", file=self._stderr or sys.stderr, flush=True)
