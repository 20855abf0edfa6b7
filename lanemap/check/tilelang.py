"""TileLang on libcuda.so.1: NVRTC compiles its kernels to PTX.

TileLang compiles by a global function of TVM-FFI, `tilelang_callback_cuda_compile`, which anyone
may replace, and launches by TVM's runtime. That opens libcuda.so.1, and takes the libcudart that
the process has (TileLang, docs/runtime_internals/stubs.md). Both are ours.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import importlib.metadata
import importlib.util
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lanemap.check.cute.tvm_ffi import tensors_by_capsules
from lanemap.check.imports import Change, changing_modules, refusing_version
from lanemap.devices.emulator import driver_library
from lanemap.toolchain import nvrtc

if TYPE_CHECKING:
    from lanemap.targets import Target

#: The version that the tests run with.
VERSION = "0.1.15"
_COMPILE = "tilelang_callback_cuda_compile"
#: The headers that stand for the host's where NVRTC compiles (tilelang/contrib/nvrtc.py).
_STD = "#include <tl_templates/cuda/nvrtc_std.h>\n"
_DEVICE_RUNTIME = '#include "cuda_device_runtime_api.h"\n'
_OF_DEVICE_RUNTIME = ("cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion")
#: TileLang keeps what it compiles, and PTX of ours must not reach a GPU, nor cubins the emulator.
_NO_CACHE = {"TILELANG_DISABLE_CACHE": "1", "TILELANG_AUTO_TUNING_DISABLE_CACHE": "1"}


def installed() -> str:
    """Return TileLang's version; "" where it is not installed."""
    if importlib.util.find_spec("tilelang") is None:
        return ""
    return importlib.metadata.version("tilelang")


@contextlib.contextmanager
def tilelang_on_emulator(target: Target) -> Iterator[None]:
    """Let TileLang have the emulator as its GPU while the context lasts."""
    version = installed()
    if not target.is_nvidia or not version:
        yield
        return
    if version != VERSION:
        with changing_modules([refusing(version)]):
            yield
        return
    ctypes.CDLL(str(driver_library("libcudart.so.13")), ctypes.RTLD_GLOBAL)
    before = {name: os.environ.get(name) for name in _NO_CACHE}
    os.environ.update(_NO_CACHE)
    try:
        with tensors_by_capsules() as of_tensors, changing_modules([of_tensors, *_changes(target)]):
            yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def refusing(version: str) -> Change:
    """Return what ends the import of a version that is not known here."""
    return refusing_version("tilelang", "TileLang", VERSION, version, f"tilelang=={VERSION}")


def _changes(target: Target) -> list[Change]:
    """Return what of TileLang is something else."""

    def of_target(_: Any) -> dict[str, Any]:
        """CUDA is here, though no toolkit is."""
        return {"check_cuda_availability": lambda: True}

    def of_backends(module: Any) -> dict[str, Any]:
        """PyTorch allocates results: the allocator in C knows nothing of the redirected `cuda`."""
        found = [
            dataclasses.replace(each, supports_callee_allocated_outputs=False)
            for each in module.CUDA_EXECUTION_BACKENDS
        ]
        return {"CUDA_EXECUTION_BACKENDS": found}

    def of_compiler(_: Any) -> dict[str, Any]:
        import tvm_ffi

        def compile_cuda(code: str, _: Any, settings: Any = None) -> bytearray:
            return bytearray(_compiled(str(code), target, settings or {}).encode() + b"\0")

        tvm_ffi.register_global_func(_COMPILE, f=compile_cuda, override=True)
        return {}

    return [
        Change("tilelang.cuda.target", of_target),
        Change("tilelang.cuda.execution_backend", of_backends),
        Change("tilelang.cuda.backend", of_compiler),
    ]


def _compiled(code: str, target: Target, settings: Any) -> str:
    """Return the PTX of a kernel that TileLang has generated.

    Raises:
        UserError: NVRTC refuses it.
    """
    from tilelang.env import CUTLASS_INCLUDE_DIR, TILELANG_TEMPLATE_PATH

    head = _DEVICE_RUNTIME if any(each in code for each in _OF_DEVICE_RUNTIME) else ""
    options = ["-std=c++17", "-lineinfo", "-default-device"]
    options += [f"-I{folder}" for folder in (TILELANG_TEMPLATE_PATH, CUTLASS_INCLUDE_DIR)]
    if settings.get("tl.enable_fast_math"):
        options.append("--use_fast_math")
    return nvrtc.compile_cuda(head + _STD + code, target.name, options, "kernel.cu")
