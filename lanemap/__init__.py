"""lanemap finds out, with evidence, where a GPU's tensor-core data path moves every bit.

`import lanemap` loads neither NumPy nor LLVM: public names are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanemap.version import __version__

if TYPE_CHECKING:
    from lanemap.benching.find import kernel as kernel
    from lanemap.devices import Device as Device
    from lanemap.devices import Kernel as Kernel
    from lanemap.devices import Module as Module
    from lanemap.devices import open_device as open_device
    from lanemap.devices.arrays import DeviceArray as DeviceArray
    from lanemap.devices.emulator import Access as Access
    from lanemap.devices.emulator import Counts as Counts
    from lanemap.devices.emulator import EmulatorDevice as EmulatorDevice
    from lanemap.devices.emulator import Hazard as Hazard
    from lanemap.devices.emulator import Progress as Progress
    from lanemap.devices.findings import Finding as Finding
    from lanemap.drawing.drawing import Drawing as Drawing
    from lanemap.emission.copies import plan_copy as plan_copy
    from lanemap.errors import Disagreement as Disagreement
    from lanemap.errors import LanemapError as LanemapError
    from lanemap.errors import MissingEnvironment as MissingEnvironment
    from lanemap.errors import UserError as UserError
    from lanemap.probing.pictures import draw as draw
    from lanemap.quantization.quantize import pack_nibbles as pack_nibbles
    from lanemap.quantization.quantize import quantize as quantize
    from lanemap.quantization.quantize import unpack_nibbles as unpack_nibbles
    from lanemap.quantization.scales import scale_atoms as scale_atoms
    from lanemap.quantization.scales import scales_of_atoms as scales_of_atoms

__all__ = [
    "Access",
    "Counts",
    "Device",
    "DeviceArray",
    "Disagreement",
    "Drawing",
    "EmulatorDevice",
    "Finding",
    "Hazard",
    "Kernel",
    "LanemapError",
    "MissingEnvironment",
    "Module",
    "Progress",
    "UserError",
    "__version__",
    "draw",
    "kernel",
    "open_device",
    "pack_nibbles",
    "plan_copy",
    "quantize",
    "scale_atoms",
    "scales_of_atoms",
    "unpack_nibbles",
]

_HOMES = {
    "Access": "lanemap.devices.emulator",
    "Counts": "lanemap.devices.emulator",
    "Device": "lanemap.devices",
    "DeviceArray": "lanemap.devices.arrays",
    "Disagreement": "lanemap.errors",
    "Drawing": "lanemap.drawing.drawing",
    "EmulatorDevice": "lanemap.devices.emulator",
    "Finding": "lanemap.devices.findings",
    "Hazard": "lanemap.devices.emulator",
    "Kernel": "lanemap.devices",
    "LanemapError": "lanemap.errors",
    "MissingEnvironment": "lanemap.errors",
    "Module": "lanemap.devices",
    "Progress": "lanemap.devices.emulator",
    "UserError": "lanemap.errors",
    "draw": "lanemap.probing.pictures",
    "kernel": "lanemap.benching.find",
    "open_device": "lanemap.devices",
    "pack_nibbles": "lanemap.quantization.quantize",
    "plan_copy": "lanemap.emission.copies",
    "quantize": "lanemap.quantization.quantize",
    "scale_atoms": "lanemap.quantization.scales",
    "scales_of_atoms": "lanemap.quantization.scales",
    "unpack_nibbles": "lanemap.quantization.quantize",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'lanemap' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Name what is public, imported yet or not."""
    return sorted(__all__)
