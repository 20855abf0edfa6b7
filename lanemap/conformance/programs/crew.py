"""Worker processes: several for the emulator, and one for the GPU, which restarts if it dies."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import lanemap
from lanemap.conformance.programs import plan
from lanemap.conformance.programs.execution import execute
from lanemap.conformance.programs.program import Program
from lanemap.errors import LanemapError, MissingEnvironment
from lanemap.sweeping.executors import side_by_side
from lanemap.toolchain import ptxas

_CONTEXT = multiprocessing.get_context("spawn")
#: Seconds after which a program counts as hung.
_PATIENCE = 60


@dataclass(frozen=True)
class Emulated:
    """The emulator's output of a program and its cubin, or the sentence of an error."""

    output: bytes
    cubin: bytes | None
    error: str


def emulate(program: Program) -> tuple[bytes, str]:
    """Run a program on an emulator of its own; return its output, and a sentence if it fails."""
    try:
        return execute(lanemap.open_device(plan.TARGET, device="emulator"), program), ""
    except LanemapError as error:
        return b"", str(error)


def prepare(program_of: Callable[[int], Program], number: int) -> Emulated:
    """Emulate and compile one program; there is no cubin without ptxas."""
    program = program_of(number)
    output, error = emulate(program)
    try:
        return Emulated(output, ptxas.assemble(program.text, plan.TARGET), error)
    except MissingEnvironment:
        return Emulated(output, None, error)


def prepared(program_of: Callable[[int], Program], numbers: Sequence[int]) -> Iterator[Emulated]:
    """Emulate and compile programs side by side; yield in order."""
    with side_by_side([partial(prepare, program_of, number) for number in numbers]) as done:
        yield from done


def _serve(pipe: Connection, target: str) -> None:
    """Run what comes through the pipe on the GPU, until None comes."""
    try:
        device = lanemap.open_device(target, device="cuda")
    except LanemapError as error:
        pipe.send(str(error))
        return
    pipe.send("")
    while (job := pipe.recv()) is not None:
        program, image = job
        try:
            pipe.send((execute(device, program, image), ""))
        except LanemapError as error:
            pipe.send((b"", str(error)))


class Gpu:
    """A GPU in a separate process, because a fault ends the process that drives the GPU."""

    def __init__(self) -> None:
        """Start the process.

        Raises:
            MissingEnvironment: there is no GPU of the target.
        """
        self._process: Any = None
        self._start()

    def _start(self) -> None:
        self._pipe, other = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(other, plan.TARGET), daemon=True)
        self._process.start()
        other.close()
        refusal = self._pipe.recv()
        if refusal:
            raise MissingEnvironment(refusal)

    def run(self, program: Program, image: bytes | None) -> tuple[bytes, str]:
        """Run a program, compiled or not; return its output, and a sentence if it fails."""
        self._pipe.send((program, image))
        try:
            if not self._pipe.poll(_PATIENCE):
                answer: tuple[bytes, str] = (b"", f"did not end within {_PATIENCE} seconds")
            else:
                answer = self._pipe.recv()
        except EOFError:
            answer = (b"", "ended the process that drove the GPU")
        if answer[1]:
            self.close()
            self._start()
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        self._pipe.close()
