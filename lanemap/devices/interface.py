"""The interface of every device; `open_device` returns one of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy.typing as npt

    from lanemap.devices.arrays import DeviceArray
    from lanemap.devices.findings import Finding
    from lanemap.emulator.api import Hazard

Source = str | bytes | Path
HazardMode = Literal["raise", "report"]
Dimensions = int | Sequence[int]


class Kernel(Protocol):
    """One entry of a module, called with the argument order of `cupy.RawKernel`."""

    name: str

    def __call__(
        self,
        grid: Dimensions,
        block: Dimensions,
        args: Sequence[Any],
        shared_bytes: int = 0,
        cluster: Dimensions = (1, 1, 1),
        stream: Any = None,
    ) -> None:
        """Launch and wait.

        `grid` counts blocks, `block` threads; `shared_bytes` is dynamic shared memory (LDS).
        `stream` is a stream of PyTorch or CuPy, or its handle; the emulator runs all launches in
        order. A CPU tensor among `args` is adopted by the emulator, as by `adopt`.

        Raises:
            UserError: the arguments do not fit the entry's parameters, a size is not positive, or
                the kernel did what no kernel may do (a hazard, on the emulator).
        """

    def __getitem__(self, sizes: tuple[Dimensions, Dimensions]) -> Callable[..., None]:
        """Return the launch of a grid and a block: `kernel[grid, block](x, y)`.

        It takes the arguments one after the other, as numba has it, and `shared_bytes`, `cluster`
        and `stream` by name.
        """


class Module(Protocol):
    """A loaded source: `list(module)` are the names of its kernels."""

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the kernels, in the order of the source."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of the variables (`__device__`, `__constant__`), but those of libraries."""

    @property
    def text(self) -> str:
        """The PTX or assembly that a compiler made of the source; "" where nothing was compiled."""

    @property
    def note(self) -> str:
        """How the source was compiled, where that is worth a sentence; else ""."""

    def symbol(self, name: str, dtype: npt.DTypeLike | None = None) -> DeviceArray:
        """Return a variable as an array of one dimension, to read and to write.

        `name` is the symbol or the name in the source. Without `dtype`, elements are as the text
        declares them; arrays and structs are declared as bytes (uint8).

        Raises:
            UserError: there is none of that name, or elements of `dtype` do not fill it.
        """

    def __iter__(self) -> Iterator[str]:
        """Iterate over `entries`."""

    def __len__(self) -> int:
        """Count the kernels."""

    def __contains__(self, entry: object) -> bool:
        """Whether one kernel has that symbol, or that name in the source."""

    def __getitem__(self, entry: str) -> Kernel:
        """Return a kernel by its symbol, or by its name in a C++ source if only one has it.

        `module["scale<float>"]` names an instance of a template. Of a CUDA C++ source, instances
        that its host code does not launch are compiled when they are asked for.

        Raises:
            UserError: there is none of that name, or the device does not support all that it can
                reach; the message names every such instruction with its line.
        """


class Device(Protocol):
    """Something that executes kernels of a target."""

    name: str
    target: str
    evidence: Literal["emulator", "silicon"]

    def load(self, source: Source) -> Module:
        """Load PTX or AMDGCN assembly (a str that holds a newline), a code object, or a file.

        Raises:
            UserError: the source cannot be read or is malformed.
        """

    def compile(
        self,
        source: Source,
        language: str | None = None,
        options: Sequence[str] = (),
        instances: Sequence[str] = (),
    ) -> Module:
        """Compile a high-level source and load it.

        CUDA C++ is compiled by NVRTC or, if it has host code, by nvcc, which `Module.note` says.

        `language` is "hip" (the default) or "c" for gfx targets, "cuda" for sm targets. `options`
        are the compiler's own, such as "-DTILE=64" or "-Iinclude"; clang takes "-O3" too.
        `instances` are templates of CUDA C++ to instantiate, such as "scale<float>".

        Raises:
            UserError: the compiler refuses the source or an option.
            MissingEnvironment: there is no compiler.
        """

    def synchronize(self) -> None:
        """Wait until copies and launches of every stream are done; the emulator's always are."""

    def array(self, values: npt.ArrayLike, *, name: str | None = None) -> DeviceArray:
        """Copy a host array to the device.

        The emulator's reports call it by `name`, or else by the line that made it ("array made at
        train.py:12"); hardware reports nothing and ignores the name.
        """

    def zeros(
        self, shape: int | Sequence[int], dtype: npt.DTypeLike, *, name: str | None = None
    ) -> DeviceArray:
        """Return an array of zeros; `name` is for reports, as in `array`."""

    def empty(
        self, shape: int | Sequence[int], dtype: npt.DTypeLike, *, name: str | None = None
    ) -> DeviceArray:
        """Return an array that nothing has written; the emulator knows its bytes as undefined.

        `name` is for reports, as in `array`.
        """

    def adopt(self, host: Any, *, name: str | None = None) -> DeviceArray:
        """Make foreign memory an array of this device, without copying.

        The emulator takes a NumPy array or a CPU tensor, a GPU what offers
        `__cuda_array_interface__` (a CuPy array, a CUDA tensor).

        Raises:
            UserError: the memory is not where the device can reach it.
        """

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        """Hazards reported by the emulator with `hazards="report"`, in order; empty on a GPU.

        `str` of each is one sentence.
        """

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The faults behind `hazards`, out-of-bounds accesses first; one fault may meet many."""

    @property
    def notes(self) -> tuple[Hazard, ...]:
        """Notes of the emulator: behavior that works without a guarantee of the ISA.

        There is one for each kernel and reason. In strict mode these are hazards.
        """

    def environment(self) -> Mapping[str, Any]:
        """Describe the hardware for a row of silicon; empty on the emulator."""
