"""Common parts of all devices: arrays over raw memory, compiling, calls of kernels."""

from __future__ import annotations

import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from lanemap.devices.arguments import Parameter
from lanemap.devices.arrays import DeviceArray, Memory
from lanemap.devices.findings import Finding, findings_of
from lanemap.devices.interface import Dimensions, Module, Source
from lanemap.devices.sources import read_source, require_instruction_set
from lanemap.devices.values import host_array, shape_of
from lanemap.errors import UserError
from lanemap.toolchain.sources import compile_source, text_suffix

if TYPE_CHECKING:
    from lanemap.emulator.api import Hazard


class BaseDevice(ABC):
    """Arrays, `load` and `compile`, over a memory and a `_load` that each device brings."""

    def __init__(self, target: str, memory: Memory) -> None:
        """Keep the target and the memory that arrays lie in."""
        self.target = target
        self._memory = memory

    @abstractmethod
    def _load(self, content: str | bytes, name: str) -> Module:
        """Load assembly text or an object; `name` is for messages."""

    @property
    @abstractmethod
    def hazards(self) -> tuple[Hazard, ...]:
        """The reported hazards; see `interface.Device`."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The reported faults; see `interface.Device`."""
        return findings_of(self.hazards)

    def load(self, source: Source) -> Module:
        """Load assembly text, a code object, or a file; see `interface.Device`."""
        content, name = read_source(source)
        require_instruction_set(content, name, self.target)
        return self._load(content, name)

    def compile(
        self, source: Source, language: str | None = None, options: Sequence[str] = ()
    ) -> Module:
        """Compile to assembly or PTX and load it; see `interface.Device`."""
        content, name = read_source(source)
        if isinstance(content, bytes):
            raise UserError(f"{name} is already a compiled object; load it instead")
        given = options if isinstance(options, (tuple, list)) else [None]
        if not all(isinstance(each, str) for each in given):
            raise UserError(
                f"options {reprlib.repr(options)} must be a sequence of str, such as ['-DN=4']"
            )
        text = compile_source(content, self.target, language, name, options)
        return self._load(text, f"{name}.{text_suffix(self.target)}")

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

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.target!r})"


class BaseModule(ABC):
    """A loaded source: as a mapping of names to kernels it iterates over its names."""

    @property
    @abstractmethod
    def entries(self) -> tuple[str, ...]:
        """The names of the kernels, in the order of the source."""

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, entry: object) -> bool:
        return entry in self.entries

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.entries) or 'no kernels'})"


class BaseKernel(ABC):
    """A kernel of a module: what launches of every device share."""

    name: str
    #: What the kernel declares, in the text's order.
    parameters: Sequence[Parameter]

    @abstractmethod
    def __call__(
        self,
        grid: Dimensions,
        block: Dimensions,
        args: Sequence[Any],
        shared_bytes: int = 0,
        cluster: Dimensions = (1, 1, 1),
    ) -> None:
        """Launch and wait; see `interface.Kernel`."""

    def __getitem__(self, sizes: tuple[Dimensions, Dimensions]) -> Callable[..., None]:
        """Return `kernel[grid, block]`; see `interface.Kernel`."""
        if not isinstance(sizes, tuple) or len(sizes) != 2:
            raise UserError(
                f"{self.name}[{reprlib.repr(sizes)}] names no grid and block; write "
                f"{self.name}[grid, block](x, y) or {self.name}(grid, block, (x, y))"
            )
        grid, block = sizes

        def launch(*args: Any, shared_bytes: int = 0, cluster: Dimensions = (1, 1, 1)) -> None:
            self(grid, block, args, shared_bytes, cluster)

        return launch

    def __repr__(self) -> str:
        declared = ", ".join(
            f"{each.name.removeprefix(f'{self.name}_')}: {each.size} bytes"
            for each in self.parameters
        )
        return f"{type(self).__name__}({self.name}({declared}))"


def find_entry(entry: str, entries: Iterable[str]) -> str:
    """Return the kernel that a name stands for: its symbol, or its name in a C++ source.

    Raises:
        UserError: there is none, or several have that name.
    """
    symbols = list(entries)
    if entry in symbols:
        return entry
    found = [symbol for symbol in symbols if _source_name(symbol) == entry]
    if len(found) != 1:
        names = ", ".join(found or symbols)
        if found:
            raise UserError(
                f"several kernels are called {entry!r}; name one by its symbol: {names}"
            )
        raise UserError(f"there is no kernel {entry!r}; the kernels are {names or 'none'}")
    return found[0]


def _source_name(symbol: str) -> str:
    """Return `axpy` of `_Z4axpyPf` and of `_ZN4blas4axpyIfEEvPT_` (Itanium C++ ABI, "Mangling")."""
    name, rest = "", symbol.removeprefix("_Z").lstrip("NL")
    while length := re.match(r"\d+", rest):
        end = length.end() + int(length[0])
        name, rest = rest[length.end() : end], rest[end:]
        if not symbol.startswith("_ZN"):
            break
    return name
