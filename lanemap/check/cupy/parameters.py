"""Parameters of `cupy.ElementwiseKernel` and `cupy.ReductionKernel`: types, arguments, bytes.

CuPy's page "User-Defined Kernels" defines them: a type and a name, separated by commas; the type is
NumPy's name of one, or a letter that stands for the type of an argument; `raw` keeps an array as it
is, to be indexed by the kernel. The index of the element is `i`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.check.cupy.arrays import ndarray
from lanemap.check.cupy.elements import adopted, placed

#: The type of CUDA C++ for each of NumPy's, by its code.
_C_TYPES = {
    "?": "bool", "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short",
    "i": "int", "I": "unsigned int", "l": "long long", "L": "unsigned long long",
    "q": "long long", "Q": "unsigned long long", "e": "float16", "f": "float", "d": "double",
    "F": "complex<float>", "D": "complex<double>",
}  # fmt: skip
#: Types of parameters by letter, such as {"T": float32}.
Types = dict[str, "np.dtype[Any]"]


def c_type(dtype: npt.DTypeLike) -> str:
    """Return the type of CUDA C++ that has the elements of a type of NumPy.

    Raises:
        TypeError: there is none, as for a struct.
    """
    code = np.dtype(dtype).char
    if code not in _C_TYPES:
        raise TypeError(f"{np.dtype(dtype)} is not a type of an elementwise or reduction kernel")
    return _C_TYPES[code]


def headers_for(text: str) -> str:
    """Return the directives that include what a generated kernel needs of CuPy's headers."""
    needed = ["carray"]
    needed += [name for name, word in (("float16", "float16"), ("complex", "complex<"))
               if word in text]  # fmt: skip
    needed += ["atomics"] if "atomicM" in text else []
    return "".join(f"#include <cupy/{name}.cuh>\n" for name in needed)


@dataclass(frozen=True)
class Parameter:
    """One parameter; `dtype` is None where a letter, `kind`, stands for its type."""

    name: str
    kind: str
    dtype: np.dtype[Any] | None
    raw: bool
    const: bool

    @staticmethod
    def of(text: str, const: bool) -> Parameter:
        """Read `raw float32 x`.

        Raises:
            ValueError, TypeError: it has no type and name, or words that CuPy does not know.
        """
        words = text.split()
        if len(words) < 2:
            raise ValueError(
                f"{text.strip()!r} is no parameter; write a type and a name: float32 x"
            )
        *before, kind, name = words
        if name == "i":
            raise ValueError("Can not use 'i' as a parameter name")
        unknown = [word for word in before if word not in ("raw", "_non_const")]
        if unknown:
            raise ValueError(f"{unknown[0]!r} of {text.strip()!r} is not a word that CuPy knows")
        dtype = None if len(kind) == 1 else np.dtype(kind)
        return Parameter(name, kind, dtype, "raw" in before, const and "_non_const" not in before)

    def type_in(self, types: Types) -> np.dtype[Any]:
        """Return the type, where letters have the types of `types`."""
        return self.dtype if self.dtype is not None else types[self.kind]


def parse(text: str, const: bool) -> tuple[Parameter, ...]:
    """Read a list of parameters."""
    return tuple(Parameter.of(each, const) for each in text.split(",") if each.strip())


def decide_types(parameters: Sequence[Parameter], arguments: Sequence[Any]) -> Types:
    """Return the types that letters stand for: those of arrays, else of numbers.

    Raises:
        TypeError: two arguments give a letter different types, or an array is of another type than
            its parameter.
    """
    found: Types = {}
    pairs = list(zip(parameters, arguments, strict=True))
    for parameter, value in pairs:
        if not isinstance(value, ndarray):
            continue
        wanted = parameter.dtype if parameter.dtype is not None else found.get(parameter.kind)
        if wanted is not None and wanted != value.dtype:
            raise TypeError(f"Type is mismatched. {parameter.name} {value.dtype} {wanted}")
        if parameter.dtype is None:
            found[parameter.kind] = value.dtype
    for parameter, value in pairs:
        if parameter.dtype is None and parameter.kind not in found:
            found[parameter.kind] = np.result_type(value)
    return found


def require_arguments(parameters: Sequence[Parameter], arguments: Sequence[Any]) -> None:
    """Check that arguments are arrays of the GPU or numbers.

    Raises:
        TypeError: one lies on the host, or is neither, or a number is given for a raw parameter.
    """
    for parameter, value in zip(parameters, arguments, strict=True):
        number = isinstance(value, (bool, int, float, complex, np.generic))
        if not isinstance(value, ndarray) and (parameter.raw or not number):
            raise TypeError(f"Unsupported type {type(value)} ({parameter.name})")


