"""What devices have in common: arrays over raw memory, and compiling."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from lanemap.devices.arrays import DeviceArray, Memory
from lanemap.devices.interface import Module, Source
from lanemap.devices.sources import read_source
from lanemap.errors import UserError
from lanemap.toolchain.sources import compile_source, text_suffix


class BaseDevice(ABC):
    """Arrays, `load` and `compile`, over a memory and a `_load` that each device brings."""

    def __init__(self, target: str, memory: Memory) -> None:
        """Keep the target and the memory that arrays lie in."""
        self.target = target
        self._memory = memory

    @abstractmethod
    def _load(self, content: str | bytes, name: str) -> Module:
        """Load assembly text or an object; `name` is for messages."""

    def load(self, source: Source) -> Module:
        """Load assembly text, a code object, or a file; see `interface.Device`."""
        return self._load(*read_source(source))

    def compile(
        self, source: Source, language: str | None = None, options: Sequence[str] = ()
    ) -> Module:
        """Compile to assembly or PTX and load it; see `interface.Device`."""
        content, name = read_source(source)
        if isinstance(content, bytes):
            raise UserError(f"{name} is an object already; load it")
        text = compile_source(content, self.target, language, name, options)
        return self._load(text, f"{name}.{text_suffix(self.target)}")

    def array(self, values: npt.ArrayLike, *, name: str | None = None) -> DeviceArray:
        """Copy a host array to the device; see `interface.Device`."""
        host = np.asarray(values)
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
        sizes = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(shape)
        return DeviceArray(self._memory, sizes, dtype, name)


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
        what = "several kernels are called" if found else "there is no kernel"
        raise UserError(f"{what} {entry!r}; there are {', '.join(found or symbols) or 'none'}")
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
