"""Numbers, shapes and types that a user hands to a device: each fault of one is a sentence."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError


def integer(value: Any, what: str) -> int:
    """Return an integer of Python or NumPy as Python's.

    Raises:
        UserError: it is none; `what` begins the sentence, such as "shared_bytes".
    """
    try:
        return operator.index(value)
    except TypeError:
        raise UserError(f"{what} {reprlib.repr(value)} is not an integer") from None


def integers(values: Any, what: str) -> tuple[int, ...]:
    """Return a sequence of integers.

    Raises:
        UserError: it is no sequence, or one of it is no integer.
    """
    try:
        if isinstance(values, (str, bytes, bytearray)) or not isinstance(values, Iterable):
            raise TypeError
        return tuple(operator.index(each) for each in values)
    except TypeError:  # a 0-d array is Iterable, but cannot be iterated over
        raise UserError(f"{what} {reprlib.repr(values)} is not a sequence of integers") from None


def shape_of(shape: Any) -> tuple[int, ...]:
    """Return a shape, of which one dimension may be a plain integer.

    Raises:
        UserError: it is neither an integer nor a sequence of integers.
    """
    try:
        return (operator.index(shape),)
    except TypeError:
        return integers(shape, "shape")


def dtype_of(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """Return a type of NumPy.

    Raises:
        UserError: NumPy has no such type.
    """
    try:
        return np.dtype(dtype)
    except TypeError as error:
        given = reprlib.repr(dtype)
        raise UserError(
            f"{given} is not a NumPy dtype such as numpy.float32 or ml_dtypes.bfloat16"
        ) from error


def host_array(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return values as an array of NumPy.

    Raises:
        UserError: they are none, such as rows of unequal lengths.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise UserError(f"the values do not form an array: {error}") from error
