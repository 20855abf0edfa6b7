"""What calls of products have in common, whatever is multiplied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lanemap.benching.arrays import on_gpu, require_output
from lanemap.benching.gemm.problem import type_name
from lanemap.benching.homes import Home, Layout, home_of, layout, require_no_capture
from lanemap.benching.launch import device_for, multiprocessors
from lanemap.errors import UserError

#: A type of NumPy or PyTorch, or its name.
Dtype: TypeAlias = Any


@dataclass(frozen=True)
class Call:
    """Where a product is computed.

    Attributes:
        device: The device.
        home: Where the arrays lie.
        inputs: The operands' layouts by name.
        multiprocessors: SMs of the device.
    """

    device: Any
    home: Home
    inputs: Mapping[str, Layout]
    multiprocessors: int


def call_of(
    kernel: str, targets: Sequence[str], operands: Mapping[str, Any], out: Any, device: Any
) -> Call:
    """Return where a call computes.

    Args:
        kernel: Its name.
        targets: Those that it has a source for.
        operands: Arrays by name, the first of which says where all must lie.
        out: The caller's array for C, or None.
        device: The caller's device, or None.

    Raises:
        UserError: the arrays lie in several places, or where no target is, or a graph is captured.
        MissingEnvironment: they lie on a GPU that executes none of the targets.
    """
    device = device_for(kernel, device, targets, on_gpu(next(iter(operands.values()))))
    arrays = {**operands, **({} if out is None else {"C": out})}
    home = home_of(device, arrays, () if out is not None else ("C",), kernel)
    require_no_capture(device, home, kernel)
    inputs = {name: layout(array) for name, array in operands.items()}
    return Call(device, home, inputs, multiprocessors(device))


def output_named(out: Any, dtype: Dtype) -> str | None:
    """Return the name of C's type: that of the caller's array, else of `dtype`; None for neither.

    Raises:
        UserError: `out` is no array that can be written.
    """
    if out is None:
        return None if dtype is None else dtype_named(dtype)
    require_output("out", out)
    return type_name(out)


def dtype_named(dtype: Dtype) -> str:
    """Return the name of a type of NumPy or PyTorch."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype
    return str(name).removeprefix("torch.")


def require_shape(out: Any, shape: tuple[int, ...]) -> None:
    """Check the shape of the caller's array for C, if there is one.

    Raises:
        UserError: it is another one.
    """
    if out is not None and tuple(out.shape) != shape:
        raise UserError(f"out has shape {tuple(out.shape)}; it must have that of C, {shape}")
