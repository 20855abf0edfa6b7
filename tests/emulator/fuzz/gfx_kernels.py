"""Kernels of gfx950 whose instructions get every operand from an array: one stretch a form."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower.binding import bind
from lanemap.emulator.amdgcn.lower.table import TABLE, Definition
from lanemap.emulator.amdgcn.text.errors import AssemblyError, Place
from lanemap.emulator.amdgcn.text.parser import parse_module
from lanemap.toolchain.amdgcn_kernel import Kernel
from tests.emulator.amdgcn.test_table import canonical

REGISTERS, LANES = 48, 64
_FORMS_OF_A_KERNEL = 16
_REACHING = frozenset(["DS", "FLAT", "MUBUF", "SMEM"])
_ALSO = re.compile(r"readlane|writelane|readfirstlane|permute|mov_b32|setpc|swappc|swap|mfma")
_KERNEL = Kernel("k", ("in",), ("which", "state"), 1024, 512, 100, LANES, scratch_bytes=256)
_BEGIN = """\
  s_load_dwordx2 s[98:99], s[0:1], 0x0
  s_load_dwordx2 s[96:97], s[0:1], 0x8
  v_lshlrev_b32 v254, 3, v0
  s_waitcnt lgkmcnt(0)
"""
_REGISTER = re.compile(r"\b([sva])(?:(\d+)|\[(\d+):(\d+)\])")


def _used(line: str) -> list[tuple[str, int]]:
    found: dict[tuple[str, int], None] = {}
    for kind, one, first, last in _REGISTER.findall(line):
        for number in range(int(one or first), int(one or last) + 1):
            found[kind, number] = None
    return list(found)


def _loads(line: str) -> list[str]:
    """Fill the registers of an instruction: register n from row n // 2, half n % 2."""
    loads = []
    for kind, number in _used(line):
        offset = number // 2 % REGISTERS * 8 * LANES + 4 * (number % 2)
        if kind == "s":
            loads.append(f"  s_load_dword s{number}, s[98:99], {offset}")
            continue
        loads += [
            f"  v_add_u32 v253, {offset}, v254",
            f"  global_load_dword v{252 if kind == 'a' else number}, v253, s[98:99]",
        ]
        if kind == "a":
            loads += ["  s_waitcnt vmcnt(0)", f"  v_accvgpr_write_b32 a{number}, v252"]
    return loads


def _stretch(line: str, number: int) -> str:
    return "\n".join(
        [
            f"form{number}:",
            *_loads(line),
            f"  s_load_dwordx2 s[96:97], s[98:99], {(REGISTERS - 1) * 8 * LANES}",
            f"  s_load_dword s95, s[98:99], {(REGISTERS - 2) * 8 * LANES}",
            "  s_waitcnt vmcnt(0) lgkmcnt(0)",
            "  s_mov_b32 m0, s95",
            "  s_mov_b64 exec, s[96:97]",
            "  s_nop 15",
            f"  {line}",
            "  s_nop 15",
            "  s_waitcnt vmcnt(0) lgkmcnt(0)",
            "  s_endpgm",
            "",
        ]
    )


def _lines(definition: Definition, drawn: random.Random) -> list[str]:
    """An instruction as its definition says, and with offsets at the end of what they may be."""
    line = canonical(definition)
    found = [line]
    modifiers = {
        "DS": ["offset:65535", "offset0:255 offset1:255"],
        "FLAT": ["offset:4095", "offset:-4096"],
        "MUBUF": ["offset:4095", "offen", "idxen", "offen offset:4095"],
    }.get(definition.format.name, [])
    for modifier in modifiers:
        written = f"{line} {modifier}"
        if "en" in modifier.split()[0]:
            written = written.replace("off,", "v250,", 1)
        found.append(written)
    if definition.format.name == "FLAT" and "v[2:3], off" in line:
        found.append(line.replace("v[2:3], off", "v2, s[4:5]"))
    return [text for text in found if _binds(text)]


def _binds(line: str) -> bool:
    try:
        (instruction,) = parse_module(line, "k.s").instructions()
        bind(instruction, Place("k.s", 1))
    except AssemblyError:
        return False
    return True


def chosen(seed: int, reaching: int, plain: int) -> list[str]:
    """Draw instructions."""
    drawn = random.Random(seed)
    some: dict[bool, list[str]] = {True: [], False: []}
    for name in sorted(TABLE):
        definition = TABLE[name]
        if any(role.place == "label" for role in definition.roles) or definition.kind == "mode":
            continue
        if name.startswith("s_set_gpr_idx") or definition.kind == "getreg":
            continue
        which = definition.format.name in _REACHING or bool(_ALSO.search(name))
        some[which] += _lines(definition, drawn)
    found = drawn.sample(some[True], min(reaching, len(some[True])))
    return found + drawn.sample(some[False], min(plain, len(some[False])))


def kernels(seed: int, reaching: int, plain: int) -> Iterator[tuple[str, list[str]]]:
    """Yield texts with an entry `k`, and the instruction that each value of `which` executes."""
    lines = chosen(seed, reaching, plain)
    for begin in range(0, len(lines), _FORMS_OF_A_KERNEL):
        part = lines[begin : begin + _FORMS_OF_A_KERNEL]
        branches = "".join(
            f"  s_cmp_eq_u32 s96, {n}\n  s_cbranch_scc1 form{n}\n" for n in range(len(part))
        )
        body = "".join(_stretch(line, n) for n, line in enumerate(part))
        yield _KERNEL.text(f"{_BEGIN}{branches}  s_endpgm\n{body}"), part
