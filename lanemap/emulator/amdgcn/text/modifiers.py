"""Modifiers after the operands, and operands that are packed integers: waits, hwreg, messages.

Names and ranges follow LLVM, "Syntax of AMDGPU Instruction Modifiers" and lib/Target/AMDGPU/Utils
/AMDGPUAsmUtils.cpp; the wait fields are those of AMD CDNA4 ISA, 4.4 and the S_WAITCNT entry.
"""

from __future__ import annotations

import re

from lanemap.emulator.amdgcn.text.expressions import (
    Expression,
    ExpressionError,
    Number,
    parse_expression,
)
from lanemap.emulator.amdgcn.text.operands import Constants, OperandError

ModifierValue = int | str | bool | tuple[int, ...] | Expression

_FLAGS = """
glc slc dlc sc0 sc1 nt lds offen idxen addr64 tfe clamp high gds row_mirror row_half_mirror
"""
_NUMBERS = """
offset offset0 offset1 cbsz abid blgp bitop3 row_shl row_shr row_ror row_bcast row_newbcast
wave_shl wave_rol wave_shr wave_ror row_mask bank_mask bound_ctrl fi mul div format
"""
FLAGS = tuple(sorted(_FLAGS.split(), key=len, reverse=True))
_LISTS = ("quad_perm", "op_sel_hi", "op_sel", "neg_lo", "neg_hi", "neg")
_SELECT = ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD")
_NAMES = {
    "dst_sel": _SELECT,
    "src0_sel": _SELECT,
    "src1_sel": _SELECT,
    "dst_unused": ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"),
}
_VALUED = sorted([*_NUMBERS.split(), *_LISTS, *_NAMES], key=len, reverse=True)
# A flag stands alone, everything else is followed by a colon.
START = re.compile(
    rf"(?:^|(?<=[\s,\])]))(?:(?P<flag>{'|'.join(FLAGS)})(?![\w:(.$@])"
    rf"|(?P<name>{'|'.join(_VALUED)})\s*:)"
)


def parse_modifiers(text: str, constants: Constants) -> dict[str, ModifierValue]:
    """Parse the modifiers of one instruction.

    Args:
        text: Everything from the first modifier on.
        constants: Values of symbols that are absolute numbers by now.

    Raises:
        OperandError: A modifier is unknown, repeated, or has no legal value.
    """
    found: dict[str, ModifierValue] = {}
    starts = list(START.finditer(text))
    if not starts or starts[0].start() != 0:
        raise OperandError(f"{text.strip()!r} is not a modifier")
    for position, match in enumerate(starts):
        end = starts[position + 1].start() if position + 1 < len(starts) else len(text)
        value = text[match.end() : end].strip().rstrip(",").strip()
        flag, name = match.group("flag"), match.group("name")
        if flag and value:
            raise OperandError(f"{value!r} is not a modifier")
        if (flag or name) in found:
            raise OperandError(f"{flag or name} is given twice")
        if flag:
            found[flag] = True
        else:
            found[name] = _value(name, value, constants)
    return found


def _value(name: str, text: str, constants: Constants) -> ModifierValue:
    if name in _LISTS:
        if not (text.startswith("[") and text.endswith("]")):
            raise OperandError(f"{name} takes a list in brackets, not {text!r}")
        items = tuple(_integer(part, constants) for part in text[1:-1].split(","))
        highest = 3 if name == "quad_perm" else 1
        if any(not 0 <= item <= highest for item in items):
            raise OperandError(f"each element of {name} is 0 to {highest}; got {text}")
        if name == "quad_perm" and len(items) != 4:
            raise OperandError(f"quad_perm takes four lanes, not {text}")
        return items
    if name in _NAMES:
        if text not in _NAMES[name]:
            raise OperandError(f"{name} must be one of {', '.join(_NAMES[name])}; got {text!r}")
        return text
    if name == "offset" and text.startswith("swizzle"):
        return _swizzle(text, constants)
    if name == "format" and text.startswith("["):
        return _format(text)
    return _number(name, text, constants)


def _number(name: str, text: str, constants: Constants) -> int | Expression:
    if text[:1].isdigit():
        try:
            return int(text, 0)
        except ValueError:
            pass
    try:
        expression = parse_expression(text, constants)
    except ExpressionError as error:
        raise OperandError(f"{name}:{text} has no legal value ({error})") from None
    if isinstance(expression, Number):
        return expression.value
    if name != "offset":
        raise OperandError(f"{name}:{text} is not a known number; use .set before this line")
    return expression