def take_arguments(
    name: str, in_params: Sequence[Parameter], out_params: Sequence[Parameter], args: Sequence[Any]
) -> tuple[list[Any], list[Any], Types]:
    """Return the inputs and the results that a call was given, and the types that they decide.

    Raises:
        TypeError, ValueError: as in CuPy.
    """
    least, most = len(in_params), len(in_params) + len(out_params)
    if len(args) not in (least, most):
        raise TypeError(
            f"Wrong number of arguments for {name!r}. It must be either {least} or "
            f"{most} (with outputs), but given {len(args)}."
        )
    inputs, outputs = list(args[:least]), list(args[least:])
    require_arguments(in_params, inputs)
    used = [*in_params, *out_params] if outputs else in_params
    return inputs, outputs, decide_types(used, [*inputs, *outputs])


def new_outputs(
    parameters: Sequence[Parameter], types: Types, shape: tuple[int, ...]
) -> list[ndarray]:
    """Return arrays for the results, which nothing has written.

    Raises:
        ValueError: no argument says the type of one, or one is raw.
    """
    for each in parameters:
        if each.raw:
            raise ValueError(f"Output array {each.name} is raw: give it as an argument")
        if each.dtype is None and each.kind not in types:
            raise ValueError(f"Output type {each.kind} of {each.name} is not given by an argument")
    return [placed(np.empty(shape, each.type_in(types)), defined=False) for each in parameters]


def require_outputs(
    parameters: Sequence[Parameter], outputs: Sequence[Any], shape: tuple[int, ...]
) -> None:
    """Check arrays that are given for results.

    Raises:
        TypeError, ValueError: one is no array, or not of the shape.
    """
    for parameter, value in zip(parameters, outputs, strict=True):
        if not isinstance(value, ndarray):
            raise TypeError(f"Output {parameter.name} must be a cupy.ndarray")
        if not parameter.raw and value.shape != shape:
            raise ValueError(f"Out shape is mismatched. {parameter.name} {value.shape} {shape}")


@dataclass(frozen=True)
class Given:
    """An argument as a generated kernel gets it.

    Attributes:
        parameter: What it is for.
        dtype: Its type.
        view: The array, of the shape that the kernel sees; None for a number.
        data: The bytes of the argument.
    """

    parameter: Parameter
    dtype: np.dtype[Any]
    view: npt.NDArray[Any] | None
    data: bytes

    @staticmethod
    def of(
        parameter: Parameter, value: Any, dtype: np.dtype[Any], shape: tuple[int, ...] | None
    ) -> Given:
        """Take an argument; an array is broadcast to `shape` unless it is raw."""
        if not isinstance(value, ndarray):
            return Given(parameter, dtype, None, dtype.type(value).tobytes())
        values = value.values
        if not parameter.raw and shape is not None:
            values = np.broadcast_to(values, shape) if values.shape != shape else values
        return Given(parameter, dtype, values, array_bytes(value, values))

    @property
    def type(self) -> str:
        """The type of CUDA C++ of the kernel's own parameter."""
        element = c_type(self.dtype)
        if self.view is None:
            return element
        dimensions = max(self.view.ndim, 1)
        contiguous = str(self.view.flags.c_contiguous).lower()
        return f"CArray<{'const ' * self.parameter.const}{element}, {dimensions}, {contiguous}>"

    def declared(self, index: str) -> str:
        """Return the variable that an element or number is in the loop; "" where it is none."""
        name, element = self.parameter.name, c_type(self.dtype)
        if self.view is None or self.parameter.raw:
            return ""
        if self.parameter.const:
            return f"const {element} {name} = _raw_{name}[{index}];"
        return f"{element} &{name} = _raw_{name}[{index}];"

    @property
    def named(self) -> str:
        """The name of the kernel's own parameter."""
        apart = self.view is not None and not self.parameter.raw
        return f"_raw_{self.parameter.name}" if apart else self.parameter.name


def array_bytes(array: ndarray, view: npt.NDArray[Any]) -> bytes:
    """Return a CArray: address, elements, shape and strides in bytes."""
    if not view.size:
        address = 0
    else:
        start = view.__array_interface__["data"][0] - array.values.__array_interface__["data"][0]
        address = adopted(array.values).pointer().address + start
    shape, strides = (view.shape, view.strides) if view.ndim else ((1,), (view.itemsize,))
    words = (address, view.size, *shape, *strides)
    return struct.pack(f"<{len(words)}q", *words)


def index_bytes(shape: tuple[int, ...]) -> bytes:
    """Return a CIndexer: elements, shape, and room for an index."""
    size, shape = int(np.prod(shape, dtype=np.int64)), shape or (1,)
    return struct.pack(f"<{1 + 2 * len(shape)}q", size, *shape, *([0] * len(shape)))
