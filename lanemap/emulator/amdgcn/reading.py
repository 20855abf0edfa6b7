"""An AMDGCN text read and laid out, in the form that is kept of it (text_facts.py)."""

from __future__ import annotations

from lanemap.emulator.amdgcn import isa as isa  # fills the table of instructions
from lanemap.emulator.amdgcn.lower.image import Image, lay_out
from lanemap.emulator.amdgcn.lower.program import ProgramMaker
from lanemap.emulator.amdgcn.text.module import Data, Kernel, Module, Symbol
from lanemap.emulator.amdgcn.text.parser import parse_module
from lanemap.emulator.amdgcn.text_facts import (
    Argument,
    EntryFacts,
    KernelFacts,
    TextFacts,
    VariableFacts,
)
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.memory import GUARD_BYTES
from lanemap.emulator.host.settings import Settings
from lanemap.errors import UserError

_MANAGED = ".managed"


def read(text: str, file: str, target: str) -> Image:
    """Parse a text and lay it out.

    Raises:
        AssemblyError: Something is malformed; the message names file and line.
        UserError: It is for another target, or has no kernel.
    """
    module = parse_module(text, file, target)
    if module.target != target:
        raise UserError(
            f"{file} is assembly for {module.target}, which a device of {target} does not execute; "
            f"compile it for {target}, or open a device of {module.target}"
        )
    if not module.kernels:
        raise UserError(f"{file}: no kernel; an .amdhsa_kernel block makes a function one")
    lds_start = max(k.descriptor.group_segment_bytes for k in module.kernels.values())
    return lay_out(module, lds_start, GUARD_BYTES)


def facts_of(image: Image) -> TextFacts:
    """What loading a text needs to know of it.

    Raises:
        AssemblyError: Its data has a value that does not exist; the message names the line.
    """
    module = image.module
    managed = _managed(image)
    return TextFacts(
        target=module.target,
        lds_bytes=sum(size for size, _ in module.lds.values()),
        formats=module.formats,
        entries=tuple(_entry(kernel) for kernel in module.kernels.values()),
        read_only_bytes=image.read_only_size,
        variables_at=image.variables_at,
        variable_bytes=image.variables_size,
        contents=tuple(image.contents()),
        variables=tuple(_variables(image, set(managed))),
        managed=tuple(managed.values()),
    )


def _entry(kernel: Kernel) -> EntryFacts:
    descriptor = kernel.descriptor
    return EntryFacts(
        name=kernel.name,
        line=kernel.line,
        arguments=tuple(
            Argument(each.name, each.offset, each.size, each.value_kind)
            for each in kernel.arguments
        ),
        described=bool(kernel.metadata),
        required_block=kernel.reqd_workgroup_size,
        most_threads=kernel.max_flat_workgroup_size,
        shared_bytes=descriptor.group_segment_bytes,
        private_bytes=descriptor.private_segment_bytes,
        dynamic_stack=descriptor.uses_dynamic_stack,
        argument_bytes=descriptor.kernarg_bytes,
        user_sgprs=descriptor.user_sgprs,
        user_sgpr_count=descriptor.user_sgpr_count,
        preload_offset=descriptor.kernarg_preload_offset,
        system_sgprs=descriptor.system_sgprs,
        workitem_id_dimensions=descriptor.workitem_id_dimensions,
    )


def _managed(image: Image) -> dict[str, tuple[int, int]]:
    """Where the pointers to variables that a source calls __managed__ lie, and the variables.

    By the names in the source. clang calls the variable NAME.managed and gives kernels a
    pointer NAME, which HIP's runtime sets (clang, CGCUDANV.cpp: transformManagedVars).
    """
    names = (name.removesuffix(_MANAGED) for name in image.module.symbols)
    return {
        name: (pointer, variable)
        for name in names
        if (pointer := image.label(name)) is not None
        and (variable := image.label(name + _MANAGED)) is not None
    }


def _variables(image: Image, managed: set[str]) -> list[VariableFacts]:
    """The variables that symbols name as objects.

    Names that begin with `.L` are the compiler's (LLVM, "AsmPrinter": private symbols).
    """
    found = []
    for symbol in image.module.symbols.values():
        offset = image.label(symbol.name)
        if symbol.kind != "object" or offset is None or symbol.name.startswith(".L"):
            continue
        if symbol.name in managed:  # the variable itself has the name
            continue
        size = image.evaluate(symbol.size, symbol.line).offset if symbol.size else 0
        constant = offset < image.variables_at
        name = symbol.name.removesuffix(_MANAGED)
        initial = _has_value(image.module, symbol, size)
        found.append(VariableFacts(name, offset, size, constant, initial))
    return found


def _has_value(module: Module, symbol: Symbol, size: int) -> bool:
    """Whether a text gives a variable another value than zeros."""
    fragments = module.sections[symbol.section or ""].fragments
    fragment = fragments[symbol.fragment] if symbol.fragment < len(fragments) else None
    if not isinstance(fragment, Data):
        return False
    own = range(symbol.delta, symbol.delta + size)
    filled = any(fixup.offset in own for fixup in fragment.fixups)
    return filled or any(fragment.content[own.start : own.stop])


def lower(
    image: Image,
    entry: str,
    text: str,
    settings: Settings,
    full_waves: bool,
    initial: frozenset[Register],
) -> KernelFacts:
    """Lower a kernel; the arguments are those of `ProgramMaker`.

    Raises:
        AssemblyError: Instructions are not executed; the message names all, with their lines.
    """
    kernel = image.module.kernels[entry]
    maker = ProgramMaker(image, kernel, text, settings, full_waves, initial)
    program = maker.make()
    return KernelFacts(maker.named, frozenset(program.initial - initial), program)
