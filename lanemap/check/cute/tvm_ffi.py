"""TVM-FFI: another way for tensors and errors to reach the code that CuTe DSL compiles."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from lanemap.check.imports import Change

_TABLE, _STREAM = "__dlpack_c_exchange_api__", "_cuda_getCurrentRawStream"


def raising_calls(raising: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Change:
    """Let compiled functions raise what a call of their code could not."""

    def of_provider(module: Any) -> dict[str, Any]:
        names = ("TVMFFIJitCompiledFunction", "TVMFFIJitCompiledFunctionWithKwargs")
        return {f"{name}.__call__": raising(getattr(module, name).__call__) for name in names}

    return Change("cutlass.cutlass_dsl.tvm_ffi_provider", of_provider)


@contextlib.contextmanager
def tensors_by_capsules() -> Iterator[Change]:
    """Let tvm_ffi take PyTorch's tensors by their capsules, while the context lasts.

    It takes them by a table of C functions that PyTorch's class has, and those know nothing of the
    redirected `cuda`. Where the class has no table, it asks for a capsule and for the stream. It
    makes a table of its own if there is none when it is imported, so that the table goes then.
    """
    import torch

    missing = object()
    holders = ((torch.Tensor, _TABLE), (torch._C, _STREAM))
    before = [getattr(holder, name, missing) for holder, name in holders]

    def of_tvm_ffi(_: Any) -> dict[str, Any]:
        if hasattr(torch.Tensor, _TABLE):
            delattr(torch.Tensor, _TABLE)
        setattr(torch._C, _STREAM, lambda _device: 0)
        return {}

    try:
        yield Change("tvm_ffi", of_tvm_ffi)
    finally:
        for (holder, name), value in zip(holders, before, strict=True):
            if value is not missing:
                setattr(holder, name, value)
            elif hasattr(holder, name):
                delattr(holder, name)
