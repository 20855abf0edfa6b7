"""The entry point: finds the verbs, runs one, and turns every error into a sentence and a status.

Exit status: 0 agree or done, 1 disagree or wrong result, 2 bad usage or unsupported, 3 the
environment lacks something.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer

from lanemap import __version__
from lanemap.cli import verbs as verbs_package
from lanemap.errors import LanemapError

TRACEBACK_VARIABLE = "LANEMAP_TRACEBACK"


def verbs() -> list[str]:
    """Return the names of all verbs: the files of verbs/."""
    return sorted(module.name for module in pkgutil.iter_modules(verbs_package.__path__))


def build(names: Sequence[str]) -> typer.Typer:
    """Return the application with some verbs."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")

    @app.callback(invoke_without_command=True)
    def lanemap(version: bool = typer.Option(False, "--version", help="Show it.")) -> None:
        """Where every bit goes when a GPU's tensor-core data path moves it, with evidence."""
        if version:
            print(__version__)
            raise typer.Exit

    for name in names:
        module = import_module(f"lanemap.cli.verbs.{name}")
        settings = getattr(module, "CONTEXT_SETTINGS", None)
        app.command(name, context_settings=settings)(module.command)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit status; errors go to stderr, a sentence each."""
    known = verbs()
    wanted = [arguments[0]] if arguments and arguments[0] in known else known
    try:
        status = build(wanted)(list(arguments) or ["--help"], standalone_mode=False)
    except LanemapError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", 2)
    except BrokenPipeError:
        # The reader of a pipe (head, less) went away; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        message = _usage_message(error)
        if message is not None:
            return _fail(f"{message} (lanemap --help says more)", 2)
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        return _fail(
            f"this is a fault of lanemap itself, please report it: {type(error).__name__}: {error} "
            f"(set {TRACEBACK_VARIABLE}=1 for the traceback)",
            1,
        )
    return status if isinstance(status, int) else 0


def _usage_message(error: Exception) -> str | None:
    """Return a usage error's own words; typer's and click's classes share the method, no base."""
    own: Any = getattr(error, "format_message", None)
    return None if own is None else str(own()).rstrip(".")


def _fail(message: str, status: int) -> int:
    sentence = " ".join(message.split())
    print(f"lanemap: {sentence}", file=sys.stderr)
    return status


def main() -> None:
    """Run `lanemap`."""
    sys.exit(run(sys.argv[1:]))
