"""The public face of the emulator; all else under `lanemap.emulator` may change at any time.

A `Machine` of a target has memory by address, and loads text as a `Module` of `Kernel`s. What a
launch does that the instruction set forbids, or does not guarantee, is a `Hazard`, which names each
`Access`. An `Observer` is told what launches do. `Settings` are what launches go by.
docs/emulator-api.md has an example. Importing this loads no LLVM before a Machine is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanemap.model import tensor_map as tensor_maps

if TYPE_CHECKING:
    from lanemap.emulator.amdgcn import executes as executes
    from lanemap.emulator.amdgcn.lower.refused import why_refused as why_refused
    from lanemap.emulator.codegen.watch import Watch as Watch
    from lanemap.emulator.drivers import driver_library as driver_library
    from lanemap.emulator.host.counts import Counts as Counts
    from lanemap.emulator.host.counts import InstructionCount as InstructionCount
    from lanemap.emulator.host.hazards import Access as Access
    from lanemap.emulator.host.hazards import Argument as Argument
    from lanemap.emulator.host.hazards import Facts as Facts
    from lanemap.emulator.host.hazards import Hazard as Hazard
    from lanemap.emulator.host.limits import machine_bytes as machine_bytes
    from lanemap.emulator.host.managed import Arena as Arena
    from lanemap.emulator.host.memory import Loan as Loan
    from lanemap.emulator.host.observers import INCLUDE as INCLUDE
    from lanemap.emulator.host.observers import RECORD as RECORD
    from lanemap.emulator.host.observers import Counting as Counting
    from lanemap.emulator.host.observers import Instruction as Instruction
    from lanemap.emulator.host.observers import NativeObserver as NativeObserver
    from lanemap.emulator.host.observers import Observer as Observer
    from lanemap.emulator.host.observers import Watched as Watched
    from lanemap.emulator.host.parameters import Parameter as Parameter
    from lanemap.emulator.host.progress import Progress as Progress
    from lanemap.emulator.host.settings import Settings as Settings
    from lanemap.emulator.host.trace import Trace as Trace
    from lanemap.emulator.host.turns import Turns as Turns
    from lanemap.emulator.host.turns import in_turn as in_turn
    from lanemap.emulator.host.variables import Variable as Variable
    from lanemap.emulator.machine import Kernel as Kernel
    from lanemap.emulator.machine import Machine as Machine
    from lanemap.emulator.machine import Module as Module
    from lanemap.emulator.runtime.abi import Act as Act
    from lanemap.emulator.runtime.abi import Direction as Direction
    from lanemap.emulator.runtime.abi import Happening as Happening
    from lanemap.emulator.runtime.abi import Space as Space
    from lanemap.model.banks import BankRule as BankRule

#: Changes when a name here, or what it means, changes in a way that its users must follow.
VERSION = 1

__all__ = [
    "Access",
    "Act",
    "Arena",
    "Argument",
    "BankRule",
    "Counting",
    "Counts",
    "Direction",
    "Facts",
    "Happening",
    "Hazard",
    "INCLUDE",
    "Instruction",
    "InstructionCount",
    "Kernel",
    "Loan",
    "Machine",
    "Module",
    "NativeObserver",
    "Observer",
    "Parameter",
    "Progress",
    "RECORD",
    "Settings",
    "Space",
    "Trace",
    "Turns",
    "VERSION",
    "Variable",
    "Watch",
    "Watched",
    "driver_library",
    "executes",
    "in_turn",
    "machine_bytes",
    "tensor_maps",
    "why_refused",
]

_HOMES = {
    "Access": "lanemap.emulator.host.hazards",
    "Act": "lanemap.emulator.runtime.abi",
    "Argument": "lanemap.emulator.host.hazards",
    "BankRule": "lanemap.model.banks",
    "Counting": "lanemap.emulator.host.observers",
    "Arena": "lanemap.emulator.host.managed",
    "Counts": "lanemap.emulator.host.counts",
    "Direction": "lanemap.emulator.runtime.abi",
    "Facts": "lanemap.emulator.host.hazards",
    "Happening": "lanemap.emulator.runtime.abi",
    "Hazard": "lanemap.emulator.host.hazards",
    "INCLUDE": "lanemap.emulator.host.observers",
    "Instruction": "lanemap.emulator.host.observers",
    "InstructionCount": "lanemap.emulator.host.counts",
    "Kernel": "lanemap.emulator.machine",
    "Loan": "lanemap.emulator.host.memory",
    "Machine": "lanemap.emulator.machine",
    "Module": "lanemap.emulator.machine",
    "NativeObserver": "lanemap.emulator.host.observers",
    "Observer": "lanemap.emulator.host.observers",
    "Parameter": "lanemap.emulator.host.parameters",
    "Progress": "lanemap.emulator.host.progress",
    "RECORD": "lanemap.emulator.host.observers",
    "Settings": "lanemap.emulator.host.settings",
    "Space": "lanemap.emulator.runtime.abi",
    "Trace": "lanemap.emulator.host.trace",
    "Turns": "lanemap.emulator.host.turns",
    "Variable": "lanemap.emulator.host.variables",
    "Watch": "lanemap.emulator.codegen.watch",
    "Watched": "lanemap.emulator.host.observers",
    "driver_library": "lanemap.emulator.drivers",
    "executes": "lanemap.emulator.amdgcn",
    "in_turn": "lanemap.emulator.host.turns",
    "machine_bytes": "lanemap.emulator.host.limits",
    "why_refused": "lanemap.emulator.amdgcn.lower.refused",
}


def __getattr__(name: str) -> Any:
    """Import a name from its home when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
