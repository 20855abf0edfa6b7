"""The emulator as a device: arrays, argument packing and sources over `lanemap.emulator.api`."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from lanemap.devices import kernel_names
from lanemap.devices.adoption import AdoptedArray, Adoptions
from lanemap.devices.arguments import (
    is_tensor,
    others,
    pack,
    parameter_block,
    places,
)
from lanemap.devices.arrays import DeviceArray
from lanemap.devices.base import BaseDevice, BaseKernel, BaseModule, Extent, Sizes
from lanemap.devices.sources import path_of
from lanemap.devices.tensor_maps import SUCCESS, TensorMapParameters, TensorMaps
from lanemap.devices.values import integer
from lanemap.emulator import api
from lanemap.emulator.api import Access as Access
from lanemap.emulator.api import Arena as Arena
from lanemap.emulator.api import Counts as Counts
from lanemap.emulator.api import Hazard as Hazard
from lanemap.emulator.api import InstructionCount as InstructionCount
from lanemap.emulator.api import Progress as Progress
from lanemap.emulator.api import Settings as Settings
from lanemap.emulator.api import driver_library as driver_library
from lanemap.errors import UserError

#: NumPy's types of what PTX calls elements.
_DTYPES = {
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"s{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"{kind}{bits}": f"uint{bits}" for kind in "ub" for bits in (8, 16, 32, 64)},
}
#: Rows that a trace may have unless more are allowed: about 100 MB.
TRACE_ROWS = 1_000_000


class EmulatorKernel(BaseKernel):
    """A kernel of a loaded text."""

    def __init__(self, machine: api.Machine, module: EmulatorModule, kernel: api.Kernel) -> None:
        """Keep what a launch needs."""
        self.name, self.parameters = kernel.name, kernel.parameters
        self._machine, self._module = machine, module
        self._kernel = kernel

    @property
    def static_shared_bytes(self) -> int:
        """Bytes of shared memory that the text declares, beside what a launch asks for."""
        return self._kernel.shared_bytes

    def _adopted(self, args: Sequence[Any]) -> Sequence[Any]:
        if not isinstance(args, (list, tuple)):
            return args
        return [self._module.adopt(each) if is_tensor(each) else each for each in args]

    def _launch(self, prepared: Callable[..., None], stream: int) -> None:
        self._warn_of_zeros()
        prepared()  # launches run in order, as in any one stream

    @property
    def directives(self) -> Mapping[str, tuple[int, ...]]:
        """What the text demands of launches, by PTX's names: {"maxntid": (128, 1, 1)}."""
        return self._kernel.directives

    def launch_block(
        self, grid: Extent, block: Extent, parameters: bytes, shared_bytes: int, cluster: Extent
    ) -> None:
        """Launch and wait; `parameters` are all bytes up to the last argument (`Parameter`)."""
        self._warn_of_zeros()
        self._kernel.launch(grid, block, parameters, shared_bytes, cluster)

    def _prepare(
        self, sizes: Sizes, args: Sequence[Any], overlaps: bool, operands: Sequence[Any]
    ) -> Callable[..., None]:
        """Return a function that launches and waits, whatever `overlaps` says."""
        packed = pack(args, self.parameters, self.name)
        self._require_own(args)
        where = places(args, self.parameters, operands)
        data, kept = parameter_block(packed, self.parameters), others(args, operands)

        def launch(stream: int = 0, *addresses: int) -> None:
            given = bytearray(data)
            if addresses:
                for byte, number, added in where:
                    address = addresses[number] + added
                    given[byte : byte + 8] = address.to_bytes(8, "little")
            self._kernel.launch(
                sizes.grid, sizes.block, bytes(given), sizes.shared_bytes, sizes.cluster
            )
            assert kept is not None  # the arguments live as long as this function

        return launch

    def _warn_of_zeros(self) -> None:
        """Warn once of constants that the kernel reads and nothing has given a value."""
        unset = self._module.unset(self._kernel)
        if unset:
            self._module.written.update(unset)
            names = kernel_names.listed(unset)
            warnings.warn(
                f"{kernel_names.source_name(self.name)} reads constant memory that nothing has "
                f"written, so it is zeros: {names}; write it first, with module.symbol(name).set "
                "or --symbol",
                RuntimeWarning,
                stacklevel=3,
            )

    def _require_own(self, args: Sequence[Any]) -> None:
        """Check that arrays are of this emulator: every one of them begins at the same address.

        Raises:
            UserError: one, or what a tensor map describes, is another's.
        """
        for place, argument in enumerate(args):
            held = getattr(argument, "holds", getattr(argument, "array", argument))
            if isinstance(held, DeviceArray) and not held.lies_in(self._machine):
                raise UserError(
                    f"argument {place} of {self.name} is of another device; make it with the "
                    "device that loaded the kernel"
                )


