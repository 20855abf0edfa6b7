"""Errors that a user can cause or mend; the command line makes each one sentence and a status."""

from __future__ import annotations


class LanemapError(Exception):
    """Base of every error that lanemap raises on purpose; `exit_code` is the process's status."""

    exit_code = 2


class UserError(LanemapError):
    """Bad usage, malformed input or something unsupported (exit code 2)."""

    exit_code = 2


class Disagreement(LanemapError):
    """A result that is wrong, or two sources that disagree (exit code 1)."""

    exit_code = 1


class MissingEnvironment(LanemapError):
    """A GPU, driver, compiler or package that is not here (exit code 3)."""

    exit_code = 3
