"""The words that pasted layouts are made of: names, integers and nested lists.

Nothing here is evaluated: a text is cut into tokens and read by the grammars beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lanemap.errors import UserError

_TOKEN = re.compile(
    r"\s+|//[^\n]*|(?P<word>[A-Za-z_#][\w.:]*)|(?P<number>-?\d+)|(?P<mark>->|.)", re.S
)
_STATIC = re.compile(r"_(\d+)")
OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}
#: Nested this deep is no layout.
MOST_DEPTH, MOST_TOKENS = 24, 20000
SHOWN = 60

# An integer, or a tuple of such.
Nested = Any


class Words:
    """The tokens of a text and a place among them."""

    def __init__(self, text: str, what: str) -> None:
        self.text, self.what = text, what
        self.tokens: list[str] = []
        for match in _TOKEN.finditer(text):
            if match.lastgroup is not None:
                self.tokens.append(match[0])
        if len(self.tokens) > MOST_TOKENS:
            raise UserError(f"a layout of {len(self.tokens)} words is too long; paste one layout")
        self.at = 0

    @property
    def next(self) -> str:
        """The next token; "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        """The next token, which is passed."""
        token = self.next
        self.at += 1
        return token

    def skip(self, *tokens: str) -> bool:
        """Pass the next tokens if they are these."""
        if self.tokens[self.at : self.at + len(tokens)] != list(tokens):
            return False
        self.at += len(tokens)
        return True

    def expect(self, token: str) -> None:
        """Pass a token.

        Raises:
            UserError: Another one comes.
        """
        if not self.skip(token):
            raise self.wrong(f"{token!r} was expected")

    def wrong(self, why: str) -> UserError:
        """The error for what comes next."""
        found = f"at {self.next!r}" if self.next else "at its end"
        text = " ".join(self.text.split())
        shown = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
        return UserError(f"{shown!r} is no {self.what}: {why} {found}")

    def end(self) -> None:
        """Nothing may follow.

        Raises:
            UserError: Something does.
        """
        if self.next:
            raise self.wrong("nothing may follow, but something does,")

    def integer(self) -> int:
        """An integer, also CuTe's `_8`, `Int<8>` and `C<8>`."""
        token = self.take()
        static = _STATIC.fullmatch(token)
        if static:
            return int(static[1])
        if token.split("::")[-1] in ("Int", "C"):
            self.expect("<")
            value = self.integer()
            self.expect(">")
            return value
        try:
            return int(token)
        except ValueError:
            self.at -= 1
            raise self.wrong("an integer was expected") from None

    def nested(self, opening: tuple[str, ...] = ("(", "["), depth: int = 0) -> Nested:
        """An integer or a tuple of such, `(4,(2,2))` or `[[0, 1], [8, 0]]`."""
        if self.next not in opening:
            return self.integer()
        if depth > MOST_DEPTH:
            raise self.wrong(f"it is nested more than {MOST_DEPTH} deep")
        closing = OPENING[self.take()]
        return self.items(closing, lambda: self.nested(opening, depth + 1))

    def items(self, closing: str, item: Callable[[], Any]) -> tuple[Any, ...]:
        """Items between commas up to a closing mark; a comma may end them."""
        found: list[Any] = []
        while not self.skip(closing):
            found.append(item())
            if not self.skip(","):
                self.expect(closing)
                break
        return tuple(found)

    def fields(self) -> dict[str, Nested]:
        """`name = value, ..` up to the closing mark of what was opened last, which is not passed.

        A value is an integer, a nested tuple, a word, or fields in braces, which join the others.
        """
        found: dict[str, Nested] = {}
        while self.next not in (*OPENING.values(), ""):
            if self.skip("{"):
                found |= self.fields()
                self.expect("}")
            else:
                name = self.take()
                self.expect("=")
                found[name] = self._value()
            if not self.skip(","):
                break
        return found

    def _value(self) -> Nested:
        if self.next in ("(", "[") or self.next.lstrip("-").isdigit():
            value = self.nested()
            if self.skip(":"):  # MLIR: 16 : i32
                self.take()
            return value
        if self.skip("<"):
            held = self.fields()
            self.expect(">")
            return held
        word = self.take()
        for opening in ("<", "("):  # an attribute of an attribute, or a layout of a layout
            if self.skip(opening):
                held = self.fields()
                self.expect(OPENING[opening])
                return {"kind": word} | held
        return word


def flat(value: Nested) -> list[int]:
    """The integers of a nested tuple, in order."""
    if isinstance(value, int):
        return [value]
    return [each for part in value for each in flat(part)]
