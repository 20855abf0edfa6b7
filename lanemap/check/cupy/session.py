"""The modules `cupy` and `cupyx` that a script imports while it is checked."""

from __future__ import annotations

import contextlib
import importlib.machinery
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.cupy import cuda, extras, names
from lanemap.check.cupy.arrays import ndarray
from lanemap.check.cupy.calls import arrays_in, served
from lanemap.check.cupy.device import CUDADriverError
from lanemap.check.cupy.elementwise import ElementwiseKernel
from lanemap.check.cupy.raw import RawKernel, RawModule
from lanemap.check.cupy.reduction import ReductionKernel
from lanemap.check.cupy.sources import CompileException
from lanemap.check.cupy.state import State, refuse, working_with
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.check.launch import Emulated
    from lanemap.targets import Target

#: The release whose names these are, and which scripts are told.
VERSION = "14.2.0"
#: Parts of CuPy that need a library of a GPU, or hardware that the emulator does not have.
_WHY = {
    "cupyx.jit": "lanemap does not translate Python to CUDA C++; write the kernel as a RawKernel",
    "cupyx.scipy": "it needs libraries of a GPU",
    "cupy.cuda.texture": "the emulator has no textures",
    "cupy.cuda.nccl": "the emulator is one GPU",
}


class StandIn(ModuleType):
    """A module whose attributes are made when they are asked for, or refused by name."""

    def __init__(
        self,
        name: str,
        known: Mapping[str, Any],
        find: Callable[[str], Any] | None = None,
        refused: frozenset[str] | None = None,
    ) -> None:
        """Have `known`, and what `find` finds; `refused` are names of CuPy's, None for any."""
        super().__init__(name, "Stands for CuPy's while a script is checked.")
        self.__path__: list[str] = []
        self.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
        self._find, self._refused = find, refused
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._find(name) if self._find is not None else None
        if found is not None:
            self.__dict__[name] = found
            return found
        whole = f"{self.__name__}.{name}"
        if self._refused is None or name in self._refused:
            refuse(whole, _WHY.get(whole, ""))
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _of_numpy(allowed: frozenset[str], module: Any) -> Callable[[str], Any]:
    """Return what finds a routine of NumPy by a name that CuPy has."""
    return lambda name: served(name, getattr(module, name)) if name in allowed else None


def _random() -> StandIn:
    """Return `cupy.random`, with generators of its own."""
    default = extras.Chance(np.random.RandomState())

    def seed(seed: Any = None) -> None:
        default._generator.seed(seed)

    def find(name: str) -> Any:
        return getattr(default, name) if name in names.RANDOM else None

    known = {
        "seed": seed,
        "RandomState": lambda seed=None, **_: extras.Chance(np.random.RandomState(seed)),
        "default_rng": lambda seed=None: extras.Chance(np.random.default_rng(seed)),
        "get_random_state": lambda: default,
    }
    return StandIn("cupy.random", known, find)


def _modules(state: State) -> dict[str, StandIn]:
    """Return all modules by their names."""
    found = {
        "cupy.linalg": StandIn("cupy.linalg", {}, _of_numpy(names.LINALG, np.linalg)),
        "cupy.fft": StandIn("cupy.fft", {}, _of_numpy(names.FFT, np.fft)),
        "cupy.random": _random(),
        "cupy.testing": StandIn(
            "cupy.testing",
            {},
            lambda name: extras.comparing(name) if name.startswith("assert_") else None,
        ),
        "cupy.exceptions": StandIn("cupy.exceptions", vars(np.exceptions)),
        "cupy.cuda.runtime": StandIn("cupy.cuda.runtime", cuda.runtime_functions()),
        "cupy.cuda.driver": StandIn("cupy.cuda.driver", {"CUDADriverError": CUDADriverError}),
        "cupy.cuda.nvtx": StandIn("cupy.cuda.nvtx", cuda.ranges()),
        "cupy.cuda.profiler": StandIn("cupy.cuda.profiler", cuda.profiling()),
        "cupy.cuda.compiler": StandIn("cupy.cuda.compiler", {"CompileException": CompileException}),
        "cupy.cuda": StandIn("cupy.cuda", cuda.functions()),
        "cupyx.profiler": StandIn(
            "cupyx.profiler",
            {
                "benchmark": extras.benchmark,
                "time_range": extras.time_range,
                "profile": extras.time_range,
            },
        ),
        "cupyx": StandIn("cupyx", _cupyx()),
    }
    found["cupy.cuda.stream"] = StandIn("cupy.cuda.stream", cuda.functions())
    found["cupy.cuda.memory"] = StandIn("cupy.cuda.memory", cuda.functions())
    pool = found["cupy.cuda"].pool
    found["cupy"] = StandIn("cupy", _cupy(pool), _of_numpy(names.ROUTINES, np), names.REFUSED)
    for name, module in found.items():
        outer, _, own = name.rpartition(".")
        if outer:
            found[outer].__dict__[own] = module
    return found


