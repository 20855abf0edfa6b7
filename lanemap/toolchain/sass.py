"""Disassembles a cubin with nvdisasm: which instructions it executes, and their control words."""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import dataclass, replace
from functools import cached_property

from lanemap import cache
from lanemap.errors import MissingEnvironment, UserError, writing
from lanemap.toolchain.control import Control
from lanemap.toolchain.places import find_program, identity
from lanemap.toolchain.scratch import scratch_folder

PACKAGE = "nvidia-cuda-nvdisasm"
_OPTIONS = ("-c", "-hex", "-gp")
_SECTION = re.compile(r"^\s*\.section\s+\.text\.([\w$.]+)")
_INSTRUCTION = re.compile(
    r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;"
)
#: The line of the PTX text that the next instructions were made of.
_PTX_LINE = re.compile(r'//## File "\.nv_debug_ptx_txt", line (\d+)')
_LABEL = re.compile(r"^(\.L_x_\d+):")
#: The 64-bit halves of an instruction, the lower one on its own line, the upper one on the next.
_HALF = re.compile(r"/\* 0x([0-9a-f]{16}) \*/\s*$")


@dataclass(frozen=True)
class SassInstruction:
    """One machine instruction: byte address in its function, guard, "LDTM.x4", operands.

    `word` holds its 128 bits; `control` is what they say of its issue. `label` is what branches
    name it by, such as ".L_x_3"; "" if none does. `line` is the line of the PTX text that it was
    made of, if ptxas had the option -lineinfo; else 0.
    """

    address: int
    guard: str
    opcode: str
    operands: str
    word: int = 0
    label: str = ""
    line: int = 0

    @property
    def text(self) -> str:
        """Guard, opcode and operands, as nvdisasm prints them."""
        return " ".join(word for word in (self.guard, self.opcode, self.operands) if word)

    @cached_property
    def control(self) -> Control:
        """Stall count, yield, barriers and reuse."""
        return Control.of(self.word)


def disassemble(cubin: bytes) -> dict[str, list[SassInstruction]]:
    """Return the instructions of each function of a cubin, padding after the last EXIT included.

    Raises:
        UserError: nvdisasm cannot read the cubin.
        MissingEnvironment: nvdisasm is not here.
    """
    program = find_program("nvdisasm", PACKAGE)
    asked = f"{identity(program)} {_OPTIONS}"
    key = hashlib.sha256(asked.encode() + b"\0" + cubin).hexdigest()
    listing = cache.cached(key, lambda: _listing(program, cubin).encode()).decode()
    functions: dict[str, list[SassInstruction]] = {}
    current: list[SassInstruction] = []
    label, ptx_line = "", 0
    for line in listing.splitlines():
        named = _LABEL.match(line)
        if named:
            label = named[1]
        made_of = _PTX_LINE.search(line)
        if made_of:
            ptx_line = int(made_of[1])
        section = _SECTION.match(line)
        if section:
            current, ptx_line = functions.setdefault(section[1], []), 0
            continue
        half = _HALF.search(line)
        match = _INSTRUCTION.match(line)
        if match:
            low = int(half[1], 16) if half else 0
            address = int(match[1], 16)
            guard, opcode, operands = match[2] or "", match[3], match[4]
            current.append(SassInstruction(address, guard, opcode, operands, low, label, ptx_line))
            label = ""
        elif half and current:
            current[-1] = replace(current[-1], word=current[-1].word | int(half[1], 16) << 64)
    return functions


def _listing(program: str, cubin: bytes) -> str:
    """What nvdisasm prints of a cubin, which takes it a third of a second or more."""
    with scratch_folder() as folder:
        file = folder / "in.cubin"
        with writing(file):
            file.write_bytes(cubin)
        try:
            done = subprocess.run(
                (program, *_OPTIONS, str(file)),
                capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise MissingEnvironment(f"{program} cannot be run: {error}") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise UserError(f"nvdisasm cannot read the cubin: {reason}")
    return done.stdout


def opcodes(cubin: bytes, function: str) -> list[str]:
    """Return the opcodes of one function in order, modifiers included: "LDG.E.128".

    Raises:
        UserError: the cubin has no such function.
        MissingEnvironment: nvdisasm is not here.
    """
    functions = disassemble(cubin)
    if function not in functions:
        raise UserError(f"the cubin has no function {function}; it has {', '.join(functions)}")
    return [instruction.opcode for instruction in functions[function]]
