"""Tables that say where the elements of a matrix lie in a wave's registers (runtime/panel.h)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.runtime import abi
from lanemap.layout import LayoutMap

_WORD = 32


def element_places(layout: LayoutMap) -> NDArray[np.int64]:
    """Where each element of a matrix begins in the registers that a layout map describes.

    Args:
        layout: From a matrix, whose last axis counts the bits of an element, to registers (lane,
            register, bit).

    Returns:
        Bits of the runtime's rows (`register_places`), in the shape of the matrix without bits. Of
        an element that several registers hold, the first place.

    Raises:
        ValueError: no register holds some element, or one is torn apart.
    """
    places = np.full(layout.source.size, -1, np.int64)
    read = np.flatnonzero(layout.table >= 0)[::-1]
    places[layout.table[read]] = read  # of several copies the first one
    *shape, width = layout.source.sizes
    bits = places.reshape(-1, width)
    first = bits[:, 0]
    if (first < 0).any() or (bits != first[:, None] + np.arange(width)).any():
        raise ValueError("the bits of an element are not kept together")
    lanes, registers = layout.destination.sizes[:2]
    return register_places(first, lanes, registers).reshape(shape)


def register_places(bits: NDArray[np.int64], lanes: int, registers: int) -> NDArray[np.int64]:
    """Bits counted lane by lane as bits of the runtime's rows, one row of lanes a register.

    Args:
        bits: (lane * registers + register) * 32 + bit.
        lanes: Lanes of the wave.
        registers: Registers of a lane.

    Returns:
        (register * MAX_LANES + lane) * 32 + bit, of the same shape.
    """
    word, bit = np.divmod(bits, _WORD)
    lane, register = np.divmod(word, registers)
    if (lane >= lanes).any() or (bits < 0).any():
        raise ValueError(f"a bit lies outside {registers} registers of {lanes} lanes")
    return (register * abi.MAX_LANES + lane) * _WORD + bit


def run_table(places: NDArray[np.int64], strides: Sequence[int] = (1,)) -> NDArray[np.int32]:
    """The table of a view whose runs go along the lanes.

    Args:
        places: [across, line] bit of an element; what goes across is k, or the row of a result.
        strides: How many lanes the elements of a run may lie apart.

    Returns:
        The number of lines in a run, the bits from one of them to the next, then the bit of the
        first element of every run. Lines of a run lie in lanes `stride` apart, at the same bit; of
        equally long runs those of the first stride are taken.
    """
    across, lines = places.shape
    run, step = lines & -lines, _WORD * strides[0]
    while run > 1:
        runs = places.reshape(across, -1, run)
        fit = [
            _WORD * stride
            for stride in strides
            if (runs == runs[:, :, :1] + _WORD * stride * np.arange(run)).all()
        ]
        if fit:
            step = fit[0]
            break
        run //= 2
    return np.concatenate([[run, step], places[:, ::run].reshape(-1)]).astype(np.int32)
