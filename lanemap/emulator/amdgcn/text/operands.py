"""Operands of an instruction: registers, constants and expressions.

Scalar registers, the special ones among them, share one numbering of 128, that of the scalar
source field (AMD CDNA4 ISA, 3.6.2 and the operand tables of chapter 13): s0..s101 (and what lies
behind them), VCC at 106, the trap registers at 108, M0 at 124, EXEC at 126.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from lanemap.emulator.amdgcn.text.expressions import (
    Expression,
    ExpressionError,
    Number,
    parse_expression,
    parse_integer,
)

VCC, TTMP0, M0, EXEC, SCC = 106, 108, 124, 126, 253
LAST_SGPR = 101
_LAST_INDEX = {"v": 255, "a": 255, "s": LAST_SGPR, "ttmp": 15}
_SPECIAL_SCALARS = {
    "flat_scratch": (102, 2), "flat_scratch_lo": (102, 1), "flat_scratch_hi": (103, 1),
    "xnack_mask": (104, 2), "xnack_mask_lo": (104, 1), "xnack_mask_hi": (105, 1),
    "vcc": (VCC, 2), "vcc_lo": (VCC, 1), "vcc_hi": (VCC + 1, 1),
    "m0": (M0, 1),
    "exec": (EXEC, 2), "exec_lo": (EXEC, 1), "exec_hi": (EXEC + 1, 1),
}  # fmt: skip
_SPECIAL_SOURCES = (
    "scc", "src_scc", "vccz", "src_vccz", "execz", "src_execz", "off", "lds_direct",
    "src_lds_direct", "src_shared_base", "src_shared_limit", "src_private_base",
    "src_private_limit", "src_pops_exiting_wave_id", "shared_base", "shared_limit",
    "private_base", "private_limit",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand as written.

    Attributes:
        kind: "v", "a" or "s" for registers; "integer", "float"; "expression" for what contains
            symbols; "special" for a named source such as "scc" or "off".
        index: First register.
        count: Number of consecutive 32-bit registers.
        value: The number of an integer or float operand.
        name: The name of a special operand.
        expression: The expression, for kind "expression".
        negate: A floating-point `-` or `neg()` in front.
        absolute: `|..|` or `abs()` around.
        sext: `sext()` around (SDWA).
    """

    kind: str
    index: int = 0
    count: int = 1
    value: int | float = 0
    name: str = ""
    expression: Expression | None = None
    negate: bool = False
    absolute: bool = False
    sext: bool = False

    @property
    def is_register(self) -> bool:
        """Whether the operand names registers."""
        return self.kind in ("v", "a", "s")

    def __str__(self) -> str:
        if self.kind == "s" and self.index >= 102:
            text = scalar_name(self.index, self.count)
        elif self.is_register:
            last = self.index + self.count - 1
            text = f"{self.kind}{self.index}"
            if self.count > 1:
                text = f"{self.kind}[{self.index}:{last}]"
        else:
            text = self.name or str(self.value)
        text = f"|{text}|" if self.absolute else text
        return f"-{text}" if self.negate else text


class OperandError(ValueError):
    """A malformed operand; the assembler adds file and line."""


def scalar_name(index: int, count: int = 1) -> str:
    """The assembler's name of scalar registers from their number in the scalar source field."""
    for name, place in _SPECIAL_SCALARS.items():
        if place == (index, count):
            return name
    if TTMP0 <= index < TTMP0 + 16:
        index, prefix = index - TTMP0, "ttmp"
    else:
        prefix = "s"
    return f"{prefix}{index}" if count == 1 else f"{prefix}[{index}:{index + count - 1}]"


_REGISTER = re.compile(r"(v|a|s|ttmp|acc)(\d+)$")
_RANGE = re.compile(r"(v|a|s|ttmp|acc)\s*\[([^:\]]+)(?::([^\]]+))?\]$")
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)$")
_FLOAT = re.compile(r"[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)$")
_WRAPPED = re.compile(r"(neg|abs|sext|lit)\s*\((.*)\)$")
_MODIFIED = re.compile(r"-\s*(?=\||v\d|v\[|s\d|s\[|a\d|a\[|ttmp|vcc|exec|m0|neg|abs|src_|scc)")

# A name that is no register, number or function.
_WORD = re.compile(
    r"(?<![\w.])(?!(?:[vas]|ttmp|acc)(?:\d+|\[)|(?:neg|abs|sext|lit)\s*\()[A-Za-z_.$][\w.$]*"
)

Constants = Callable[[str], int | None]


def _no_constants(name: str) -> int | None:
    return None


_known: dict[str, Operand] = {}


