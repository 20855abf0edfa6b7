"""Libraries that call CUDA's driver API: numba-cuda, cuda.core, cuda-bindings, Warp."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lanemap.check import tilelang, warp
from lanemap.check.cuda_api.calls import Calls
from lanemap.check.cute import session
from lanemap.check.imports import Change, changing_modules, refusing_version
from lanemap.check.libcuda.in_process import libcuda_in_process
from lanemap.check.libcuda.packages import VERSIONS, installed, is_known, requirement
from lanemap.check.libcuda.runtime import runtime_by_driver
from lanemap.check.libcuda.stand_ins import load_here

if TYPE_CHECKING:
    from typing import Any

    from lanemap.check.launch import Emulated
    from lanemap.targets import Target


def _reading_no_core(module: Any) -> dict[str, Any]:
    """Return what lets numba-cuda look at the layout of a scalar that is repeated.

    It takes element 0 of an array whose strides are 0 to compare layouts, and of an array on the
    GPU that is a copy to the host of what nothing may have written. A view of the element has the
    same layout.
    """
    original = module.array_core

    def array_core(array: Any) -> Any:
        if not hasattr(array, "gpu_data") or not array.size or any(array.strides):
            return original(array)
        return type(array)((), (), array.dtype, gpu_data=array.gpu_data)

    return {"array_core": array_core}


def refusals() -> list[Change]:
    """Return what ends the import of packages whose versions are not known here."""
    return [
        refusing_version(module, package, known, found, requirement(module))
        for module, (package, known) in VERSIONS.items()
        if (found := installed(module)) and not is_known(module, found)
    ]


@contextlib.contextmanager
def driver_on_emulator(emulated: Emulated, target: Target) -> Iterator[None]:
    """Let packages that load libcuda.so.1 have the emulator while the context lasts.

    Beside CuTe DSL, the calls of cuda-bindings are served by `cuda_api.bindings`.
    """
    beside = session.installed()
    wanted = installed("cuda.bindings") or tilelang.installed() or installed("warp")
    if not target.is_nvidia or beside or not wanted:
        yield
        return
    changes = [
        runtime_by_driver(),
        Change("numba.cuda.cudadrv.devicearray", _reading_no_core),
        # It would link LTO-IR by default where nvJitLink is, and links PTX where that is not.
        Change("numba.cuda.cudadrv.driver", lambda _: {"_have_nvjitlink": lambda: False}),
        *refusals(),
        *warp.warp_by_driver(),
    ]
    with libcuda_in_process(Calls(emulated, target)), changing_modules(changes):
        load_here()
        yield
