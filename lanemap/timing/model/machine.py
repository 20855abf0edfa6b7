"""The machine in C (machine.c): its tables as NumPy types, and one run."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import MissingEnvironment, UserError

HERE = Path(__file__).resolve().parent
#: 64ths of a cycle, in which pipes and ports are held.
FRACTION = 64
#: 4096ths of a cycle, which a byte of a bulk copy takes.
BYTE_FRACTION = 4096


@cache
def library() -> ctypes.CDLL:
    """The compiled machine.

    Raises:
        MissingEnvironment: it is not built for this processor.
    """
    path = HERE / platform.machine() / "libmachine.so"
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as error:
        raise MissingEnvironment(
            f"{path} cannot be loaded ({error}): run `make runtime`, which needs ziglang"
        ) from error
    loaded.lm_go.restype = loaded.lm_state_bytes.restype = ctypes.c_int64
    return loaded


def _names(symbol: str) -> tuple[str, ...]:
    return tuple(ctypes.string_at(getattr(library(), symbol)).decode().split())


@cache
def table(name: str) -> np.dtype[np.void]:
    """The type of a table of machine.h: "operation", "ask", "warp", "sizes", "costs" or "told"."""
    return np.dtype([(each, np.int32) for each in _names(f"lm_{name}_fields")])


@cache
def units() -> dict[str, int]:
    """The units of machine.h, by name."""
    return {name: number for number, name in enumerate(_names("lm_units"))}


@cache
def things() -> dict[str, int]:
    """What is told of, by name."""
    return {name: number for number, name in enumerate(_names("lm_things"))}


@cache
def reasons() -> tuple[str, ...]:
    """Why a warp does not issue, by number."""
    return _names("lm_reasons")


@dataclass(frozen=True)
class Run:
    """What a run wrote.

    Attributes:
        cycles: From the first cycle to the one after the last issue.
        when: The cycle of each issue, warp after warp.
        why: For each, the last reason that it waited for, a number of `reasons`.
        cause: For each, the place of what ended that wait, within what a warp issued; or -1.
        causing: For each, that warp.
        account: By instruction of the code and reason, cycles of all warps.
    """

    cycles: int
    when: NDArray[np.int32]
    why: NDArray[np.uint8]
    cause: NDArray[np.int32]
    causing: NDArray[np.int32]
    account: NDArray[np.int64]


#: A cycle that no run reaches.
_NEVER = 2**63 - 1
#: What sectors are counted of: L2, and memory.
_LEVELS = 2


class Running:
    """A machine that has begun.

    Attributes:
        code: An operation for each instruction; it may change between turns, as `costs` may.
        costs: One row of the table "costs".
        moved: Sectors of L2, and of memory, that it has moved so far.
        cycles: From its first cycle to the one after the last issue; 0 until it has ended.
    """

    def __init__(
        self,
        sizes: NDArray[np.void],
        code: NDArray[np.void],
        asks: NDArray[np.void],
        warps: NDArray[np.void],
        streams: Sequence[NDArray[np.int32]],
        costs: NDArray[np.void],
    ) -> None:
        """Begin.

        Args:
            sizes: One row of the table "sizes".
            code: See above.
            asks: What executions ask for.
            warps: The warps; `begin` and `count` are places in the streams.
            streams: Places in `code`, and in `asks` or -1, of all that is issued; then by place of
                what is written, where the sectors of each issue begin, how many there are, and
                in how many lines; these; and what `touched` says of each distinct one.
            costs: See above.
        """
        total = int(warps["count"].sum())
        self.code, self.costs, self.cycles = code, costs, 0
        self.moved = np.zeros(_LEVELS, np.int64)
        self._written = (
            np.zeros(total, np.int32),
            np.zeros(total, np.uint8),
            np.full(total, -1, np.int32),
            np.full(total, -1, np.int32),
            np.zeros((len(code), len(reasons())), np.int64),
        )
        self._told = np.zeros(int(sizes["told"][0]), table("told"))
        self._state = np.zeros(library().lm_state_bytes(_at(sizes)) // 8 + 2, np.int64)
        self._given = (sizes, code, asks, warps, *streams, costs, self._state)
        library().lm_begin(*map(_at, (*self._given, *self._written, self._told)))

    def go(self, until: int = _NEVER) -> bool:
        """Run until a cycle; whether it has ended.

        Raises:
            UserError: no warp can go on.
        """
        if not self.cycles:
            cycles = library().lm_go(_at(self._state), ctypes.c_int64(until), _at(self.moved))
            if cycles < 0:
                raise UserError(
                    "the warps wait for each other: the trace's barriers do not fit together"
                )
            self.cycles = cycles
        return self.cycles > 0

    def told(self) -> NDArray[np.void]:
        """What was told, as much as there was room for."""
        return self._told[: library().lm_tellings(_at(self._state))]

    def run(self) -> Run:
        """What it wrote."""
        return Run(self.cycles, *self._written)


def _at(array: NDArray[np.generic]) -> ctypes.c_void_p:
    assert array.flags["C_CONTIGUOUS"]
    return ctypes.c_void_p(array.ctypes.data)
