"""A file that is loaded: its kernels, and its constants and variables in global memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lanemap.emulator.amdgcn.lower.entry import KernelEntry
from lanemap.emulator.amdgcn.lower.image import Image, lay_out
from lanemap.emulator.amdgcn.text.module import Module
from lanemap.emulator.amdgcn.text.parser import parse_module
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.memory import GUARD_BYTES
from lanemap.emulator.host.settings import Settings
from lanemap.errors import UserError

if TYPE_CHECKING:
    pass


class LoadedAssembly:
    """The kernels of a file by name, in its order."""

    def __init__(self, module: Module, image: Image, kernels: Mapping[str, KernelEntry]) -> None:
        self.image = image
        self.kernels = dict(kernels)
        self._module = module

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source line that a line of the text stands for, as path and number."""
        return self._module.places(line)

    def place_data(self, launcher: Launcher) -> None:
        """Put code addresses, constants and variables into global memory, once."""
        image, memory = self.image, launcher.memory
        code = memory.allocate(max(image.read_only_size, 4), True, "the code's constants")
        base = code.base
        if image.variables_size:
            variables = memory.allocate(image.variables_size, False, "the code's variables")
            if variables.base - base != image.variables_at:
                raise RuntimeError("variables do not lie where the code was laid out to find them")
        for kernel in self.kernels.values():
            kernel.image_base = base
        read_only, written = image.contents(base)
        for offset, data in (*read_only, *written):
            memory.write(base + offset, data)


def load_assembly(text: str, file: str, settings: Settings) -> LoadedAssembly:
    """See `lanemap.emulator.amdgcn.load`."""
    module = parse_module(text, file)
    if not module.kernels:
        raise UserError(f"{file}: no kernel; an .amdhsa_kernel block makes a function one")
    lds_start = max(k.descriptor.group_segment_bytes for k in module.kernels.values())
    image = lay_out(module, lds_start, GUARD_BYTES)
    kernels = {
        name: KernelEntry(kernel, image, text, settings) for name, kernel in module.kernels.items()
    }
    return LoadedAssembly(module, image, kernels)
