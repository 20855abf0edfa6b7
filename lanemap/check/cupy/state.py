"""The emulator that CuPy's arrays and kernels go to while a script is checked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from lanemap.check.findings import calling_line, named
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.check.cuda_api.calls import Calls
    from lanemap.check.launch import Emulated
    from lanemap.devices.emulator import EmulatorDevice
    from lanemap.targets import Target


@dataclass(frozen=True)
class State:
    """What a script's CuPy works with; `calls` serves its calls of CUDA's runtime."""

    emulated: Emulated
    target: Target
    calls: Calls

    @property
    def device(self) -> EmulatorDevice:
        """The emulator."""
        return self.emulated.device


_active: list[State] = []


def active() -> State:
    """Return the state of the script that is checked.

    Raises:
        UserError: none is: an array or a kernel was kept until afterwards.
    """
    if not _active:
        raise UserError("cupy works while `lanemap check` runs the script, and not afterwards")
    return _active[-1]


@contextlib.contextmanager
def working_with(state: State) -> Iterator[None]:
    """Let CuPy work with an emulator while the context lasts."""
    _active.append(state)
    try:
        yield
    finally:
        _active.remove(state)


def refuse(name: str, why: str = "") -> NoReturn:
    """Refuse a part of CuPy at the script's line.

    Raises:
        UserError: always; the sentence has the name.
    """
    line = calling_line()
    where = f"{named(line)}: " if line else ""
    reason = why or "lanemap's stand-in for CuPy does not have it (docs/doors.md)"
    refused = UserError(f"{where}{name} is not supported: {reason}")
    active().emulated.findings.refuse(refused)
    raise refused
