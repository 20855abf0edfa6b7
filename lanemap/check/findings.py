"""What checking a script found: launches, hazards at its lines, rankings of autotuning."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import sys
import sysconfig
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, Concatenate, ParamSpec, TextIO

from lanemap.check.journal import Journal
from lanemap.devices.findings import Finding, wrapped
from lanemap.errors import Disagreement, UserError, plural

_Given = ParamSpec("_Given")
#: Where a line stands: the file's path, and the line from 1.
Place = tuple[str, int]

#: Kinds of hazards that say of several warps where they are, by lines of the PTX.
_STUCK = ("deadlock", "endless-loop")
_LINE = re.compile(r"\bat line (\d+)\b")
_LANEMAP = str(Path(__file__).resolve().parent.parent)
#: Where CUDA's headers lie: in a toolkit's folder, or in that of a package.
_TOOLKIT = re.compile(r"/(?:nvidia|cuda[^/]*|targets)/[^/]+/include/|/cuda[^/]*/include/")
_PYTHON = sysconfig.get_paths()["stdlib"]


class Stopped(Disagreement):
    """The script goes no further: what it did is a hazard, which has been told."""


def _library(path: str) -> bool:
    """Whether a file belongs to lanemap, or was installed, rather than written by the user."""
    return path.startswith((_LANEMAP, _PYTHON, "<", *_installed())) or bool(
        _TOOLKIT.search(os.path.normpath(path))
    )


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


#: Whether the script that launches kernels runs in this process.
_script_here = True


def work_for_another_process() -> None:
    """Let `calling_line` find no line from now on: this process runs no script."""
    global _script_here
    _script_here = False


def calling_line() -> Place | None:
    """Return the innermost line of the user's that is being executed."""
    frame: FrameType | None = sys._getframe(1) if _script_here else None
    while frame is not None:
        if not _library(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def named(place: Place | None) -> str:
    """`script.py:31`, "" for None."""
    return "" if place is None else f"{Path(place[0]).name}:{place[1]}"


def refusing(sentence: str) -> Callable[..., Any]:
    """Return a function that raises a UserError with this sentence, after the line that calls."""

    def refuse(*_: Any, **__: Any) -> Any:
        line = calling_line()
        raise UserError(f"{named(line)}: {sentence}" if line else sentence)

    return refuse


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
    """A finding at lines of the script; equal ones are one, whatever launches and CTAs met them.

    Attributes:
        kernel: The kernel's name.
        kind: Such as "out-of-bounds".
        cause: What is missing or wrong.
        place: The line of the script that the instruction stands for.
        other: That of the other side.
        where: The file of the PTX and the line in it, if no line of the script is known.
        brief: What happened, and to whom, with opcodes in place of whole instructions.
        whole: The same with whole instructions.
        ptx: The file of the PTX and the line in it.
        instruction: What stands there.
        opcode: The same without operands.
        launched: The line of the script that launched the kernel.
        met: How often it was met.
        known: All that is known of it, as plain values.
    """

    kernel: str
    kind: str
    cause: str
    place: Place | None
    other: Place | None
    where: Place | None
    brief: str = field(compare=False)
    whole: str = field(compare=False)
    ptx: Place = field(compare=False)
    instruction: str = field(compare=False)
    opcode: str = field(compare=False)
    launched: Place | None = field(compare=False)
    met: int = field(compare=False)
    known: dict[str, Any] = field(compare=False, repr=False)

    @staticmethod
    def of(
        finding: Finding,
        kernel: str,
        places: Callable[[str, int], Sequence[Place]],
        launched: Place | None,
    ) -> Found:
        """Take from a finding what is to be said.

        `places` returns the lines that a line of a file of PTX stands for, innermost first.
        """
        first, known = finding.first, finding.to_json()
        side, ptx = first.facts.other, (first.file, first.line)
        place = own_place(places(*ptx))
        other = own_place(places(first.file, side.line)) if side and side.line else None

        def at_script(text: str) -> str:
            """Name the script's lines where each warp of a deadlock waits."""

            def placed(found: re.Match[str]) -> str:
                own = own_place(places(first.file, int(found[1])))
                return f"at {named(own)}" if own else found[0]

            return _LINE.sub(placed, text) if finding.kind in _STUCK else text

        return Found(
            kernel,
            finding.kind,
            finding.cause,
            place,
            other,
            None if place else ptx,
            at_script(first.brief),
            at_script(first.sentence),
            ptx,
            known["instruction"] or "",
            first.opcode,
            launched,
            finding.met,
            known,
        )

    def message(self, whole: bool = False) -> str:
        """Describe the hazard and its place; `whole`: with whole instructions of PTX."""
        place = f"{named(self.place)}: " if self.place else ""
        parts = [f"{place}{self.kernel}: {self.whole if whole else self.brief}"]
        if self.other and self.other != self.place:
            parts.append(f"the other side is {named(self.other)}")
        text = self.instruction if whole else self.opcode
        about = [f"`{text}`, {named(self.ptx)}"] if text else []
        if self.launched:
            about.append(f"launched at {named(self.launched)}")
        return "; ".join(parts) + (f" [{'; '.join(about)}]" if about else "")

    def __str__(self) -> str:
        return self.message()

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values: those of the finding, at lines of the script."""
        other = self.known["other"]
        if other:
            other = {
                **other,
                "file": self.other and self.other[0],
                "line": self.other and self.other[1],
                "ptx_line": other["line"],
            }
        return {
            **self.known,
            "message": self.message(whole=True),
            "kernel": self.kernel,
            "sentence": self.whole,
            "other": other,
            "file": self.place and self.place[0],
            "line": self.place and self.place[1],
            "ptx": self.ptx[0] or None,
            "ptx_line": self.ptx[1] or None,
            "launched": self.launched and {"file": self.launched[0], "line": self.launched[1]},
        }


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


def _kept(
    method: Callable[Concatenate[Findings, _Given], None],
) -> Callable[Concatenate[Findings, _Given], None]:
    """Write each call of a method to the journal, from which another process repeats it."""

    @functools.wraps(method)
    def keeping(self: Findings, /, *given: _Given.args, **named: _Given.kwargs) -> None:
        if self.journal is not None:
            self.journal.write("finding", method.__name__, given, named)
        method(self, *given, **named)

    return keeping


@dataclass
class Findings:
    """What a checked script did so far.

    Attributes:
        launches: Launches by kernel.
        hazards: The first of the findings that are equal, with how often they were met.
        notes: What is only noted, by kernel and reason.
        tunings: In the order in which they happened.
        refused: What lanemap could not do, even if the script went on without it.
        failed: Why threads of the script did not end as they should, a sentence each.
        lacking: What a program asked of CUDA and did not get, a sentence each.
        withheld: Such sentences that matter only where a program fails, or launches nothing.
        quiet: Whether hazards are kept for the report rather than told when they are met.
        verbose: Whether they are told with whole instructions.
        journal: What keeps all of it, whatever becomes of this process.
    """

    quiet: bool = False
    journal: Journal | None = None
    launches: Counter[str] = field(default_factory=Counter)
    hazards: dict[Found, int] = field(default_factory=dict)
    notes: dict[tuple[str, str], Found] = field(default_factory=dict)
    tunings: list[Tuning] = field(default_factory=list)
    refused: list[UserError] = field(default_factory=list)
    verbose: bool = False
    failed: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    _said: set[str] = field(default_factory=set)
    _stderr: TextIO | None = None

    @_kept
    def launched(self, kernel: str) -> None:
        """Count a launch."""
        self.launches[kernel] += 1

    @_kept
    def tuned(self, tuning: Tuning) -> None:
        """Note what autotuning compared."""
        self.tunings.append(tuning)

    @_kept
    def refuse(self, error: UserError) -> None:
        """Note what lanemap could not do."""
        self.refused.append(error)

    @_kept
    def fail(self, sentence: str) -> None:
        """Note why a thread of the script did not end as it should."""
        self.failed.append(sentence)

    @_kept
    def lack(self, sentence: str) -> None:
        """Note what a program asked of CUDA and did not get; tell it on the first occasion."""
        if sentence not in self.lacking:
            self.lacking.append(sentence)
            if not self.quiet:
                self.say_once(sentence)

    @_kept
    def withhold(self, sentence: str) -> None:
        """Keep a sentence of the kind of `lack` until it is known how the program ends."""
        if sentence not in self.withheld:
            self.withheld.append(sentence)

    def tell_withheld(self, failed: bool) -> None:
        """Tell what was withheld if the program has failed, or launched nothing."""
        if failed or not self.launches:
            for sentence in self.withheld:
                self.lack(sentence)

    @_kept
    def add(self, found: Found) -> None:
        """Note a finding; tell it when it is met first, unless quiet."""
        if found not in self.hazards and not self.quiet:
            self.say(f"hazard: {found.message(self.verbose)}")
        self.hazards[found] = self.hazards.get(found, 0) + found.met

    @_kept
    def add_note(self, found: Found, reason: str) -> None:
        """Keep a note; tell the first of each kernel and reason, unless quiet."""
        if (found.kernel, reason) in self.notes:
            return
        self.notes[found.kernel, reason] = found
        if not self.quiet:
            self.say(f"note: {found}")

    def take(self) -> Findings:
        """Return what was found since the last call, and begin anew; what was said stays said."""
        taken = Findings(self.quiet, self.journal, verbose=self.verbose)
        names = (
            "launches",
            "hazards",
            "notes",
            "tunings",
            "refused",
            "failed",
            "lacking",
            "withheld",
        )
        for name in names:
            kept = getattr(self, name)
            setattr(taken, name, kept)
            setattr(self, name, type(kept)())
        return taken

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

    @property
    def stream(self) -> TextIO:
        """The stream that sentences go to."""
        return self._stderr or sys.stderr

    def so_far(self) -> str:
        """`2 launches and 1 hazard so far`."""
        launches = plural(sum(self.launches.values()), "launch", "es")
        return f"{launches} and {_hazards(len(self.hazards))} so far"

    def say(self, sentence: str) -> None:
        """Tell a sentence on stderr, after what the script has printed so far."""
        sys.stdout.flush()
        stream, text = self.stream, f"lanemap: {sentence}"
        if stream.isatty():
            text = wrapped(text, shutil.get_terminal_size().columns)
        print(text, file=stream, flush=True)


def totals(launches: Mapping[str, int], hazards: int, where: str = "") -> list[str]:
    """`12 launches of 3 kernels` and `1 hazard in 2 tests`; `where` is said of hazards."""
    count = sum(launches.values())
    parts = [f"{plural(count, 'launch', 'es')} of {plural(len(launches), 'kernel')}"]
    if not count:
        parts = ["no kernel was launched"]
    if hazards or count:
        parts.append(_hazards(hazards) + (where if hazards else ""))
    return parts


def _hazards(count: int) -> str:
    return plural(count, "hazard") if count else "no hazards"
