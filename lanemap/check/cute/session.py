"""What a process must have before a script imports CuTe DSL, and what is changed when it does."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lanemap.check.cuda_api import bindings
from lanemap.check.cuda_api.calls import Calls
from lanemap.check.cute.compiling import compiling
from lanemap.check.cute.shims import Shims
from lanemap.check.cute.tvm_ffi import raising_calls, tensors_by_capsules
from lanemap.check.imports import Change, changing_modules
from lanemap.devices.emulator import driver_library
from lanemap.errors import MissingEnvironment, UserError, extra

if TYPE_CHECKING:
    from lanemap.check.autotuning import Benchmarks
    from lanemap.check.launch import Emulated
    from lanemap.targets import Target

PACKAGE = "nvidia-cutlass-dsl"
#: The only version whose runtime library and compiler are known here.
VERSION = "4.8"


def installed() -> str:
    """Return CuTe DSL's version; "" where it is not installed."""
    here = importlib.util.find_spec("nvidia_cutlass_dsl") is not None
    return importlib.metadata.version(PACKAGE) if here else ""


def require() -> str:
    """Return CuTe DSL's version.

    Raises:
        MissingEnvironment: it is missing, or not the one that is known here.
    """
    version = installed()
    if not version:
        raise MissingEnvironment(f"{PACKAGE} {VERSION} is not installed: run {extra('cute')}")
    if not version.startswith(f"{VERSION}."):
        raise MissingEnvironment(
            f"lanemap checks scripts with CuTe DSL {VERSION}; this is {version}: run "
            f"{extra('cute')}"
        )
    return version


def _refusing(target: Target) -> list[Change]:
    """Return what ends the import of CuTe DSL where it cannot be used."""

    def refuse(_: Any) -> dict[str, Any]:
        require()
        raise UserError(f"CuTe DSL compiles for GPUs of NVIDIA, not for {target.name}")

    return [Change("cutlass.cute", refuse)]


@contextlib.contextmanager
def cute_dsl_on_emulator(
    emulated: Emulated, target: Target, benchmarks: Benchmarks
) -> Iterator[None]:
    """Let CuTe DSL and cuda-bindings have the emulator as their GPU while the context lasts.

    They are changed when the script imports them.
    """
    if not target.is_nvidia or not installed().startswith(f"{VERSION}."):
        with changing_modules(_refusing(target)):
            yield
        return
    calls = Calls(emulated, target)
    library, shims = str(driver_library("cute_dsl_runtime")), Shims(calls)
    shims.serve(library)
    settings = {
        "CUTE_DSL_LIBS": library,
        "CUTE_DSL_ARCH": target.name,
        "CUTE_DSL_LINEINFO": "1",
    }
    changes = bindings.changes(calls) + _changes(shims, target, benchmarks)
    with (
        _settings(settings),
        tensors_by_capsules() as of_tensors,
        changing_modules([*changes, of_tensors]),
    ):
        yield


@contextlib.contextmanager
def _settings(settings: dict[str, str]) -> Iterator[None]:
    """Set variables of the environment while the context lasts."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _changes(shims: Shims, target: Target, benchmarks: Benchmarks) -> list[Change]:
    """Return what of CuTe DSL is something else."""

    def of_compiler(module: Any) -> dict[str, Any]:
        return {"Compiler.compile": compiling(module.Compiler.compile)}

    def of_hardware(_: Any) -> dict[str, Any]:
        """A CTA on each SM, as Triton's driver says here."""

        def most_clusters(_info: Any, cluster_size: int, *_: Any, **__: Any) -> int:
            return target.gpu.multiprocessors // cluster_size

        return {"HardwareInfo.get_max_active_clusters": most_clusters}

    return [
        Change("cutlass.base_dsl.compiler", of_compiler),
        *_executors(shims),
        Change("cutlass.utils.hardware_info", of_hardware),
        raising_calls(functools.partial(_raising, shims)),
        Change("cutlass.testing", lambda _: {"benchmark": _benchmark(benchmarks)}),
    ]


def _raising(shims: Shims, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that raises what compiled code, which it calls, could not."""

    @functools.wraps(original)
    def call(*arguments: Any, **given: Any) -> Any:
        try:
            result = original(*arguments, **given)
        except Exception:
            shims.raise_kept()
            raise
        shims.raise_kept()
        return result

    return call


def _executors(shims: Shims) -> list[Change]:
    """Return what lets those that call compiled code raise what a call of that code could not."""
    raising = functools.partial(_raising, shims)

    def of_executors(module: Any) -> dict[str, Any]:
        names = ("JitExecutor", "JitCompiledFunction")
        return {
            f"{name}.run_compiled_program": raising(getattr(module, name).run_compiled_program)
            for name in names
        }

    def of_libraries(module: Any) -> dict[str, Any]:
        loads = module.CudaDialectJitCompiledFunction._load_cuda_library
        return {"CudaDialectJitCompiledFunction._load_cuda_library": raising(loads)}

    return [
        Change("cutlass.base_dsl.jit_executor", of_executors),
        Change("cutlass.cutlass_dsl.cuda_jit_executor", of_libraries),
    ]


def _benchmark(benchmarks: Benchmarks) -> Callable[..., Any]:
    """Return what stands for cutlass.testing.benchmark: it runs what is to be timed once."""

    def benchmark(
        callable: Callable[..., Any],
        *,
        kernel_arguments: Any = None,
        workspace_generator: Callable[[], Any] | None = None,
        **_: Any,
    ) -> Any:
        made = workspace_generator() if workspace_generator is not None else kernel_arguments
        return benchmarks.untimed("benchmark")(lambda: callable(*made.args, **made.kwargs))

    return benchmark
