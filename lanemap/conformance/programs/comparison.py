"""Comparison of what two runs of a program left in its slots."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.conformance.programs.banks import LETTER_BITS, registers
from lanemap.conformance.programs.exceptions import kind_of
from lanemap.conformance.programs.program import Program
from lanemap.conformance.programs.sites import Slot

Bytes = npt.NDArray[np.uint8]


def written(slot: Slot, output: bytes) -> Bytes:
    """Return the bytes of a slot, uint8[threads, size]."""
    data = np.frombuffer(output, np.uint8, slot.stride * slot.threads, slot.offset)
    return data.reshape(slot.threads, slot.stride)[:, : slot.size]


#: Of each float type: bytes and infinity.
_FLOATS = {"f16": (2, 0x7C00), "bf16": (2, 0x7F80), "f32": (4, 0x7F800000), "f64": (8, 0x7FF << 52)}


def comparable(slot: Slot, output: bytes) -> Bytes:
    """Return the bytes of a slot; if any NaN is legal, every NaN becomes the same one."""
    data = written(slot, output)
    if kind_of(slot.form) != "any NaN":
        return data
    size, infinity = _FLOATS[slot.form.split(".")[-1].removesuffix("x2")]
    values = np.ascontiguousarray(data).view(f"u{size}")
    one_nan = (1 << 8 * size - 1) - 1
    values = np.where((values & one_nan) > infinity, one_nan, values).astype(f"u{size}")
    return values.view(np.uint8)


def marks(program: Program, output: bytes) -> bytes:
    """Return four bytes of a hash of every slot that is compared, in order."""
    return b"".join(
        hashlib.sha256(comparable(slot, output).tobytes()).digest()[:4]
        for slot in program.slots
        if slot.compared
    )


def digest(program: Program, output: bytes) -> str:
    """Return one hash of all compared slots: `sha256:` and 64 hexadecimal digits."""
    whole = hashlib.sha256()
    for slot in program.slots:
        if slot.compared:
            whole.update(f"{slot.form}\0".encode() + comparable(slot, output).tobytes())
    return "sha256:" + whole.hexdigest()


@dataclass(frozen=True)
class Difference:
    """A slot in which two runs differ.

    Attributes:
        slot: Its number in the program.
        lanes: Threads whose parts differ.
    """

    slot: int
    lanes: tuple[int, ...]


def differences(program: Program, one: bytes, other: bytes) -> list[Difference]:
    """Return the slots in which two outputs differ, compared or not."""
    found = []
    for number, slot in enumerate(program.slots):
        unequal = (comparable(slot, one) != comparable(slot, other)).any(axis=1)
        if unequal.any():
            found.append(Difference(number, tuple(int(n) for n in np.nonzero(unequal)[0])))
    return found


def inputs_of(program: Program, lane: int) -> dict[str, str]:
    """Return what each bank register that the program reads holds in a lane, in hexadecimal."""
    found = {}
    for bank in registers(program.threads):
        if f"{bank.name}, [" in program.text:
            width = LETTER_BITS[bank.letter] // 8
            data = program.inputs[bank.offset + lane * width :][:width]
            found[bank.name] = data[::-1].hex()
    return found
