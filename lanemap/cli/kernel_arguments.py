"""Kernel arguments as words, for `lanemap run --arg`.

    i32:7  f32:1.5  bf16:0.5  u64:0x10          a scalar
    zeros:f32:1024  zeros:f32:32x64             an array of zeros
    empty:f32:1024                              an array that nothing has written
    full:f32:64:1.5  arange:u32:256             an array of one value, of 0 1 2 ..
    random:f32:1024  random:f32:1024:7          uniform in [0, 1), or all bit patterns of an integer
                                                type; the seed is 0, or 7
    file.npy  bf16:file.npy                     an array out of a file; NumPy's files do not name
                                                bf16, e4m3 and e5m2
    bytes:0a00ff                                a struct by value, in hexadecimal
    null                                        a null pointer

An array followed by `@out.npy` is written to that file after the launch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lanemap.devices.arrays import host_array_bytes
from lanemap.devices.sources import regular_bytes
from lanemap.errors import UserError

DTYPES: dict[str, npt.DTypeLike] = {
    **{f"{kind}{bits}": f"{kind}{bits // 8}" for kind in "iu" for bits in (8, 16, 32, 64)},
    **{f"f{bits}": f"f{bits // 8}" for bits in (16, 32, 64)},
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
}

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Argument:
    """One argument: a host array, a NumPy scalar or bytes; where an array goes afterwards.

    `written` is False for an array of "empty", whose contents must not count as written.
    """

    text: str
    value: Any
    output: Path | None = None
    written: bool = True


def parse(text: str) -> Argument:
    """Read one `--arg`.

    Raises:
        UserError: it is none of the forms above, a value does not fit its type, or a file cannot
            be read.
    """
    body, at, output = text.partition("@")
    argument = _parse(body, text)
    if not at:
        return argument
    if not isinstance(argument.value, np.ndarray) or not output.endswith(".npy"):
        raise _wrong(text, "@ writes an array to a .npy file; write it like zeros:f32:64@out.npy")
    return Argument(text, argument.value, Path(output), argument.written)


def _parse(body: str, text: str) -> Argument:
    form, *parts = body.split(":")
    if body.endswith(".npy"):
        named = form in DTYPES and bool(parts)
        found = _load(Path(":".join(parts) if named else body))
        return Argument(text, _of_type(text, found, np.dtype(DTYPES[form])) if named else found)
    if form == "null" and not parts:
        return Argument(text, np.uint64(0))
    if form == "bytes" and len(parts) == 1:
        return Argument(text, _convert(text, bytes.fromhex, parts[0], "hexadecimal bytes"))
    if form in DTYPES and len(parts) == 1:
        return Argument(text, _scalar(text, np.dtype(DTYPES[form]), parts[0]))
    if form in _MAKERS and 2 <= len(parts) <= 3 and parts[0] in DTYPES:
        dtype = np.dtype(DTYPES[parts[0]])
        shape = _convert(text, _shape, parts[1], "a shape such as 32x64")
        if min(shape) < 0:
            raise _wrong(text, "a size is negative")
        try:
            host_array_bytes(shape, dtype)
        except UserError as error:
            raise _wrong(text, str(error)) from error
        extra = parts[2] if len(parts) == 3 else None
        return Argument(text, _MAKERS[form](text, shape, dtype, extra), written=form != "empty")
    raise _wrong(text, _unread(form, parts))


def _unread(form: str, parts: list[str]) -> str:
    """Say what an argument that has no form lacks."""
    types = f"the types are {', '.join(DTYPES)}"
    if form in DTYPES:
        return f"write one number behind the type, such as {form}:7"
    if form in _MAKERS and parts and parts[0] not in DTYPES:
        return f"{parts[0]!r} is not a type; {types}"
    if form in _MAKERS:
        return f"write a type and a shape, such as {form}:f32:32x64; {types}"
    if len(parts) == 1 and _is_number(parts[0]):
        return f"{form!r} is not a type; {types}"
    if not parts and _is_number(form):
        return f"a number needs a type, such as i32:{form} or f32:{form}; {types}"
    return (
        f"write i32:7, {', '.join(_MAKERS)} as in zeros:f32:32x64, a .npy file, bytes:00ff or "
        f"null; {types}"
    )


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return word.startswith("0x")
    return True


def _wrong(text: str, why: str) -> UserError:
    return UserError(f"--arg {text}: {why}")


def _shape(word: str) -> tuple[int, ...]:
    return tuple(int(size, 0) for size in word.split("x"))


def _convert(text: str, convert: Callable[[str], Any], word: str, what: str) -> Any:
    try:
        return convert(word)
    except ValueError as error:
        raise _wrong(text, f"{word!r} is not {what}") from error


def _scalar(text: str, dtype: np.dtype[Any], word: str) -> Any:
    if dtype.kind not in "iu":
        number = np.asarray(_convert(text, float, word, "a number"), np.float64)
        return _rounded(text, number, dtype)[()]
    value = _convert(text, lambda digits: int(digits, 0), word, "an integer")
    limits = np.iinfo(dtype)
    if not limits.min <= value <= limits.max:
        raise _wrong(text, f"{value} is outside {limits.min} .. {limits.max}")
    return dtype.type(value)


def _rounded(text: str, values: Array, dtype: np.dtype[Any]) -> Array:
    """Return values in a type that has each finite one, after rounding."""
    with np.errstate(over="ignore", invalid="ignore"):
        found: Array = values.astype(dtype)
    lost = np.isfinite(values) & ~np.isfinite(found)
    if lost.any():
        raise _wrong(text, f"{values[lost].flat[0]:g} is too large for {dtype}")
    return found


def _of_type(text: str, found: Array, dtype: np.dtype[Any]) -> Array:
    """Return an array whose type a file does not name as one of that type."""
    if found.dtype == dtype:
        return found
    if found.dtype.kind != "V" or found.dtype.itemsize != dtype.itemsize:
        raise _wrong(text, f"the file has elements of {found.dtype}, not of {dtype}")
    return found.view(dtype)


def _load(path: Path) -> Array:
    regular_bytes(path)
    try:
        found: Array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, EOFError, MemoryError) as error:
        why = "it holds Python objects" if "allow_pickle" in str(error) else str(error)
        if not path.read_bytes().startswith(b"\x93NUMPY"):
            why = "it does not begin as one"
        raise UserError(f"{path} is not a complete .npy file: {why}") from error
    if found.dtype.kind not in "biufcV":
        raise UserError(f"{path} has elements of {found.dtype}, which are no numbers")
    # A kernel reads the bytes as they lie, and every GPU here is little-endian.
    return found.astype(found.dtype.newbyteorder("<"), copy=False)


def _zeros(text: str, shape: tuple[int, ...], dtype: np.dtype[Any], extra: str | None) -> Array:
    if extra is not None:
        raise _wrong(text, f"nothing may follow the shape, but {extra} does")
    return np.zeros(shape, dtype)


def _arange(text: str, shape: tuple[int, ...], dtype: np.dtype[Any], extra: str | None) -> Array:
    count = _zeros(text, shape, np.dtype(np.uint8), extra).size
    if dtype.kind in "iu" and count - 1 > np.iinfo(dtype).max:
        raise _wrong(text, f"{count - 1} is more than {np.iinfo(dtype).max}, the most of {dtype}")
    return _rounded(text, np.arange(count), dtype).reshape(shape)


def _full(text: str, shape: tuple[int, ...], dtype: np.dtype[Any], extra: str | None) -> Array:
    if extra is None:
        raise _wrong(text, "the value is missing; write it like full:f32:64:1.5")
    return np.full(shape, _scalar(text, dtype, extra), dtype)


def _random(text: str, shape: tuple[int, ...], dtype: np.dtype[Any], extra: str | None) -> Array:
    seed = 0 if extra is None else _convert(text, int, extra, "an integer")
    if seed < 0:
        raise _wrong(text, f"the seed {seed} is negative")
    generator = np.random.default_rng(seed)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return generator.random(shape).astype(dtype)


_MAKERS = {"zeros": _zeros, "empty": _zeros, "arange": _arange, "full": _full, "random": _random}