def _cupy(pool: Any) -> dict[str, Any]:
    """Return what `cupy` has beside NumPy's routines; its own name is that of the module."""

    def get_array_module(*args: Any) -> ModuleType:
        return sys.modules["cupy"] if any(True for _ in arrays_in(list(args))) else np

    return {
        "__version__": VERSION,
        "ndarray": ndarray,
        "newaxis": None,
        "ElementwiseKernel": ElementwiseKernel,
        "ReductionKernel": ReductionKernel,
        "RawKernel": RawKernel,
        "RawModule": RawModule,
        "asnumpy": extras.asnumpy,
        "from_dlpack": extras.from_dlpack,
        "fuse": extras.fuse,
        "vectorize": extras.vectorize,
        "get_array_module": get_array_module,
        "is_available": lambda: True,
        "get_default_memory_pool": lambda: pool,
        "get_default_pinned_memory_pool": lambda: pool,
        "memoize": lambda *_, **__: lambda function: function,
        "clear_memo": lambda: None,
    }


def _cupyx() -> dict[str, Any]:
    """Return what `cupyx` has."""
    zeros, empty = extras.pinned(np.zeros), extras.pinned(np.empty)
    return {
        "scatter_add": extras.scattering(np.add),
        "scatter_max": extras.scattering(np.maximum),
        "scatter_min": extras.scattering(np.minimum),
        "rsqrt": extras.rsqrt,
        "zeros_pinned": zeros,
        "zeros_like_pinned": zeros,
        "empty_pinned": empty,
        "empty_like_pinned": empty,
        "get_array_module": lambda *args: sys.modules["cupy"].get_array_module(*args),
    }


class _Refusing:
    """Refuses the import of modules of CuPy that there are not."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Refuse `cupyx.jit`, and leave other modules to others.

        Raises:
            UserError: it is a part of CuPy that lanemap does not have.
        """
        top = name.partition(".")[0]
        if top in ("cupy", "cupyx", "cupy_backends"):
            known = ".".join(name.split(".")[:2])
            refuse(name, _WHY.get(name) or _WHY.get(known, ""))


@contextlib.contextmanager
def cupy_on_emulator(emulated: Emulated, target: Target) -> Iterator[None]:
    """Let a script's `cupy` have the emulator as its GPU while the context lasts."""
    if not target.is_nvidia:
        modules: dict[str, Any] = {"cupy": _Unfit(target.name)}
        state = None
    else:
        state = State(emulated, target, Calls(emulated, target))
        modules = {}
    before = {name: module for name, module in sys.modules.items() if _of_cupy(name)}
    refusing: Any = _Refusing()
    with contextlib.ExitStack() as context:
        if state is not None:
            context.enter_context(working_with(state))
            modules = dict(_modules(state))
            sys.meta_path.insert(0, refusing)
            context.callback(sys.meta_path.remove, refusing)
        for name in before:
            del sys.modules[name]
        sys.modules.update(modules)
        try:
            yield
        finally:
            for name in [name for name in sys.modules if _of_cupy(name)]:
                del sys.modules[name]
            sys.modules.update(before)


def _of_cupy(name: str) -> bool:
    return name.partition(".")[0] in ("cupy", "cupyx", "cupy_backends")


class _Unfit(ModuleType):
    """Stands for `cupy` where the target runs no CUDA C++."""

    def __init__(self, target: str) -> None:
        super().__init__("cupy")
        self.__path__: list[str] = []
        self._target = target

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UserError(f"CuPy's kernels are CUDA C++ here, which {self._target} does not run")
