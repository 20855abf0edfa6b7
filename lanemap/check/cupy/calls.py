"""NumPy's routines on arrays of the emulator: one way for all of them.

Arrays among the arguments become NumPy's, over the same memory, and results become arrays of the
emulator. What a routine reads must have values; what it writes has values afterwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lanemap.check.cupy import names
from lanemap.check.cupy.elements import Array, check_read, is_tensor, of_tensor, placed

#: Types of NumPy and Python that are no arrays, and stay what they are.
_SCALARS = (np.generic, np.dtype, str, bytes, int, float, complex)


def arrays_in(values: Any) -> Iterator[Array]:
    """Yield the arrays among arguments, in lists, tuples and dictionaries too."""
    if isinstance(values, Array):
        yield values
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from arrays_in(value)
    elif isinstance(values, dict):
        yield from arrays_in(list(values.values()))


def to_host(value: Any, from_host: bool = True, copies: bool = False) -> Any:
    """Return an argument as NumPy takes it.

    Args:
        value: The argument, be it a list or tuple of others.
        from_host: Whether NumPy's own arrays are taken.
        copies: Whether those are copied, because a result may share their memory.

    Raises:
        TypeError: it is an array of the host where CuPy takes none.
    """
    if isinstance(value, Array):
        return value.values
    if isinstance(value, _SCALARS) or value is None:
        return value
    if isinstance(value, np.ndarray):
        if not from_host:
            raise TypeError(f"Unsupported type {type(value)}")
        return value.copy() if copies else value
    if type(value) in (list, tuple):
        return type(value)(to_host(each, from_host, copies) for each in value)
    if isinstance(value, dict):
        return {key: to_host(each, from_host, copies) for key, each in value.items()}
    if isinstance(value, slice):
        return slice(*(to_host(each) for each in (value.start, value.stop, value.step)))
    if is_tensor(value):
        return of_tensor(value)
    if callable(value) and not isinstance(value, (type, np.ufunc)):
        return _on_host(value)
    return value


def _on_host(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the script's that NumPy calls with its own arrays."""

    @functools.wraps(function)
    def call(*arguments: Any, **given: Any) -> Any:
        moved = [placed(each) if isinstance(each, np.ndarray) else each for each in arguments]
        return to_host(function(*moved, **given))

    return call


def to_device(result: Any, known: Mapping[int, Array], defined: bool = True) -> Any:
    """Return a result with arrays of the emulator; one that was an argument stays that object."""
    if isinstance(result, np.ndarray):
        own = known.get(id(result))
        return placed(result, defined) if own is None else own
    if isinstance(result, (np.generic, bool)):
        return placed(np.asarray(result))
    if isinstance(result, (list, tuple)):
        moved = [to_device(each, known) for each in result]
        named = hasattr(result, "_fields")
        return type(result)(*moved) if named else type(result)(moved)
    return result


def call(
    name: str,
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    in_place: bool = False,
) -> Any:
    """Call a routine of NumPy on arrays of the emulator.

    Args:
        name: The routine's name, by which `names` knows what it reads.
        function: The routine.
        args: Its arguments.
        kwargs: Its arguments by name.
        in_place: Whether it writes its first argument without reading all of it.

    Raises:
        Stopped: it reads an element that nothing has written, unless hazards are reported.
        TypeError: an argument is an array of the host.
    """
    given = dict(kwargs)
    written = list(arrays_in(given.get("out")))
    if in_place or name in names.WRITERS:
        written += list(arrays_in(args[:1]))
    unread = {id(each) for each in written} if in_place or name in names.WRITERS else set()
    inputs = list(arrays_in((list(args), [v for k, v in given.items() if k != "out"])))
    if name not in names.SHAPE_ONLY and name not in names.COPIES:
        for each in inputs:
            if id(each) not in unread:
                check_read(each)
    known = {id(each.values): each for each in (*inputs, *written)}
    take = functools.partial(
        to_host, from_host=name in names.FROM_HOST, copies=name in names.FROM_HOST - {"copyto"}
    )
    result = function(*(take(each) for each in args), **{k: take(v) for k, v in given.items()})
    for each in written:
        each.define()
    if name in names.PLAIN:
        return result
    moved = to_device(result, known, name not in names.EMPTY)
    if name in names.COPIES and len(inputs) == 1 and isinstance(moved, Array):
        inputs[0].hand_on_undefined(moved)
    return moved


class Routine:
    """A routine of NumPy as CuPy's; what a ufunc has beside the call is a routine, too."""

    def __init__(self, name: str, function: Any) -> None:
        """Stand for a routine by its name."""
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"`numpy.{name}` on arrays of the emulator."
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the routine; see `call`.

        Raises:
            TypeError: a list is given to a ufunc; see `call`.
        """
        for each in args if isinstance(self._function, np.ufunc) else ():
            if isinstance(each, (list, tuple)):
                raise TypeError(f"Unsupported type {type(each)}")
        return call(self.__name__, self._function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not isinstance(self._function, np.ufunc):
            raise AttributeError(f"{self.__name__!r} has no attribute {name!r}")
        found = getattr(self._function, name)
        if not callable(found):
            return found
        writes = name == "at"

        def method(*args: Any, **kwargs: Any) -> Any:
            result = call(self.__name__, found, args, kwargs)
            for each in arrays_in(args[:1]) if writes else ():
                each.define()
            return result

        return method

    def __repr__(self) -> str:
        return f"<cupy.{self.__name__}, served by NumPy>"


class Indexed:
    """What makes arrays by an index: `cupy.r_`, `cupy.mgrid`."""

    def __init__(self, found: Any) -> None:
        """Stand for NumPy's."""
        self._found = found

    def __getitem__(self, key: Any) -> Any:
        for each in arrays_in(key):
            check_read(each)
        return to_device(self._found[to_host(key)], {})


def served(name: str, found: Any) -> Any:
    """Return what of NumPy stands for a name of CuPy's."""
    if name in ("c_", "r_", "mgrid", "ogrid"):
        return Indexed(found)
    plain = isinstance(found, (type, float, int)) or not callable(found) or name == "dtype"
    return found if plain else Routine(name, found)
