"""A stand-in for Triton's driver: the emulator, which answers as the target's GPU."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lanemap.check.autotuning import Benchmarks
from lanemap.check.launch import Emulated, Function, Launcher
from lanemap.errors import UserError
from lanemap.targets import Target
from lanemap.toolchain.cubin import resources

#: The only stream and the only GPU: launches end before they return.
_STREAM = _GPU = 0


class Utils:
    """What Triton's driver offers under `utils`; it stands for `CudaUtils`."""

    #: Of the file that has a kernel's text.
    suffix = ".ptx"

    def __init__(self, emulated: Emulated, target: Target) -> None:
        """Load onto the emulator; answer for a GPU."""
        self._emulated, self._target = emulated, target
        #: `files` of the kernel that a thread is about to load, by name.
        self._of_thread = threading.local()

    def before_loading(
        self, module: Any, function: Any, name: str, files: Mapping[str, Any], digest: str
    ) -> None:
        """Note a kernel's files: `load_binary` is given its machine code alone."""
        self._of_thread.files = files

    def load_binary(
        self, name: str, binary: bytes, shared_bytes: int, device: int
    ) -> tuple[Function, Function, int, int, int]:
        """Load the text of a kernel; return module, function, registers, spills, most threads.

        Registers and spilled words are those of the machine code.

        Raises:
            UserError: the emulator does not support all that the kernel needs.
        """
        with self._emulated.judging(name):
            files = self._of_thread.files
            texts = [path for file, path in files.items() if file.endswith(self.suffix)]
            if not texts:
                raise UserError(
                    f"Triton kept no {self.suffix} of {name}; unset TRITON_STORE_BINARY_ONLY"
                )
            path = Path(texts[0])
            function = self._function(path, name)
        registers, spills = self._resources(path, binary, name)
        return function, function, registers, spills, self._target.limits.threads

    def _function(self, path: Path, name: str) -> Function:
        """Return a kernel of a file of text."""
        return Function(self._emulated.load(path), name)

    def _resources(self, path: Path, binary: bytes, name: str) -> tuple[int, int]:
        """Return the registers of a thread, and the words that it has in local memory."""
        return resources(binary, name)

    def unload_module(self, module: Function) -> None:
        """Do nothing: a kernel goes with the last reference to it."""

    def get_device_properties(self, device: int) -> Mapping[str, int]:
        """Return what driver.c returns; without the SMs' clock where no source gives it."""
        gpu, limits = self._target.gpu, self._target.limits
        clock = {} if gpu.clock_khz is None else {"sm_clock_rate": gpu.clock_khz}
        return {
            "max_shared_mem": limits.shared_bytes,
            "max_num_regs": limits.registers,
            "multiprocessor_count": gpu.multiprocessors,
            "warpSize": limits.lanes,
            "mem_clock_rate": gpu.memory_clock_khz,
            "mem_bus_width": gpu.memory_bus_bits,
            **clock,
        }

    def get_device_capability(self, device: int = _GPU) -> tuple[int, int]:
        """Return the compute capability."""
        return self._target.capability

    def get_current_device(self) -> int:
        """Return the only GPU's number."""
        return _GPU

    def set_current_device(self, device: int) -> None:
        """Select a GPU.

        Raises:
            UserError: it is not the only one.
        """
        if device != _GPU:
            raise UserError(f"GPU {device} does not exist: the emulator is one GPU, number {_GPU}")

    def get_default_stream(self, device: int = _GPU) -> int:
        """Return the only stream."""
        return _STREAM

    def is_stream_capturing(self, stream: int) -> bool:
        """Return that no stream is captured into a graph."""
        return False

    def set_printf_fifo_size(self, size: int) -> None:
        """Do nothing: the emulator prints all that a kernel prints."""

    def cuOccupancyMaxActiveClusters(self, function: Function, shared: int, ctas: int) -> int:
        """Return how many clusters of CTAs run at once if each SM has one CTA."""
        return self._target.gpu.multiprocessors // ctas

    def fill_tma_descriptor_tiled(
        self,
        address: int,
        swizzle: int,
        element_bytes: int,
        element_type: int,
        box: Any,
        shape: Any,
        strides: Any,
        padding: int = 0,
    ) -> Any:
        """Encode a tensor map; the arguments are those of driver.c."""
        return self._emulated.tensor_map(
            address, swizzle, element_bytes, element_type, box, shape, strides, padding
        )

    fill_tma_descriptor = fill_tma_descriptor_tiled  # as Triton 3.6 calls it


class EmulatorDriver:
    """The emulator as Triton's active driver; what it offers is what `CudaDriver` offers."""

    utils_cls, launcher = Utils, Launcher

    def __init__(self, emulated: Emulated, target: Target, benchmarks: Benchmarks) -> None:
        """Launch on the emulator, answer for a GPU, and count where Triton would time."""
        self.utils = self.utils_cls(emulated, target)
        self.launcher_cls = functools.partial(self.launcher, emulated)
        self._target, self._benchmarks = target, benchmarks
        self.get_device_capability = self.utils.get_device_capability
        self.get_current_device = self.utils.get_current_device
        self.set_current_device = self.utils.set_current_device
        self.get_current_stream = self.utils.get_default_stream

    @staticmethod
    def is_active() -> bool:
        """Return that the emulator can always be used."""
        return True

    def get_current_target(self) -> Any:
        """Return what Triton compiles for."""
        from triton.backends.compiler import GPUTarget

        major, minor = self._target.capability
        return GPUTarget("cuda", 10 * major + minor, self._target.limits.lanes)

    def get_active_torch_device(self) -> Any:
        """Return PyTorch's name of the GPU."""
        import torch

        return torch.device("cuda", _GPU)

    def get_device_interface(self) -> Any:
        """Return the module of PyTorch that answers for the GPU."""
        import torch

        return torch.cuda

    def get_benchmarker(self) -> Callable[..., Any]:
        """Return what a script would time functions with: it runs them once."""
        return self._benchmarks.untimed("do_bench")

    def get_empty_cache_for_benchmark(self) -> Any:
        """Return what a benchmark clears between runs: one word, as there is no cache."""
        import torch

        return torch.empty(1, dtype=torch.int, device=self.get_active_torch_device())

    def clear_cache(self, cache: Any) -> None:
        """Do nothing: there is no cache."""

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: Any) -> Any:
        """Return zeros for what an instrumented kernel writes."""
        import torch

        return torch.zeros(size, dtype=torch.int8, device=self.get_active_torch_device())

    def map_python_to_cpp_type(self, kind: str) -> str:
        """Return the C++ type of a Triton type, as Triton's own driver does."""
        from triton.backends.nvidia.driver import ty_to_cpp

        return str(ty_to_cpp(kind))


@contextlib.contextmanager
def in_place_of_tritons(driver: EmulatorDriver) -> Iterator[None]:
    """Make a driver Triton's active one, and let it load kernels while the context lasts.

    It stays the active one afterwards: kernels are unloaded through it when they are collected.
    """
    from triton import knobs
    from triton.runtime import driver as active

    active.set_active(driver)
    knobs.runtime.kernel_load_start_hook.add(driver.utils.before_loading)
    try:
        yield
    finally:
        knobs.runtime.kernel_load_start_hook.remove(driver.utils.before_loading)
