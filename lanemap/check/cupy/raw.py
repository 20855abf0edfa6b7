"""`cupy.RawKernel` and `cupy.RawModule`: kernels of CUDA C++ that a script compiles itself."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.check.cupy.arrays import ndarray
from lanemap.check.cupy.device import CUDADriverError
from lanemap.check.cupy.elements import adopted, is_tensor
from lanemap.check.cupy.memory import MemoryPointer
from lanemap.check.cupy.sources import at_line, compile_text, function_of
from lanemap.check.cupy.state import active, refuse
from lanemap.devices import kernel_names
from lanemap.devices.sources import cooperative_entries, read_file

if TYPE_CHECKING:
    from lanemap.check.launch import Function
    from lanemap.devices.arguments import Parameter

_INVALID = "CUDA_ERROR_INVALID_VALUE: invalid argument"


class RawModule:
    """Kernels and variables of one source."""

    __module__ = "cupy"

    def __init__(
        self,
        code: str | None = None,
        *,
        path: str | None = None,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        name_expressions: Sequence[str] | None = None,
        jitify: bool = False,
    ) -> None:
        """Take a source, or the path of a file of PTX.

        Raises:
            TypeError, ValueError: the arguments contradict each other, as in CuPy.
        """
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        if isinstance(options, str):
            raise ValueError("options must be tuple")
        if name_expressions is not None and (path is not None or backend == "nvcc"):
            raise ValueError("name_expressions needs `code` and the backend nvrtc")
        self.code, self.file_path = code, path
        self.options, self.backend = tuple(options), backend
        self.name_expressions = tuple(name_expressions or ())
        self.enable_cooperative_groups = enable_cooperative_groups
        self._source = at_line(code) if code is not None else ""

    @functools.cached_property
    def module(self) -> Any:
        """The loaded text."""
        if self.file_path is not None:
            return _module_of_file(Path(self.file_path))
        names = self.name_expressions
        return compile_text(self._source, "source.cu", self.options, names, self.backend)

    def compile(self, log_stream: Any = None) -> None:
        """Compile now, not when a kernel is asked for."""
        assert self.module is not None

    def get_function(self, name: str) -> RawKernel:
        """Return a kernel by its name, or by one of the expressions that were given."""
        return RawKernel._of(self, name)

    def get_global(self, name: str) -> MemoryPointer:
        """Return a pointer to a variable."""
        address, size = _variable(self.module, name)
        return MemoryPointer.variable(address, size)

    def get_texref(self, name: str) -> Any:
        """Refuse textures."""
        refuse("cupy.RawModule.get_texref", "the emulator has no textures")


def _resident(
    ctas: tuple[int, int, int], threads: tuple[int, ...], shared_bytes: int
) -> tuple[int, int, int]:
    """Return the grid of a cooperative launch; CuPy makes a long one as long as fits on the GPU.

    Raises:
        CUDADriverError: it has other dimensions and does not fit.
    """
    state = active()
    most = state.calls.blocks_of_sm(max(math.prod(threads), 1), shared_bytes)
    most *= state.target.gpu.multiprocessors
    if math.prod(ctas) <= most:
        return ctas
    if math.prod(ctas[1:]) > 1:
        raise CUDADriverError(
            "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: too many blocks in cooperative launch"
        )
    warnings.warn(
        f"The grid size will be reduced from {ctas[0]} to {most}, as the specified grid size "
        "exceeds the limit.",
        stacklevel=3,
    )
    return most, 1, 1


def _module_of_file(path: Path) -> Any:
    """Load a file of PTX, or compile one of CUDA C++."""
    content = read_file(path)
    if content.startswith(b"\x7fELF") or path.suffix in (".cubin", ".fatbin"):
        refuse(f"{path.name}", "it is machine code, and the emulator runs PTX")
    if b".version" not in content:  # CuPy hands the file to the driver, CUDA C++ too
        raise CUDADriverError("CUDA_ERROR_INVALID_IMAGE: device kernel image is invalid")
    return active().emulated.load(path)


def _variable(module: Any, name: str) -> tuple[int, int]:
    """Return a variable's address and bytes; whoever has the address may write the variable."""
    try:
        array = module.symbol(name, np.uint8)
    except kernel_names.NoSuchName:
        raise CUDADriverError("CUDA_ERROR_NOT_FOUND: named symbol not found") from None
    array.pointer()
    return array.address, array.nbytes