#: Formats of typed buffers by number (AMD CDNA4 ISA, 9.1.2, table 41), as LLVM names them.
DATA_FORMATS = (
    "INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10",
    "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15",
)  # fmt: skip
NUMBER_FORMATS = (
    "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT",
)  # fmt: skip
#: What is left out of `format:[..]`: 8, UNORM.
DEFAULT_FORMAT = 1


def _format(text: str) -> int:
    """`[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]`, in either order, one or both: 7 bits."""
    names = [part.strip() for part in text.removeprefix("[").removesuffix("]").split(",")]
    data, number = 0, 0
    for prefix, known in (("BUF_DATA_FORMAT_", DATA_FORMATS), ("BUF_NUM_FORMAT_", NUMBER_FORMATS)):
        found = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
        if len(found) > 1 or any(name not in known for name in found):
            raise OperandError(f"format:{text} names no format")
        if prefix == "BUF_DATA_FORMAT_":
            data = known.index(found[0]) if found else DEFAULT_FORMAT
        elif found:
            number = known.index(found[0])
    if not all(name.startswith(("BUF_DATA_FORMAT_", "BUF_NUM_FORMAT_")) for name in names):
        raise OperandError(f"format:{text} names no format")
    return number << 4 | data


def _integer(text: str, constants: Constants) -> int:
    value = _number("the element", text.strip(), constants)
    if not isinstance(value, int):
        raise OperandError(f"{text!r} is not a known number; use .set before this line")
    return value


def _arguments(text: str, function: str) -> list[str]:
    match = re.match(rf"{function}\s*\((.*)\)$", text.strip())
    if match is None:
        raise OperandError(f"{text!r} is not of the form {function}(..)")
    return [part.strip() for part in match.group(1).split(",")]


def _swizzle(text: str, constants: Constants) -> int:
    """The offset of ds_swizzle_b32 from `swizzle(MODE, ..)` (AMD CDNA4 ISA, DS_SWIZZLE_B32)."""
    mode, *rest = _arguments(text, "swizzle")
    if mode == "BITMASK_PERM" and len(rest) == 1:
        return _bitmask(rest[0].strip('"'))
    numbers = [_integer(part, constants) for part in rest]
    if mode == "QUAD_PERM" and len(numbers) == 4:
        return 0x8000 | sum(lane << (2 * place) for place, lane in enumerate(numbers))
    if mode == "BROADCAST" and len(numbers) == 2:
        return (32 - numbers[0]) | numbers[1] << 5
    if mode == "SWAP" and len(numbers) == 1:
        return 0x1F | numbers[0] << 10
    if mode == "REVERSE" and len(numbers) == 1:
        return 0x1F | (numbers[0] - 1) << 10
    if mode == "FFT" and len(numbers) == 1:
        return 0xE000 | numbers[0]
    if mode == "ROTATE" and len(numbers) == 3:
        return 0xC000 | numbers[0] << 10 | numbers[1] << 5 | numbers[2]
    raise OperandError(
        f"{text!r} is not a swizzle; use QUAD_PERM with 4 lanes, BITMASK_PERM with 5 characters, "
        "BROADCAST with size and lane, SWAP, REVERSE or FFT with a size"
    )


def _bitmask(control: str) -> int:
    """The masks of BITMASK_PERM: per lane-id bit, highest first, 0, 1, p (keep) or i (invert)."""
    if len(control) != 5 or set(control) - set("01pi"):
        raise OperandError(f"BITMASK_PERM takes five of the characters 0, 1, p, i; got {control!r}")
    masks = {"0": (0, 0, 0), "1": (0, 1, 0), "p": (1, 0, 0), "i": (1, 0, 1)}
    value = 0
    for place, character in enumerate(reversed(control)):
        keep, force, invert = masks[character]
        value |= keep << place | force << (5 + place) | invert << (10 + place)
    return value


# Field: (least bits, their shift, further bits, their shift, largest count).
_COUNTERS = {"vmcnt": (4, 0, 2, 14, 63), "expcnt": (3, 4, 0, 0, 7), "lgkmcnt": (4, 8, 0, 0, 15)}
WAIT_NOTHING = 0xCF7F


