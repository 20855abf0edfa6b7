"""Directives: one handler each; those without effect on execution are listed as ignored.

GNU as names and LLVM's own (LLVM, lib/MC/MCParser/AsmParser.cpp and ELFAsmParser.cpp; for
`.amdhsa_`, `.amdgcn_` and `.amdgpu_` AMDGPUUsage, "Assembler Directives").
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from lanemap.emulator.amdgcn.text.module import Align
from lanemap.emulator.amdgcn.text.state import ParserState
from lanemap.emulator.amdgcn.text.statements import split_arguments
from lanemap.targets import TARGETS

Handler = Callable[[ParserState, str, str], None]

_IGNORED = """
.amdhsa_code_object_version .ident .addrsig .addrsig_sym .hidden .protected .internal .local
.weakref .symver .version .title .sbttl .list .nolist .print .line .loc_label .pseudoprobe
"""
_IGNORED_NAMES = frozenset(_IGNORED.split())
_FILL_LIMIT = 1 << 30

HANDLERS: dict[str, Handler] = {}


def is_ignored(name: str) -> bool:
    """Whether a directive makes no code: call frame information, listings, visibility.

    ROCm's clang has directives of call frames that LLVM's has not (`.cfi_llvm_register_pair`, ..).
    """
    return name in _IGNORED_NAMES or name.startswith(".cfi_")


def _directive(*names: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register


def _numbers(state: ParserState, text: str) -> list[int]:
    return [state.constant(part, state.line) for part in split_arguments(text) if part]


# Sections.


@_directive(".text", ".data", ".bss", ".rodata")
def _plain_section(state: ParserState, name: str, text: str) -> None:
    state.enter(state.open_section(name))


@_directive(".section", ".pushsection")
def _section(state: ParserState, name: str, text: str) -> None:
    parts = split_arguments(text)
    if not parts:
        raise state.error(".section needs a name")
    flags = parts[1].strip('"') if len(parts) > 1 else None
    zeros = any(part in ("@nobits", "%nobits") for part in parts[2:3])
    state.section_stack.append(state.section)
    state.enter(state.open_section(parts[0].strip('"'), flags, zeros))


@_directive(".popsection")
def _pop_section(state: ParserState, name: str, text: str) -> None:
    if not state.section_stack:
        raise state.error(".popsection without .pushsection")
    state.enter(state.section_stack.pop())


@_directive(".previous")
def _previous(state: ParserState, name: str, text: str) -> None:
    state.enter(state.previous)


# Symbols.


@_directive(".globl", ".global", ".weak")
def _binding(state: ParserState, name: str, text: str) -> None:
    for symbol in split_arguments(text):
        state.symbol(symbol.strip('"')).binding = "global"


@_directive(".type")
def _type(state: ParserState, name: str, text: str) -> None:
    symbol, _, kind = text.rpartition(",")
    kinds = {"function": "function", "object": "object"}
    state.symbol(symbol.strip().strip('"')).kind = kinds.get(kind.strip(" @%#\t"), "notype")


@_directive(".size")
def _size(state: ParserState, name: str, text: str) -> None:
    symbol, separator, size = text.partition(",")
    if not separator:
        raise state.error(".size takes a symbol and an expression")
    state.symbol(symbol.strip().strip('"')).size = state.expression(size)


@_directive(".set", ".equ", ".equiv")
def _set(state: ParserState, name: str, text: str) -> None:
    symbol, separator, value = text.partition(",")
    if not separator:
        raise state.error(f"{name} takes a symbol and a value: {name} symbol, value")
    state.assign(symbol.strip().strip('"'), value)


@_directive(".amdgpu_lds")
def _lds(state: ParserState, name: str, text: str) -> None:
    parts = split_arguments(text)
    numbers = _numbers(state, ",".join(parts[1:]))
    if not 1 <= len(numbers) <= 2:
        raise state.error(".amdgpu_lds takes a symbol, its size and its alignment")
    state.module.lds[parts[0].strip('"')] = (numbers[0], numbers[1] if len(numbers) > 1 else 4)


@_directive(".comm", ".lcomm")
def _common(state: ParserState, name: str, text: str) -> None:
    parts = split_arguments(text)
    numbers = _numbers(state, ",".join(parts[1:]))
    if not numbers or not 0 <= numbers[0] <= _FILL_LIMIT:
        raise state.error(f"{name} takes a symbol and a size of at most {_FILL_LIMIT} bytes")
    current = state.section
    state.enter(state.open_section(".bss"))
    state.emit(Align(numbers[1] if len(numbers) > 1 else 1, 0, state.line))
    state.define_label(parts[0].strip('"'))
    state.data().content += bytes(numbers[0])
    state.enter(current)


# Data.

for _name, _bytes in {
    ".byte": 1,
    ".1byte": 1,
    ".short": 2,
    ".hword": 2,
    ".2byte": 2,
    ".value": 2,
    ".word": 2,
    ".half": 2,
    ".long": 4,
    ".int": 4,
    ".4byte": 4,
    ".quad": 8,
    ".8byte": 8,
    ".xword": 8,
}.items():

    def _values(state: ParserState, name: str, text: str, size: int = _bytes) -> None:
        for part in split_arguments(text):
            state.emit_value(part, size)

    HANDLERS[_name] = _values


@_directive(".float", ".single", ".double")
def _floats(state: ParserState, name: str, text: str) -> None:
    form = "<d" if name == ".double" else "<f"
    for part in split_arguments(text):
        try:
            state.data().content += struct.pack(form, float(part))
        except (ValueError, OverflowError):
            raise state.error(f"{part!r} is not a number of that type") from None


_ESCAPES = {"n": 10, "t": 9, "r": 13, "b": 8, "f": 12, "\\": 92, '"': 34}


def _unescape(state: ParserState, text: str) -> bytes:
    result = bytearray()
    for match in re.finditer(r"\\([0-7]{1,3})|\\[xX]([0-9a-fA-F]+)|\\(.)|([^\\]+)", text):
        octal, hexadecimal, character, plain = match.groups()
        if octal:
            result.append(int(octal, 8) & 255)
        elif hexadecimal:
            result.append(int(hexadecimal, 16) & 255)
        elif plain:
            result += plain.encode()
        elif character in _ESCAPES:
            result.append(_ESCAPES[character])
        else:
            raise state.error(f"\\{character} is not an escape of a string")
    return bytes(result)


@_directive(".ascii", ".asciz", ".string")
def _strings(state: ParserState, name: str, text: str) -> None:
    ends = name != ".ascii"
    found = re.findall(r'"((?:\\.|[^"\\])*)"', text)
    if re.sub(r'"((?:\\.|[^"\\])*)"', "", text).strip(" ,\t") or not found:
        raise state.error("a string in double quotes is needed")
    for string in found:
        state.data().content += _unescape(state, string) + bytes(ends)


@_directive(".uleb128", ".sleb128")
def _leb128(state: ParserState, name: str, text: str) -> None:
    if not state.section.name.startswith(".debug"):
        raise state.error(f"{name} is supported in sections of debug information only")


@_directive(".zero", ".skip", ".space")
def _zero(state: ParserState, name: str, text: str) -> None:
    numbers = _numbers(state, text)
    if not 1 <= len(numbers) <= 2 or not 0 <= numbers[0] <= _FILL_LIMIT:
        raise state.error("a number of bytes is needed, and at most a fill value")
    state.data().content += bytes([numbers[1] & 255 if len(numbers) > 1 else 0]) * numbers[0]


@_directive(".fill")
def _fill(state: ParserState, name: str, text: str) -> None:
    numbers = _numbers(state, text)
    if not 1 <= len(numbers) <= 3:
        raise state.error(".fill takes a count, a size and a value")
    count, size, value = [*numbers, *(1, 0)[len(numbers) - 1 :]]
    if count < 0 or not 0 <= size <= 8 or count * size > _FILL_LIMIT:
        raise state.error(".fill takes a count of at least 0 and a size of 0 to 8")
    # GNU as fills at most four bytes of each element with the value.
    element = (value & 0xFFFFFFFF).to_bytes(8, "little")[:size]
    state.data().content += element * count


@_directive(".p2align", ".p2alignl", ".p2alignw")
def _power_align(state: ParserState, name: str, text: str) -> None:
    power, fill = _alignment(state, text)
    if not 0 <= power <= 16:
        raise state.error(f".p2align takes a power of two up to 16, not {power}")
    state.emit(Align(1 << power, fill, state.line))


@_directive(".align", ".balign", ".balignl", ".balignw")
def _byte_align(state: ParserState, name: str, text: str) -> None:
    alignment, fill = _alignment(state, text)
    if alignment < 1 or alignment & (alignment - 1):
        raise state.error(f".balign takes a power of two, not {alignment}")
    state.emit(Align(alignment, fill, state.line))


def _alignment(state: ParserState, text: str) -> tuple[int, int]:
    parts = split_arguments(text)
    if not parts:
        raise state.error("an alignment is needed")
    fill = state.constant(parts[1], state.line) if len(parts) > 1 and parts[1] else 0
    return state.constant(parts[0], state.line), fill


# Line tables: only what names a line in a message.


@_directive(".file")
def _file(state: ParserState, name: str, text: str) -> None:
    match = re.match(r'(\d+)\s+(?:"([^"]*)"\s+)?"([^"]*)"', text)
    if match:
        state.files[int(match.group(1))] = match.group(3)


@_directive(".loc")
def _loc(state: ParserState, name: str, text: str) -> None:
    words = text.split()
    if len(words) < 2 or not (words[0].isdigit() and words[1].isdigit()):
        raise state.error(".loc takes a file number and a line number")
    state.source = (state.files.get(int(words[0]), f"file {words[0]}"), int(words[1]))


# AMD's own.


@_directive(".amdgcn_target")
def _target(state: ParserState, name: str, text: str) -> None:
    match = re.fullmatch(r'"([^"]*)"', text)
    triple = match.group(1) if match else ""
    # The last part is the processor and its features: gfx950:sramecc+:xnack-.
    processor, *features = triple[max(triple.rfind("gfx"), 0) :].split(":")
    known = [each.name for each in TARGETS.values() if not each.is_nvidia]
    if processor not in known:
        raise state.error(
            f".amdgcn_target {text} is for none of the AMD processors that this emulator has: "
            f"{', '.join(known)}"
        )
    state.module.target, state.module.features = processor, frozenset(features)


@_directive(".amdhsa_kernel")
def _kernel(state: ParserState, name: str, text: str) -> None:
    kernel = text.strip().strip('"')
    if state.kernel is not None:
        raise state.error(f"the kernel block of {state.kernel[0]} needs .end_amdhsa_kernel")
    if not kernel:
        raise state.error(".amdhsa_kernel needs the kernel's name")
    if any(kernel == other for other, _, _ in state.kernels):
        raise state.error(f"kernel {kernel} has two .amdhsa_kernel blocks")
    state.kernel = (kernel, state.line, {})


@_directive(".end_amdhsa_kernel")
def _end_kernel(state: ParserState, name: str, text: str) -> None:
    if state.kernel is None:
        raise state.error(".end_amdhsa_kernel without .amdhsa_kernel")
    state.kernels.append(state.kernel)
    state.kernel = None


@_directive(".amdgpu_metadata")
def _metadata(state: ParserState, name: str, text: str) -> None:
    start = state.line
    for number in range(start, len(state.raw)):
        if state.raw[number].strip().startswith(".end_amdgpu_metadata"):
            state.metadata.append((start, "\n".join(state.raw[start:number])))
            state.skip_to = number + 1
            return
    raise state.error(".amdgpu_metadata needs .end_amdgpu_metadata")


def kernel_key(state: ParserState, key: str, text: str) -> None:
    """A line `.amdhsa_KEY value` of a kernel block."""
    if state.kernel is None:
        raise state.error(f".amdhsa_{key} outside an .amdhsa_kernel block")
    name, _, keys = state.kernel
    if key in keys:
        raise state.error(f".amdhsa_{key} is given twice for kernel {name}")
    if not text:
        raise state.error(f".amdhsa_{key} needs a value")
    keys[key] = (state.expression(text), state.line)
