"""The entry point: finds the verbs, runs one, and turns every error into a sentence and a status.

Exit status: 0 agree or done, 1 disagree or wrong result, 2 bad usage or unsupported, 3 the
environment lacks something, 130 interrupted (128 + SIGINT, as a shell has it).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
import pkgutil
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from lanemap import __version__
from lanemap.cli import completion
from lanemap.cli import verbs as verbs_package
from lanemap.errors import LanemapError, MissingEnvironment, cannot_write

if TYPE_CHECKING:
    import typer

TRACEBACK_VARIABLE = "LANEMAP_TRACEBACK"
COMPLETION_VARIABLE = "_LANEMAP_COMPLETE"
INTERRUPTED_STATUS = 130


class _Interrupted(BaseException):
    """Ctrl-C in a verb. It passes typer, which would exit with status 130 and print nothing."""


def verbs() -> list[str]:
    """Return the names of all verbs: the files of verbs/."""
    return sorted(module.name for module in pkgutil.iter_modules(verbs_package.__path__))


def build(names: Sequence[str]) -> typer.Typer:
    """Return the application with some verbs."""
    import typer

    app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="rich")

    @app.callback(invoke_without_command=True)
    def lanemap(version: bool = typer.Option(False, "--version", help="Show the version.")) -> None:
        """Find out, with evidence, where a GPU's tensor-core data path moves every bit."""
        if version:
            print(__version__)
            raise typer.Exit

    for name in names:
        module = import_module(f"lanemap.cli.verbs.{name}")
        app.command(
            name,
            context_settings=getattr(module, "CONTEXT_SETTINGS", None),
            help=_reflowed(module.command.__doc__ or ""),
            epilog=_reflowed(getattr(module, "EPILOG", "")) or None,
        )(_past_typer(module.command))
    return app


def _read_help_printer() -> None:
    """Import typer's printer of help without what only other settings of it use.

    It imports rich's Markdown and Traceback, which take half of the time of `--help`; help in
    rich's markup and plain exceptions need neither.
    """
    unused = {"rich.markdown": "Markdown", "rich.traceback": "Traceback"}
    unused = {module: name for module, name in unused.items() if module not in sys.modules}
    for module, name in unused.items():
        stand_in = ModuleType(module)
        setattr(stand_in, name, type(name, (), {}))
        sys.modules[module] = stand_in
    try:
        import_module("typer.rich_utils")
    finally:
        for module in unused:
            del sys.modules[module]


def _reflowed(docstring: str) -> str:
    """Return paragraphs of one line each: typer keeps the line ends of a docstring in its help."""
    paragraphs = inspect.cleandoc(docstring).split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def _past_typer(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let Ctrl-C leave a verb as `_Interrupted`."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except KeyboardInterrupt as interrupt:
            raise _Interrupted(*interrupt.args) from None

    return run


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit status; errors go to stderr, a sentence each.

    Raises:
        BrokenPipeError: the reader of stdout went away.
    """
    try:
        known = verbs()
        wanted = [arguments[0]] if arguments and arguments[0] in known else known
        words = list(arguments) or ["--help"]
        if "--help" in words:
            _read_help_printer()
        status = build(wanted)(words, prog_name="lanemap", standalone_mode=False)
    except LanemapError as error:
        return _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, _Interrupted) as interrupt:
        return _fail(str(interrupt) or "interrupted", INTERRUPTED_STATUS)
    except MemoryError as error:
        return _fail(
            f"this machine does not have enough memory for that ({error or 'out of memory'})", 2
        )
    except BrokenPipeError:
        raise
    except SystemExit as error:
        # typer and rich exit like this only if the reader of a pipe went away, or once a shell has
        # been told what completes a word.
        raise BrokenPipeError from error
    except Exception as error:
        return _failure(error)
    if status == INTERRUPTED_STATUS:  # Ctrl-C while typer read the arguments
        return _fail("interrupted", INTERRUPTED_STATUS)
    return status if isinstance(status, int) else 0


def _tell_bash() -> int:
    """Print what completes a word for bash, which keeps what it has split off the word at ':'."""
    kept = completion.join_at_colons()
    status = 0
    with contextlib.redirect_stdout(io.StringIO()) as told, contextlib.suppress(BrokenPipeError):
        status = run([])
    print("\n".join(line.removeprefix(kept) for line in told.getvalue().splitlines()))
    return status


def _failure(error: Exception) -> int:
    """Describe an error that lanemap did not raise on purpose, and return its status."""
    message = _usage_message(error)
    if message is not None:
        return _fail(f"{message} (see lanemap --help)", 2)
    if isinstance(error, OSError):
        reported = cannot_write(error.filename or "a file", error)
        if reported.exit_code == MissingEnvironment.exit_code:
            return _fail(str(reported), reported.exit_code)
    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    return _fail(
        f"this is a bug in lanemap, please report it: {type(error).__name__}: {error} "
        f"(set {TRACEBACK_VARIABLE}=1 for the traceback)",
        1,
    )


def _usage_message(error: Exception) -> str | None:
    """Return a usage error's own words; typer's and click's classes share the method, no base."""
    own: Any = getattr(error, "format_message", None)
    # typer hands on what pydantic says, which names its own exception.
    return None if own is None else str(own()).rstrip(".").replace(": Value error, ", ": ", 1)


def _fail(message: str, status: int) -> int:
    sentence = " ".join(message.split())
    try:
        print(f"lanemap: {sentence}", file=sys.stderr)
    except OSError:  # nobody can be told; the status remains
        _discard(sys.stderr)
    return status


class _StandardOutput(io.FileIO):
    """File descriptor 1, which names itself in its errors."""

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(error.errno, error.strerror, "the standard output") from error


def _open_output() -> TextIO:
    """Return a stream on stdout, buffered as Python's own; on nothing where stdout is closed."""
    own: Any = sys.stdout
    if own is None:
        return open(os.devnull, "w")
    return io.TextIOWrapper(
        io.BufferedWriter(_StandardOutput(own.fileno(), "w", closefd=False)),
        own.encoding,
        own.errors,
        line_buffering=own.line_buffering,
        write_through=own.write_through,
    )


def main() -> NoReturn:
    """Run `lanemap`.

    If the reader of a pipe went away (head, less), it had read what it wanted: the status is 0.
    """
    sys.stdout = _open_output()
    status = 0
    try:
        asked_by_bash = os.environ.get(COMPLETION_VARIABLE) == "complete_bash"
        status = _tell_bash() if asked_by_bash else run(sys.argv[1:])
        if status == INTERRUPTED_STATUS:  # the reader of a full pipe is not waited for
            _discard(sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        status = 0
        _discard(sys.stdout)
    except OSError as error:
        status = status or _failure(error)  # a verb that met the error has reported it
        _discard(sys.stdout)
    except KeyboardInterrupt:
        status = _fail("interrupted", INTERRUPTED_STATUS)
        _discard(sys.stdout)
    # All output is written, so neither Ctrl-C nor a closed pipe may add a line from here on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def _discard(stream: TextIO) -> None:
    """Let the interpreter's last flush of a stream succeed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
