"""One form's site in a program: the registers that it reads, and the slot for its result."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs.banks import BANKS, LETTER_BITS, PREDICATES
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.exceptions import is_compared

_REGISTER = re.compile(r"\b([pchrdq])\d+\b")
#: The letter of the register that holds each type.
_TYPE_LETTER = {
    **dict.fromkeys(("u8", "s8", "b8"), "c"),
    **dict.fromkeys(("u16", "s16", "b16", "f16", "bf16"), "h"),
    **dict.fromkeys(("u32", "s32", "b32", "f32", "f16x2", "bf16x2", "u16x2", "s16x2"), "r"),
    **dict.fromkeys(("u64", "s64", "b64", "f64"), "d"),
    "b128": "q",
}  # fmt: skip
_FLOAT_KIND = {"f32": "f", "f64": "f", "f16": "f", "bf16": "b", "f16x2": "h", "bf16x2": "b"}
STORE = {"c": "b8", "h": "b16", "r": "b32", "d": "b64", "q": "b128"}


@dataclass(frozen=True)
class Slot:
    """The place of a form's result in the output.

    Attributes:
        form: Its name; parts of a program that are not forms have a name in parentheses.
        offset: First byte.
        stride: Bytes from one thread's part to the next one's.
        threads: Threads that have a part; 1 if all threads share it.
        size: Bytes of a thread's part that are written.
        compared: Whether both devices must write the same bytes.
    """

    form: str
    offset: int
    stride: int
    threads: int
    size: int
    compared: bool


class Writer:
    """A program that grows: lines, registers, functions, slots, initial output."""

    def __init__(self, threads: int) -> None:
        """Begin empty."""
        self.threads = threads
        self.lines: list[str] = []
        self.functions: list[str] = []
        self.slots: list[Slot] = []
        self.initial: dict[int, bytes] = {}
        self.temporaries: Counter[str] = Counter()
        self.end = 0
        self._labels = 0

    def line(self, *texts: str) -> None:
        """Append lines."""
        self.lines.extend(texts)

    def temporary(self, letter: str) -> str:
        """Return a fresh register: p, c, h, r, d or q."""
        self.temporaries[letter] += 1
        return f"%t{letter}{self.temporaries[letter]}"

    def label(self) -> str:
        """Return a fresh label."""
        self._labels += 1
        return f"L{self._labels}"

    def slot(self, form: str, size: int, common: bool = False) -> str:
        """Reserve `size` bytes for each thread, or one place for all; return its address."""
        stride = 1
        while stride < size:
            stride *= 2
        offset = -(-self.end // 32) * 32
        threads = 1 if common else self.threads
        self.slots.append(Slot(form, offset, stride, threads, size, is_compared(form)))
        self.end = offset + stride * threads
        return f"%out+{offset}" if common else f"%o{stride}+{offset}"

    def store(self, form: str, results: Sequence[tuple[str, str]]) -> None:
        """Store registers (letter, name), all of one letter, into a slot."""
        letter = results[0][0]
        if letter == "p":
            results, letter = [self._as_byte(name) for _, name in results], "r"
            width, kind = 1, "b8"
        else:
            width, kind = LETTER_BITS[letter] // 8, STORE[letter]
        address = self.slot(form, width * len(results))
        self.lines += stores("global", address, kind, width, [name for _, name in results])

    def _as_byte(self, predicate: str) -> tuple[str, str]:
        name = self.temporary("r")
        self.line(f"selp.u32 {name}, 1, 0, {predicate};")
        return "r", name


def stores(space: str, address: str, kind: str, width: int, names: Sequence[str]) -> list[str]:
    """Return stores of consecutive registers, up to 16 bytes each."""
    lines = []
    first = 0
    while first < len(names):
        most = max(1, min(4, 16 // width, len(names) - first))
        part = names[first : first + (2 if most == 3 else most)]
        vector = f".v{len(part)}" if len(part) > 1 else ""
        value = f"{{{', '.join(part)}}}" if len(part) > 1 else part[0]
        base, _, offset = address.partition("+")
        where = f"{base}+{int(offset or 0) + first * width}"
        lines.append(f"st.{space}{vector}.{kind} [{where}], {value};")
        first += len(part)
    return lines


class Site:
    """A form and its random choices, which do not depend on the other forms."""

    def __init__(self, form: Form, writer: Writer, seed: int) -> None:
        """Take the form's statement apart."""
        self.form, self.writer = form, writer
        self.chance = Chance(seed, form.name)
        self.name = form.name
        self.mnemonic, _, rest = form.statement.rstrip(";").partition(" ")
        self.tokens = self.mnemonic.split(".")
        self.opcode = self.tokens[0]
        self.operands = split_operands(rest)

    def has(self, *words: str) -> bool:
        """Return whether the mnemonic has all of these qualifiers."""
        return all(word in self.tokens for word in words)

    def kind_of(self, letter: str) -> str:
        """Return the kind of values that suits a register letter: that of the last type."""
        types = [t for t in self.tokens if _TYPE_LETTER.get(t) == letter]
        kind = _FLOAT_KIND.get(types[-1], "i") if types else "i"
        if (letter, kind) not in BANKS:
            return "i"
        if letter in "rdh" and self.chance.one_in(6):  # Any bits are legal, whatever the type.
            return self.chance.of([k for other, k in BANKS if other == letter])
        return kind

    def pick(self, letter: str, kind: str | None = None) -> str:
        """Return a register of a bank."""
        if letter == "p":
            return f"%p{self.chance.below(PREDICATES)}"
        kind = kind or self.kind_of(letter)
        return f"%{letter}{kind}{self.chance.below(BANKS[letter, kind])}"

    def other(self, register: str) -> str:
        """Return the next register of the same bank."""
        letter, kind, number = register[1], register[2], int(register[3:])
        return f"%{letter}{kind}{(number + 1) % BANKS[letter, kind]}"

    def source(self, operand: str, kind: str | None = None) -> str:
        """Return a source operand with bank registers instead of the form's own."""
        return _REGISTER.sub(lambda match: self.pick(match[1], kind), operand)

    def destination(self, operand: str, widen: bool = False) -> tuple[str, list[tuple[str, str]]]:
        """Return an operand with new registers, and these; sometimes wider ones if asked."""
        wider = self._wider(operand) if widen else ""
        found: list[tuple[str, str]] = []

        def fresh(match: re.Match[str]) -> str:
            letter = wider or match[1]
            found.append((letter, self.writer.temporary(letter)))
            return found[-1][1]

        return _REGISTER.sub(fresh, operand), found

    def _wider(self, operand: str) -> str:
        """Return the letter of a wider register for a narrow integer, or ""."""
        kind = self.tokens[-2 if self.opcode == "cvt" else -1]
        if self.opcode == "cvt" and (self.has("bf16") or self.has("pack")):
            return ""  # ptxas accepts no wider register here.
        if kind in ("u8", "s8", "b8"):
            return self.chance.of(["", "h", "r", "d"])
        if kind in ("u16", "s16", "b16") and "{" not in operand:
            return self.chance.of(["", "r", "d"])
        return ""

    def emit(self, operands: Sequence[str], guard: str = "") -> None:
        """Write the form itself."""
        self.writer.line(f"{guard}{self.mnemonic} {', '.join(operands)};".replace(" ;", ";"))

    def results(self, found: Sequence[tuple[str, str]]) -> None:
        """Store results in slots of the form, grouped by register letter."""
        for letter in dict.fromkeys(letter for letter, _ in found):
            self.writer.store(self.name, [item for item in found if item[0] == letter])


def split_operands(text: str) -> list[str]:
    """Return operands divided at commas outside braces and brackets."""
    parts = re.split(r",\s*(?![^{\[]*[}\]])", text)
    return [part.strip() for part in parts if part.strip()]
