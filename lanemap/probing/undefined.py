"""Which received bytes come from memory that nothing had written, as a device reports it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt


def undefined_bits(device: Any, array: Any) -> tuple[npt.NDArray[np.bool_] | None, tuple[str, ...]]:
    """Ask a device, byte by byte, whether an array's contents are defined.

    A device that reports hazards (`hazards="report"`) does so whenever undefined bytes are handed
    to the host. Reading one byte at a time therefore says of each byte whether it is defined.

    Args:
        device: the device that holds the array.
        array: an array of 32-bit words of it.

    Returns:
        bool[shape * 32 along the last axis], True where undefined, and one sentence for each
        undefined byte; None and no sentences from silicon, which reports nothing.
    """
    if device.evidence != "emulator":
        return None, ()
    octets = []
    sentences: list[str] = []
    for byte in range(array.nbytes):
        before = len(device.hazards)
        _window(array, byte).get()
        reported = device.hazards[before:]
        octets.append(bool(reported))
        sentences += [str(each) for each in reported]
    bits = np.repeat(np.asarray(octets), 8)
    return bits.reshape(*array.shape[:-1], array.shape[-1] * 32), tuple(sentences)


def _window(array: Any, byte: int) -> Any:
    """One byte of a device's array as an array of its own; it owns no memory."""
    window = copy.copy(array)
    window.address = array.address + byte
    window.shape, window.dtype, window.nbytes = (1,), np.dtype(np.uint8), 1
    return window
