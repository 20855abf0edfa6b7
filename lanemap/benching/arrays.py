"""Matrices of NumPy, CuPy and PyTorch as operands on a device."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from lanemap.devices.arrays import DeviceArray
from lanemap.errors import UserError


class Array(Protocol):
    """An array of NumPy or CuPy, or a tensor of PyTorch."""

    @property
    def shape(self) -> Any:
        """Sizes of its dimensions."""

    @property
    def dtype(self) -> Any:
        """Type of its elements, of its library."""


@dataclass(frozen=True)
class Operand:
    """A matrix on a device.

    Attributes:
        array: An array of the device; its own dtype and shape do not matter.
        row_bytes: From one row to the next; of attention, bytes of a row.
        strides: Of attention, bytes from one sequence, position and head to the next, if not those
            of a contiguous array.
    """

    array: Any
    row_bytes: int
    strides: tuple[int, ...] = ()


def require_arrays(**arrays: Any) -> None:
    """Check that operands, by their names, are arrays.

    Raises:
        UserError: one is a list, None or anything else that has no shape and type, an array that
            a device of lanemap made, or a tensor whose gradient would be lost.
    """
    for name, array in arrays.items():
        if not hasattr(array, "shape") or not hasattr(array, "dtype"):
            kind = type(array).__name__
            raise UserError(f"{name} is a Python {kind}; pass an array of NumPy, CuPy or PyTorch")
        if isinstance(array, DeviceArray):
            raise UserError(
                f"{name} is an array of a device of lanemap; pass the array of NumPy, CuPy or "
                "PyTorch itself, such as x.get()"
            )
        if is_tensor(array) and array.requires_grad and sys.modules["torch"].is_grad_enabled():
            raise UserError(
                f"{name} requires a gradient, and this call has no backward pass; pass "
                f"{name}.detach(), or call the kernel under torch.no_grad(); ss_gemm and fmha of "
                "lanemap.operators have one"
            )


def flag(value: Any, name: str) -> bool:
    """Return an argument that is True or False.

    Raises:
        UserError: it is neither.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise UserError(f"{name} is {value!r}; it must be True or False")
    return bool(value)


def causal_of(causal: Any, is_causal: Any) -> bool:
    """Return whether a mask is causal: `is_causal` is PyTorch's name of the same argument.

    Raises:
        UserError: one of them is neither True nor False.
    """
    return flag(causal, "causal") or flag(is_causal, "is_causal")


def warn_of_heads_first(k: tuple[int, ...], callers: int) -> None:
    """Warn where k looks like PyTorch's (batch, heads, keys, ..): more "heads" than "keys".

    Args:
        k: Shape of k.
        callers: Functions of lanemap between this one and the user's line, which is named.
    """
    if len(k) == 4 and k[2] > k[1]:
        warnings.warn(
            f"k of {k} is read as (batch, keys, heads, head dimension): {k[1]} keys of {k[2]} "
            "heads; if it is (batch, heads, keys, head dimension), as in PyTorch's "
            "scaled_dot_product_attention, pass x.transpose(1, 2).contiguous() of q, k and v",
            stacklevel=callers + 2,
        )


def require_output(name: str, array: Any) -> None:
    """Check that a result can be written to what the caller gave for it.

    Raises:
        UserError: it is no array, or a read-only one of NumPy.
    """
    require_arrays(**{name: array})
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        raise UserError(f"{name} is read-only; pass an array that can be written")


def number(value: Any, name: str) -> float:
    """Return an argument as a number.

    Raises:
        UserError: it is none.
    """
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise UserError(f"{name} is {value!r}; it must be a number") from error


def on_gpu(array: Any) -> bool:
    """Whether an array lies in a GPU's memory: of CuPy, or a CUDA tensor of PyTorch."""
    return bool(getattr(array, "is_cuda", False)) or type(array).__module__.startswith("cupy")


def current_stream(array: Any) -> int:
    """Return the handle of the stream on which the library of a GPU's array puts work now."""
    if is_tensor(array):
        return int(sys.modules["torch"].cuda.current_stream(array.device).cuda_stream)
    return int(sys.modules["cupy"].cuda.get_current_stream().ptr)


def is_tensor(array: Any) -> bool:
    """Whether an array is a tensor of PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def empty_like(array: Any, shape: tuple[int, ...], dtype: np.dtype[Any], name: str) -> Any:
    """Return an array of the same library and place, of another shape and type.

    Args:
        array: An array of NumPy, CuPy or PyTorch.
        shape: Shape of the new array.
        dtype: NumPy's type of its elements.
        name: PyTorch's name of the same type.
    """
    if is_tensor(array):
        return array.new_empty(shape, dtype=getattr(sys.modules["torch"], name))
    if on_gpu(array):
        return sys.modules["cupy"].empty(shape, dtype)
    return np.empty(shape, dtype)


def adopted(device: Any, array: Any, name: str, fresh: bool = False) -> Operand:
    """Return a matrix as an operand, without copying it; `fresh` if nothing has written it.

    For a batch of matrices, `row_bytes` is the row stride of each; see `steps` for others.

    Raises:
        UserError: its elements in a row are not contiguous, or it does not lie where the device
            can reach it.
    """
    strides = steps(array)
    item = item_bytes(array)
    if min(strides) < 0:
        raise UserError(f"{name} runs backward in memory (strides {strides}); pass a copy of it")
    if strides[-1] != item and int(array.shape[-1]) > 1:
        apart = strides[-1] // item
        raise UserError(
            f"elements of a row of {name} lie {apart} apart; pass an array with contiguous rows"
        )
    return Operand(whole(device, array, name, fresh), strides[-2])


def whole(device: Any, array: Any, name: str, fresh: bool = False) -> Any:
    """Return an array's memory as an array of a device, however its elements lie.

    On a GPU it is bytes: neither library's interface names bf16 and FP8.

    Raises:
        UserError: it does not lie where the device can reach it.
    """
    if on_gpu(array) and device.name == "cuda":
        strides = steps(array)
        size = item_bytes(array) + sum(
            (int(length) - 1) * step for length, step in zip(array.shape, strides, strict=True)
        )
        address = array.data_ptr() if is_tensor(array) else array.data.ptr
        return device.adopt_bytes(array, int(address), size)
    return device.adopt(array, name=name, **({"defined": False} if fresh else {}))


def item_bytes(array: Any) -> int:
    """Return the bytes of an element."""
    return int(array.element_size() if is_tensor(array) else array.itemsize)


def steps(array: Any) -> tuple[int, ...]:
    """Return the bytes from one element of each dimension to the next."""
    if is_tensor(array):
        return tuple(int(stride) * item_bytes(array) for stride in array.stride())
    return tuple(int(stride) for stride in array.strides)
