"""Running a program whose libcuda.so.1 is ours: any program, in any language.

Each process of it that initializes CUDA gets a process of ours beside it, with a GPU of its own.
So the program may crash, fork, or put another program in its place: what was found is kept.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lanemap.check.findings import Findings
from lanemap.check.journal import Journal
from lanemap.check.libcuda import stand_ins
from lanemap.check.libcuda.in_process import NAME
from lanemap.check.libcuda.server import Options, serve
from lanemap.devices.emulator import driver_library
from lanemap.errors import Disagreement, UserError

#: Where the library finds us.
VARIABLE = "LANEMAP_DRIVER"
_PATH = "LD_LIBRARY_PATH"
#: Seconds between looks at what has ended, and for the last launch of a program that was killed.
_PACE, _PATIENCE = 0.05, 0.5


@dataclass
class Outcome:
    """What came of a program.

    Attributes:
        findings: What was found in all of its processes.
        status: What it ended with, as `subprocess` says it: negative for a signal.
        processes: How many of its processes used CUDA.
        lost: Why something may be missing, a sentence each.
    """

    findings: Findings
    status: int = 0
    processes: int = 0
    lost: list[str] = field(default_factory=list)

    @property
    def ended(self) -> str:
        """How it ended, unless with status 0."""
        if self.status < 0:
            return f"it was ended by {signal.Signals(-self.status).name}"
        return f"it ended with status {self.status}" if self.status else ""

    @property
    def exit_status(self) -> int:
        """128 and the signal that ended it; else 1 for findings; else its own status.

        2 stands for 0 where lanemap could not do all that it asked for.
        """
        if self.status < 0:
            return 128 - self.status
        if self.findings.hazards:
            return Disagreement.exit_code
        if not self.status and (self.findings.refused or self.lost):
            return UserError.exit_code
        return self.status


def run_program(command: Sequence[str], options: Options) -> Outcome:
    """Run a program to its end.

    Raises:
        MissingEnvironment: there is no libcuda.so.1 of ours for this system.
        UserError: there is no such program.
    """
    library = driver_library(NAME)
    folder = Path(tempfile.mkdtemp(prefix="lanemap-exec-"))
    try:
        journal = Journal.begin(folder)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(folder / "driver"))
            listener.listen(64)
            own = {
                VARIABLE: str(folder / "driver"),
                _PATH: _before(library.parent, _PATH),
                "PATH": _before(_programs(folder), "PATH"),
                **stand_ins.nvrtc_variable(),
            }
            outcome = Outcome(Findings(quiet=True))
            with _signals_for_the_program() as children:
                child = _started(command, {**os.environ, **own}, options.quiet)
                children.append(child)
                handlers = _Handlers(listener, options, journal)
                outcome.status = handlers.serve_until_ended(child)
            outcome.processes, outcome.lost = handlers.count, handlers.lost
        _replay(journal, outcome.findings)
        outcome.findings.quiet = options.quiet  # what is replayed has been told
        outcome.findings.tell_withheld(bool(outcome.status))
        return outcome
    finally:
        shutil.rmtree(folder)


def _before(folder: Path, variable: str) -> str:
    """Return the folders of a variable with one more in front."""
    return os.pathsep.join(filter(None, (str(folder), os.environ.get(variable))))


def _programs(folder: Path) -> Path:
    """Make a folder with our ptxas, which a program's PATH names first."""
    path = folder / "bin" / "ptxas"
    path.parent.mkdir()
    command = shlex.join([sys.executable, "-m", "lanemap.check.libcuda.ptxas"])
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o700)
    return path.parent


def _started(
    command: Sequence[str], environment: dict[str, str], quiet: bool
) -> subprocess.Popen[bytes]:
    """Start the program; where we print JSON, what it prints goes to stderr."""
    sys.stdout.flush()
    try:
        return subprocess.Popen(command, env=environment, stdout=sys.stderr if quiet else None)
    except OSError as error:
        raise UserError(f"{command[0]} cannot be run: {error.strerror or error}") from error


class _Handlers:
    """Our processes, one for each of the program's."""

    def __init__(self, listener: socket.socket, options: Options, journal: Journal) -> None:
        self._listener, self._options, self._journal = listener, options, journal
        #: The program's process of each of ours.
        self._clients: dict[int, int] = {}
        self.count = 0
        self.lost: list[str] = []

    def serve_until_ended(self, child: subprocess.Popen[bytes]) -> int:
        """Answer the program and all that it starts, until they end; return its status."""
        status = None
        while status is None or self._clients:
            ready, _, _ = select.select([self._listener], [], [], _PACE)
            if ready:
                self._accept()
            self._reap()
            if status is None:
                status = child.poll()
            if status is not None:
                self._stop_orphans()
        return status

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        client = int.from_bytes(peer[:4], sys.byteorder)
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python's, of threads
            handler = os.fork()
        if not handler:
            self._become_handler(connection, client)
        connection.close()
        self._clients[handler] = client
        self.count += 1

    def _become_handler(self, connection: socket.socket, client: int) -> None:
        """Answer one process of the program, and end."""
        status = 1
        try:
            self._listener.close()
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.default_int_handler)
            serve(connection, self._options, self._journal, client)
            status = 0
        except KeyboardInterrupt:
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)

    def _reap(self) -> None:
        for handler in list(self._clients):
            ended, status = os.waitpid(handler, os.WNOHANG)
            if not ended:
                continue
            del self._clients[handler]
            if status:
                self.lost.append(
                    "lanemap's own process failed beside the program, so its findings may be "
                    "incomplete: please report it"
                )

    def _stop_orphans(self) -> None:
        """Stop launches of processes that have gone: nobody waits for them."""
        gone = [handler for handler, client in self._clients.items() if not _lives(client)]
        if gone:
            time.sleep(_PATIENCE)
            self._reap()
            for handler in gone:
                if handler in self._clients:
                    os.kill(handler, signal.SIGINT)


def _lives(process: int) -> bool:
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX"
    return False


@contextlib.contextmanager
def _signals_for_the_program() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Let the program have the signals that would end us, who wait for it; yield who gets them."""
    children: list[subprocess.Popen[bytes]] = []

    def pass_on(number: int, _: object) -> None:
        for child in children:
            if number != signal.SIGINT:  # which a terminal sends to both
                child.send_signal(number)

    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, pass_on) for number in wanted}
    try:
        yield children
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _replay(journal: Journal, findings: Findings) -> None:
    """Take what our processes found."""
    for kind, *about in journal.records():
        if kind == "launches":
            findings.launches.update(about[0])
        else:
            name, given, named = about
            getattr(findings, name)(*given, **named)