class RawKernel:
    """A kernel of CUDA C++."""

    __module__ = "cupy"

    def __init__(
        self,
        code: str,
        name: str,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        *,
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        jitify: bool = False,
    ) -> None:
        """Take a source and the kernel's name in it; it is compiled when it is needed."""
        templates = (name,) if name.rstrip().endswith(">") else None
        self._module = RawModule(
            code,
            options=options,
            backend=backend,
            enable_cooperative_groups=enable_cooperative_groups,
            name_expressions=templates,
        )
        self.name, self.code, self.options, self.backend = name, code, tuple(options), backend
        self._dynamic_bytes: int | None = None

    @classmethod
    def _of(cls, module: RawModule, name: str) -> RawKernel:
        kernel = cls.__new__(cls)
        kernel._module, kernel.name, kernel._dynamic_bytes = module, name, None
        kernel.code, kernel.options = module.code or "", module.options
        kernel.backend = module.backend
        assert kernel._function is not None
        return kernel

    @functools.cached_property
    def _function(self) -> Function:
        try:
            return function_of(self._module.module, self.name)
        except kernel_names.NoSuchName as error:
            raise CUDADriverError(
                f"CUDA_ERROR_NOT_FOUND: named symbol not found: {error}"
            ) from None

    def compile(self, log_stream: Any = None) -> None:
        """Compile now, not at the first launch."""
        assert self._function is not None

    def __call__(
        self, grid: Any, block: Any, args: Sequence[Any], *, shared_mem: int = 0, stream: Any = None
    ) -> None:
        """Launch with the sizes of the grid and of a CTA, and wait.

        Raises:
            CUDADriverError: CUDA would refuse the launch.
            TypeError: an argument is none that the kernel could take.
        """
        ctas, threads = _sizes(grid), _sizes(block)
        if self._module.enable_cooperative_groups:
            ctas = _resident(ctas, threads, int(shared_mem))
        self._require_legal(ctas, threads, int(shared_mem))
        parameters = self._function.kernel.parameters
        if len(args) != len(parameters):
            raise TypeError(
                f"{self.name} has {len(parameters)} parameters, and {len(args)} arguments are given"
            )
        packed = [
            argument_bytes(value, each, self.name, number)
            for number, (value, each) in enumerate(zip(args, parameters, strict=True))
        ]
        active().emulated.run(self._function, ctas, threads, packed, int(shared_mem))

    def _require_legal(
        self, ctas: tuple[int, ...], threads: tuple[int, ...], shared_bytes: int
    ) -> None:
        """Refuse what cuLaunchKernel and cuLaunchCooperativeKernel refuse."""
        state = active()
        if min(*ctas, *threads) < 1 or math.prod(threads) > state.target.limits.threads:
            raise CUDADriverError(_INVALID)
        if shared_bytes > self.max_dynamic_shared_size_bytes:
            raise CUDADriverError(_INVALID)
        if self._synchronizes_grid and not self._module.enable_cooperative_groups:
            raise CUDADriverError(
                f"CUDA_ERROR_LAUNCH_FAILED: {self.name} synchronizes the grid, and a launch can do "
                "that with enable_cooperative_groups=True only"
            )

    @functools.cached_property
    def _synchronizes_grid(self) -> bool:
        return self._function.kernel.name in cooperative_entries(self._function.module.text)

    # -- what the kernel is ------------------------------------------------------------------------
    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """The dynamic shared memory that a launch may ask for: 48 KB with the static one, or more.

        More than that must be allowed first.
        """
        if self._dynamic_bytes is not None:
            return self._dynamic_bytes
        return active().target.limits.default_shared_bytes - self.shared_size_bytes

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, size: int) -> None:
        if not 0 <= size <= active().target.limits.shared_bytes - self.shared_size_bytes:
            raise CUDADriverError(_INVALID)
        self._dynamic_bytes = size

    @property
    def shared_size_bytes(self) -> int:
        """Static shared memory."""
        return self._function.kernel.static_shared_bytes

    @property
    def max_threads_per_block(self) -> int:
        """Threads that a CTA may have, registers aside."""
        return active().target.limits.threads

    @property
    def enable_cooperative_groups(self) -> bool:
        """Whether launches may synchronize the grid."""
        return self._module.enable_cooperative_groups

    @property
    def attributes(self) -> dict[str, int]:
        """What is known of the kernel; registers and local memory are the machine code's."""
        return {
            "max_threads_per_block": self.max_threads_per_block,
            "shared_size_bytes": self.shared_size_bytes,
            "max_dynamic_shared_size_bytes": self.max_dynamic_shared_size_bytes,
        }

    def __getattr__(self, name: str) -> Any:
        if name in ("num_regs", "local_size_bytes", "const_size_bytes", "binary_version"):
            refuse(f"cupy.RawKernel.{name}", "the emulator has no machine code")
        raise AttributeError(f"'RawKernel' object has no attribute {name!r}")


