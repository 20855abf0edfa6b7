"""The process that answers libcuda.so.1 of another process (emulator/drivers/cuda/transport.c).

Both map the emulator's memory at one address. The library moves bytes there itself: it asks before
it reads, so that undefined bytes are found, and says what it is about to write.
"""

from __future__ import annotations

import contextlib
import io
import socket
import struct
from collections import Counter
from dataclasses import dataclass
from typing import NoReturn

from lanemap.check.cuda_api.calls import Calls, Status
from lanemap.check.findings import Findings, work_for_another_process
from lanemap.check.journal import Journal
from lanemap.check.launch import Emulated
from lanemap.check.libcuda.packages import refusal_of
from lanemap.check.libcuda.serving import RESULTS, WORDS, Operation, Serving
from lanemap.devices.emulator import Arena, EmulatorDevice, Settings
from lanemap.errors import UserError
from lanemap.targets import TARGETS

_QUESTION = struct.Struct(f"<II{WORDS}QQQ")
_ANSWER = struct.Struct(f"<iI{RESULTS}QQ")
#: No question of the library is longer.
_MOST_BYTES = 1 << 31


@dataclass(frozen=True)
class Options:
    """How a program is run; see `lanemap exec --help`."""

    target: str = "sm_90a"
    strict: bool = False
    hazards: str = "report"
    quiet: bool = False
    verbose: bool = False


class CountedFindings(Findings):
    """Findings whose launches are counted here and kept once, at the end: there may be many."""

    def launched(self, kernel: str) -> None:
        """Count a launch."""
        self.launches[kernel] += 1


class _Ended(Exception):
    """The program's side of the line has gone."""


def serve(connection: socket.socket, options: Options, journal: Journal, client: int) -> None:
    """Answer a process until it ends; what was found is in the journal."""
    work_for_another_process()
    findings = CountedFindings(options.quiet, journal, verbose=options.verbose)
    try:
        arena = Arena()
        settings = Settings(options.hazards, options.strict)  # type: ignore[arg-type]
        device = EmulatorDevice(options.target, settings, arena)
        calls = Calls(Emulated(device, findings), TARGETS[options.target])
        _Line(connection, Serving(calls, arena, refusal=refusal_of(client)), arena).answer_all()
    except UserError as error:
        findings.refuse(error)
        findings.say(str(error))
    except (_Ended, ConnectionError):
        pass
    finally:
        journal.write("launches", Counter(findings.launches))
        connection.close()


class _Line:
    """A connection with one program."""

    def __init__(self, connection: socket.socket, serving: Serving, arena: Arena) -> None:
        self._connection, self._serving, self._arena = connection, serving, arena

    def answer_all(self) -> NoReturn:
        """Answer each question.

        Raises:
            _Ended: the program has gone.
        """
        while True:
            operation, _, *rest = _QUESTION.unpack(self._receive(_QUESTION.size))
            words, (size, room) = rest[:WORDS], rest[WORDS:]
            if size > _MOST_BYTES:
                raise UserError(f"libcuda.so.1 announces {size} bytes, which is too much")
            data = self._receive(size)
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                try:
                    status, (found, out) = self._serving.answer(operation, words, data)
                except KeyboardInterrupt:
                    status, (found, out) = int(Status.LAUNCH_FAILED), ((), b"")
            text = printed.getvalue().encode()
            whole = [*found, *(0,) * RESULTS][:RESULTS]
            out = out[:room]
            answer = _ANSWER.pack(status, len(text), *whole, len(out))
            self._connection.sendall(answer + text + out)
            if operation == Operation.OPEN and not status:
                socket.send_fds(self._connection, [b"\0"], [self._arena.descriptor])

    def _receive(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = self._connection.recv(min(size - len(parts), 1 << 20))
            if not part:
                raise _Ended
            parts += part
        return bytes(parts)