def parse_operand(text: str, constants: Constants = _no_constants) -> Operand:
    """Parse one operand.

    Args:
        text: The operand, without surrounding spaces.
        constants: Values of symbols that are absolute numbers by now (`.set`), for register
            indices such as `v[vgprBase+1]` and for expressions.

    Raises:
        OperandError: The text is not an operand, or names registers that gfx950 does not have.
    """
    operand = _known.get(text)
    if operand is None:
        operand = _parse(text, constants)
        # What names no symbol means the same in every file.
        if not _depends_on_symbols(text):
            _known[text] = operand
    return operand


def _depends_on_symbols(text: str) -> bool:
    """Whether the text may mean something else in another file."""
    words = _WORD.findall(text)
    return any(word not in _SPECIAL_SCALARS and word not in _SPECIAL_SOURCES for word in words)


def _parse(text: str, constants: Constants) -> Operand:
    match = _REGISTER.match(text)
    if match:
        return _register(match.group(1), int(match.group(2)), 1, text)
    if text in _SPECIAL_SCALARS:
        index, count = _SPECIAL_SCALARS[text]
        return Operand("s", index, count, name=text)
    if _INTEGER.match(text):
        sign = -1 if text[0] == "-" else 1
        try:
            return Operand("integer", value=sign * parse_integer(text.lstrip("+-")))
        except ExpressionError as error:
            raise OperandError(str(error)) from None
    match = _RANGE.match(text)
    if match:
        return _range(match, text, constants)
    if text in _SPECIAL_SOURCES:
        return Operand("special", name=text.removeprefix("src_"))
    if _FLOAT.match(text):
        return Operand("float", value=float(text))
    return _decorated(text, constants)


def _decorated(text: str, constants: Constants) -> Operand:
    """An operand with `-`, `|..|` or a function around it, a register list, or an expression."""
    if text.startswith("|") and text.endswith("|") and len(text) > 2:
        return replace(parse_operand(text[1:-1].strip(), constants), absolute=True)
    match = _WRAPPED.match(text)
    if match and match.group(1) == "lit":
        return parse_operand(match.group(2).strip(), constants)
    if match:
        inner = parse_operand(match.group(2).strip(), constants)
        if match.group(1) == "neg":
            return replace(inner, negate=True)
        if match.group(1) == "abs":
            return replace(inner, absolute=True)
        return replace(inner, sext=True)
    match = _MODIFIED.match(text)
    if match:
        return replace(parse_operand(text[match.end() :].strip(), constants), negate=True)
    if text.startswith("[") and text.endswith("]"):
        return _list(text, constants)
    try:
        expression = parse_expression(text, constants)
    except ExpressionError as error:
        raise OperandError(f"{text!r} is not an operand ({error})") from None
    if isinstance(expression, Number):
        return Operand("integer", value=expression.value)
    return Operand("expression", expression=expression, name=text)


def _register(prefix: str, index: int, count: int, text: str) -> Operand:
    kind = {"acc": "a", "ttmp": "s"}.get(prefix, prefix)
    last = _LAST_INDEX["a" if prefix == "acc" else prefix]
    if index < 0 or index + count - 1 > last:
        family = "a" if prefix == "acc" else prefix
        raise OperandError(f"{text} is outside the register file, which ends at {family}{last}")
    if kind == "s" and count > 1 and index % min(4, count if count != 3 else 4):
        raise OperandError(
            f"{text}: a scalar pair begins at an even register, four or more at a multiple of 4"
        )
    return Operand(kind, index + TTMP0 if prefix == "ttmp" else index, count)


def _range(match: re.Match[str], text: str, constants: Constants) -> Operand:
    first = _index(match.group(2), constants)
    last = first if match.group(3) is None else _index(match.group(3), constants)
    if last < first:
        raise OperandError(f"{text} ends before it begins")
    return _register(match.group(1), first, last - first + 1, text)


def _index(text: str, constants: Constants) -> int:
    if text.isdigit():
        return int(text)
    try:
        expression = parse_expression(text, constants)
    except ExpressionError as error:
        raise OperandError(f"{text!r} is not a register number ({error})") from None
    if not isinstance(expression, Number):
        raise OperandError(f"{text!r} is not a known number; define it with .set before its use")
    return expression.value


def _list(text: str, constants: Constants) -> Operand:
    """A list of consecutive registers: `[v0, v1, v2]`."""
    parts = [parse_operand(part.strip(), constants) for part in text[1:-1].split(",")]
    first = parts[0]
    for offset, part in enumerate(parts):
        if part.kind != first.kind or part.index != first.index + offset or part.count != 1:
            raise OperandError(f"{text} does not list consecutive registers of one kind")
    if not first.is_register:
        raise OperandError(f"{text} does not list registers")
    return _register(first.kind, first.index, len(parts), text) if len(parts) > 1 else first