def _sizes(given: Any) -> tuple[int, int, int]:
    """Return the sizes of a grid or CTA; those that are left out are 1.

    Raises:
        TypeError: they are no tuple of up to three numbers.
    """
    if not isinstance(given, (tuple, list)) or not 1 <= len(given) <= 3:
        raise TypeError(f"{given!r} is not a tuple of one to three sizes")
    x, y, z = (*(int(each) for each in given), 1, 1)[:3]
    return x, y, z


def argument_bytes(value: Any, parameter: Parameter, kernel: str, number: int) -> bytes:
    """Return the bytes of an argument as CuPy passes it: a number of Python has 64 bits.

    Raises:
        TypeError: the kernel would read something else there than the value.
    """
    data = _bytes_of(value, f"argument {number} of {kernel}", parameter.size)
    if len(data) == parameter.size:
        return data
    whole = isinstance(value, (int, np.integer)) and len(data) > parameter.size
    if whole and -(1 << 8 * parameter.size - 1) <= int(value) < 1 << 8 * parameter.size:
        return data[: parameter.size]  # little-endian: the lower half is the number
    raise TypeError(
        f"argument {number} of {kernel} has {len(data)} bytes as a {type(value).__name__}, and the "
        f"parameter has {parameter.size}; pass a number of NumPy of the parameter's type"
    )


def _bytes_of(value: Any, what: str, size: int) -> bytes:
    if isinstance(value, ndarray):
        return adopted(value.values).pointer().address.to_bytes(8, "little")
    if isinstance(value, MemoryPointer):
        return value.ptr.to_bytes(8, "little")
    if value is None:
        return bytes(8)
    if isinstance(value, np.ndarray):
        if value.nbytes != size:
            raise TypeError(f"{what} is an array of the host; pass cupy.asarray(..) of it")
        return value.tobytes()  # a struct by value
    if isinstance(value, np.generic):
        return value.tobytes()
    if isinstance(value, int) and not isinstance(value, bool):
        return (value & (1 << 64) - 1).to_bytes(8, "little")
    for kind, dtype in ((bool, "?"), (float, "d"), (complex, "D")):
        if isinstance(value, kind):
            return np.array(value, dtype).tobytes()
    if is_tensor(value):
        return int(value.data_ptr()).to_bytes(8, "little")
    if hasattr(value, "__cuda_array_interface__"):
        return int(value.__cuda_array_interface__["data"][0]).to_bytes(8, "little")
    raise TypeError(f"Unsupported type {type(value)}")
