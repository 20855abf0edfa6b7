"""A PTX text read and lowered, in the form that is kept of it (text_facts.py)."""

from __future__ import annotations

import re
from pathlib import Path

from lanemap.emulator.codegen.sources import source_hash
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.ptx import isa as isa  # fills the table of instructions
from lanemap.emulator.ptx.lower.lowering import Lowering
from lanemap.emulator.ptx.lower.reserved import WORKSPACE_HALVES
from lanemap.emulator.ptx.lower.timed_waits import timed_waits
from lanemap.emulator.ptx.text.errors import Place
from lanemap.emulator.ptx.text.module import Function, Module
from lanemap.emulator.ptx.text.operands import Special
from lanemap.emulator.ptx.text.parser import parse
from lanemap.emulator.ptx.text.variables import Variable
from lanemap.emulator.ptx.text_facts import EntryFacts, KernelFacts, TextFacts

_FRONT_END = Path(__file__).parent


def read(source: str, file: str) -> Module:
    """Parse a text.

    Raises:
        PtxError: it is malformed, or has not addresses of 64 bits; with file and line.
    """
    module = parse(source, file)
    if module.address_size != 64 or not re.fullmatch(r"sm_\d+[af]?", module.target):
        raise Place(file, 1).error(
            "write .target sm_.. and .address_size 64: the emulator runs PTX with 64-bit addresses"
        )
    return module


def facts_of(module: Module) -> TextFacts:
    """What loading a text needs to know of it."""
    return TextFacts(
        module.target,
        module.target_line,
        tuple(_entry(function) for function in module.entries),
        tuple(_placed_variables(module)),
        tuple(module.functions),
        module.aliases,
        _meets_grid(module),
    )


def _entry(function: Function) -> EntryFacts:
    parameters = zip(function.prototype.parameters, function.offsets, strict=True)
    return EntryFacts(
        function.name,
        tuple((each.name, at, each.size) for each, at in parameters if isinstance(each, Variable)),
        function.parameter_bytes,
        function.directives,
    )


def _placed_variables(module: Module) -> list[Variable]:
    """The variables of global and constant memory that the text defines."""
    found = list(module.variables.values())
    for function in module.functions.values():
        found += function.variables
    return [v for v in found if v.space in ("global", "const") and v.linkage != "extern"]


def _meets_grid(module: Module) -> bool:
    """Whether some function reads the barrier of a cooperative launch."""
    return any(
        isinstance(operand, Special) and operand.name in WORKSPACE_HALVES
        for function in module.functions.values()
        for instruction in function.body
        for operand in instruction.operands
    )


def lower(module: Module, entry: str, digest: str, settings: Settings, gpu: str) -> KernelFacts:
    """Lower a kernel for a GPU; `digest` stands for the text.

    Raises:
        PtxError: instructions are unknown or misused; the message names all, with their lines.
    """
    strict = " strict" if settings.strict else ""
    key = f"{source_hash(_FRONT_END)} {digest} {gpu}{strict}"
    lowering = Lowering(module, module.functions[entry], key, settings, gpu)
    names = lowering.names
    return KernelFacts(
        names.shared_bytes,
        names.private_bytes,
        names.fixed_private_bytes,
        tuple(names.symbols),
        tuple(
            (wait.line, wait.name, behind.line, behind.name)
            for wait, behind in timed_waits(lowering.functions)
        ),
        lowering.program,
    )
