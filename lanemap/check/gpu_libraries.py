"""Libraries of a GPU that Triton's tutorials ask for: its profiler, and cuBLAS through Triton.

The profiler (Proton) profiles nothing, as the emulator has no clock. Products of cuBLAS are
PyTorch's, on the host.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.check.findings import Findings

_NO_PROFILE = (
    "triton.profiler profiles nothing: the emulator has no clock; --count counts what kernels do"
)
_PRODUCTS = "cuBLAS's products through Triton are PyTorch's, computed on the host"


class Scope:
    """A region of a profile: a context, or a decorator of what runs in it."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Take the arguments of `triton.profiler.scope`."""

    def __enter__(self) -> Scope:
        return self

    def __exit__(self, *_: Any) -> None:
        """Record nothing."""

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function as it is."""
        return function


def _profile(function: Callable[..., Any] | None = None, **_: Any) -> Any:
    """Return a function as it is; stands for the decorator `triton.profiler.profile`."""
    return Scope() if function is None else function


def profiler(findings: Findings) -> dict[str, ModuleType]:
    """Return modules by name that stand for `triton.profiler` and its viewer."""

    def start(*_: Any, **__: Any) -> int:
        findings.say_once(_NO_PROFILE)
        return 0

    def nothing(*_: Any, **__: Any) -> None:
        """Profile nothing."""

    name = "triton.profiler"
    module, viewer = ModuleType(name), ModuleType(f"{name}.viewer")
    calls = ("activate", "deactivate", "finalize", "enter_scope", "exit_scope", "enter_state")
    scopes = ("scope", "cpu_timed_scope", "state", "metadata_state")
    module.__dict__.update(
        start=start,
        profile=_profile,
        viewer=viewer,
        DEFAULT_PROFILE_NAME="proton",
        exit_state=nothing,
        **dict.fromkeys(calls, nothing),
        **dict.fromkeys(scopes, Scope),
        __path__=[],
    )
    viewer.__dict__.update(parse=lambda *_, **__: (None, []), print_tree=nothing, read=nothing)
    return {name: module, viewer.__name__: viewer}


class CublasLt:
    """Stands for `triton._C.libtriton.nvidia.cublas.CublasLt`.

    Triton's cublas_instance.h states the product: of row-major A [M, K] and B [N, K] the
    product A B^T, summed in f32; of block-scaled ones, what PyTorch's scaled products compute here.
    """

    say_once: Callable[[str], None]

    def __init__(self, workspace: Any) -> None:
        """Take a workspace, which is not needed."""

    def matmul(self, a: Any, b: Any, c: Any) -> None:
        """Store A B^T in C."""
        type(self).say_once(_PRODUCTS)
        c.copy_(a.float() @ b.float().T)

    def gemm(self, a: Any, b: Any, c: Any, d: Any, alpha: float, beta: float) -> None:
        """Store alpha A B^T + beta C in D."""
        type(self).say_once(_PRODUCTS)
        product = alpha * (a.float() @ b.float().T)
        d.copy_(product + beta * c.float() if beta else product)

    def block_scaled_matmul_mxfp8(self, a: Any, b: Any, c: Any, of_a: Any, of_b: Any) -> None:
        """Store A B^T in C: e4m3, with a swizzled scale (e8m0) for 32 elements."""
        import torch

        self._scaled(a, b, c, of_a, of_b, torch.float8_e4m3fn, torch.float8_e8m0fnu)

    def block_scaled_matmul_nvfp4(self, a: Any, b: Any, c: Any, of_a: Any, of_b: Any) -> None:
        """Store A B^T in C: two e2m1 in a byte, with a swizzled scale (e4m3) for 16 elements."""
        import torch

        self._scaled(a, b, c, of_a, of_b, torch.float4_e2m1fn_x2, torch.float8_e4m3fn)

    def _scaled(
        self, a: Any, b: Any, c: Any, of_a: Any, of_b: Any, element: Any, scale: Any
    ) -> None:
        """Store the product of operands with scales; all but C are taken by their bytes.

        Raises:
            UserError: C is not what Triton has cuBLAS store.
        """
        import torch

        type(self).say_once(_PRODUCTS)
        if c.dtype != torch.float16:
            raise UserError(f"Triton's block-scaled products by cuBLAS are float16; c is {c.dtype}")
        x, y = (each.view(torch.uint8).view(element) for each in (a, b))
        u, v = (each.reshape(-1).view(torch.uint8).view(scale) for each in (of_a, of_b))
        c.copy_(torch._scaled_mm(x, y.T, u, v, out_dtype=torch.float16))


@contextlib.contextmanager
def libraries_on_host(findings: Findings) -> Iterator[None]:
    """Let the profiler and cuBLAS do without a GPU while the context lasts."""
    import triton
    from triton._C.libtriton import nvidia

    stands_in = type("CublasLt", (CublasLt,), {"say_once": staticmethod(findings.say_once)})
    modules = profiler(findings)
    before = {name: sys.modules.get(name) for name in modules}
    attribute = getattr(triton, "profiler", None)
    cublas, theirs = nvidia.cublas, nvidia.cublas.CublasLt
    try:
        sys.modules.update(modules)
        triton.profiler = modules["triton.profiler"]
        cublas.CublasLt = stands_in
        yield
    finally:
        cublas.CublasLt = theirs
        if attribute is None:
            del triton.profiler
        else:
            triton.profiler = attribute
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
