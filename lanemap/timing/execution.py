"""What each warp of a launch executes: as the emulator reports it, and along the SASS.

`Recorder` is an observer of launches; `along` joins what it recorded to the SASS that ptxas makes
of the same text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator import api
from lanemap.errors import UserError
from lanemap.timing.flow import issue_cycles
from lanemap.timing.paths import Executed, Path, Program
from lanemap.toolchain import ptxas
from lanemap.toolchain.sass import SassInstruction, disassemble

if TYPE_CHECKING:
    from lanemap.emulator.api import Counts, Watched

#: The target whose stall counts a GPU has explained (docs/timing.md).
_MEASURED = "sm_90a"
_FIELDS = ("cta", "wave", "operation", "lanes")


@dataclass(frozen=True)
class Walk:
    """What some warps executed, all of them the same.

    Attributes:
        warps: How many they are.
        executed: Their instructions, in order.
        clusters: Whether they are of a launch with clusters of several CTAs.
    """

    warps: int
    executed: tuple[Executed, ...]
    clusters: bool = False


class Recorder:
    """An observer that keeps what each warp executed.

    Attributes:
        launches: The launches that ended: name of the kernel, and its walks.
    """

    watch = api.Watch.ISSUE

    def __init__(self, most: int = 20_000_000) -> None:
        """Keep at most so many instructions of a launch."""
        self.launches: list[tuple[str, tuple[Walk, ...]]] = []
        self._most = most
        self._parts: list[NDArray[Any]] = []
        self._count = 0
        self._launch: Watched | None = None

    def begin(self) -> None:
        """Forget an earlier pass of the launch."""
        self._parts, self._count, self._launch = [], 0, None

    def record(self, launch: Watched, records: NDArray[Any]) -> None:
        """Keep instructions.

        Raises:
            UserError: there are more than may be kept.
        """
        self._launch = launch
        self._count += len(records)
        if self._count > self._most:
            raise UserError(
                f"{launch.kernel} executes more than {self._most} instructions of warps; launch "
                "fewer CTAs, or a smaller problem"
            )
        self._parts.append(records[list(_FIELDS)].copy())

    def end(self, counts: Counts) -> None:
        """Keep the walks of the launch that ended."""
        if self._launch is None:
            return
        records = np.concatenate(self._parts)
        self.launches.append((self._launch.kernel, _walks(self._launch, records)))
        self._parts = []


def _walks(launch: Watched, records: NDArray[Any]) -> tuple[Walk, ...]:
    """Group the records by warp, and warps by what they executed."""
    warp = records["cta"].astype(np.int64) << 16 | records["wave"]
    order = np.argsort(warp, kind="stable")
    bounds = np.flatnonzero(np.diff(warp[order], prepend=-1))
    steps = np.stack([records["operation"].astype(np.uint64), records["lanes"]], 1)[order]
    groups: dict[bytes, int] = {}
    for part in np.split(steps, bounds[1:]):
        key = part.tobytes()
        groups[key] = groups.get(key, 0) + 1
    known = {n: launch.instruction(n) for n in np.unique(records["operation"]).tolist()}
    clusters = int(np.prod(launch.cluster)) > 1
    return tuple(
        Walk(warps, _executed(known, np.frombuffer(key, np.uint64).reshape(-1, 2)), clusters)
        for key, warps in groups.items()
    )


def _executed(
    known: Mapping[int, api.Instruction], steps: NDArray[np.uint64]
) -> tuple[Executed, ...]:
    operations, lanes = steps[:, 0].tolist(), steps[:, 1].tolist()
    lines = [known[operation].line for operation in operations]
    return tuple(
        Executed(line, known[operation].opcode, mask, after)
        for operation, line, mask, after in zip(
            operations, lines, lanes, [*lines[1:], 0], strict=True
        )
    )


@dataclass(frozen=True)
class Along:
    """A launch along the SASS of its kernel.

    Attributes:
        code: The SASS.
        executions: How often warps executed each instruction, of those that have a path.
        warps: How many have one.
        missing: By reason, how many have none.
        unmatched: Lines of effects that ptxas merged or removed, of which the path says nothing.
        least_cycles: Cycles of the longest path by its stall counts alone; 0 where no GPU of the
            target has said what a stall count means.
    """

    code: tuple[SassInstruction, ...]
    executions: tuple[int, ...]
    warps: int
    missing: Mapping[str, int]
    unmatched: tuple[int, ...]
    least_cycles: int


def along(ptx: str, target: str, kernel: str, walks: Sequence[Walk], name: str) -> Along:
    """Return a launch along the SASS that ptxas makes of its text.

    Args:
        ptx: The text.
        target: What it is assembled for, such as "sm_90a".
        kernel: The kernel's symbol.
        walks: What its warps executed.
        name: What errors call the text.

    Raises:
        UserError: ptxas refuses the text.
        MissingEnvironment: ptxas or nvdisasm is not here.
    """
    cubin = ptxas.assemble(ptxas.lowered(ptx), target, ("-lineinfo",), name)
    code = tuple(disassemble(cubin)[kernel])
    executed = {each.line: each.opcode for walk in walks for each in walk.executed}
    program = Program(code, ptx, executed, any(walk.clusters for walk in walks))
    executions, warps, longest = np.zeros(len(program.blocks), np.int64), 0, 0
    cycles = [sum(issue_cycles(each.control) for each in block.code) for block in program.blocks]
    missing: dict[str, int] = {}
    for walk in walks:
        path: Path = program.path(walk.executed)
        if path.reason:
            missing[path.reason] = missing.get(path.reason, 0) + walk.warps
            continue
        warps += walk.warps
        np.add.at(executions, list(path.blocks), walk.warps)
        longest = max(longest, sum(cycles[block] for block in path.blocks))
    each_block = [
        count
        for block, count in zip(program.blocks, executions.tolist(), strict=True)
        for _ in block.code
    ]
    if target != _MEASURED:
        longest = 0
    return Along(code, tuple(each_block), warps, missing, program.unmatched, longest)
