"""A PTX text that is loaded: its kernels and its variables in global memory.

What a launch needs of a text is kept in the object cache (text_facts.py). The text is parsed where
nothing is kept of it, and where somebody asks for more.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lanemap.emulator.codegen import kept
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.cluster import Initial, Place, Size, Value
from lanemap.emulator.host.parameters import Parameter
from lanemap.emulator.host.printing import Printing
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.host.variables import Variable as Placed
from lanemap.emulator.ptx.lower.abi import LANES
from lanemap.emulator.ptx.lower.reserved import (
    GRID_BARRIER_OFFSET,
    GRID_WORKSPACE,
    GRID_WORKSPACE_BYTES,
    PARAMETERS,
    SHARED_BASE,
    STACK,
    function_address,
    symbol,
)
from lanemap.emulator.ptx.lower.special_registers import INITIAL, SHARED_UNIT, Beginning
from lanemap.emulator.ptx.text.errors import Place as Line
from lanemap.emulator.ptx.text.variables import Relocation, Variable
from lanemap.emulator.ptx.text_facts import EntryFacts, KernelFacts, TextFacts
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError
from lanemap.garbage import without_collections
from lanemap.targets import defined_for, reach, runs_on

if TYPE_CHECKING:
    from lanemap.emulator.host.launcher import Launcher
    from lanemap.emulator.ptx.text.module import Module


class Kernel:
    """One entry of a loaded text; see `run.Entry`."""

    def __init__(self, text: LoadedText, entry: EntryFacts) -> None:
        """Keep what the text says of the kernel, which is lowered when it is first asked for."""
        self.name = entry.name
        self.parameters: Sequence[Parameter] = tuple(
            Parameter(name, offset, size) for name, offset, size in entry.parameters
        )
        self.printing: Printing | None = None  # calls of vprintf print at once
        self.print_buffer = 0
        self._text = text
        self._entry = entry

    @functools.cached_property
    def _lowered(self) -> KernelFacts:
        return self._text.lowered(self.name)

    def require(self) -> None:
        """Check that all code the kernel can reach is supported.

        Raises:
            PtxError: instructions are unknown or misused; the message names all, with their lines.
        """
        self._lowered  # noqa: B018  made here, or refused

    @property
    def warnings(self) -> tuple[str, ...]:
        """Legal code known to fail on hardware, with file and line."""
        return tuple(
            f"{self._text.file}:{line}: ptxas 13.0 to 13.5 can run `{behind}` of line "
            f"{behind_line} without the lanes that still sleep in this timed `{wait}`; put "
            "the wait into a loop until it returns true, or leave out the time (docs/found.md)"
            for line, wait, behind_line, behind in self._lowered.timed_waits
        )

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables that the kernel names."""
        return frozenset(self._lowered.symbols)

    @property
    def shared_bytes(self) -> int:
        """Bytes of the shared memory that the text declares."""
        return self._lowered.shared_bytes

    @property
    def private_bytes(self) -> int:
        """Bytes of local memory of each lane."""
        return self._lowered.private_bytes

    @property
    def program(self) -> Program:
        """The kernel as the core runs it."""
        return self._lowered.program

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
            STACK: np.full_like(place.threads(LANES), self._lowered.fixed_private_bytes),
            SHARED_BASE: place.rank << abi.RANK_SHIFT,
        }
        for name in self._lowered.symbols:
            values[symbol(name)] = self._text.address(name)
        return values

    def parameter_block(
        self, arguments: bytes, grid: Size, block: Size, shared_bytes: int
    ) -> bytes:
        """Return the parameter space: PTX hides nothing in it."""
        return arguments.ljust(self._entry.parameter_bytes, b"\0")

    @property
    def directives(self) -> Mapping[str, tuple[int, ...]]:
        """What the text demands of launches, by the names of PTX."""
        return self._entry.directives

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
        directives = self._entry.directives
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
        directives = self._entry.directives
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
        return not {"reqnctapercluster", "explicitcluster"}.isdisjoint(self._entry.directives)


def _exceeds(sizes: Size, most: Size) -> bool:
    return any(size > limit for size, limit in zip(sizes, most, strict=True))


def _three(sizes: tuple[int, ...] | None) -> Size | None:
    if sizes is None:
        return None
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


class LoadedText:
    """A PTX text with all its kernels; see `machine.LoadedText`."""

    def __init__(self, source: str, file: str, settings: Settings, gpu: str | None) -> None:
        """Load a text; its kernels are lowered for a GPU when they are first asked for.

        Raises:
            PtxError: the text is malformed.
        """
        self.file = file
        self._source, self._settings = source, settings
        self._digest = hashlib.sha256(source.encode()).hexdigest()
        self._keeps = not settings.models
        self._facts = kept.recalled(TextFacts.of_record, self._read, "PTX", self._digest)
        self._gpu = gpu or self._facts.target
        self.definition = defined_for(self._gpu)
        self._addresses: dict[str, int] = {}
        self.kernels: dict[str, Kernel] = {
            entry.name: Kernel(self, entry) for entry in self._facts.entries
        }

    # -- what is kept ----------------------------------------------------------------------------
    @functools.cached_property
    def _module(self) -> Module:
        """The whole text, parsed."""
        from lanemap.emulator.ptx.reading import read

        with without_collections():
            return read(self._source, self.file)

    def _read(self) -> TextFacts:
        from lanemap.emulator.ptx.reading import facts_of

        return facts_of(self._module)

    def _lower(self, entry: str) -> KernelFacts:
        from lanemap.emulator.ptx.reading import lower

        with without_collections():
            return lower(self._module, entry, self._digest, self._settings, self._gpu)

    def _lowered_program(self, entry: str) -> Program:
        return self._lower(entry).program

    def lowered(self, entry: str) -> KernelFacts:
        """Return a kernel as it is launched.

        Raises:
            PtxError: instructions are unknown or misused; the message names all, with their lines.
        """
        make = functools.partial(self._lower, entry)
        if not self._keeps:
            return make()
        again = functools.partial(self._lowered_program, entry)
        return kept.recalled(
            lambda record: KernelFacts.of_record(record, self.file, again),
            make,
            "PTX kernel",
            self._digest,
            self._settings.strict,
            self._gpu,
            entry,
        )

    def require_gpu(self, gpu: str) -> None:
        """Check that a GPU executes PTX of the text's target.

        Raises:
            PtxError: it does not.
        """
        target = self._facts.target
        if not runs_on(target, gpu):
            raise Line(self.file, self._facts.target_line).error(
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
        variables = self._facts.variables
        for variable in variables:
            constant = variable.space == "const"
            allocation = launcher.memory.allocate(
                variable.size, constant, f"variable `{variable.name}`"
            )
            self._addresses[variable.name] = allocation.base
        for variable in variables:
            launcher.memory.write(self._addresses[variable.name], self._image(variable))
        if self._facts.meets_grid:
            workspace = launcher.memory.allocate(
                GRID_WORKSPACE_BYTES, False, "the grid's workspace"
            )
            self._addresses[GRID_WORKSPACE] = workspace.base
            launcher.memory.write(workspace.base + GRID_BARRIER_OFFSET, bytes(4))

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
                each.managed,
            )
            for each in self._facts.variables
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
        name = self._facts.aliases.get(name, name)
        if name in self._facts.functions:
            return function_address(self._facts.functions.index(name))
        raise Line(self.file, variable.line).error(
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
    loaded = LoadedText(source, file, settings or Settings(), gpu)
    if gpu is not None:
        loaded.require_gpu(gpu)
    return loaded
