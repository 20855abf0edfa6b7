"""Splits a file into statements: removes comments, expands macros, repetitions and conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lanemap.emulator.amdgcn.text.errors import Place

Statement = tuple[int, str]
Constant = Callable[[str, int], int]

_BLOCK_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|;[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|;.*|//.*')
_CONTROL = re.compile(
    r"\s*\.(macro|endm|endmacro|rept|rep|endr|irp|irpc|if|ifdef|ifndef|ifb|ifnb|ifc|ifnc|ifeq|ifne"
    r"|ifgt|ifge|iflt|ifle|elseif|else|endif|exitm|purgem|include|incbin|altmacro|noaltmacro)\b"
)
_LABEL = re.compile(r"\s*[\w.$]+\s*:(?!:)")
_EXPANSION_LIMIT = 1_000_000


def strip_comments(text: str) -> str:
    """The text without `;`, `//` and `/* */` comments; line numbers stay as they are."""
    if "/*" in text:
        text = _BLOCK_COMMENT.sub(_block, text)
    if "//" not in text and ";" not in text:
        return text
    return "\n".join(
        (line.split(";", 1)[0] if '"' not in line and "//" not in line else _strip(line))
        for line in text.split("\n")
    )


def _block(match: re.Match[str]) -> str:
    found = match.group()
    # Line comments stay for the next step: only there is it known that a string hides none.
    return " " + "\n" * found.count("\n") if found.startswith("/*") else found


def _strip(line: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda m: m.group() if m.group()[0] == '"' else "", line)


def statements(text: str, file: str, constant: Constant) -> Iterator[Statement]:
    """Statements in the order in which they are assembled, with their line numbers.

    Args:
        text: The file's text.
        file: Its name, for messages.
        constant: The value of an expression at a line, for `.if` and `.rept`.

    Raises:
        AssemblyError: A macro, repetition or condition is malformed or not closed.
    """
    lines = list(enumerate(strip_comments(text).split("\n"), start=1))
    if not any(_CONTROL.match(line) for _, line in lines if "." in line):
        return iter(lines)
    return _Expander(file, constant).expand(lines)


class _Expander:
    """Walks lines and expands what the assembler's own control directives say."""

    def __init__(self, file: str, constant: Constant) -> None:
        self.file = file
        self.constant = constant
        self.macros: dict[str, tuple[list[tuple[str, str | None]], list[Statement]]] = {}
        self.uses = 0
        self.emitted = 0

    def error(self, line: int, message: str) -> Exception:
        return Place(self.file, line).error(message)

    def expand(self, lines: list[Statement]) -> Iterator[Statement]:
        at = 0
        while at < len(lines):
            number, line = lines[at]
            at += 1
            match = _CONTROL.match(line)
            if match is None:
                yield from self.plain(number, line)
                continue
            name, rest = match.group(1), line[match.end() :].strip()
            if name == "macro":
                body, at = self.block(lines, at, number, ("macro",), ("endm", "endmacro"))
                self.define(number, rest, body)
            elif name in ("rept", "rep", "irp"):
                body, at = self.block(lines, at, number, ("rept", "rep", "irp"), ("endr",))
                yield from self.repeat(number, name, rest, body)
            elif name.startswith("if"):
                body, at = self.block(lines, at, number, ("if",), ("endif",))
                yield from self.choose(number, name, rest, body)
            elif name == "purgem":
                self.macros.pop(rest, None)
            else:
                raise self.error(number, f".{name} is not supported here; expand it by hand")

    def plain(self, number: int, line: str) -> Iterator[Statement]:
        """A line that is no control directive: a macro's use, or a statement."""
        label = _LABEL.match(line)
        rest = line[label.end() :] if label else line
        words = rest.split(None, 1)
        if words and words[0] in self.macros:
            if label:
                yield number, label.group()
            yield from self.use(number, words[0], words[1] if len(words) > 1 else "")
            return
        self.count(number)
        yield number, line

    def count(self, number: int) -> None:
        """Count a line, or a repetition of none."""
        self.emitted += 1
        if self.emitted > _EXPANSION_LIMIT:
            raise self.error(number, f"macros expand to more than {_EXPANSION_LIMIT} lines")

    def block(
        self,
        lines: list[Statement],
        at: int,
        opened: int,
        openers: tuple[str, ...],
        closers: tuple[str, ...],
    ) -> tuple[list[Statement], int]:
        """The lines up to the directive that closes a block, and the index after it."""
        depth, start = 1, at
        while at < len(lines):
            match = _CONTROL.match(lines[at][1])
            name = match.group(1) if match else ""
            opens = name.startswith("if") if openers == ("if",) else name in openers
            depth += opens - (name in closers)
            at += 1
            if depth == 0:
                return lines[start : at - 1], at
        raise self.error(opened, f"the block opened here has no .{closers[0]}")

    def define(self, number: int, rest: str, body: list[Statement]) -> None:
        words = re.match(r"([\w.$]+)\s*,?\s*(.*)$", rest)
        if words is None:
            raise self.error(number, ".macro needs a name")
        parameters: list[tuple[str, str | None]] = []
        for item in re.findall(
            r"[\w$]+(?::\w+)?(?:\s*=\s*(?:\"[^\"]*\"|[^,\s]+))?", words.group(2)
        ):
            name, separator, default = item.partition("=")
            plain, _, kind = name.strip().partition(":")
            if kind == "vararg":
                raise self.error(number, "macro parameters of kind vararg are not supported")
            parameters.append((plain, default.strip().strip('"') if separator else None))
        self.macros[words.group(1)] = (parameters, body)

    def use(self, number: int, name: str, rest: str) -> Iterator[Statement]:
        parameters, body = self.macros[name]
        values = dict(parameters)
        for place, argument in enumerate(split_arguments(rest)):
            key, separator, value = argument.partition("=")
            if separator and key.strip() in values:
                values[key.strip()] = value.strip().strip('"')
            elif place < len(parameters):
                values[parameters[place][0]] = argument.strip('"')
            else:
                raise self.error(number, f"macro {name} takes {len(parameters)} arguments")
        self.uses += 1
        bound = {key: value or "" for key, value in values.items()}
        lines = [(number, _substitute(line, bound, self.uses)) for _, line in body]
        yield from self.expand(lines)

    def repeat(
        self, number: int, name: str, rest: str, body: list[Statement]
    ) -> Iterator[Statement]:
        if name == "irp":
            parameter, _, items = rest.partition(",")
            for item in split_arguments(items):
                bound = {parameter.strip(): item}
                yield from self.expand([(n, _substitute(line, bound, 0)) for n, line in body])
            return
        count = self.constant(rest, number)
        if count < 0:
            raise self.error(number, f".rept takes a count, not {count}")
        for _ in range(count):
            self.count(number)
            yield from self.expand(body)

    def choose(
        self, number: int, name: str, rest: str, body: list[Statement]
    ) -> Iterator[Statement]:
        """Expand the first branch whose condition holds."""
        for condition_line, kind, condition, branch in self.branches(number, name, rest, body):
            if kind == "else" or self.holds(condition_line, kind, condition):
                yield from self.expand(branch)
                return

    def branches(
        self, number: int, name: str, rest: str, body: list[Statement]
    ) -> list[tuple[int, str, str, list[Statement]]]:
        found: list[tuple[int, str, str, list[Statement]]] = [(number, name, rest, [])]
        depth = 0
        for n, line in body:
            match = _CONTROL.match(line)
            word = match.group(1) if match else ""
            if depth == 0 and match and word in ("else", "elseif"):
                condition = line[match.end() :].strip()
                found.append((n, "if" if word == "elseif" else "else", condition, []))
                continue
            depth += word.startswith("if") - (word == "endif")
            found[-1][3].append((n, line))
        return found

    def holds(self, number: int, kind: str, condition: str) -> bool:
        if kind in ("ifb", "ifnb"):
            return (condition == "") == (kind == "ifb")
        if kind in ("ifc", "ifnc"):
            left, _, right = condition.partition(",")
            return (left.strip() == right.strip()) == (kind == "ifc")
        if kind in ("ifdef", "ifndef"):
            try:
                self.constant(condition, number)
            except Exception:
                return kind == "ifndef"
            return kind == "ifdef"
        value = self.constant(condition, number)
        tests = {"if": value != 0, "ifne": value != 0, "ifeq": value == 0, "ifgt": value > 0,
                 "ifge": value >= 0, "iflt": value < 0, "ifle": value <= 0}  # fmt: skip
        return tests[kind]


def split_arguments(text: str) -> list[str]:
    """Arguments of a macro: separated by commas outside brackets and strings, or by spaces."""
    if not text.strip():
        return []
    parts, depth, quoted, current = [], 0, False, ""
    for character in text:
        quoted ^= character == '"'
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0 and not quoted:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    parts.append(current.strip())
    if len(parts) == 1 and not quoted and re.fullmatch(r"[\w.$\-\[\]:]+(\s+[\w.$\-\[\]:]+)+", text):
        return text.split()
    return parts


def _substitute(line: str, values: dict[str, str], count: int) -> str:
    def replacement(match: re.Match[str]) -> str:
        name = match.group(1)
        if name == "@":
            return str(count)
        if name == "()":
            return ""
        return values.get(name, match.group())

    return re.sub(r"\\(@|\(\)|[\w$]+)", replacement, line) if "\\" in line else line
