"""cuBLAS's c[l] = A[l] b[l] in bf16, to be timed beside a kernel.

Source: NVIDIA cuBLAS 13.0, "cublasGemmStridedBatchedEx()" and "cublasSetWorkspace()". The library
is called through ctypes, because CuPy refuses its calls while a graph is recorded.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from lanemap.devices.arrays import DeviceArray
from lanemap.devices.cublaslt import shared_library
from lanemap.errors import UserError

#: cublasOperation_t, cudaDataType_t, cublasComputeType_t and cublasGemmAlgo_t.
_PLAIN, _TRANSPOSED, _BF16, _COMPUTE_F32, _DEFAULT = 0, 1, 14, 68, -1


def _check(status: int, what: str) -> None:
    if status:
        raise UserError(f"{what} of cuBLAS failed with status {status}")


@cache
def _library() -> tuple[Any, ctypes.c_void_p]:
    """Load cuBLAS and make a handle.

    Raises:
        MissingEnvironment: it is not here.
    """
    library, handle = shared_library("libcublas.so.13"), ctypes.c_void_p()
    _check(library.cublasCreate_v2(ctypes.byref(handle)), "cublasCreate")
    return library, handle


def version() -> int:
    """Return cuBLAS's version, 130002 for 13.0.2.

    Raises:
        MissingEnvironment: it is not here.
    """
    library, handle = _library()
    found = ctypes.c_int()
    _check(library.cublasGetVersion_v2(handle, ctypes.byref(found)), "cublasGetVersion")
    return found.value


class BatchedGemv:
    """c[l] = A[l] b[l], sums in f32."""

    def __init__(
        self, a: DeviceArray, b: DeviceArray, c: DeviceArray, workspace: DeviceArray
    ) -> None:
        """Keep the operands.

        Args:
            a: (L, M, K) of bf16, C-contiguous.
            b: (L, K) of bf16.
            c: (L, M) of bf16.
            workspace: Memory that cuBLAS may use; it recommends 32 MiB for Hopper.

        Raises:
            MissingEnvironment: cuBLAS is not here.
        """
        self._cublas, self._handle = _library()
        self._arrays = a, b, c, workspace
        self._one, self._zero = ctypes.c_float(1), ctypes.c_float(0)

    def enqueue(self, stream: int) -> None:
        """Enqueue the products on a stream and do not wait."""
        a, b, c, workspace = self._arrays
        batches, m, k = a.shape
        handle, address = self._handle, ctypes.c_void_p
        _check(self._cublas.cublasSetStream_v2(handle, address(stream)), "cublasSetStream")
        # A stream takes the workspace away.
        size = ctypes.c_size_t(workspace.nbytes)
        status = self._cublas.cublasSetWorkspace_v2(handle, address(workspace.address), size)
        _check(status, "cublasSetWorkspace")
        # Column-major, A is K x M, so that c is its transpose times b.
        status = self._cublas.cublasGemmStridedBatchedEx(
            handle,
            _TRANSPOSED,
            _PLAIN,
            m,
            1,
            k,
            ctypes.byref(self._one),
            address(a.address),
            _BF16,
            k,
            ctypes.c_longlong(m * k),
            address(b.address),
            _BF16,
            k,
            ctypes.c_longlong(k),
            ctypes.byref(self._zero),
            address(c.address),
            _BF16,
            m,
            ctypes.c_longlong(m),
            batches,
            _COMPUTE_F32,
            _DEFAULT,
        )
        _check(status, "cublasGemmStridedBatchedEx")
