"""Kernel arguments: from Python values to the bytes that a kernel finds in its parameter space.

Every device takes arrays and pointers into them (8 bytes), NumPy scalars (their own width),
tensor maps and other `ByValue` objects, and plain bytes for a struct passed by value. A Python int
or float has no width that a kernel could know, so it is refused rather than guessed.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lanemap.devices.arrays import DeviceArray, Pointer
from lanemap.devices.values import integer, shape_of
from lanemap.emulator.api import Parameter as Parameter
from lanemap.errors import UserError


@dataclass(frozen=True)
class ByValue:
    """An object that a kernel receives by value: its bytes and their alignment in bytes.

    `holds` is what the bytes point to, which must live as long as they are in use. `addresses` says
    where they have the address of an array: the byte, the array, and what is added to its address.
    `flipped` are the bits of `data`, as a number, that are not as they were encoded.
    """

    data: bytes
    alignment: int
    holds: Any = field(default=None, repr=False, compare=False)
    addresses: Sequence[tuple[int, Any, int]] = field(default=(), repr=False, compare=False)
    flipped: int = 0

    def with_flipped(self, bits: int) -> ByValue:
        """Return the same with some of its bits inverted; bit 0 is the first byte's lowest."""
        changed = int.from_bytes(self.data, "little") ^ bits
        data = changed.to_bytes(len(self.data), "little")
        return replace(self, data=data, flipped=self.flipped ^ bits)


def argument_bytes(argument: Any, position: int, entry: str) -> bytes:
    """Return the bytes of one argument, little-endian.

    Raises:
        UserError: the type is none of those above; `position` counts from 0.
    """
    if isinstance(argument, DeviceArray):
        return argument.pointer().address.to_bytes(8, "little")
    if isinstance(argument, Pointer):
        return argument.address.to_bytes(8, "little")
    if isinstance(argument, ByValue):
        return argument.data
    if isinstance(argument, np.generic):
        return argument.tobytes()
    if isinstance(argument, (bytes, bytearray, memoryview)):
        return bytes(argument)
    kind = type(argument).__name__
    if isinstance(argument, (bool, int, float)):
        named = "float32" if isinstance(argument, float) else "int32"
        hint = f"its width is unknown; write numpy.{named}({argument!r}), or another type of NumPy"
    elif isinstance(argument, np.ndarray):
        hint = "it lies on the host; pass device.array(..) of it"
    elif is_tensor(argument):
        hint = "pass device.adopt(..) of it, if it is where the device can reach it"
    elif kind.endswith("Stream"):
        hint = "a stream is no argument of a kernel; pass stream=.. to the launch"
    else:
        hint = "pass a device array, a pointer, a NumPy scalar, a tensor map, or bytes"
    raise UserError(f"argument {position} of {entry} is a Python {kind}: {hint}")


def is_tensor(argument: Any) -> bool:
    """Whether an argument is a tensor of PyTorch."""
    return type(argument).__module__.partition(".")[0] == "torch" and hasattr(argument, "data_ptr")


def stream_handle(stream: Any) -> int:
    """Return the handle of a stream of PyTorch or CuPy, or one given as a number; 0 for None.

    Raises:
        UserError: it is none of these.
    """
    if stream is None:
        return 0
    for name in ("cuda_stream", "ptr", "handle"):
        handle = getattr(stream, name, None)
        if isinstance(handle, int):
            return handle
    if isinstance(stream, (int, np.integer)) and not isinstance(stream, bool):
        return int(stream)
    raise UserError(
        f"stream {reprlib.repr(stream)} is not a stream of PyTorch or CuPy, nor a stream's handle"
    )


def pack(arguments: Any, parameters: Sequence[Parameter], entry: str) -> list[bytes]:
    """Return the bytes of every argument, each as long as its parameter.

    Raises:
        UserError: they are no sequence, or their number, or the size of one, is not what the
            kernel declares.
    """
    if not isinstance(arguments, Sequence):
        kind = type(arguments).__name__
        raise UserError(f"the arguments of {entry} are a {kind}; pass a tuple, such as (x,)")
    if len(arguments) != len(parameters):
        short = [p.name.removeprefix(f"{entry}_") for p in parameters]  # compilers repeat the entry
        sizes = (f"{name} ({p.size} bytes)" for name, p in zip(short, parameters, strict=True))
        declared = ", ".join(sizes) or "none"
        count = f"{len(parameters)} argument{'s' if len(parameters) != 1 else ''}"
        raise UserError(
            f"{entry} takes {count}, {len(arguments)} were given; its parameters: {declared}"
        )
    packed = []
    for position, (argument, parameter) in enumerate(zip(arguments, parameters, strict=True)):
        data = argument_bytes(argument, position, entry)
        if len(data) != parameter.size:
            name = parameter.name.removeprefix(f"{entry}_")
            unnamed = name == f"argument {position}"
            declared = "the kernel's" if unnamed else f"parameter {name}"
            raise UserError(
                f"argument {position} of {entry} has {len(data)} bytes where {declared} has "
                f"{parameter.size}"
            )
        packed.append(data)
    return packed


def parameter_block(packed: Sequence[bytes], parameters: Sequence[Parameter]) -> bytes:
    """Return the parameter space as one block of bytes: each argument at its offset, gaps zero."""
    size = max((p.offset + p.size for p in parameters), default=0)
    block = bytearray(size)
    for data, parameter in zip(packed, parameters, strict=True):
        block[parameter.offset : parameter.offset + parameter.size] = data
    return bytes(block)


def places(
    arguments: Sequence[Any], parameters: Sequence[Parameter], operands: Sequence[Any]
) -> list[tuple[int, int, int]]:
    """Return where a parameter block has the addresses of operands, arrays among the arguments.

    Each is a byte of the block, the number of the operand, and what is added to its address.
    """
    numbers = {id(operand): number for number, operand in enumerate(operands)}
    found = []
    for argument, parameter in zip(arguments, parameters, strict=True):
        held: Sequence[tuple[int, Any, int]] = ()
        if isinstance(argument, ByValue):
            held = argument.addresses
        elif isinstance(argument, Pointer):
            held = ((0, argument.array, argument.byte_offset),)
        elif isinstance(argument, DeviceArray):
            held = ((0, argument, 0),)
        found += [
            (parameter.offset + byte, numbers[id(array)], added)
            for byte, array, added in held
            if id(array) in numbers
        ]
    return found


def others(arguments: Sequence[Any], operands: Sequence[Any]) -> tuple[Any, ...]:
    """Return the arguments that hold no operand: what a launch must keep alive."""
    numbers = {id(operand) for operand in operands}
    return tuple(
        each
        for each in arguments
        if id(getattr(each, "holds", getattr(each, "array", each))) not in numbers
    )


def dynamic_bytes(shared_bytes: int) -> int:
    """Return how much dynamic shared memory (LDS) a launch asks for.

    Raises:
        UserError: it is no integer, or negative.
    """
    size = integer(shared_bytes, "shared_bytes")
    if size < 0:
        raise UserError(f"shared_bytes {size} is negative")
    return size


def dimensions(name: str, value: int | Sequence[int]) -> tuple[int, int, int]:
    """Return a grid, block or cluster as three sizes; missing ones are 1, as in CUDA and HIP.

    Raises:
        UserError: there are more than three, or one is not a positive integer.
    """
    try:
        sizes = shape_of(value)
    except UserError:
        sizes = ()
    if not 1 <= len(sizes) <= 3 or min(sizes) < 1:
        raise UserError(f"{name} {reprlib.repr(value)} is not one to three positive integers")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z
