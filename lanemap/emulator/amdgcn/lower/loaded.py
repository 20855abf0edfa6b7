"""A file that is loaded: its kernels, and its constants and variables in global memory."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from lanemap.emulator.amdgcn.lower.entry import KernelEntry
from lanemap.emulator.amdgcn.lower.image import Image, lay_out
from lanemap.emulator.amdgcn.text.module import Data, Module, Symbol
from lanemap.emulator.amdgcn.text.parser import parse_module
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.memory import GUARD_BYTES
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.host.variables import Variable
from lanemap.errors import UserError

_MANAGED = ".managed"


class LoadedAssembly:
    """The kernels of a file by name, in its order."""

    def __init__(self, module: Module, image: Image, kernels: Mapping[str, KernelEntry]) -> None:
        self.image = image
        self.kernels = dict(kernels)
        self._module = module
        self._base = 0

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source line that a line of the text stands for, as path and number."""
        return self._module.places(line)

    def place_data(self, launcher: Launcher) -> None:
        """Put code addresses, constants and variables into global memory, once."""
        image, memory = self.image, launcher.memory
        code = memory.allocate(max(image.read_only_size, 4), True, "the code's constants")
        base = self._base = code.base
        if image.variables_size:
            variables = memory.allocate(image.variables_size, False, "the code's variables")
            if variables.base - base != image.variables_at:
                raise RuntimeError("variables do not lie where the code was laid out to find them")
        for kernel in self.kernels.values():
            kernel.image_base = base
        read_only, written = image.contents(base)
        for offset, data in (*read_only, *written):
            memory.write(base + offset, data)
        for pointer, variable in self._managed.values():
            memory.write(base + pointer, (base + variable).to_bytes(8, "little"))

    @functools.cached_property
    def _managed(self) -> dict[str, tuple[int, int]]:
        """Where the pointers to variables that a source calls __managed__ lie, and the variables.

        By the names in the source. clang calls the variable NAME.managed and gives kernels a
        pointer NAME, which HIP's runtime sets (clang, CGCUDANV.cpp: transformManagedVars).
        """
        names = (name.removesuffix(_MANAGED) for name in self._module.symbols)
        return {
            name: (pointer, variable)
            for name in names
            if (pointer := self.image.label(name)) is not None
            and (variable := self.image.label(name + _MANAGED)) is not None
        }

    @property
    def variables(self) -> Sequence[Variable]:
        """The variables that symbols name as objects; see `machine.LoadedText`.

        Names that begin with `.L` are the compiler's (LLVM, "AsmPrinter": private symbols).
        """
        found = []
        for symbol in self._module.symbols.values():
            offset = self.image.label(symbol.name)
            if symbol.kind != "object" or offset is None or symbol.name.startswith(".L"):
                continue
            if symbol.name in self._managed:  # the variable itself has the name
                continue
            size = self.image.evaluate(symbol.size, symbol.line).offset if symbol.size else 0
            constant = offset < self.image.variables_at
            initial = _has_value(self._module, symbol, size)
            name = symbol.name.removesuffix(_MANAGED)
            found.append(Variable(name, self._base + offset, size, "", constant, initial))
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


def load_assembly(text: str, file: str, settings: Settings, target: str) -> LoadedAssembly:
    """See `lanemap.emulator.amdgcn.load`."""
    module = parse_module(text, file, target)
    if module.target != target:
        raise UserError(
            f"{file} is assembly for {module.target}, which a device of {target} does not execute; "
            f"compile it for {target}, or open a device of {module.target}"
        )
    if not module.kernels:
        raise UserError(f"{file}: no kernel; an .amdhsa_kernel block makes a function one")
    lds_start = max(k.descriptor.group_segment_bytes for k in module.kernels.values())
    image = lay_out(module, lds_start, GUARD_BYTES)
    kernels = {
        name: KernelEntry(kernel, image, text, settings) for name, kernel in module.kernels.items()
    }
    return LoadedAssembly(module, image, kernels)
