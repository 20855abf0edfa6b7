"""`cupy.ndarray`: memory of the host that the emulator has adopted, so that nothing is copied."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.lib.mixins import NDArrayOperatorsMixin

from lanemap.check.cupy import names
from lanemap.check.cupy.calls import arrays_in, call, to_host
from lanemap.check.cupy.device import Device
from lanemap.check.cupy.elements import Array, adopted, check_read, placed
from lanemap.check.cupy.memory import MemoryPointer
from lanemap.check.cupy.state import active, refuse

if TYPE_CHECKING:
    from lanemap.check.cupy.memory import MemoryPointer

_IMPLICIT = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a "
    "NumPy array explicitly."
)
#: What CuPy's arrays may hold; it has no strings and no objects.
_KINDS = "?bhilqBHILQefdFDV"


def _whole(key: Any) -> tuple[Any, ...]:
    """Return an index that gives a view, where NumPy would give a scalar."""
    parts = key if isinstance(key, tuple) else (key,)
    return parts if any(each is Ellipsis for each in parts) else (*parts, ...)


class ndarray(NDArrayOperatorsMixin, Array):  # as CuPy calls it
    """An array on the GPU that the emulator stands for.

    Attributes:
        values: Its elements, as an array of NumPy over the same memory.
    """

    __slots__ = ()
    __module__ = "cupy"
    __array_priority__ = 100

    def __init__(
        self,
        shape: Any,
        dtype: Any = float,
        memptr: MemoryPointer | None = None,
        strides: Any = None,
        order: str = "C",
    ) -> None:
        """Make an array that nothing has written, or one over memory that is there."""
        if memptr is None:
            self.values = np.ndarray(shape, dtype, strides=strides, order=order)  # type: ignore[arg-type]
            active().device.adopt(self.values, defined=False)
        else:
            self.values = memptr.view(shape, np.dtype(dtype), strides, order)

    # -- NumPy's protocols -------------------------------------------------------------------------
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Compute what an operator or a ufunc of NumPy asks for; see `calls.call`."""
        if ufunc.__name__ not in names.ROUTINES:
            refuse(f"cupy.{ufunc.__name__}")
        if any(isinstance(each, (list, tuple)) for each in inputs):
            return NotImplemented  # as CuPy: an operator takes no list
        out = kwargs.get("out")
        if isinstance(out, tuple) and len(out) == 1:
            kwargs["out"] = out[0]
        return call(ufunc.__name__, getattr(ufunc, method), inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Compute what a function of NumPy is asked for an array of CuPy."""
        return call(function.__name__, function, args, kwargs)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Refuse, as CuPy does: the elements lie on the GPU."""
        raise TypeError(_IMPLICIT)

    # -- parts -------------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> ndarray:
        """Return a view, or a copy for an index of numbers or flags."""
        for each in arrays_in(key):
            check_read(each)
        found = self.values[to_host(_whole(key))]
        if not np.shares_memory(found, self.values):
            check_read(self)
        made: ndarray = placed(found)
        return made

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write some elements."""
        for each in (*arrays_in(key), *arrays_in(value)):
            check_read(each)
        where = to_host(key)
        device = active().device
        undefined = None
        if device.has_undefined(self.values):
            undefined = adopted(self.values).undefined_elements()
        self.values[where] = to_host(value)
        if undefined is not None:
            undefined[where] = False
            adopted(self.values).define(~undefined)

    def __len__(self) -> int:
        if not self.values.ndim:
            raise TypeError("len() of unsized object")
        return len(self.values)

    def __iter__(self) -> Iterator[ndarray]:
        if not self.values.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[n] for n in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    # -- to the host and back ----------------------------------------------------------------------
    def get(
        self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True
    ) -> npt.NDArray[Any]:
        """Copy the elements to the host: undefined ones are a hazard."""
        check_read(self)
        if out is None:
            return np.array(self.values, order=order)  # type: ignore[call-overload, no-any-return]
        if out.dtype != self.dtype or out.shape != self.shape:
            raise TypeError(
                f"out has {out.dtype}{out.shape}, and the array {self.dtype}{self.shape}"
            )
        out[...] = self.values
        return out  # type: ignore[no-any-return]

    def set(self, arr: Any, stream: Any = None) -> None:
        """Copy an array of the host into the elements."""
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        self.values[...] = arr
        self.define()

    def _read(self) -> npt.NDArray[Any]:
        check_read(self)
        return self.values

    def item(self, *where: int) -> Any:
        """Return one element as a value of Python."""
        return self._read().item(*where)

    def __bool__(self) -> bool:
        return bool(self._read())

    def __int__(self) -> int:
        return int(self._read())

    def __float__(self) -> float:
        return float(self._read())

    def __complex__(self) -> complex:
        return complex(self._read())

    def __index__(self) -> int:
        return self._read().__index__()

    def __repr__(self) -> str:
        return repr(self._read())

    def __str__(self) -> str:
        return str(self._read())

    def __format__(self, form: str) -> str:
        return format(self._read(), form) if self.ndim else format(self.item(), form)

    def __reduce__(self) -> Any:
        return placed, (self.get(),)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    __hash__ = None  # type: ignore[assignment]

    # -- what it is --------------------------------------------------------------------------------
    @property
    def data(self) -> MemoryPointer:
        """Where the first element lies."""
        return MemoryPointer.of(self.values)

    @property
    def device(self) -> Any:
        """The only GPU."""
        return Device()

    @property
    def base(self) -> Any:
        """None for an array that owns its memory, else an array over all of that."""
        base = self.values.base
        return None if base is None or not isinstance(base, np.ndarray) else placed(base)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found = self.values.__array_interface__
        return {
            "shape": self.shape, "typestr": found["typestr"], "descr": found["descr"],
            "version": 3, "strides": found["strides"], "stream": 1,
            "data": (adopted(self.values).pointer().address, False),
        }  # fmt: skip

    @property
    def flat(self) -> Any:
        """The elements in C order, one after the other."""
        return iter(self.ravel())

    def reduced_view(self, dtype: Any = None) -> ndarray:
        """Return a view with as few dimensions as there can be."""
        return placed(self.values.reshape(-1)) if self.values.flags.c_contiguous else self

    def scatter_add(self, slices: Any, value: Any) -> None:
        """Add to elements, as often as an index names them."""
        check_read(self)
        np.add.at(self.values, to_host(slices), to_host(value))

    def toDlpack(self) -> Any:  # as CuPy calls it
        """Refuse: memory of the emulator is no memory of a GPU."""
        refuse("cupy.ndarray.toDlpack")


def _method(name: str) -> Callable[..., Any]:
    """Return a method that NumPy's arrays have."""
    function = getattr(np.ndarray, name)

    @functools.wraps(function)
    def method(self: ndarray, *args: Any, **kwargs: Any) -> Any:
        result = call(name, function, (self, *args), kwargs, name in names.IN_PLACE)
        return result

    return method


def _attribute(name: str) -> property:
    """Return an attribute that NumPy's arrays have: a view, or what the array is."""

    def read(self: ndarray) -> Any:
        found = getattr(self.values, name)
        return placed(found) if isinstance(found, np.ndarray) else found

    def write(self: ndarray, value: Any) -> None:
        setattr(self.values, name, to_host(value))

    return property(read, write if name in ("shape", "real", "imag") else None)


Array.kind = ndarray
for _name in sorted(names.METHODS):
    setattr(ndarray, _name, _method(_name))
for _name in "T mT dtype flags imag itemsize nbytes ndim real shape size strides".split():
    setattr(ndarray, _name, _attribute(_name))
