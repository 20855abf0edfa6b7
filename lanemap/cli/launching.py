"""A user's own kernel on a device: what verbs that launch one share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.cli.compiling import CompilerOptions
    from lanemap.cli.kernel_arguments import Argument
    from lanemap.devices import Device, Module


def open_for(
    file: Path, target: str, device: str, hazards: str, strict: bool, limit: int | None
) -> Device:
    """Open the device for a file: of the target given, or of the one that the file names."""
    from lanemap.cli.kernel_targets import chosen_target
    from lanemap.devices import open_device
    from lanemap.devices.emulator import EmulatorDevice

    mode: Any = hazards if device == "emulator" else "raise"
    opened = open_device(chosen_target(file, target), device, mode, strict)
    if isinstance(opened, EmulatorDevice) and limit is not None:
        opened.instruction_limit = limit
    return opened


def kernel_of(
    device: Device, file: Path, options: CompilerOptions, entry: str
) -> tuple[Module, str]:
    """Return the module of a file and the kernel in it that is meant."""
    from lanemap.cli.compiling import compiled, only_entry

    module = compiled(device, file, options)
    if entry.endswith(">") and module.symbols and entry not in module:
        # Variables belong to one module, so the instance must be in the same one.
        module = compiled(device, file, options, [entry])
    return module, entry or only_entry(module, file)


@dataclass(frozen=True)
class FileLaunch:
    """A launch of a file's kernel, as the options of a command ask for it.

    Attributes:
        file: Its text or source.
        entry: The kernel; "" where the file has one.
        options: Of the compiler.
        sizes: The grid, blocks and clusters.
        arguments: As --arg has them.
        shared_bytes: Of dynamic shared memory, for a block.
    """

    file: Path
    entry: str
    options: CompilerOptions
    sizes: Sequence[tuple[int, ...]]
    arguments: Sequence[str]
    shared_bytes: int

    def prepared(self, device: Device) -> tuple[Module, str, Callable[[], None]]:
        """Compile the kernel and make its arguments; return its module, name, and what launches it.

        Raises:
            UserError: an option does not fit the file.
            MissingEnvironment: a compiler is not here.
        """
        from lanemap.cli.kernel_arguments import parse

        module, name = kernel_of(device, self.file, self.options, self.entry)
        values = [argument_on(device, parse(each)) for each in self.arguments]
        grid, block, cluster = self.sizes
        return module, name, lambda: module[name](grid, block, values, self.shared_bytes, cluster)


def sizes_of(option: str, text: str) -> tuple[int, ...]:
    """Return the numbers of an option such as --grid.

    Raises:
        UserError: they are none.
    """
    try:
        return tuple(int(word, 0) for word in re.split("[,x]", text))
    except ValueError:
        raise UserError(
            f"--{option} {text} is not one to three numbers, such as 4 or 4,2,1"
        ) from None


def argument_on(device: Device, argument: Argument) -> Any:
    """Return an argument's value, an array on the device."""
    import numpy as np

    value = argument.value
    if not isinstance(value, np.ndarray):
        return value
    name = f"--arg {argument.text}"
    if argument.written:
        return device.array(value, name=name)
    return device.empty(value.shape, value.dtype, name=name)
