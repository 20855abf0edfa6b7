"""What calls of products have in common, whatever is multiplied."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lanemap.benching.arrays import on_gpu
from lanemap.benching.homes import (
    LAYOUTS,
    Home,
    Layout,
    home_of,
    layout,
    layouts,
    require_no_capture,
)
from lanemap.benching.launch import device_for, multiprocessors
from lanemap.errors import UserError


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


def key_of(operands: Sequence[Any], out: Any, *options: Hashable) -> tuple[Hashable, ...]:
    """Return what a plan depends on; it is computed in each call."""
    given = None if out is None else LAYOUTS[type(out)](out)
    return (*layouts(operands), given, *options)


def require_shape(out: Any, shape: tuple[int, ...]) -> None:
    """Check the shape of the caller's array for C, if there is one.

    Raises:
        UserError: it is another one.
    """
    if out is not None and tuple(out.shape) != shape:
        raise UserError(f"out has shape {tuple(out.shape)}; it must have that of C, {shape}")
