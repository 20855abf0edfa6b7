"""Assembly text to a `Module`: lines to labels, assignments, directives and instructions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from lanemap.emulator.amdgcn.text import PROCESSOR
from lanemap.emulator.amdgcn.text.directives import HANDLERS, is_ignored, kernel_key
from lanemap.emulator.amdgcn.text.modifiers import (
    FLAGS,
    START,
    ModifierValue,
    parse_gpr_index,
    parse_hwreg,
    parse_modifiers,
    parse_sendmsg,
    parse_waitcnt,
)
from lanemap.emulator.amdgcn.text.module import Instruction, Module
from lanemap.emulator.amdgcn.text.operands import Constants, Operand, OperandError, parse_operand
from lanemap.emulator.amdgcn.text.state import ParserState
from lanemap.emulator.amdgcn.text.statements import statements
from lanemap.targets import TARGETS

_STATEMENT = re.compile(
    r"\s*([A-Za-z_.$][\w.$@]*|\d+(?=\s*:)|\"[^\"]+\"(?=\s*[:=]))\s*([:=](?!=))?"
)
_SUFFIX = re.compile(r"_(e32|e64|dpp|sdwa|e64_dpp)$")
_SPACES = re.compile(r"\s+")
_PACKED: dict[str, Callable[[str, Constants], int]] = {
    "s_waitcnt": parse_waitcnt,
    "s_getreg_b32": parse_hwreg,
    "s_setreg_b32": parse_hwreg,
    "s_setreg_imm32_b32": parse_hwreg,
    "s_sendmsg": parse_sendmsg,
    "s_sendmsghalt": parse_sendmsg,
    "s_set_gpr_idx_on": parse_gpr_index,
    "s_set_gpr_idx_mode": parse_gpr_index,
}


_CACHED = re.compile(r"(t?buffer|global|flat|scratch)_")
LATER_CACHE_BITS = ("sc0", "sc1", "nt")


def parse_module(text: str, file: str = "<assembly>", target: str = PROCESSOR) -> Module:
    """Parse AMDGCN assembly.

    Args:
        text: The file as clang, Triton or a person wrote it.
        file: Its name, for messages.
        target: The processor, unless the text names it.

    Returns:
        The module. Instructions are syntax alone: whether they exist is the table's business.

    Raises:
        AssemblyError: The text is malformed; the message names file and line.
    """
    state = ParserState(file, text.split("\n"), target)
    try:
        for line, statement in statements(text, file, state.constant):
            if statement and not statement.isspace() and line > state.skip_to:
                state.line = line
                _parse_statement(state, statement)
        state.finish()
    except OperandError as error:
        raise state.error(str(error)) from None
    return state.module


def _parse_statement(state: ParserState, statement: str) -> None:
    """Labels, then an assignment, a directive or an instruction."""
    at = 0
    while True:
        match = _STATEMENT.match(statement, at)
        if match is None:
            rest = statement[at:].strip()
            if rest and not rest.startswith("#"):
                raise state.error(f"{rest!r} is not a label, directive or instruction")
            return
        word, mark = match.group(1), match.group(2)
        if mark != ":":
            break
        state.define_label(word.strip('"'))
        at = match.end()
    rest = statement[match.end() :].strip()
    if mark == "=":
        state.assign(word.strip('"'), rest)
    elif word[0] != ".":
        state.emit(_instruction(state, word, rest, statement.strip()))
    elif word in HANDLERS:
        HANDLERS[word](state, word, rest)
    elif word.startswith(".amdhsa_") and not is_ignored(word):
        kernel_key(state, word.removeprefix(".amdhsa_"), rest)
    elif not is_ignored(word):
        raise state.error(f"unknown directive {word}; remove it, or write out what it does")


def _instruction(state: ParserState, word: str, rest: str, text: str) -> Instruction:
    match = _SUFFIX.search(word)
    mnemonic, encoding = (word[: match.start()], match.group(1)) if match else (word, "")
    modifiers: dict[str, ModifierValue] = {}
    if _CACHED.match(mnemonic):
        rest = _cache_bits(state, rest)
    if mnemonic in _PACKED:
        operands = _packed(state, mnemonic, rest)
    else:
        operands, modifiers = parse_operands(rest, state.constants)
    operands = tuple([_named(state, operand) for operand in operands])
    return Instruction(
        mnemonic, encoding, operands, modifiers, state.line, _SPACES.sub(" ", text), state.source
    )


def _cache_bits(state: ParserState, rest: str) -> str:
    """The operands and modifiers of an access, with the names that later targets have."""
    names = TARGETS[state.module.target].cache_bits
    if names == LATER_CACHE_BITS:
        return rest
    found = set(re.findall(r"\w+", rest))
    if wrong := sorted(found.intersection(LATER_CACHE_BITS)):
        raise state.error(
            f"{state.module.target} has no {wrong[0]}; its bits of caches are {', '.join(names)}"
        )
    renamed = dict(zip(names, LATER_CACHE_BITS, strict=True))
    return re.sub(rf"\b({'|'.join(names)})\b", lambda match: renamed[match[0]], rest)


def _named(state: ParserState, operand: Operand) -> Operand:
    """An operand whose expression, if any, has `.` and local labels replaced by names."""
    if operand.expression is None:
        return operand
    return replace(operand, expression=state.resolve(operand.expression))


def _packed(state: ParserState, mnemonic: str, rest: str) -> tuple[Operand, ...]:
    """Operands of an instruction one of whose operands is a packed integer such as hwreg(..)."""
    parse = _PACKED[mnemonic]
    if mnemonic in ("s_waitcnt", "s_sendmsg", "s_sendmsghalt", "s_set_gpr_idx_mode"):
        return (Operand("integer", value=parse(rest, state.constants), name=rest),)
    first, *others = _split(rest)
    if len(others) != 1:
        raise state.error(f"{mnemonic} takes two operands")
    packed, plain = (
        (others[0], first)
        if mnemonic in ("s_getreg_b32", "s_set_gpr_idx_on")
        else (first, others[0])
    )
    field = Operand("integer", value=parse(packed, state.constants), name=packed)
    value = parse_operand(plain, state.constants)
    return (value, field) if packed is others[0] else (field, value)


def parse_operands(
    text: str, constants: Constants
) -> tuple[tuple[Operand, ...], dict[str, ModifierValue]]:
    """Operands and modifiers of one instruction.

    Raises:
        OperandError: An operand or a modifier is malformed.
    """
    if not text:
        return (), {}
    modifiers: dict[str, ModifierValue] = {}
    # Quick tests spare most lines the search: a modifier has a colon, or follows a space.
    search = ":" in text or " " in text or text in FLAGS
    match = START.search(text) if search else None
    if match:
        modifiers = parse_modifiers(text[match.start() :], constants)
        text = text[: match.start()].rstrip().rstrip(",").rstrip()
        if not text:
            return (), modifiers
    parts = text.split(",") if "(" not in text and "[" not in text else _split(text)
    return tuple([parse_operand(part.strip(), constants) for part in parts]), modifiers


def _split(text: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    parts.append(text[start:].strip())
    return parts
