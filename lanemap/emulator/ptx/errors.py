"""What a user is told about PTX text that cannot be read or executed."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.errors import UserError


class PtxError(UserError):
    """PTX text that is malformed or not supported; the message begins with file:line."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a PTX file, for error messages."""

    file: str
    line: int

    def error(self, message: str) -> PtxError:
        """Return an error that names this line; `message` says what is wrong and what to do."""
        return PtxError(f"{self.file}:{self.line}: {message}")
