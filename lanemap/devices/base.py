"""Common parts of all devices: arrays over raw memory, compiling, calls of kernels."""

from __future__ import annotations

import functools
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lanemap.devices import kernel_names
from lanemap.devices.arguments import Parameter, dimensions, dynamic_bytes, stream_handle
from lanemap.devices.arrays import DeviceArray, Memory, SymbolArray
from lanemap.devices.findings import Finding, findings_of
from lanemap.devices.interface import Dimensions, Source
from lanemap.devices.sources import read_source, require_instruction_set
from lanemap.devices.values import host_array, shape_of
from lanemap.errors import UserError

if TYPE_CHECKING:
    import numpy.typing as npt

    from lanemap.emulator.api import Hazard

#: CTAs or threads by dimension.
Extent = tuple[int, int, int]


class BaseDevice(ABC):
    """Arrays, `load` and `compile`, over a memory and a `_load` that each device brings."""

    def __init__(self, target: str, memory: Memory) -> None:
        """Keep the target and the memory that arrays lie in."""
        self.target = target
        self._memory = memory

    @abstractmethod
    def _load(self, content: str | bytes, name: str) -> BaseModule:
        """Load assembly text or an object; `name` is for messages."""

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        """The reported hazards; see `interface.Device`. A GPU reports none."""
        return ()

    @property
    def notes(self) -> tuple[Hazard, ...]:
        """The notes; see `interface.Device`. A GPU has none."""
        return ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The reported faults; see `interface.Device`."""
        return findings_of(self.hazards)

    def load(self, source: Source) -> BaseModule:
        """Load assembly text, a code object, or a file; see `interface.Device`."""
        content, name = read_source(source)
        require_instruction_set(content, name, self.target)
        return self._load(content, name)

    def compile(
        self,
        source: Source,
        language: str | None = None,
        options: Sequence[str] = (),
        instances: Sequence[str] = (),
    ) -> BaseModule:
        """Compile to assembly or PTX and load it; see `interface.Device`."""
        from lanemap.toolchain.sources import compile_source, text_suffix

        content, name = read_source(source, compiled=True)
        if isinstance(content, bytes):
            raise UserError(f"{name} is already a compiled object; load it instead")
        _require_words(options, "options", "-DN=4")
        _require_words(instances, "instances", "scale<float>")

        def build(names: Sequence[str]) -> BaseModule:
            made = compile_source(content, self.target, language, name, options, names)
            module = self._load(made.text, f"{name}.{text_suffix(self.target)}")
            module.text, module.note = made.text, made.note
            return module

        module = build(tuple(instances))
        if not self.target.startswith("gfx"):
            module.instantiate = lambda instance: build((*instances, instance))
        return module

    def array(self, values: npt.ArrayLike, *, name: str | None = None) -> DeviceArray:
        """Copy a host array to the device; see `interface.Device`."""
        host = host_array(values)
        result = DeviceArray(self._memory, host.shape, host.dtype, name)
        result.set(host)
        return result

    def zeros(
        self, shape: int | Sequence[int], dtype: npt.DTypeLike, *, name: str | None = None
    ) -> DeviceArray:
        """Return an array of zeros; see `interface.Device`."""
        result = self.empty(shape, dtype, name=name)
        self._memory.zero(result.address, result.nbytes)
        return result

    def empty(
        self, shape: int | Sequence[int], dtype: npt.DTypeLike, *, name: str | None = None
    ) -> DeviceArray:
        """Return an array that nothing has written; see `interface.Device`."""
        return DeviceArray(self._memory, shape_of(shape), dtype, name)

    def repeat(self, array: DeviceArray, values: npt.NDArray[Any]) -> None:
        """Copy values from the host into an array, over and over, as `numpy.resize` does."""
        import numpy as np

        array.set(np.resize(values, array.shape))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.target!r})"


class BaseModule(ABC):
    """A loaded source: as a mapping of names to kernels it iterates over its names.

    Attributes:
        text: The text that a compiler made of a source; "" where nothing was compiled.
        note: How the source was compiled, where that is worth a sentence; else "".
        instantiate: Compiles the source again with an instance of a template; None where that
            cannot be.
    """

    text: str = ""
    note: str = ""
    _memory: Memory
    instantiate: Callable[[str], BaseModule] | None = None

    @property
    @abstractmethod
    def entries(self) -> tuple[str, ...]:
        """The names of the kernels, in the order of the source."""

    @property
    @abstractmethod
    def symbols(self) -> tuple[str, ...]:
        """The names of the variables, in the order of the source."""

    @functools.cached_property
    def written(self) -> set[str]:
        """The symbols of the variables that the host has written, or passed to a kernel."""
        return set()

    def symbol(self, name: str, dtype: npt.DTypeLike | None = None) -> SymbolArray:
        """Return a variable as an array; see `interface.Module`."""
        symbol = kernel_names.find(name, self.symbols, "variable")
        place, declared = self._variable(symbol)
        return SymbolArray(self, self._memory, symbol, place, declared if dtype is None else dtype)

    @abstractmethod
    def _variable(self, symbol: str) -> tuple[tuple[int, int], str]:
        """Return a variable's address and bytes, and the dtype that the text declares."""

    @abstractmethod
    def _kernel(self, symbol: str) -> BaseKernel:
        """Return a kernel by its symbol."""

    def __getitem__(self, entry: str) -> BaseKernel:
        """Return a kernel; see `interface.Module`."""
        module, symbol = self._find(entry)
        kernel: BaseKernel = module._kernel(symbol)
        return kernel

    def _find(self, entry: str) -> tuple[Any, str]:
        """Return the module that has a kernel, and the kernel's symbol.

        Another module than this has instances of templates that were asked for later.

        Raises:
            UserError: there is none, or several have that name.
        """
        if not isinstance(entry, str):
            raise UserError(f"{reprlib.repr(entry)} is not the name of a kernel; pass a str")
        try:
            return self, kernel_names.find(entry, self.entries)
        except kernel_names.NoSuchName:
            if self.instantiate is None or not entry.rstrip().endswith(">"):
                raise
        if entry not in self._instances:
            if self.symbols:
                # The instance would have variables of its own.
                raise UserError(
                    f"{entry} is not instantiated, and the source has variables "
                    f"({kernel_names.listed(self.symbols)}): name it when you compile, "
                    f"compile(.., instances=[{entry!r}])"
                )
            self._instances[entry] = self.instantiate(entry)
        return self._instances[entry]._find(entry)

    @functools.cached_property
    def _instances(self) -> dict[str, BaseModule]:
        return {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, entry: object) -> bool:
        try:
            return bool(kernel_names.find(str(entry), self.entries))
        except UserError:
            return False

    def __repr__(self) -> str:
        names = kernel_names.listed(self.entries)
        return f"{type(self).__name__}({names or 'no kernels'})"


