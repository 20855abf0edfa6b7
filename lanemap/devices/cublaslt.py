"""cuBLASLt's C = A @ B.T, to be timed beside a kernel.

Source: NVIDIA cuBLAS 13.0, "Using the cuBLASLt API" and cublasLt.h. The library is called
through ctypes, because no Python package that lanemap uses offers its FP8 products.
"""

from __future__ import annotations

import ctypes
import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lanemap.devices.arrays import DeviceArray
from lanemap.errors import MissingEnvironment, UserError

_LIBRARY = "libcublasLt.so.13"
_COMPUTE_F32, _TRANSPOSED = 68, 1
#: cudaDataType_t, by NumPy's and ml_dtypes' names.
_TYPES = {
    "float32": 0, "float16": 2, "bfloat16": 14, "float8_e4m3fn": 28, "float8_e5m2": 29,
    "float4_e2m1fn": 33,
}  # fmt: skip
#: cublasLtMatmulMatrixScale_t: an E4M3 scale for 16 elements, an E8M0 scale for 32.
_SCALE_MODES = {16: 1, 32: 2}
#: cublasLtMatmulDescAttributes_t and cublasLtMatmulPreferenceAttributes_t.
_TRANSA, _FAST_ACCUM, _MAX_WORKSPACE = 3, 25, 1
_A_SCALE_POINTER, _B_SCALE_POINTER, _A_SCALE_MODE, _B_SCALE_MODE = 17, 18, 31, 32
WORKSPACE_BYTES = 64 << 20


