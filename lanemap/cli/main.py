"""The entry point: finds the verbs, runs one, and turns every error into a sentence and a status.

Exit status: 0 agree or done, 1 disagree or wrong result, 2 bad usage or unsupported, 3 the
environment lacks something, 130 interrupted (128 + SIGINT, as a shell has it).
"""

from __future__ import annotations

import functools
import os
import pkgutil
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lanemap import __version__
from lanemap.cli import verbs as verbs_package
from lanemap.errors import LanemapError

if TYPE_CHECKING:
    import typer

TRACEBACK_VARIABLE = "LANEMAP_TRACEBACK"
INTERRUPTED_STATUS = 130


class _Interrupted(BaseException):
    """Ctrl-C in a verb, past typer, which would print a line of its own."""


def verbs() -> list[str]:
    """Return the names of all verbs: the files of verbs/."""
    return sorted(module.name for module in pkgutil.iter_modules(verbs_package.__path__))


def build(names: Sequence[str]) -> typer.Typer:
    """Return the application with some verbs."""
    import typer

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
        app.command(name, context_settings=settings)(_past_typer(module.command))
    return app


def _past_typer(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let Ctrl-C leave a verb as `_Interrupted`."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except KeyboardInterrupt:
            raise _Interrupted from None

    return run


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit status; errors go to stderr, a sentence each."""
    try:
        known = verbs()
        wanted = [arguments[0]] if arguments and arguments[0] in known else known
        status = build(wanted)(list(arguments) or ["--help"], standalone_mode=False)
    except LanemapError as error:
        return _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, _Interrupted):
        return _fail("interrupted", INTERRUPTED_STATUS)
    except MemoryError as error:
        return _fail(f"this machine has too little memory for that ({error or 'out of memory'})", 2)
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
