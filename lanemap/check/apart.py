"""A script in a process of its own; the parent reports what it found, however it ends.

A script may end its process (`os._exit`), put another program in its place (`os.execv`), or crash.
So it runs in a child process. The child keeps a journal of what it finds, and the parent reads the
journal when the child has ended.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from lanemap.check.findings import Findings
from lanemap.check.journal import Journal
from lanemap.check.run import Options, Outcome, check
from lanemap.errors import MissingEnvironment

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def check_apart(script: Path, arguments: Sequence[str], options: Options) -> Outcome:
    """Run a script in a child process, with the emulator as its GPU; see `run.check`.

    Raises:
        MissingEnvironment: see `run.require_packages`.
        UserError: the script cannot be read, or needs what the emulator does not support.
        KeyboardInterrupt: Ctrl-C ended the script.
    """
    folder = Path(tempfile.mkdtemp(prefix="lanemap-check-"))
    try:
        journal = Journal.begin(folder)
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        with warnings.catch_warnings():
            # Python warns of threads; those of libraries are stopped before a fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if not child:
            _run(journal, script, arguments, options, parent)
        with _passing_signals_on(child):
            _, status = os.waitpid(child, 0)
        return _judged(journal, status)
    finally:
        shutil.rmtree(folder)


# -- in the child ----------------------------------------------------------------------------------
def _run(
    journal: Journal, script: Path, arguments: Sequence[str], options: Options, parent: int
) -> NoReturn:
    """Run the script and end the process; a process that the script forks ends here, too."""
    own, status = os.getpid(), 1
    try:
        _end_with(parent)
        _note_programs(journal)
        outcome = check(script, arguments, options, journal, _leave)
        _flush()
        status = 1 if outcome.ended else 0
        if os.getpid() == own:
            journal.write("ended", outcome.ended, outcome.counts)
    except SystemExit as left:  # of a process that the script forked
        status = _flushed_status(left.code)
    except BaseException as error:
        if os.getpid() == own:
            journal.write("raised", _portable(error), traceback.format_exc())
    finally:
        # Not sys.exit: libraries whose objects are alive at the end would complain about that.
        os._exit(status)


def _leave() -> None:
    """Wait for threads and do what was registered with `atexit`, as Python does before it ends."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()


def _end_with(parent: int) -> None:
    """Let the child end when its parent is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def _note_programs(journal: Journal) -> None:
    """Note which program the process is about to become."""
    own = os.getpid()

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "os.exec" and os.getpid() == own:
            journal.write("became", os.fsdecode(arguments[0]))

    sys.addaudithook(note)


def _flush() -> None:
    """Write what Python and C keep back of the output, as the end of a process does."""
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)


def _flushed_status(code: Any) -> int:
    """Return the status that Python ends with for the code of a SystemExit."""
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    _flush()
    return (code or 0) & 0xFF


def _portable(error: BaseException) -> BaseException:
    """Return an error that another process can raise."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # any class may refuse in its own way
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


# -- in the parent ---------------------------------------------------------------------------------
class _ChildError(Exception):
    """The traceback of what the child raised."""


@contextlib.contextmanager
def _passing_signals_on(child: int) -> Iterator[None]:
    """Let the child have the signals that would end this process, which waits for it meanwhile."""

    def pass_on(number: int, _: Any) -> None:
        if number != signal.SIGINT or not _in_foreground():  # else the terminal has sent it to both
            os.kill(child, number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in wanted}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, pass_on)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _in_foreground() -> bool:
    """Whether a terminal sends Ctrl-C to this process and its child."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    finally:
        os.close(terminal)


def _judged(journal: Journal, status: int) -> Outcome:
    """Return what came of a script whose process ended with a status of `os.waitpid`."""
    findings = Findings(quiet=True)
    outcome, became = Outcome(findings, "", "", {}, None), ""
    ended = False
    for kind, *about in journal.records():
        if kind == "begun":
            outcome.gpu, outcome.versions = about
        elif kind == "finding":
            name, given, named = about
            getattr(findings, name)(*given, **named)
        elif kind == "became":
            (became,) = about
        elif kind == "ended":
            ended = True
            outcome.ended, outcome.counts = about
        else:
            error, text = about
            raise error from _ChildError(text)
    if not ended:
        outcome.ended = _how_it_ended(status, became)
        if not outcome.versions:
            raise MissingEnvironment(f"the script did not begin: {outcome.ended or 'it ended'}")
    if findings.refused:  # and the script caught it
        raise findings.refused[0]
    return outcome


def _how_it_ended(status: int, became: str) -> str:
    """Say what is wrong with an end that the child did not tell; "" for nothing.

    Raises:
        KeyboardInterrupt: Ctrl-C ended it.
    """
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) == signal.SIGINT:
            raise KeyboardInterrupt
        return f"it was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    if became:
        return f"it became another program ({became}), which was not checked"
    code = os.WEXITSTATUS(status)
    return f"it ended with status {code}" if code else ""
