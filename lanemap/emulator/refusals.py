"""Errors about assembly text: one sentence with its line, or all that an entry lacks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lanemap.errors import UserError


class TextError(UserError):
    """A text that is malformed or not supported; the message begins with file:line."""

    def __init__(self, file: str, line: int, sentence: str) -> None:
        """`sentence` says what is wrong and what to do."""
        super().__init__(f"{file}:{line}: {sentence}")
        self.line, self.sentence = line, sentence


class Refusals:
    """Unsupported features that one entry uses, collected while it is lowered."""

    def __init__(self) -> None:
        """Begin with no refusals."""
        self._lines: dict[str, dict[int, None]] = {}

    def add(self, line: int, sentence: str) -> None:
        """Record a refusal; repeated for the same line, it counts once."""
        self._lines.setdefault(sentence, {})[line] = None

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """Record a TextError raised in the `with` block instead of letting it propagate."""
        try:
            yield
        except TextError as error:
            self.add(error.line, error.sentence)

    def __bool__(self) -> bool:
        """Whether there are refusals."""
        return bool(self._lines)

    def check(self, file: str, kind: type[TextError]) -> None:
        """Raise an error that names every refusal with its lines, the first line first.

        Raises:
            TextError: of that kind, if anything was refused.
        """
        found = sorted((sorted(lines), sentence) for sentence, lines in self._lines.items())
        if not found:
            return
        (first, *others), sentence = found[0]
        parts = [sentence + (f" (also in {_lines(others)})" if others else "")]
        parts += [f"{_lines(lines)}: {sentence}" for lines, sentence in found[1:]]
        raise kind(file, first, "; ".join(parts))


def _lines(numbers: list[int]) -> str:
    word = "line" if len(numbers) == 1 else "lines"
    return f"{word} {', '.join(map(str, numbers))}"
