"""Parts of arrays by integers and slices, as NumPy's basic indexing has them."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Sequence
from typing import Any

from lanemap.errors import UserError


def basic_key(key: Any, dimensions: int) -> tuple[int | slice, ...]:
    """Return an integer or a slice for each dimension.

    Raises:
        UserError: the key has something else, such as an array of indices.
        IndexError: it has more entries than there are dimensions.
    """
    entries = key if isinstance(key, tuple) else (key,)
    found: list[int | slice] = []
    rests = 0
    for entry in entries:
        if entry is Ellipsis and not rests:
            rests += 1
            found += [slice(None)] * (dimensions - len(entries) + 1)
        else:
            found.append(_entry(entry))
    if len(found) > dimensions:
        raise IndexError(
            f"{len(entries) - rests} indices are too many for an array of {dimensions} dimensions"
        )
    return (*found, *[slice(None)] * (dimensions - len(found)))


def _entry(entry: Any) -> int | slice:
    if isinstance(entry, slice):
        return entry
    try:
        if isinstance(entry, bool):
            raise TypeError
        return operator.index(entry)
    except TypeError:
        raise UserError(
            f"a device's array has no elements [{reprlib.repr(entry)}]; it takes integers and "
            "slices, and x.get()[..] on the host takes everything that NumPy does"
        ) from None


def part(
    key: Any, shape: Sequence[int], strides: Sequence[int]
) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return where a part of an array begins, in bytes, and its shape and strides in bytes.

    Raises:
        UserError: the key is neither an integer nor a slice, nor a tuple of these.
        IndexError: an index lies outside its dimension, or there are too many.
    """
    first, sizes, steps = 0, [], []
    for entry, size, stride in zip(basic_key(key, len(shape)), shape, strides, strict=True):
        if isinstance(entry, int):
            if not -size <= entry < size:
                raise IndexError(f"index {entry} lies outside a dimension of {size}")
            first += (entry % size) * stride
            continue
        try:
            chosen = range(size)[entry]
        except (TypeError, ValueError) as error:  # slice("a"), a step of 0
            raise UserError(f"{entry} is not a slice of an array: {error}") from error
        first += chosen.start * stride if chosen else 0
        sizes.append(len(chosen))
        steps.append(chosen.step * stride)
    return first, tuple(sizes), tuple(steps)


def key_text(key: Any) -> str:
    """Return a key as it is written: `:, 0`."""
    entries = key if isinstance(key, tuple) else (key,)
    return ", ".join(
        _slice_text(each) if isinstance(each, slice) else str(each) for each in entries
    )


def _slice_text(chosen: slice) -> str:
    ends = [chosen.start, chosen.stop, *([] if chosen.step is None else [chosen.step])]
    return ":".join("" if end is None else str(end) for end in ends)
