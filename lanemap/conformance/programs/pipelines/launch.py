"""Inputs of pipeline programs, and one launch on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.conformance.programs.pipelines.shape import CONSUMERS, PRODUCERS, Kind, Shape
from lanemap.conformance.programs.pipelines.text import ENTRY, text
from lanemap.devices import Device
from lanemap.devices.tensor_maps import TensorMaps

Bytes = NDArray[np.uint8]
_TYPES = {"u32": "uint32", "s32": "int32", "b32": "uint32"}
#: Exponent and mantissa bits, and exponents of inputs: sums are rounded, but finite.
_FLOATS = {
    "f16": (5, 10, range(12, 19)),
    "bf16": (8, 7, range(124, 131)),
    "tf32": (8, 23, range(124, 131)),
    "e4m3": (4, 3, range(15)),
    "e5m2": (5, 2, range(10, 20)),
}


def _raw(seed: int, count: int) -> NDArray[np.uint32]:
    """Random words that depend on the seed only (SplitMix64, upper halves)."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    words: NDArray[np.uint32] = ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).astype(np.uint32)
    return words


def _elements(kind: Kind, operand: str, seed: int, count: int) -> Bytes:
    """Finite values of a type of A or B."""
    raw = _raw(seed, count)
    if operand in ("s8", "u8"):
        return raw.astype(np.uint8)
    exponent_bits, mantissa_bits, exponents = _FLOATS[operand]
    chosen = np.array(exponents, np.uint32)[(raw >> np.uint32(24)) % np.uint32(len(exponents))]
    more = _raw(seed ^ 0xFFFF, count)
    code = chosen << np.uint32(mantissa_bits) | more & np.uint32((1 << mantissa_bits) - 1)
    code |= (more >> np.uint32(31)) << np.uint32(exponent_bits + mantissa_bits)
    elements: Bytes = code.astype(f"<u{kind.bits // 8}").view(np.uint8)
    return elements


def inputs(shape: Shape) -> Bytes:
    """The tensor that a program reads, shape (rows of all tiles, bytes of a row)."""
    rows = shape.steps * shape.rows
    if shape.product is None:
        return _raw(shape.seed, rows * shape.row_bytes).astype(np.uint8).reshape(rows, -1)
    _, a, b = shape.product.name.split(".")
    whole = rows * shape.row_bytes * 8 // shape.product.bits
    a_tiles, b_tiles = (
        _elements(shape.product, operand, shape.seed + i, whole).reshape(
            shape.steps, shape.rows, shape.row_bytes
        )
        for i, operand in enumerate((a, b))
    )
    return np.concatenate([a_tiles[:, :64], b_tiles[:, 64:]], axis=1).reshape(rows, -1)


def launch(device: Device, shape: Shape, program: str | None = None) -> bytes:
    """Run a program once; returns all that it may write.

    Args:
        device: The device to run on.
        shape: The random choices of the program.
        program: Its text, where it is not that of the shape.

    Raises:
        UserError: the program does not assemble, faults, or (emulator) meets a hazard.
    """
    assert isinstance(device, TensorMaps)
    source = inputs(shape)
    words = (1 + shape.columns // 2 if shape.product else 1) * CONSUMERS * shape.ctas
    out = device.array(_raw(shape.seed + 2, words))
    back = device.array(_raw(shape.seed + 3, CONSUMERS * shape.ctas).reshape(shape.ctas, CONSUMERS))
    x = device.array(source)
    bits, element = (shape.product.bits, shape.product.element) if shape.product else (8, "uint8")
    across = shape.row_bytes * 8 // bits
    loads = device.tensor_map(
        x,
        (shape.rows // shape.ctas, across),
        dtype=element,
        swizzle=shape.swizzle,
        sizes=(source.shape[0], across),
        strides=(shape.row_bytes,),
    )
    kind = _TYPES[shape.reduction.partition(".")[2]]
    stores = device.tensor_map(back, (1, CONSUMERS), dtype=kind)
    arguments: list[Any] = [loads, stores, x, out]
    device.load(program or text(shape))[ENTRY](
        (shape.ctas, 1, 1),
        (CONSUMERS + PRODUCERS, 1, 1),
        arguments,
        shared_bytes=shape.stages * shape.tile_bytes + 4 * CONSUMERS,
        cluster=(shape.ctas, 1, 1),
    )
    return out.get().tobytes() + back.get().tobytes()
