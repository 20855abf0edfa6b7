"""The standard library's dataclasses, whose methods are compiled when they are first called.

`dataclasses.dataclass` writes five or six methods of every class as text and compiles each, while
the module is imported: a fifth of the time from the start of a process to a kernel's first result,
and half of the classes never have an object in it. Here a method is a trap until it is first
called. Then the standard library makes it for a class with the same fields, and it takes the trap's
place. Options are `frozen`, `eq` and `slots`; other dataclasses are the standard library's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses

    #: What the standard library keeps in a class, for `fields`, `replace`, its own and `match`.
    _FACTS = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")

    #: How annotations begin that are no field's.
    _OF_CLASS = ("ClassVar", "typing.ClassVar")

    def dataclass(kind=None, /, *, frozen=False, eq=True, slots=False):
        """Make a class a dataclass, as `dataclasses.dataclass` does."""
        if kind is None:
            return lambda kind: _trapped(kind, frozen, eq, slots)
        return _trapped(kind, frozen, eq, slots)

    def _trapped(kind, frozen, eq, slots):
        own = kind.__dict__
        given = {name: own[name] for name in own.get("__annotations__", ()) if name in own}
        if slots:
            kind = _with_slots(kind, frozen)
            own = kind.__dict__
        options = {"init": False, "repr": False, "eq": False, "frozen": frozen}
        traps = {"__init__": {"init": True}, "__repr__": {"repr": True, "frozen": False}}
        if eq:
            traps["__eq__"] = {"eq": True, "frozen": False}
        if eq and frozen:
            traps["__hash__"] = {"eq": True, "frozen": False, "unsafe_hash": True}
        elif eq and "__hash__" not in own:
            kind.__hash__ = None
        for name, value in given.items():
            if isinstance(value, dataclasses.Field) and not slots:
                _leave_default(kind, name, value)
        defined = {name for name in own if name != "__hash__" or own[name] is not None}
        for name, change in traps.items():
            if name not in defined:
                setattr(kind, name, _trap(kind, name, given, options | change))
        if frozen:
            kind.__setattr__, kind.__delattr__ = _refusing(kind)
        for name in _FACTS:
            setattr(kind, name, _Fact(kind, name, given, options))
        return kind

    def _with_slots(kind, frozen):
        """The class made again, since a class has its slots from the beginning."""
        space, types = dict(kind.__dict__), kind.__dict__.get("__annotations__", {})
        names = [name for name, of in types.items() if not of.startswith(_OF_CLASS)]
        for name in (*names, "__dict__", "__weakref__"):
            space.pop(name, None)
        below = {name for base in kind.__mro__[1:-1] for name in getattr(base, "__slots__", ())}
        space["__slots__"] = tuple(name for name in names if name not in below)
        if frozen:  # nothing can be set by name
            space.setdefault("__getstate__", _state)
            space.setdefault("__setstate__", _set_state)
        made = type(kind)(kind.__name__, kind.__bases__, space)
        made.__qualname__ = kind.__qualname__
        return made

    def _state(self):
        return [getattr(self, each.name) for each in dataclasses.fields(self)]

    def _set_state(self, state):
        for each, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, each.name, value)

    def _leave_default(kind, name, value):
        if value.default is dataclasses.MISSING:
            delattr(kind, name)
        else:
            setattr(kind, name, value.default)

    def _trap(kind, name, given, options):
        def method(self, *arguments, **named):
            made = _twin(kind, given, options).__dict__[name]
            made.__qualname__ = f"{kind.__qualname__}.{name}"
            setattr(kind, name, made)
            return made(self, *arguments, **named)

        method.__name__, method.__qualname__ = name, f"{kind.__qualname__}.{name}"
        return method

    def _twin(kind, given, options):
        """A dataclass of the standard library with the fields of `kind`, its bases' included."""
        types, values = {}, {}
        for base in kind.__mro__[:0:-1]:
            if "__dataclass_fields__" in base.__dict__:
                for each in base.__dataclass_fields__.values():
                    types[each.name], values[each.name] = each.type, each
        own = kind.__dict__.get("__annotations__", {})
        values = {name: value for name, value in values.items() if name not in own}
        space = {**values, **given, "__module__": kind.__module__, "__doc__": kind.__doc__}
        if hasattr(kind, "__post_init__"):
            space["__post_init__"] = kind.__post_init__
        space["__annotations__"] = {**types, **own}
        twin = type(kind.__name__, (), space)
        twin.__qualname__ = kind.__qualname__
        return dataclasses.dataclass(**options)(twin)

    def _refusing(kind):
        def __setattr__(self, name, value):
            if type(self) is kind or name in kind.__dataclass_fields__:
                raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
            super(kind, self).__setattr__(name, value)

        def __delattr__(self, name):
            if type(self) is kind or name in kind.__dataclass_fields__:
                raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
            super(kind, self).__delattr__(name)

        return __setattr__, __delattr__

    class _Fact:
        """What is known of a class once its fields are looked at, first asked for."""

        def __init__(self, kind, name, given, options):
            self.kind, self.name, self.given, self.options = kind, name, given, options

        def __get__(self, value, owner=None):
            twin = _twin(self.kind, self.given, self.options)
            for name in _FACTS:
                setattr(self.kind, name, getattr(twin, name))
            return getattr(twin, self.name)