class Sizes(NamedTuple):
    """How much of a kernel is launched: CTAs and their threads, dynamic shared memory, cluster."""

    grid: Extent
    block: Extent
    shared_bytes: int
    cluster: Extent


class BaseKernel(ABC):
    """A kernel of a module: what launches of every device share."""

    name: str
    #: What the kernel declares, in the text's order.
    parameters: Sequence[Parameter]

    def __call__(
        self,
        grid: Dimensions,
        block: Dimensions,
        args: Sequence[Any],
        shared_bytes: int = 0,
        cluster: Dimensions = (1, 1, 1),
        stream: Any = None,
    ) -> None:
        """Launch and wait; see `interface.Kernel`."""
        prepared = self.prepare(grid, block, self._adopted(args), shared_bytes, cluster)
        self._launch(prepared, stream_handle(stream))

    def prepare(
        self,
        grid: Dimensions,
        block: Dimensions,
        args: Sequence[Any],
        shared_bytes: int = 0,
        cluster: Dimensions = (1, 1, 1),
        overlaps: bool = False,
        operands: Sequence[Any] = (),
    ) -> Any:
        """Return a function that enqueues the launch on a stream, named by its handle.

        It does not wait, and keeps the arguments alive, but no operands. With `overlaps` the kernel
        may begin before earlier work of the stream ends, if that allows it: programmatic dependent
        launch.
        `operands` are arrays among the arguments: behind the stream, the function takes an address
        for each of them, where the launch shall read and write instead.

        Raises:
            UserError: sizes or arguments that the kernel does not take.
        """
        blocks, threads = dimensions("grid", grid), dimensions("block", block)
        size_bytes, ctas = dynamic_bytes(shared_bytes), dimensions("cluster", cluster)
        return self._prepare(Sizes(blocks, threads, size_bytes, ctas), args, overlaps, operands)

    def _adopted(self, args: Sequence[Any]) -> Sequence[Any]:
        """Return arguments of a call as those of `prepare`."""
        return args

    @abstractmethod
    def _prepare(
        self, sizes: Sizes, args: Sequence[Any], overlaps: bool, operands: Sequence[Any]
    ) -> Any:
        """See `prepare`."""

    @abstractmethod
    def _launch(self, prepared: Any, stream: int) -> None:
        """Launch what `_prepare` returned, and wait."""

    def __getitem__(self, sizes: tuple[Dimensions, Dimensions]) -> Callable[..., None]:
        """Return `kernel[grid, block]`; see `interface.Kernel`."""
        if not isinstance(sizes, tuple) or len(sizes) != 2:
            raise UserError(
                f"{self.name}[{reprlib.repr(sizes)}] names no grid and block; write "
                f"{self.name}[grid, block](x, y) or {self.name}(grid, block, (x, y))"
            )
        grid, block = sizes

        def launch(
            *args: Any,
            shared_bytes: int = 0,
            cluster: Dimensions = (1, 1, 1),
            stream: Any = None,
        ) -> None:
            self(grid, block, args, shared_bytes, cluster, stream)

        return launch

    def __repr__(self) -> str:
        declared = ", ".join(
            f"{each.name.removeprefix(f'{self.name}_')}: {each.size} bytes"
            for each in self.parameters
        )
        return f"{type(self).__name__}({self.name}({declared}))"


def _require_words(words: Any, what: str, example: str) -> None:
    """Refuse what is no sequence of str.

    Raises:
        UserError: it is none.
    """
    given = words if isinstance(words, (tuple, list)) else [None]
    if not all(isinstance(each, str) for each in given):
        raise UserError(
            f"{what} {reprlib.repr(words)} must be a sequence of str, such as [{example!r}]"
        )