class _Heuristic(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""

    _fields_ = (
        ("algorithm", ctypes.c_uint64 * 8),
        ("workspace_bytes", ctypes.c_size_t),
        ("state", ctypes.c_int),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    )


def shared_library(name: str) -> Any:
    """Load a library of CUDA: that of an installed wheel, or the system's.

    Raises:
        MissingEnvironment: it is not here.
    """
    spec = importlib.util.find_spec("nvidia")
    found = (spec.submodule_search_locations or ()) if spec else ()
    places = [Path(place) / "cu13" / "lib" / name for place in found]
    for each in (*(str(place) for place in places if place.exists()), name):
        try:
            return ctypes.CDLL(each)
        except OSError:
            continue
    raise MissingEnvironment(f"{name} is not installed; it comes with CUDA 13 (nvidia-cublas)")


@cache
def _library() -> tuple[Any, ctypes.c_void_p]:
    """Load cuBLASLt and make a handle.

    Raises:
        MissingEnvironment: it is not here.
    """
    library, handle = shared_library(_LIBRARY), ctypes.c_void_p()
    _check(library.cublasLtCreate(ctypes.byref(handle)), "cublasLtCreate")
    library.cublasLtGetVersion.restype = ctypes.c_size_t
    return library, handle


def version() -> int:
    """Return cuBLASLt's version, 130002 for 13.0.2.

    Raises:
        MissingEnvironment: it is not here.
    """
    return int(_library()[0].cublasLtGetVersion())


def _check(status: int, what: str) -> None:
    if status:
        raise UserError(f"{what} of cuBLASLt failed with status {status}")


@dataclass(frozen=True)
class BlockScales:
    """Scale factors of a block-scaled product.

    Attributes:
        element: Name of the type of A and B, whose arrays are bytes.
        k: Columns of A and B, in elements.
        block: Elements that share a scale: 16 for E4M3 scales, 32 for E8M0.
        a: Scales of A in 128x4 atoms.
        b: Those of B.
    """

    element: str
    k: int
    block: int
    a: DeviceArray
    b: DeviceArray


class Product:
    """C = A @ B.T with an algorithm that cuBLASLt's heuristic names."""

    def __init__(
        self,
        a: DeviceArray,
        b: DeviceArray,
        c: DeviceArray,
        workspace: DeviceArray,
        fast_accumulation: bool = True,
        scales: BlockScales | None = None,
        algorithm: int = 0,
    ) -> None:
        """Ask for an algorithm.

        Args:
            a: (M, K), C-contiguous.
            b: (N, K).
            c: (M, N).
            workspace: Memory that the algorithm may use, `WORKSPACE_BYTES`.
            fast_accumulation: Whether sums of FP8 products may stay in the tensor core.
            scales: Scale factors of block-scaled operands.
            algorithm: Which of the heuristic's, the most promising first.

        Raises:
            UserError: cuBLASLt has no such algorithm.
            MissingEnvironment: it is not here.
        """
        self._library, self._handle = _library()
        self._arrays, self._scales = (a, b, c, workspace), scales
        (m, k), n = a.shape, b.shape[0]
        element = a.dtype.name
        if scales is not None:
            element, k = scales.element, scales.k
        self._operation = ctypes.c_void_p()
        self._call("MatmulDescCreate", ctypes.byref(self._operation), _COMPUTE_F32, 0)
        self._attribute(_TRANSA, ctypes.c_int32(_TRANSPOSED))
        # Column-major, C is N x M: the first operand is B transposed, the second one A.
        if scales is not None:
            for pointer, mode, array in (
                (_A_SCALE_POINTER, _A_SCALE_MODE, scales.b),
                (_B_SCALE_POINTER, _B_SCALE_MODE, scales.a),
            ):
                self._attribute(pointer, ctypes.c_void_p(array.address))
                self._attribute(mode, ctypes.c_int32(_SCALE_MODES[scales.block]))
        elif element == "float8_e4m3fn":  # of other types cuBLASLt refuses the attribute
            self._attribute(_FAST_ACCUM, ctypes.c_int8(fast_accumulation))
        self._first = self._layout(element, k, n)
        self._second = self._layout(element, k, m)
        self._result = self._layout(c.dtype.name, n, m)
        self._found = self._heuristic(workspace.nbytes, algorithm)
        self._one, self._zero = ctypes.c_float(1), ctypes.c_float(0)

    def _call(self, name: str, *arguments: Any) -> None:
        _check(getattr(self._library, f"cublasLt{name}")(*arguments), name)

    def _attribute(self, which: int, value: Any) -> None:
        self._call(
            "MatmulDescSetAttribute",
            self._operation,
            which,
            ctypes.byref(value),
            ctypes.c_size_t(ctypes.sizeof(value)),
        )

    def _layout(self, element: str, rows: int, columns: int) -> ctypes.c_void_p:
        layout = ctypes.c_void_p()
        self._call(
            "MatrixLayoutCreate",
            ctypes.byref(layout),
            _TYPES[element],
            ctypes.c_uint64(rows),
            ctypes.c_uint64(columns),
            ctypes.c_int64(rows),
        )
        return layout

    def _heuristic(self, workspace_bytes: int, number: int) -> _Heuristic:
        preference, count = ctypes.c_void_p(), ctypes.c_int()
        found = (_Heuristic * (number + 1))()
        self._call("MatmulPreferenceCreate", ctypes.byref(preference))
        size = ctypes.c_uint64(workspace_bytes)
        self._call(
            "MatmulPreferenceSetAttribute",
            preference,
            _MAX_WORKSPACE,
            ctypes.byref(size),
            ctypes.c_size_t(8),
        )
        self._call(
            "MatmulAlgoGetHeuristic",
            self._handle,
            self._operation,
            self._first,
            self._second,
            self._result,
            self._result,
            preference,
            number + 1,
            ctypes.byref(found),
            ctypes.byref(count),
        )
        if count.value <= number:
            which = f"algorithm {number}" if number else "algorithm"
            raise UserError(f"cuBLASLt has no {which} for this product")
        result: _Heuristic = found[number]
        return result

    def enqueue(self, stream: int) -> None:
        """Enqueue the product on a stream and do not wait."""
        a, b, c, workspace = (ctypes.c_void_p(array.address) for array in self._arrays)
        self._call(
            "Matmul",
            self._handle,
            self._operation,
            ctypes.byref(self._one),
            b,
            self._first,
            a,
            self._second,
            ctypes.byref(self._zero),
            c,
            self._result,
            c,
            self._result,
            ctypes.byref(self._found.algorithm),
            workspace,
            ctypes.c_size_t(self._arrays[3].nbytes),
            ctypes.c_void_p(stream),
        )
