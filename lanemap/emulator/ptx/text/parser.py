"""PTX text to a `Module` (NVIDIA PTX ISA, Syntax; Directives).

One regular expression recognises how each statement begins; an instruction then ends at the next
`;`. Operands are parsed from their text and remembered by block, since registers repeat.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lanemap.emulator.ptx.text.bodies import BodyParser
from lanemap.emulator.ptx.text.declarations import SPACES, parse_variables
from lanemap.emulator.ptx.text.errors import Place, PtxError
from lanemap.emulator.ptx.text.module import Function, Module, Prototype
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Register
from lanemap.emulator.ptx.text.signatures import parameter_offsets, parse_parameters
from lanemap.emulator.ptx.text.variables import Variable

_COMMENT = re.compile(r"\"[^\"\n]*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"\s*\.(\w+)")
_BLANK = re.compile(r"\s*")
_NAME = re.compile(r"\s*([A-Za-z_$%][\w$]*)")
_FILE = re.compile(r"\s*(\d+)\s*\"([^\"\n]*)\"(?:\s*,\s*\d+\s*,\s*\d+)?")
_INLINE_ASSEMBLY = re.compile(r"// begin inline asm\n.*?// end inline asm\n", re.DOTALL)
_FIRST_LINE = re.compile(r"(// begin inline asm\n\s*)(\.loc\b[^\n]*)?(.*)", re.DOTALL)
_LINE_OF_SOURCE = re.compile(r"^[ \t]*\.loc\b.*$", re.MULTILINE)
_LINKAGE = ("visible", "extern", "weak", "common")
_NUMBERS = re.compile(r"\s*({n}(?:\s*,\s*{n})*)\b".format(n=r"(?:0[xX][\da-fA-F]+|[1-9]\d*|0)"))
_ENDLESS_NUMBER = re.compile(r"\d{501}")  # Python refuses to read those of several thousand
#: What .const variables of one text may take (PTX ISA, Constant State Space).
CONSTANT_BYTES = 64 << 10
#: Performance directives, with whether numbers follow.
DIRECTIVES = {
    "maxntid": True, "reqntid": True, "minnctapersm": True, "maxnreg": True, "maxnctapersm": True,
    "reqnctapercluster": True, "maxclusterrank": True, "explicitcluster": False,
    "blocksareclusters": False, "noreturn": False, "abi_preserve": True,
    "abi_preserve_control": True,
}  # fmt: skip


def parse(text: str, file: str = "the source") -> Module:
    """Parse PTX.

    Raises:
        PtxError: the text is malformed; the message begins with file:line.
    """
    return _Parser(text, file).module()


def _strip_comment(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == '"':
        return found
    return "\n" * found.count("\n") or " "


def _strip_later_lines(match: re.Match[str]) -> str:
    """Keep a `.loc` with which inline assembly begins: it is its statement's.

    LLVM numbers the lines of the assembly from there on, as if they were the source's. One behind
    other text than blanks is of such a line; the statement's then stands before the assembly.
    """
    head, kept, rest = _FIRST_LINE.fullmatch(match[0]).groups()  # type: ignore[union-attr]
    return f"{head}{kept or ''}{_LINE_OF_SOURCE.sub('', rest)}"


class _Parser:
    """Top-level statements; function bodies are `BodyParser`'s."""

    def __init__(self, text: str, file: str) -> None:
        text = _INLINE_ASSEMBLY.sub(_strip_later_lines, text)
        self.text = _COMMENT.sub(_strip_comment, text)
        self.file = file
        self.result = Module(file)
        self.position = 0
        self._newlines = [match.start() for match in re.finditer("\n", self.text)]
        endless = _ENDLESS_NUMBER.search(self.text)
        if endless is not None:
            raise self.error("a number has more than 500 digits", endless.start())

    def line(self, position: int) -> int:
        return bisect_right(self._newlines, position - 1) + 1

    def error(self, message: str, position: int | None = None) -> PtxError:
        at = self.position if position is None else position
        return Place(self.file, self.line(at)).error(message)

    def module(self) -> Module:
        while True:
            blank = _BLANK.match(self.text, self.position)
            self.position = blank.end() if blank else self.position
            if self.position == len(self.text):
                break
            self.statement()
        if not self.result.target or self.result.version == (0, 0):
            raise self.error("PTX needs `.version` and `.target` directives", 0)
        self.check_constants()
        return self.result

    def check_constants(self) -> None:
        """Refuse more constant variables than there is constant memory, as ptxas does.

        It lays them out in the order of the text, used or not.
        """
        end, first = 0, None
        for variable in self.result.variables.values():
            if variable.space == "const":
                end = -(-end // variable.align) * variable.align + variable.size
                if end > CONSTANT_BYTES and first is None:
                    first = variable
        if first is not None:
            raise Place(self.file, first.line).error(
                f"`{first.name}` does not fit into constant memory: the text has {end} bytes of "
                f".const variables, and {CONSTANT_BYTES} are the most"
            )

    def statement(self) -> None:
        begin = self.position
        words: list[str] = []
        while True:
            match = _WORD.match(self.text, self.position)
            if match is None:
                raise self.error(self.unexpected(begin), begin)
            word, self.position = match[1], match.end()
            if word not in _LINKAGE:
                break
            words.append(word)
        linkage = words[0] if words else ""
        try:
            if word in ("entry", "func"):
                self.function(word == "entry", linkage, begin)
            elif word in SPACES:
                self.variables(word, linkage, begin)
            else:
                self.directive(word, begin)
        except OperandError as error:
            raise self.error(str(error), begin) from error

    def unexpected(self, position: int) -> str:
        words = self.text[position : position + 60].split("\n")[0].split(";")[0].strip()
        return f"`{words}` is not known outside a function"

    def directive(self, word: str, begin: int) -> None:
        handler = {
            "version": self.version,
            "target": self.target,
            "address_size": self.address_size,
            "file": self.file_name,
            "section": self.section,
            "alias": self.alias,
            "pragma": self.skip_statement,
        }.get(word)
        if handler is None:
            raise self.error(f"`.{word}` is not known outside a function", begin)
        handler()

    def take(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        match = pattern.match(self.text, self.position)
        if match is None:
            raise self.error(f"{what} is expected here")
        self.position = match.end()
        return match

    def version(self) -> None:
        match = self.take(re.compile(r"\s*(\d+)\.(\d+)"), "a version such as 9.0")
        self.result.version = (int(match[1]), int(match[2]))

    def target(self) -> None:
        match = self.take(re.compile(r"\s*(\w+(?:\s*,\s*\w+)*)"), "a target such as sm_90a")
        names = [name.strip() for name in match[1].split(",")]
        self.result.target_line = self.line(self.position)
        self.result.target, self.result.options = names[0], tuple(names[1:])

    def address_size(self) -> None:
        match = self.take(re.compile(r"\s*(32|64)\b"), "32 or 64")
        self.result.address_size = int(match[1])

    def file_name(self) -> None:
        match = self.take(_FILE, "a number and a file name in quotes")
        self.result.files[int(match[1])] = match[2]

    def section(self) -> None:
        """Skip DWARF: `.loc` and `.file` say what is wanted."""
        self.take(re.compile(r"\s*\.?[\w.]+\s*\{[^}]*\}"), "a section's name and its { }")

    def alias(self) -> None:
        match = self.take(re.compile(r"\s*([\w$%]+)\s*,\s*([\w$%]+)\s*;"), "two names and `;`")
        self.result.aliases[match[1]] = match[2]

    def skip_statement(self) -> None:
        self.until_semicolon()

    def until_semicolon(self) -> str:
        end = self.text.find(";", self.position)
        if end < 0:
            raise self.error("a `;` is missing")
        text, self.position = self.text[self.position : end], end + 1
        return text

    def variables(self, space: str, linkage: str, begin: int) -> None:
        if space == "param":
            raise self.error("`.param` stands in a function's signature or body only", begin)
        line = self.line(begin)
        for variable in parse_variables(self.until_semicolon(), space, linkage, line):
            known = self.result.variables.get(variable.name)
            if known is not None and "extern" not in (known.linkage, linkage):
                raise self.error(f"`{variable.name}` is declared twice", begin)
            if known is None or known.linkage == "extern":
                self.result.variables[variable.name] = variable

    def function(self, is_entry: bool, linkage: str, begin: int) -> None:
        results = () if is_entry else self.parameters(begin)
        name = self.take(_NAME, "the name of a function")[1]
        parameters = self.parameters(begin)
        directives = self.directives()
        prototype = Prototype(results, parameters, "noreturn" in directives)
        offsets = parameter_offsets(parameters) if is_entry else ()
        function = Function(
            name, is_entry, linkage, prototype, self.line(begin), offsets, directives
        )
        known = self.result.functions.get(name)
        if (
            self.take(re.compile(r"\s*([;{])"), f"`{{` or `;` after the signature of {name}")[1]
            == ";"
        ):
            if known is None:
                self.result.functions[name] = function
            return
        if known is not None and known.defined:
            raise self.error(f"function {name} is defined twice", begin)
        # In the text's order of definitions, and callable from its own body.
        self.result.functions.pop(name, None)
        self.result.functions[name] = function
        function.defined = True
        body = BodyParser(self.text, self.file, self.result, function)
        self.position = body.parse(self.position, self.line(self.position))

    def parameters(self, begin: int) -> tuple[Register | Variable, ...]:
        """Parse `( .. )` if it is next."""
        match = re.compile(r"\s*\(").match(self.text, self.position)
        if match is None:
            return ()
        depth, position = 1, match.end()
        while depth:
            bracket = re.compile(r"[()]").search(self.text, position)
            if bracket is None:
                raise self.error("a `)` is missing", begin)
            depth += 1 if bracket[0] == "(" else -1
            position = bracket.end()
        text, self.position = self.text[match.end() : position - 1], position
        return parse_parameters(text, self.line(begin))

    def directives(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        while True:
            match = _WORD.match(self.text, self.position)
            if match is None:
                return found
            if match[1] not in DIRECTIVES and match[1] != "pragma":
                raise self.error(f"`.{match[1]}` is not known after a signature", match.start(1))
            self.position = match.end()
            if match[1] == "pragma":
                self.until_semicolon()
            elif DIRECTIVES[match[1]]:
                numbers = self.take(_NUMBERS, f"a number after `.{match[1]}`")[1].split(",")
                found[match[1]] = tuple(int(number, 0) for number in numbers)
            else:
                found[match[1]] = ()
