"""`torch.compile` with Inductor's Triton kernels: it compiles for tensors of the host.

Inductor has a setting that makes Triton kernels for the host (`cpu_backend`). Its tensors are the
host's as they are, and what it asks about the device is answered for the GPU. So the kernels are
those of the GPU, and they are launched on the emulator as a script's own are. PyTorch's tracer must
see none of what stands for `cuda`; that is out of the way until a kernel is launched.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

from lanemap.check.findings import Findings
from lanemap.check.tensors import Tensors, tensors_in
from lanemap.targets import Target

_Modes = Callable[[], contextlib.AbstractContextManager[None]]


class Inductor:
    """What stands for `torch.compile`."""

    def __init__(self, target: Target, tensors: Tensors, findings: Findings, modes: _Modes) -> None:
        """Compile for a target; `modes` is what makes `cuda` the emulator."""
        self._target, self._tensors, self._findings = target, tensors, findings
        self._modes, self._compiles = modes, torch.compile

    def compile(self, model: Any = None, **options: Any) -> Any:
        """Do what `torch.compile` does."""
        if model is None:
            return lambda given: self.compile(given, **options)
        known = {name: value for name, value in options.items() if name not in ("mode", "options")}
        with self._as_on_host():
            built = self._compiles(model, **known)
        if isinstance(model, torch.nn.Module):
            built.__dict__["forward"] = self._guarded(built.forward, model)
            return built
        return functools.wraps(model)(self._guarded(built, model))

    def _guarded(self, built: Callable[..., Any], model: Callable[..., Any]) -> Callable[..., Any]:
        """Return what runs the compiled function, or the one as written where that is not known."""
        from torch._dynamo.exc import TorchDynamoException

        refused = False

        def run(*args: Any, **given: Any) -> Any:
            nonlocal refused
            inputs = list(tensors_in((args, list(given.values()))))
            if isinstance(model, torch.nn.Module):
                inputs += model.parameters()
            if torch.is_grad_enabled() and any(each.requires_grad for each in inputs):
                refused = self._refuse(model, "it computes gradients")
            if refused or not any(map(self._tensors.here, inputs)):
                return model(*args, **given)
            try:
                with self._as_on_host(), _answers(self._target, self._launching):
                    results = built(*args, **given)
            except TorchDynamoException as error:
                refused = self._refuse(model, str(error).splitlines()[0])
                return model(*args, **given)
            for each in tensors_in(results):
                self._tensors.place(each)
            return results

        return run

    def _refuse(self, model: Any, why: str) -> bool:
        name = getattr(model, "__name__", type(model).__name__)
        self._findings.say_once(f"torch.compile: {name} runs as it is written: {why}")
        return True

    @contextlib.contextmanager
    def _as_on_host(self) -> Iterator[None]:
        """Take what stands for `cuda` out of PyTorch's sight, in this thread."""
        from torch.overrides import _len_torch_function_stack, _pop_mode, _push_mode
        from torch.utils._python_dispatch import _disable_current_modes

        held = []
        with _disable_current_modes():
            while _len_torch_function_stack():
                held.append(_pop_mode())
            try:
                yield
            finally:
                for each in reversed(held):
                    _push_mode(each)

    def _launching(self, launch: Callable[..., Any]) -> Callable[..., Any]:
        """Return what launches a kernel of Inductor's with its tensors on the GPU."""

        def run(*args: Any, **given: Any) -> Any:
            with self._modes():
                for each in tensors_in(args):
                    self._tensors.place(each)
                return launch(*args, **given)

        return run


@contextlib.contextmanager
def _answers(target: Target, launching: Callable[..., Any]) -> Iterator[None]:
    """Let Inductor make Triton kernels for the host, with what it asks of a device answered."""
    from torch._dynamo.device_interface import CudaInterface
    from torch._inductor import config
    from torch._inductor.runtime import triton_helpers
    from torch._inductor.runtime.hints import DeviceProperties
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    _tell_apart(torch.cuda, torch.accelerator)
    major, minor = target.capability
    properties = DeviceProperties(
        type="cuda" if target.is_nvidia else "hip",
        index=0,
        multi_processor_count=target.gpu.multiprocessors,
        cc=10 * major + minor if target.is_nvidia else target.name,
        major=major,
        regs_per_multiprocessor=target.limits.registers,
        max_threads_per_multi_processor=target.limits.threads_of_sm,
        warp_size=target.limits.lanes,
    )

    def first(self: Any, *_: Any, **__: Any) -> None:
        self.launchers = self.launchers[:1]  # there are no times to choose by

    zero, nothing = (staticmethod(lambda *_, answer=answer: answer) for answer in (0, None))
    new: list[tuple[Any, str, Any]] = [
        (DeviceProperties, "create", classmethod(lambda *_: properties)),
        *((triton_helpers, f"set_driver_to_{each}", lambda: None) for each in ("cpu", "gpu")),
        *((CudaInterface, name, zero) for name in
          ("exchange_device", "maybe_exchange_device", "current_device", "get_raw_stream")),
        *((CudaInterface, name, nothing) for name in ("synchronize", "set_device")),
        (CachingAutotuner, "autotune_to_one_config", first),
        (CachingAutotuner, "run", launching(CachingAutotuner.run)),
    ]  # fmt: skip
    if target.is_nvidia:
        new.append((torch.version, "cuda", "13.0"))
    old = [(holder, name, holder.__dict__[name]) for holder, name, _ in new]
    settings = {
        "cpu_backend": "triton",
        "compile_threads": 1,
        "use_static_triton_launcher": False,
        "fx_graph_cache": False,
    }
    try:
        for holder, name, value in new:
            setattr(holder, name, value)
        with config.patch(settings):
            yield
    finally:
        for holder, name, value in old:
            setattr(holder, name, value)


def _tell_apart(*modules: types.ModuleType) -> None:
    """Let no two names stand for one function: PyTorch's tracer goes by the function."""
    seen = set()
    for module in modules:
        for name, value in list(vars(module).items()):
            if not isinstance(value, types.FunctionType):
                continue
            if value in seen:
                copy = types.FunctionType(
                    value.__code__, value.__globals__, name, value.__defaults__, value.__closure__
                )
                copy.__kwdefaults__ = value.__kwdefaults__
                setattr(module, name, copy)
            seen.add(value)
