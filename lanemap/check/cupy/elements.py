"""Memory of the host that the emulator has adopted, and which of its elements have values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from lanemap.check.cupy.state import active
from lanemap.check.host_reads import hand_over
from lanemap.devices.host_views import ALIGNMENT_BYTES, owner_of, view_of

if TYPE_CHECKING:
    from lanemap.devices.adoption import AdoptedArray

#: What CuPy's arrays may hold; it has no strings and no objects.
_KINDS = "?bhilqBHILQefdFDV"


class Array:
    """What every array has; `kind` is the class that a script sees.

    Attributes:
        values: The elements, as an array of NumPy over the same memory.
    """

    __slots__ = ("__weakref__", "values")
    kind: ClassVar[type[Array]]
    values: npt.NDArray[Any]
    if TYPE_CHECKING:  # NumPy's, which the subclass has

        def __getattr__(self, name: str) -> Any: ...

    def define(self) -> None:
        """Note that every element has a value now."""
        if active().device.has_undefined(self.values):
            adopted(self.values).define()

    def hand_on_undefined(self, to: Array) -> None:
        """Let a copy of this array be undefined where this one is."""
        device = active().device
        if device.has_undefined(self.values) and not np.shares_memory(self.values, to.values):
            undefined = adopted(self.values).undefined_elements()
            if undefined.any():
                adopted(to.values).define(~undefined.reshape(to.shape))


def adopted(values: Any) -> AdoptedArray:
    """Return the emulator's array over an array of NumPy or a tensor."""
    return active().device.adopt(values)


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor of PyTorch that lies on the emulator."""
    return hasattr(value, "untyped_storage") and bool(value.is_cuda)


def of_tensor(tensor: Any) -> npt.NDArray[Any]:
    """Return the elements of a tensor of PyTorch that lies on the emulator, where they lie."""
    active().device.adopt(tensor)
    return view_of(tensor).values


def check_read(array: Array) -> None:
    """Let the host read an array: elements that nothing has written are a hazard.

    Raises:
        Stopped: there are some, unless hazards are reported.
    """
    state = active()
    if state.device.has_undefined(array.values):
        hand_over(state.device, state.emulated.findings, adopted(array.values), "CuPy")


def placed(values: npt.NDArray[Any], defined: bool = True) -> Any:
    """Return an array over memory that NumPy has just made, or over a view of an array's.

    Raises:
        TypeError: CuPy has no such elements.
    """
    if values.dtype.char not in _KINDS and values.dtype.kind != "V":
        raise TypeError(f"Unsupported dtype {values.dtype}")
    device = active().device
    if not device.adopted(values):
        owner, place_of = owner_of(values)
        place = place_of(owner)
        if place.start % ALIGNMENT_BYTES or not getattr(owner, "flags", values.flags).writeable:
            values = np.array(values)
        device.adopt(values, defined=defined)
    return over(values)


def over(values: npt.NDArray[Any]) -> Any:
    """Return an array over a view of memory that has been adopted."""
    array = object.__new__(Array.kind)
    array.values = values
    return array
