"""Disassembles a cubin with nvdisasm, so that a test can check which instructions it executes."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

from lanemap.errors import MissingEnvironment, UserError, writing
from lanemap.toolchain.places import find_program
from lanemap.toolchain.scratch import scratch_folder

PACKAGE = "nvidia-cuda-nvdisasm"
_SECTION = re.compile(r"^\s*\.section\s+\.text\.([\w$.]+)")
_INSTRUCTION = re.compile(
    r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;"
)


@dataclass(frozen=True)
class SassInstruction:
    """One machine instruction: byte address in its function, guard, "LDTM.x4", operands."""

    address: int
    guard: str
    opcode: str
    operands: str


def disassemble(cubin: bytes) -> dict[str, list[SassInstruction]]:
    """Return the instructions of each function of a cubin, padding after the last EXIT included.

    Raises:
        UserError: nvdisasm cannot read the cubin.
        MissingEnvironment: nvdisasm is not here.
    """
    program = find_program("nvdisasm", PACKAGE)
    with scratch_folder() as folder:
        file = folder / "in.cubin"
        with writing(file):
            file.write_bytes(cubin)
        try:
            done = subprocess.run(
                (program, "-c", str(file)), capture_output=True, text=True, timeout=120, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise MissingEnvironment(f"{program} cannot be run: {error}") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise UserError(f"nvdisasm cannot read the cubin: {reason}")
    functions: dict[str, list[SassInstruction]] = {}
    current: list[SassInstruction] = []
    for line in done.stdout.splitlines():
        section = _SECTION.match(line)
        if section:
            current = functions.setdefault(section[1], [])
            continue
        match = _INSTRUCTION.match(line)
        if match:
            current.append(SassInstruction(int(match[1], 16), match[2] or "", match[3], match[4]))
    return functions


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
