"""`cupyx`, `cupy.testing` and `cupy.random`: what has a counterpart on the host."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.check.cupy.arrays import ndarray
from lanemap.check.cupy.calls import arrays_in, call, to_host
from lanemap.check.cupy.elements import check_read, placed
from lanemap.check.cupy.state import active

_NO_TIME = (
    "cupyx.profiler.benchmark ran what it was given once: the emulator has no clock, and its "
    "times are NaN"
)


# -- cupy.random -----------------------------------------------------------------------------------
class Chance:
    """A generator of NumPy whose numbers go to the GPU, as arrays of the type that is asked for."""

    def __init__(self, generator: Any) -> None:
        """Take a `RandomState` or a `Generator` of NumPy."""
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._generator, name)
        return drawing(name, found) if callable(found) else found


def drawing(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of random numbers that takes `dtype`, as all of CuPy's do."""

    @functools.wraps(function)
    def draw(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if dtype is not None and _takes_dtype(function):
            kwargs["dtype"] = dtype
        result = call(name, function, args, kwargs)
        cast = dtype is not None and isinstance(result, ndarray) and result.dtype != dtype
        return result.astype(dtype) if cast else result

    return draw


def _takes_dtype(function: Callable[..., Any]) -> bool:
    """Whether NumPy's function takes `dtype`: its signature is in its documentation."""
    return "dtype=" in (inspect.getdoc(function) or "").partition("\n")[0]


# -- cupy.testing ----------------------------------------------------------------------------------
def comparing(name: str) -> Callable[..., None]:
    """Return an assertion of `numpy.testing` that takes arrays of the GPU, too."""
    function = getattr(np.testing, name)

    def compare(*args: Any, **kwargs: Any) -> None:
        for each in arrays_in((list(args), kwargs)):
            check_read(each)
        function(*(to_host(each) for each in args), **kwargs)

    return compare


# -- cupyx -----------------------------------------------------------------------------------------
def scattering(ufunc: np.ufunc) -> Callable[..., None]:
    """Return `cupyx.scatter_add` and its like."""

    def scatter(a: ndarray, slices: Any, value: Any) -> None:
        for each in arrays_in([a, slices, value]):
            check_read(each)
        ufunc.at(a.values, to_host(slices), to_host(value))

    return scatter


def rsqrt(x: Any, **kwargs: Any) -> Any:
    """Return 1 / sqrt(x)."""
    return call("rsqrt", lambda values: np.reciprocal(np.sqrt(values)), (x,), kwargs)


def pinned(make: Callable[..., npt.NDArray[Any]]) -> Callable[..., npt.NDArray[Any]]:
    """Return what makes an array of the host, which is as good as pinned."""

    def made(shape: Any, dtype: Any = float, order: Any = "C") -> npt.NDArray[Any]:
        like = shape.dtype if isinstance(shape, ndarray) else dtype
        return make(getattr(shape, "shape", shape), like, order=order)

    return made


@dataclass
class Untimed:
    """What `cupyx.profiler.benchmark` returns; the times are NaN."""

    name: str
    cpu_times: npt.NDArray[Any] = field(default_factory=lambda: np.full(1, np.nan))
    gpu_times: npt.NDArray[Any] = field(default_factory=lambda: np.full((1, 1), np.nan))

    def to_str(self, show_gpu: bool = False) -> str:
        """Say that there are no times."""
        return f"{self.name}: no time, since the emulator has no clock"

    def __str__(self) -> str:
        return self.to_str()


def benchmark(
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: dict[str, Any] | None = None,
    n_repeat: int = 10000,
    *,
    name: str | None = None,
    **_: Any,
) -> Untimed:
    """Run a function once, where CuPy would time it."""
    active().emulated.findings.say_once(_NO_TIME)
    func(*args, **(kwargs or {}))
    return Untimed(name or str(getattr(func, "__name__", "function")))


@contextlib.contextmanager
def time_range(*_: Any, **__: Any) -> Iterator[None]:
    """Mark a range that nobody reads."""
    yield


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, **_: Any) -> Any:
    """Copy an array to the host; what lies there stays there."""
    if isinstance(a, ndarray):
        return a.get(order=order, out=out)
    return np.asarray(a, order=order)  # type: ignore[call-overload]


def fuse(*args: Any, **_: Any) -> Any:
    """Return a function as it is: NumPy computes it step by step."""
    if len(args) == 1 and callable(args[0]):
        return args[0]
    return lambda function: function


def vectorize(pyfunc: Callable[..., Any], otypes: Any = None, **given: Any) -> Any:
    """Return a function that computes each element by a call of a function of Python."""
    made = np.vectorize(pyfunc, otypes=otypes)
    return lambda *args: call("vectorize", made, args, {})


def from_dlpack(array: Any, **_: Any) -> ndarray:
    """Return a tensor of PyTorch as an array over the same memory."""
    return array if isinstance(array, ndarray) else placed(to_host(array))