class EmulatorModule(BaseModule):
    """A loaded text."""

    def __init__(
        self, machine: api.Machine, module: api.Module, adopt: Callable[[Any], AdoptedArray]
    ) -> None:
        """Keep all; `adopt` makes a tensor of the host an array."""
        self.adopt = adopt
        self._machine = self._memory = machine
        self._module = module

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the kernels."""
        return tuple(self._module.kernels)

    def __getitem__(self, entry: str) -> EmulatorKernel:
        """Return a kernel that the engine can run; see `interface.Module`."""
        kernel = super().__getitem__(entry)
        assert isinstance(kernel, EmulatorKernel)
        return kernel

    def _kernel(self, symbol: str) -> EmulatorKernel:
        kernel = self._module.kernels[symbol]
        kernel.require()
        return EmulatorKernel(self._machine, self, kernel)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of the variables."""
        names = self._module.variables
        return tuple(name for name in names if not kernel_names.of_library(name))

    def _variable(self, symbol: str) -> tuple[tuple[int, int], str]:
        found = self._module.variables[symbol]
        return (found.address, found.size), _DTYPES.get(found.element, "uint8")

    @property
    def constant_bytes(self) -> int:
        """Bytes of the variables of constant memory."""
        return sum(each.size for each in self._module.variables.values() if each.constant)

    def is_managed(self, symbol: str) -> bool:
        """Whether the host reaches a variable at its address, as the text says."""
        return self._module.variables[symbol].managed

    def unset(self, kernel: api.Kernel) -> list[str]:
        """Return the constants that a kernel reads and that nothing has given a value."""
        constants = {
            name
            for name, each in self._module.variables.items()
            if each.constant and not each.initial
        } - self.written
        return sorted(constants & kernel.variables) if constants else []

    def name_parameters(self, entry: str, names: Sequence[str]) -> None:
        """Let reports call the parameters of a kernel by these names instead of the text's."""
        self._module.kernels[entry].name_parameters(names)

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source lines that a line of the text stands for, as its `.loc` say.

        Each is the path of a file and a number from 1. The innermost comes first, then the line
        where that was inlined, and so on. There are none for text without `.loc`.
        """
        return self._module.places(line)

    def warnings(self, entry: str) -> tuple[str, ...]:
        """Say what of a kernel is legal and yet known to go wrong on hardware, with file and line.

        Raises:
            UserError: there is no such kernel, or the emulator does not support it.
        """
        module, symbol = self._find(entry)
        return tuple(module._module.kernels[symbol].warnings)


class EmulatorDevice(BaseDevice, TensorMaps):
    """The emulator of one target."""

    name = "emulator"
    evidence: Literal["emulator", "silicon"] = "emulator"

    def __init__(self, target: str, settings: Settings, arena: Arena | None = None) -> None:
        """Make a machine of its own; see `open_device`.

        `arena`: where its memory lies, if another process shares it.
        """
        self._machine = api.Machine(target, settings, arena)
        super().__init__(target, self._machine)
        self._adoptions = Adoptions(self._machine)

    def synchronize(self) -> None:
        """Return at once: a launch has ended when it returns."""

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        """The reported hazards; `str` of each is one sentence."""
        return self._machine.hazards

    @property
    def notes(self) -> tuple[Hazard, ...]:
        """The notes; `str` of each is one sentence. There are none in strict mode."""
        return self._machine.notes

    def alone(self) -> AbstractContextManager[None]:
        """Keep other threads from using the device during the `with` block.

        They wait, as they do for each launch. What `hazards` gains meanwhile is this thread's.
        """
        return self._machine.turns.take()

    @property
    def progress(self) -> Progress | None:
        """How far the launch is that runs now: CTAs done of all; None if none runs.

        Another thread may ask, and show it.
        """
        return self._machine.progress

    @property
    def stopped(self) -> Progress | None:
        """The place where Ctrl-C last ended a launch: kernel, launch, CTA and line."""
        return self._machine.stopped

    def adopt(self, host: Any, *, name: str | None = None, defined: bool = True) -> AdoptedArray:
        """Make memory that a NumPy array or a CPU tensor holds an array, without copying.

        The whole memory behind it becomes one memory of the emulator: the storage of a tensor, or
        the array that a NumPy array is a view of. An access beyond that is a hazard that names it.
        Adopting it again, or another view of it, finds the same memory. The device does not keep
        it alive; the returned array does.

        Args:
            host: The array or tensor.
            name: For reports, as in `array`; only the first adoption of a memory names it.
            defined: Whether the bytes have values. If not, the whole memory is filled with the
                pattern of undefined memory; bytes become defined when a kernel writes them, or by
                `AdoptedArray.define`.

        Raises:
            UserError: it is neither, or lies where it cannot be adopted; the sentence says why.
        """
        return self._adoptions.adopt(host, name, defined)

    def lay_open(self, address: int, size_bytes: int) -> Any:
        """Return bytes of the device's own memory, as if adopted; see `Adoptions.lay_open`."""
        return self._adoptions.lay_open(address, size_bytes)

    def adopted(self, host: Any) -> bool:
        """Whether the memory behind a NumPy array or a tensor has been adopted."""
        return self._adoptions.known(host) is not None

    def has_undefined(self, host: Any) -> bool:
        """Whether the memory behind an array is adopted and has undefined bits, its own or not."""
        return self._adoptions.has_undefined(host)

    @property
    def adopted_bytes(self) -> int:
        """Bytes of the memories that are adopted and that their owners still have."""
        return self._adoptions.held_bytes

    def manage(self, size_bytes: int) -> int:
        """Return the address of zeros that host and kernels reach there, as managed memory.

        What the host writes there is defined, and what it reads is not checked. `unmanage` ends it.

        Raises:
            UserError: there is no such memory.
        """
        return self._machine.manage(size_bytes, "managed memory")

    def register(self, address: int, size_bytes: int) -> int:
        """Return the address that kernels have for memory of the host; see `Machine.register`."""
        return self._machine.register(address, size_bytes, "registered memory")

    def unmanage(self, address: int) -> None:
        """Give back what `manage` or `register` returned."""
        self._machine.end_loan(address)

    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy bytes to the host, from an address on; undefined ones are a hazard.

        Raises:
            UserError: no memory of the device has all of them.
        """
        return self._machine.read(address, size_bytes)

    def write(self, address: int, data: bytes) -> None:
        """Copy bytes from the host, to an address on; see `read`."""
        self._machine.write(address, data)

    def prepare_write(self, address: int, size_bytes: int) -> None:
        """Say that bytes have values, which whoever shares the arena is about to write."""
        self._machine.prepare_write(address, size_bytes)

    def prepare_read(self, address: int, size_bytes: int) -> None:
        """Check bytes that whoever shares the arena is about to read, as `read` does."""
        self._machine.prepare_read(address, size_bytes)

    def state(self, address: int) -> tuple[int, int, int]:
        """Where the bytes of an array lie, which of them are defined, and the states of its pages.

        `address` is the array's first. The stand-in for a driver copies by these three addresses,
        which are zeros if it is not.
        """
        return self._machine.state(address)

    def reserve(self, name_at: Callable[[int], str]) -> tuple[int, int, int, int, int, int]:
        """Give the stand-in for a driver memory to divide by itself; see `Machine.reserve`."""
        return self._machine.reserve(name_at)

    def settle(self) -> None:
        """Take note of what that has made and freed, as any other use of the device does."""
        self._machine.settle()

    def holds(self, address: int) -> bool:
        """Whether an address lies in an array of the device, adopted ones too."""
        return self._machine.holds(address)

    def copy(self, to: int, address: int, size_bytes: int) -> None:
        """Copy bytes on the device; a copy of an undefined byte is undefined; see `read`."""
        self._machine.copy(to, address, size_bytes)

    @contextlib.contextmanager
    def count(self) -> Iterator[Counts]:
        """Count what launches do while the context lasts.

            with device.count() as counts:
                module["kernel"](grid, block, args)
            counts.by_kind(), counts.traffic(), counts.waits

        Only launches that end are counted, those of other threads too. A counted launch runs
        instrumented code; other launches pay nothing. See docs/counting.md for what each number
        means.
        """
        counting = api.Counting()
        with self.observe(counting):
            yield counting.counts

    @contextlib.contextmanager
    def passes(self, instruction: str) -> Iterator[list[int | None]]:
        """Collect the passes that accesses of shared memory take while the context lasts.

        Args:
            instruction: What the text of an instruction has whose accesses count.

        Yields:
            The passes of each access in order; None where the target has no rule of banks.
        """
        from lanemap.devices.passes import Passes

        observer = Passes(instruction)
        with self.observe(observer):
            yield observer.found

    def observe(self, observer: api.Observer) -> AbstractContextManager[None]:
        """Let an observer of `lanemap.emulator.api` watch launches while the context lasts."""
        return self._machine.observe(observer)

    @contextlib.contextmanager
    def trace(self, path: Path | str, most_rows: int = TRACE_ROWS) -> Iterator[None]:
        """Write what launches execute to a CSV file, a row for each instruction of each warp.

        The file is there, whole, once the context has ended without an error.

        Raises:
            UserError: there would be more than `most_rows` rows, or the file cannot be written.
        """
        from lanemap.records.whole import whole_file

        most_rows = integer(most_rows, "most_rows")
        if most_rows < 1:
            raise UserError(
                f"a trace of at most {most_rows} rows would be empty; allow at least one"
            )
        with (
            whole_file(path_of(path)) as stream,
            self.observe(api.Trace(stream, most_rows)),
        ):
            yield

    @property
    def instruction_limit(self) -> int:
        """Instructions that a wave (warp) may execute before its kernel counts as endless."""
        return self._machine.settings.limit

    @instruction_limit.setter
    def instruction_limit(self, instructions: int) -> None:
        limit = integer(instructions, "a limit of instructions")
        if limit < 1:
            raise UserError(f"a limit of {limit} instructions is not positive")
        self._set(limit=limit)

    @property
    def multiprocessors(self) -> int | None:
        """SMs that CTAs are spread over; None for as many as the target's GPU has.

        CTAs on one SM share its tensor memory: with fewer SMs, more CTAs share one SM.
        """
        return self._machine.settings.multiprocessors

    @multiprocessors.setter
    def multiprocessors(self, count: int | None) -> None:
        if count is not None and integer(count, "a number of multiprocessors") < 1:
            raise UserError(f"{count} multiprocessors are too few; at least one is needed")
        self._set(multiprocessors=None if count is None else int(count))

    @contextlib.contextmanager
    def only(self, chosen: Callable[[str, Extent, Extent], Iterable[int]]) -> Iterator[None]:
        """Run only some clusters of CTAs of launches while the context lasts.

        What the others would write stays as it is.

        Args:
            chosen: Returns their numbers, with x fastest, from the kernel's name and the CTAs of
                the grid and of a cluster by dimension.
        """
        before = self._machine.settings.clusters
        self._set(clusters=chosen)
        try:
            yield
        finally:
            self._set(clusters=before)

    def _set(self, **changes: Any) -> None:
        """Change settings between launches."""
        with self._machine.turns.take():
            self._machine.settings = replace(self._machine.settings, **changes)

    def _load(self, content: str | bytes, name: str) -> EmulatorModule:
        """Load assembly text, or the text that a code object of ours carries.

        Raises:
            UserError: the text is malformed, or a code object carries none.
        """
        if isinstance(content, bytes):
            content = _carried_text(content, name)
        return EmulatorModule(self._machine, self._machine.load(content, name), self.adopt)

    def encode_tensor_map(self, parameters: TensorMapParameters) -> tuple[str, bytes]:
        """Return the driver's success and the 128 bytes of a tensor map.

        Raises:
            UserError: the target has no tensor maps, or the driver would refuse a named parameter.
        """
        if not self.target.startswith("sm_"):
            raise UserError(f"{self.target} has no tensor maps")
        return SUCCESS, api.tensor_maps.encode(parameters, self.target)

    def environment(self) -> Mapping[str, Any]:
        """Return nothing: rows of the emulator carry no environment."""
        return {}


def _carried_text(code_object: bytes, name: str) -> str:
    from lanemap.toolchain import amdgpu
    from lanemap.toolchain.codeobject import read_code_object

    if (text := read_code_object(code_object, name).source) is None:
        raise UserError(
            f"{name} carries no section {amdgpu.SOURCE_SECTION}; the emulator takes assembly text, "
            "so pass the compiler's own (clang -S, Triton's asm['amdgcn'])"
        )
    return text
