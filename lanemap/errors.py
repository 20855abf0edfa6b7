"""Errors that a user can cause or mend; the command line makes each one sentence and a status."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# What the machine lacks, rather than what was asked for wrongly: space, a disk that can be written.
_MACHINE = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE)
)


class LanemapError(Exception):
    """Base of every error that lanemap raises on purpose; `exit_code` is the process's status."""

    exit_code = 2

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without __init__, whose parameters differ from class to class."""
        return _again, (type(self), self.args), self.__dict__


def _again(kind: type[LanemapError], args: tuple[Any, ...]) -> LanemapError:
    error = kind.__new__(kind)
    error.args = args
    return error


class UserError(LanemapError):
    """Bad usage, malformed input or something unsupported (exit code 2)."""

    exit_code = 2


class Disagreement(LanemapError):
    """A result that is wrong, or two sources that disagree (exit code 1)."""

    exit_code = 1


class MissingEnvironment(LanemapError):
    """A GPU, driver, compiler or package that is not here (exit code 3)."""

    exit_code = 3


def cannot_write(place: Path | str, error: OSError) -> LanemapError:
    """The error for a file that cannot be written: `MissingEnvironment` for a full disk."""
    if Path(place).is_dir():  # the system's words differ: EISDIR, EBUSY, EEXIST
        return UserError(f"cannot write {place}: it is a folder; name a file")
    kind = MissingEnvironment if error.errno in _MACHINE else UserError
    return kind(f"cannot write {place}: {error.strerror or error}")


def extra(name: str) -> str:
    """Return the command that installs one of lanemap's extras; no index has lanemap yet."""
    return f"pip install '.[{name}]' in lanemap's checkout"


def plural(count: int, noun: str, ending: str = "s") -> str:
    """`1 hazard`, `2 hazards`, `2 launches`."""
    return f"{count} {noun}{'' if count == 1 else ending}"


@contextmanager
def writing(place: Path | str) -> Iterator[None]:
    """Name the file in the error where writing it fails; Python's own error often does not.

    Raises:
        MissingEnvironment: the disk is full, over its quota or read-only.
        UserError: the file cannot be written for another reason.
    """
    try:
        yield
    except OSError as error:
        raise cannot_write(place, error) from error
