"""Errors for assembly text that cannot be parsed or executed."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.refusals import TextError


class AssemblyError(TextError):
    """Assembly text that is malformed or not supported; the message begins with file:line."""


@dataclass(frozen=True)
class Place:
    """A line of a source file, for error messages."""

    file: str
    line: int

    def error(self, message: str) -> AssemblyError:
        """An error that names this line; `message` says what is wrong and what to do."""
        return AssemblyError(self.file, self.line, message)
