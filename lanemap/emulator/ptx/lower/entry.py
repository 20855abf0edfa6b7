"""A PTX text that is loaded: its kernels and its variables in global memory."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lanemap.emulator.codegen.garbage import without_collections
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.sources import source_hash
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.cluster import Initial, Place, Size, Value
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.parameters import Parameter
from lanemap.emulator.host.printing import Printing
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.host.variables import Variable as Placed
from lanemap.emulator.ptx.lower.lowering import LANES, Lowering
from lanemap.emulator.ptx.lower.names import (
    GRID_BARRIER_OFFSET,
    GRID_WORKSPACE,
    GRID_WORKSPACE_BYTES,
    PARAMETERS,
    SHARED_BASE,
    STACK,
    WORKSPACE_HALVES,
    function_address,
)
from lanemap.emulator.ptx.lower.special_registers import INITIAL, SHARED_UNIT, Beginning
from lanemap.emulator.ptx.lower.timed_waits import timed_waits
from lanemap.emulator.ptx.text.errors import Place as Line
from lanemap.emulator.ptx.text.module import Function, Module
from lanemap.emulator.ptx.text.operands import Special
from lanemap.emulator.ptx.text.parser import parse
from lanemap.emulator.ptx.text.variables import Relocation, Variable
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError
from lanemap.targets import defined_for, reach, runs_on

if TYPE_CHECKING:
    pass

_FRONT_END = Path(__file__).parent.parent


class Kernel:
    """One entry of a loaded text; see `run.Entry`."""

    def __init__(
        self, text: LoadedText, function: Function, lower: Callable[[Function], Lowering]
    ) -> None:
        """Keep what the text says of the kernel; `lower` is called when it is first asked for."""
        self.name = function.name
        self.parameters: Sequence[Parameter] = tuple(
            Parameter(item.name, offset, item.size)
            for item, offset in zip(function.prototype.parameters, function.offsets, strict=True)
            if isinstance(item, Variable)
        )
        self.printing: Printing | None = None  # calls of vprintf print at once
        self.print_buffer = 0
        self._text = text
        self._function = function
        self._lower = lower

    @functools.cached_property
    def _lowering(self) -> Lowering:
        with without_collections():
            return self._lower(self._function)

    def require(self) -> None:
        """Check that all code the kernel can reach is supported.

        Raises:
            PtxError: instructions are unknown or misused; the message names all, with their lines.
        """
        self._lowering  # noqa: B018  made here, or refused

    @property
    def warnings(self) -> tuple[str, ...]:
        """Legal code known to fail on hardware, with file and line."""
        return tuple(
            f"{self._text.file}:{wait.line}: ptxas 13.0 to 13.5 can run `{behind.name}` of line "
            f"{behind.line} without the lanes that still sleep in this timed `{wait.name}`; put "
            "the wait into a loop until it returns true, or leave out the time (docs/found.md)"
            for wait, behind in timed_waits(self._lowering.functions)
        )

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables that the kernel names."""
        return frozenset(self._lowering.names.symbols)

    @property
    def shared_bytes(self) -> int:
        """Bytes of the shared memory that the text declares."""
        return self._lowering.names.shared_bytes

    @property
    def private_bytes(self) -> int:
        """Bytes of local memory of each lane."""
        return self._lowering.names.private_bytes

    @property
    def program(self) -> Program:
        """The kernel as the core runs it."""
        return self._lowering.program

    def initial(self, place: Place) -> Initial:
        """Special registers, the addresses of parameters and variables."""
        at = Beginning(
            place,
            self.shared_bytes,
            place.cluster != (1, 1, 1) or self._demands_cluster,
            self._text.definition.limits.warps_of_sm,
        )
        values: dict[Register, Value] = {
            **{register: value(at) for register, value in INITIAL.items()},
            PARAMETERS: place.parameters,
            STACK: np.full_like(place.threads(LANES), self._lowering.names.fixed_private_bytes),
            SHARED_BASE: place.rank << abi.RANK_SHIFT,
        }
        for name, register in self._lowering.names.symbols.items():
            values[register] = self._text.address(name)
        return values

    def parameter_block(
        self, arguments: bytes, grid: Size, block: Size, shared_bytes: int
    ) -> bytes:
        """Return the parameter space: PTX hides nothing in it."""
        return arguments.ljust(self._function.parameter_bytes, b"\0")

    @property
    def multiprocessors(self) -> int:
        """How many SMs the GPU of the target has."""
        return self._text.definition.gpu.multiprocessors

    def resident(self, waves: int, shared_bytes: int) -> tuple[int, str]:
        """Return how many CTAs run at once on the GPU of the target, and its name.

        Registers, which ptxas allots, may allow fewer.
        """
        gpu, limits = self._text.definition.gpu, self._text.definition.limits
        shared = -(-shared_bytes // SHARED_UNIT) * SHARED_UNIT + limits.reserved_shared_bytes
        each = min(limits.ctas_of_sm, limits.warps_of_sm // waves)
        if shared:
            each = min(each, limits.shared_bytes_of_sm // shared)
        return each * gpu.multiprocessors, gpu.called

    def check_launch(
        self, grid: Size, block: Size, shared_bytes: int, cluster: Size
    ) -> tuple[Size, Size]:
        """Refuse what no GPU would launch, or the kernel's own directives forbid.

        Returns the CTAs of the grid and the clusters that the launch gets.

        Raises:
            UserError: the sizes do not fit.
        """
        directives = self._function.directives
        if "blocksareclusters" in directives:  # PTX ISA, Miscellaneous Directives
            of_cluster = _three(directives.get("reqnctapercluster")) or (1, 1, 1)
            x, y, z = (g * c for g, c in zip(grid, of_cluster, strict=True))
            grid = x, y, z
        threads, limits = int(np.prod(block)), self._text.definition.limits
        if threads > limits.threads or _exceeds(block, limits.block):
            raise UserError(
                f"block {block} is larger than {limits.block} or {limits.threads} threads"
            )
        if _exceeds(grid, limits.grid):
            raise UserError(f"grid {grid} is larger than {limits.grid}")
        if self.shared_bytes + shared_bytes > limits.shared_bytes:
            raise UserError(
                f"{self.name} asks for {self.shared_bytes + shared_bytes} bytes of shared memory; "
                f"a CTA has at most {limits.shared_bytes}"
            )
        if self.private_bytes > limits.local_bytes:
            raise UserError(
                f"{self.name} asks for {self.private_bytes} bytes of local memory; a thread has at "
                f"most {limits.local_bytes}"
            )
        required = _three(directives.get("reqntid"))
        if required is not None and block != required:
            raise UserError(f"{self.name} needs a block of {required} (.reqntid), not {block}")
        most = directives.get("maxntid")
        if most is not None and threads > int(np.prod(most)):
            raise UserError(
                f"{self.name} takes at most {int(np.prod(most))} threads (.maxntid), not {threads}"
            )
        return grid, self._check_cluster(grid, cluster)

    def _check_cluster(self, grid: Size, cluster: Size) -> Size:
        """Return the clusters that a launch gets: what it asks for, or the kernel demands."""
        directives = self._function.directives
        required = _three(directives.get("reqnctapercluster"))
        if required is not None and cluster == (1, 1, 1):
            cluster = required
        count = int(np.prod(cluster))
        if required is not None and cluster != required:
            raise UserError(
                f"{self.name} needs clusters of {required} CTAs (.reqnctapercluster), not {cluster}"
            )
        if count == 1 and "explicitcluster" in directives and required is None:
            raise UserError(f"{self.name} must be launched with a cluster (.explicitcluster)")
        most = directives.get("maxclusterrank", (abi.MAX_CTAS,))[0]
        if count > min(most, abi.MAX_CTAS):
            raise UserError(
                f"{self.name} takes clusters of at most {min(most, abi.MAX_CTAS)} CTAs, not "
                f"{cluster}"
            )
        if any(g % c for g, c in zip(grid, cluster, strict=True)):
            raise UserError(f"grid {grid} does not divide into clusters of {cluster} CTAs")
        return cluster

    @property
    def _demands_cluster(self) -> bool:
        return not {"reqnctapercluster", "explicitcluster"}.isdisjoint(self._function.directives)


def _exceeds(sizes: Size, most: Size) -> bool:
    return any(size > limit for size, limit in zip(sizes, most, strict=True))


def _three(sizes: tuple[int, ...] | None) -> Size | None:
    if sizes is None:
        return None
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


class LoadedText:
    """A PTX text with all its kernels; see `machine.LoadedText`."""

    def __init__(self, module: Module, key: str, settings: Settings, gpu: str) -> None:
        """Keep a parsed text; its kernels are lowered for a GPU when they are first asked for."""
        self._module = module
        self.definition = defined_for(gpu)
        self._addresses: dict[str, int] = {}

        def lower(entry: Function) -> Lowering:
            return Lowering(module, entry, key, settings, gpu)

        self.kernels: dict[str, Kernel] = {
            entry.name: Kernel(self, entry, lower) for entry in module.entries
        }

    @property
    def file(self) -> str:
        """The text's name in messages."""
        return self._module.file

    def require_gpu(self, gpu: str) -> None:
        """Check that a GPU executes PTX of the text's target.

        Raises:
            PtxError: it does not.
        """
        target = self._module.target
        if not runs_on(target, gpu):
            raise Line(self.file, self._module.target_line).error(
                f"`.target {target}` runs on {reach(target)}, and this device is {gpu}: compile "
                f"the text for {gpu}, or open a device that executes it"
            )

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source lines that a line of the text stands for, the innermost first."""
        return self._module.places(line)

    def address(self, name: str) -> int:
        """Return where a global or constant variable lies."""
        return self._addresses[name]

    def place_data(self, launcher: Launcher) -> None:
        """Allocate the variables, with their initial values and the addresses in them.

        Raises:
            PtxError: an initial value names something that has no address.
        """
        variables = self._placed_variables()
        for variable in variables:
            constant = variable.space == "const"
            allocation = launcher.memory.allocate(
                variable.size, constant, f"variable `{variable.name}`"
            )
            self._addresses[variable.name] = allocation.base
        for variable in variables:
            launcher.memory.write(self._addresses[variable.name], self._image(variable))
        if self._meets_grid():
            workspace = launcher.memory.allocate(
                GRID_WORKSPACE_BYTES, False, "the grid's workspace"
            )
            self._addresses[GRID_WORKSPACE] = workspace.base
            launcher.memory.write(workspace.base + GRID_BARRIER_OFFSET, bytes(4))

    def _meets_grid(self) -> bool:
        """Whether some function reads the barrier of a cooperative launch."""
        return any(
            isinstance(operand, Special) and operand.name in WORKSPACE_HALVES
            for function in self._module.functions.values()
            for instruction in function.body
            for operand in instruction.operands
        )

    def _placed_variables(self) -> list[Variable]:
        """Return the variables of global and constant memory that the text defines."""
        found = list(self._module.variables.values())
        for function in self._module.functions.values():
            found += function.variables
        return [v for v in found if v.space in ("global", "const") and v.linkage != "extern"]

    @property
    def variables(self) -> Sequence[Placed]:
        """The variables of global and constant memory; see `machine.LoadedText`."""
        return [
            Placed(
                each.name,
                self._addresses[each.name],
                each.size,
                each.type,
                each.space == "const",
                each.data is not None or bool(each.relocations),
            )
            for each in self._placed_variables()
        ]

    def _image(self, variable: Variable) -> bytes:
        image = bytearray(variable.data if variable.data is not None else bytes(variable.size))
        for relocation in variable.relocations:
            value = (self._symbol(relocation, variable) + relocation.addend) >> relocation.shift
            mask = (1 << 8 * relocation.size) - 1
            image[relocation.offset : relocation.offset + relocation.size] = (
                value & mask
            ).to_bytes(relocation.size, "little")
        return bytes(image)

    def _symbol(self, relocation: Relocation, variable: Variable) -> int:
        name = relocation.symbol
        if name in self._addresses:
            return self._addresses[name]
        name = self._module.aliases.get(name, name)
        if name in self._module.functions:
            return function_address(list(self._module.functions).index(name))
        raise Line(self._module.file, variable.line).error(
            f"the initial value of `{variable.name}` names `{relocation.symbol}`, which has no "
            "address here"
        )


def load(
    source: str, file: str, settings: Settings | None = None, gpu: str | None = None
) -> LoadedText:
    """Parse a PTX text; each kernel is checked and lowered at its first use.

    Args:
        source: The text.
        file: Its name, for messages.
        settings: Settings with the `models` and `strict` of the text; None for the defaults.
        gpu: The target of the GPU; None for any that executes the text.

    Raises:
        PtxError: the text is malformed, or is not for that GPU; with file and line.
    """
    with without_collections():
        loaded = _load(source, file, settings or Settings(), gpu)
    if gpu is not None:
        loaded.require_gpu(gpu)
    return loaded


def _load(source: str, file: str, settings: Settings, gpu: str | None) -> LoadedText:
    module = parse(source, file)
    if module.address_size != 64 or not re.fullmatch(r"sm_\d+[af]?", module.target):
        raise Line(file, 1).error(
            "write .target sm_.. and .address_size 64: the emulator runs PTX with 64-bit addresses"
        )
    key = (
        f"{source_hash(_FRONT_END)} {hashlib.sha256(source.encode()).hexdigest()}"
        f"{' strict' if settings.strict else ''}"
    )
    return LoadedText(module, key, settings, gpu or module.target)
