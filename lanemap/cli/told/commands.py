"""The verbs as data: usage, help and options of each, for the pages of `lanemap report`."""

from __future__ import annotations

import inspect
import pkgutil
from enum import Enum
from importlib import import_module
from typing import Any, get_origin, get_type_hints


def commands() -> list[dict[str, Any]]:
    """Every verb with its help, its arguments and its options, by name."""
    # A verb asks for this, so that the verbs are imported by name.
    verbs = import_module("lanemap.cli.verbs")
    return [_told(each.name) for each in pkgutil.iter_modules(verbs.__path__)]


def _told(verb: str) -> dict[str, Any]:
    from typer.models import ArgumentInfo

    command = import_module(f"lanemap.cli.verbs.{verb}").command
    hints = get_type_hints(command)
    usage, options = [verb], []
    for name, parameter in inspect.signature(command).parameters.items():
        info: Any = parameter.default
        if isinstance(info, ArgumentInfo):
            word = info.metavar or name.upper()
            usage.append(word if info.default is ... else f"[{word}]")
            names = word
        elif getattr(info, "hidden", True):  # a context of typer, which no user gives
            continue
        else:
            names = ", ".join(info.param_decls or [f"--{name.replace('_', '-')}"])
        options.append(
            {"names": names, "value": _value(hints[name]), "help": info.help or "",
             "default": _default(info.default)}
        )  # fmt: skip
    return {
        "name": verb,
        "usage": " ".join([*usage, "[OPTIONS]"]),
        "help": inspect.cleandoc(command.__doc__ or ""),
        "options": options,
    }


def _value(hint: Any) -> str:
    """What a type takes, in a word; the values of a choice."""
    arguments = [each for each in getattr(hint, "__args__", ()) if each is not type(None)]
    if arguments:
        several = ", also several times" if get_origin(hint) is list else ""
        return _value(arguments[0]) + several
    if inspect.isclass(hint) and issubclass(hint, Enum):
        return " or ".join(str(each.value) for each in hint)
    words = {"bool": "", "str": "text", "int": "number", "float": "number", "Path": "file"}
    return words.get(str(hint.__name__), str(hint.__name__))


def _default(value: Any) -> str:
    if value in (None, ..., "", False, [], ()) or callable(value):
        return ""
    return str(value.value if isinstance(value, Enum) else value)
