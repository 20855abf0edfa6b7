"""Errors for PTX text that cannot be parsed or executed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lanemap.emulator.refusals import TextError

_LONG = re.compile(r"`([^`]{100})[^`]+`")


class PtxError(TextError):
    """PTX text that is malformed or not supported; the message begins with file:line."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a PTX file, for error messages."""

    file: str
    line: int

    def error(self, message: str) -> PtxError:
        """Return an error that names this line; `message` says what is wrong and what to do."""
        # Quoted text may run over lines and pages; a sentence does not.
        sentence = _LONG.sub(r"`\1 ..`", " ".join(message.split()))
        return PtxError(self.file, self.line, sentence)
