"""The emulator as a device: arrays, argument packing and sources over `lanemap.emulator.open`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from lanemap import emulator
from lanemap.devices.arguments import Declared, dimensions, pack, parameter_block
from lanemap.devices.arrays import DeviceArray, Memory
from lanemap.devices.interface import Dimensions, HazardMode, Source
from lanemap.devices.sources import read_source
from lanemap.errors import UserError
from lanemap.toolchain import amdgpu

if TYPE_CHECKING:
    from lanemap.layout import LayoutMap

Size3 = tuple[int, int, int]


class Loaded(Protocol):
    """What the engine makes of a text: the parameters of each kernel, in the text's order."""

    @property
    def entries(self) -> Mapping[str, Sequence[Declared]]:
        """Kernel names to what they declare; hidden arguments are the engine's own affair."""


class Engine(Memory, Protocol):
    """What this adapter asks of the emulator: memory by address, and the four things below."""

    def load(self, text: str, name: str) -> Loaded:
        """Parse a text; `name` stands for it in messages."""

    def launch(
        self,
        loaded: Any,
        entry: str,
        grid: Size3,
        block: Size3,
        parameters: bytes,
        shared_bytes: int,
        cluster: Size3,
    ) -> None:
        """Run a kernel to its end; `parameters` is its parameter space up to the last argument."""

    @property
    def hazards(self) -> Sequence[Any]:
        """What was reported since the engine was opened; `str` of each is a sentence."""


class EmulatorKernel:
    """A kernel of a loaded text."""

    def __init__(self, engine: Engine, loaded: Loaded, name: str) -> None:
        """Keep what a launch needs."""
        self.name = name
        self._engine = engine
        self._loaded = loaded

    def __call__(
        self,
        grid: Dimensions,
        block: Dimensions,
        args: Sequence[Any],
        shared_bytes: int = 0,
        cluster: Dimensions = (1, 1, 1),
    ) -> None:
        """Launch and wait; see `interface.Kernel`."""
        if shared_bytes < 0:
            raise UserError(f"shared_bytes {shared_bytes} is negative")
        declared = self._loaded.entries[self.name]
        self._engine.launch(
            self._loaded,
            self.name,
            dimensions("grid", grid),
            dimensions("block", block),
            parameter_block(pack(args, declared, self.name), declared),
            shared_bytes,
            dimensions("cluster", cluster),
        )


class EmulatorModule:
    """A loaded text."""

    def __init__(self, engine: Engine, loaded: Loaded) -> None:
        """Keep both."""
        self._engine = engine
        self._loaded = loaded

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the kernels."""
        return tuple(self._loaded.entries)

    def __getitem__(self, entry: str) -> EmulatorKernel:
        """Return a kernel; see `interface.Module`."""
        if entry not in self._loaded.entries:
            raise UserError(f"there is no kernel {entry!r}; there are {', '.join(self.entries)}")
        return EmulatorKernel(self._engine, self._loaded, entry)


class EmulatorDevice:
    """The emulator of one target."""

    name = "emulator"
    evidence: Literal["emulator", "silicon"] = "emulator"

    def __init__(
        self, target: str, hazards: HazardMode, strict: bool, models: Mapping[str, LayoutMap]
    ) -> None:
        """Open an engine of its own; see `open_device`."""
        self.target = target
        self._engine: Engine = emulator.open(target, hazards, strict, models)

    @property
    def hazards(self) -> tuple[Any, ...]:
        """What was reported; `str` of each is one sentence."""
        return tuple(self._engine.hazards)

    def load(self, source: Source) -> EmulatorModule:
        """Load assembly text, or the text that a code object of ours carries.

        Raises:
            UserError: an instruction is unknown, or a code object carries no text.
        """
        content, name = read_source(source)
        if isinstance(content, bytes):
            content = _carried_text(content, name)
        return EmulatorModule(self._engine, self._engine.load(content, name))

    def compile(self, source: Source, language: str = "hip") -> EmulatorModule:
        """Compile to assembly and load it; see `interface.Device`."""
        content, name = read_source(source)
        if isinstance(content, bytes):
            raise UserError(f"{name} is an object already; load it")
        return self.load(amdgpu.compile_to_assembly(content, self.target, language, name))

    def array(self, values: npt.ArrayLike) -> DeviceArray:
        """Copy a host array into the emulator's memory."""
        host = np.asarray(values)
        result = DeviceArray(self._engine, host.shape, host.dtype)
        result.set(host)
        return result

    def zeros(self, shape: int | Sequence[int], dtype: npt.DTypeLike) -> DeviceArray:
        """Return an array of zeros."""
        return self.array(np.zeros(shape, dtype))

    def empty(self, shape: int | Sequence[int], dtype: npt.DTypeLike) -> DeviceArray:
        """Return an array whose bytes count as undefined until a kernel writes them."""
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        return DeviceArray(self._engine, sizes, dtype)

    def environment(self) -> Mapping[str, Any]:
        """Return nothing: rows of the emulator carry no environment."""
        return {}


def _carried_text(code_object: bytes, name: str) -> str:
    from lanemap.toolchain.codeobject import read_code_object

    text = read_code_object(code_object, name).source
    if text is None:
        raise UserError(
            f"{name} carries no section {amdgpu.SOURCE_SECTION}; the emulator takes assembly text, "
            "so pass the compiler's own (clang -S, Triton's asm['amdgcn'])"
        )
    return text
