"""LDS instructions that move data between lanes: transposing reads, permutes, swizzles."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.lds import address
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.rules import LGKMCNT, Rule
from lanemap.emulator.amdgcn.lower.table import DS, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.runtime import abi

_DS = "AMD CDNA4 ISA, chapter 11 and chapter 12, LDS instructions"
_TRANSPOSE = _DS + "; lanemap.model.lds_transpose"


# -- transposing reads ----------------------------------------------------------------------------


def _own_table(text: Instruction) -> list[str]:
    return [text.mnemonic]


def _transposing(c: Context, chunk_bytes: int, align: int) -> None:
    """Read with transposition by the model's layout map; EXEC must be all ones."""
    b = c.b
    mask = b.masks.active_or_all()
    partial = b.alu.compare("ne", mask, c.constant("i64", -1))
    b.checks.rule(partial, Rule.EXEC, mask, lanes=b.alu.not_(mask))
    registers = registers_of(c.bound.operands[0])
    place = address(c, 1, c.modifier("offset"))
    words = b.memory.load_chunks(place, chunk_bytes, len(registers), c.values["table"], align=align)
    for register, word in zip(registers, words, strict=True):
        b.registers.write_issued(register, word)
    b.pending.issue(LGKMCNT, registers, abi.Space.SHARED)


@instruction(
    "ds_read_b64_tr_b16 ds_read_b64_tr_b8 ds_read_b64_tr_b4",
    "=va:w2 v:i32",
    DS,
    cite=_TRANSPOSE,
    raw=True,
    kind="load",
    tables=_own_table,
)
def ds_read_b64_tr(c: Context) -> None:
    _transposing(c, 8, 8)


@instruction(
    "ds_read_b96_tr_b6",
    "=va:w3 v:i32",
    DS,
    cite=_TRANSPOSE,
    raw=True,
    kind="load",
    tables=_own_table,
    even=False,
)
def ds_read_b96_tr(c: Context) -> None:
    _transposing(c, 12, 16)


# -- permutes -------------------------------------------------------------------------------------


def _permute(c: Context, function: str) -> None:
    b = c.b
    index = b.alu.lshr(address(c, 1, c.modifier("offset")), c.constant("i32", 2))
    index = b.checks.require_defined(index, "operand")
    (data,) = c.words(2)
    defined = b.rows.store(0, [data], optional=True)
    b.rows.store(1, [index.defined], optional=True)
    b.runtime.call(function, b.masks.active_or_all(), 0, 1, 2, int(defined))
    registers = registers_of(c.bound.operands[0])
    b.registers.write_issued(registers[0], b.rows.load(2, defined))
    b.pending.issue(LGKMCNT, registers)


@instruction("ds_bpermute_b32", "=v:i32 v:i32 v:i32", DS, cite=_DS, raw=True)
def ds_bpermute(c: Context) -> None:
    """From the lane (ADDR + offset) / 4 modulo 64; 0 where that lane does not execute."""
    _permute(c, "lm_gather")


@instruction("ds_permute_b32", "=v:i32 v:i32 v:i32", DS, cite=_DS, raw=True)
def ds_permute(c: Context) -> None:
    """To the lane (ADDR + offset) / 4 modulo 64; the highest sender wins, 0 where none sends."""
    _permute(c, "lm_scatter")


def swizzle_sources(offset: int) -> list[int]:
    """The lane that each lane reads in ds_swizzle_b32."""
    if offset >= 0xE000:
        return [_fft(lane, offset & 31) for lane in range(64)]
    if offset >= 0xC000:
        rotate, mask = offset >> 5 & 31, offset & 31
        if offset >> 10 & 1:
            rotate = -rotate
        return [((lane & mask) | ((lane + rotate) & ~mask)) & 31 | lane & 32 for lane in range(64)]
    if offset & 0x8000:
        return [lane & ~3 | offset >> 2 * (lane & 3) & 3 for lane in range(64)]
    invert, force, keep = offset >> 10 & 31, offset >> 5 & 31, offset & 31
    return [(((lane & 31) & keep) | force) ^ invert | lane & 32 for lane in range(64)]


def _fft(lane: int, mask: int) -> int:
    reversed_bits = int(f"{lane & 31:05b}"[::-1], 2)
    return (reversed_bits >> bin(mask).count("1")) | (lane & mask) | (lane & 32)


@instruction("ds_swizzle_b32", "=va:i32 v:i32", DS, cite=_DS, raw=True)
def ds_swizzle(c: Context) -> None:
    """0 where the source lane does not execute."""
    b = c.b
    sources = swizzle_sources(c.modifier("offset"))
    (word,) = c.words(1)
    moved = b.lanes.shuffled(word, sources)
    mask = b.masks.active()
    if mask is not None:
        there = b.lanes.shuffled(b.lanes.of_mask(mask), sources)
        moved = b.alu.select(there, moved, c.constant("i32", 0))
    registers = registers_of(c.bound.operands[0])
    b.registers.write_issued(registers[0], moved)
    b.pending.issue(LGKMCNT, registers)