def parse_waitcnt(text: str, constants: Constants) -> int:
    """The 16 bits of `s_waitcnt`: vmcnt [15:14|3:0], expcnt [6:4], lgkmcnt [11:8].

    Raises:
        OperandError: Not a number and not counters, or a count too large for its field.
    """
    matches = list(re.finditer(r"(\w+?)(_sat)?\s*\(([^)]*)\)\s*[,&]?\s*", text))
    if not matches:
        return _integer(text, constants)
    value, at = WAIT_NOTHING, 0
    for match in matches:
        name = match.group(1)
        if match.start() != at or name not in _COUNTERS:
            raise OperandError(f"s_waitcnt takes vmcnt(n), expcnt(n), lgkmcnt(n); got {text!r}")
        at = match.end()
        low, shift, high, high_shift, most = _COUNTERS[name]
        count = _integer(match.group(3), constants)
        if match.group(2):
            count = min(count, most)
        if not 0 <= count <= most:
            raise OperandError(f"{name}({count}) is too large; the counter holds 0 to {most}")
        value &= ~((1 << low) - 1 << shift | (1 << high) - 1 << high_shift)
        value |= (count & (1 << low) - 1) << shift | count >> low << high_shift
    if at != len(text):
        raise OperandError(f"s_waitcnt takes vmcnt(n), expcnt(n), lgkmcnt(n); got {text!r}")
    return value


HARDWARE_REGISTERS = {
    "HW_REG_MODE": 1, "HW_REG_STATUS": 2, "HW_REG_TRAPSTS": 3, "HW_REG_HW_ID": 4,
    "HW_REG_GPR_ALLOC": 5, "HW_REG_LDS_ALLOC": 6, "HW_REG_IB_STS": 7, "HW_REG_SH_MEM_BASES": 15,
    "HW_REG_SQ_SHADER_TBA_LO": 16, "HW_REG_SQ_SHADER_TBA_HI": 17, "HW_REG_SQ_SHADER_TMA_LO": 18,
    "HW_REG_SQ_SHADER_TMA_HI": 19, "HW_REG_XCC_ID": 20,
}  # fmt: skip


def parse_hwreg(text: str, constants: Constants) -> int:
    """The 16 bits of `hwreg(id, offset, size)`: id [5:0], offset [10:6], size - 1 [15:11]."""
    if not text.startswith("hwreg"):
        return _integer(text, constants)
    parts = _arguments(text, "hwreg")
    if len(parts) not in (1, 3):
        raise OperandError(f"hwreg takes a register, or register, offset and size; got {text!r}")
    name = parts[0]
    number = HARDWARE_REGISTERS.get(name)
    register = _integer(name, constants) if number is None else number
    offset, size = (_integer(part, constants) for part in (parts[1:] or ("0", "32")))
    if not (0 <= register < 64 and 0 <= offset < 32 and 1 <= size <= 32):
        raise OperandError(f"{text!r}: the offset is 0 to 31 and the size 1 to 32")
    return register | offset << 6 | (size - 1) << 11


_MESSAGES = {
    "MSG_INTERRUPT": 1, "MSG_GS": 2, "MSG_GS_DONE": 3, "MSG_SAVEWAVE": 4, "MSG_STALL_WAVE_GEN": 5,
    "MSG_HALT_WAVES": 6, "MSG_ORDERED_PS_DONE": 7, "MSG_EARLY_PRIM_DEALLOC": 8,
    "MSG_GS_ALLOC_REQ": 9, "MSG_GET_DOORBELL": 10, "MSG_SYSMSG": 15,
}  # fmt: skip


def parse_sendmsg(text: str, constants: Constants) -> int:
    """The 16 bits of `sendmsg(message)`; graphics operations are not part of compute code."""
    if not text.startswith("sendmsg"):
        return _integer(text, constants)
    parts = _arguments(text, "sendmsg")
    number = _MESSAGES.get(parts[0])
    if len(parts) != 1:
        raise OperandError(
            f"{text!r}: messages with an operation are for graphics and not supported"
        )
    return _integer(parts[0], constants) if number is None else number


def parse_gpr_index(text: str, constants: Constants) -> int:
    """The 4 bits of `gpr_idx(SRC0, SRC1, SRC2, DST)`."""
    if not text.startswith("gpr_idx"):
        return _integer(text, constants)
    bits = {"SRC0": 1, "SRC1": 2, "SRC2": 4, "DST": 8, "": 0}
    value = 0
    for part in _arguments(text, "gpr_idx"):
        if part not in bits:
            raise OperandError(f"{text!r}: gpr_idx takes SRC0, SRC1, SRC2 and DST")
        value |= bits[part]
    return value
