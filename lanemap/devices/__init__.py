"""The only entry to devices that execute kernels: the emulator, and CUDA and HIP GPUs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from lanemap.devices.interface import Device, HazardMode, Kernel, Module
from lanemap.devices.targets import target_named, target_of_gpu
from lanemap.errors import MissingEnvironment, UserError
from lanemap.garbage import without_collections
from lanemap.targets import TARGETS

if TYPE_CHECKING:
    from lanemap.devices.emulator import EmulatorDevice
    from lanemap.emulator.api import BankRule
    from lanemap.layout import LayoutMap

__all__ = [
    "DEVICES",
    "Device",
    "HazardMode",
    "Kernel",
    "Module",
    "open_device",
    "target_named",
    "target_of_gpu",
]

DEVICES = ("auto", "emulator", "cuda", "hip")


@overload
def open_device(
    target: str,
    device: Literal["emulator"],
    hazards: HazardMode = ...,
    strict: bool = ...,
    models: Mapping[str, LayoutMap] | None = ...,
    banks: Sequence[BankRule] = ...,
) -> EmulatorDevice: ...


@overload
def open_device(
    target: str,
    device: str = ...,
    hazards: HazardMode = ...,
    strict: bool = ...,
    models: Mapping[str, LayoutMap] | None = ...,
    banks: Sequence[BankRule] = ...,
) -> Device: ...


def open_device(
    target: str,
    device: str = "auto",
    hazards: HazardMode = "raise",
    strict: bool = False,
    models: Mapping[str, LayoutMap] | None = None,
    banks: Sequence[BankRule] = (),
) -> Device:
    """Open a device that executes kernels of a target.

    Args:
        target: an instruction set, one of `targets.TARGETS`, or a GPU of one, such as "H200".
        device: one of `DEVICES`; "auto" is hardware of the target if present, else the emulator.
        hazards: whether the emulator raises at the first hazard or reports them all.
        strict: whether the emulator also enforces restrictions on which sources disagree.
        models: maps that replace the emulator's model of a variant, by the variant's name.
        banks: rules of shared memory's banks that replace all of the emulator's, if any are given.

    Raises:
        UserError: the target or device is unknown, an argument is of another type, or silicon was
            asked to replace a model.
        MissingEnvironment: the device asked for is not here.
    """
    target = target_named(target)
    _check_types(strict, models, banks)
    if device not in DEVICES:
        raise UserError(f"device {device!r} is not one of {', '.join(DEVICES)}")
    executing = TARGETS[target].devices
    if device != "auto" and device not in executing:
        legal = " and ".join(executing)
        raise UserError(f"device {device} does not execute {target}; devices that do are {legal}")
    if hazards not in ("raise", "report"):
        raise UserError(f"hazards {hazards!r} is neither 'raise' nor 'report'")
    replaced = bool(models) or bool(banks)
    emulated = device == "emulator" or replaced or strict or hazards == "report"
    if emulated and (device in ("cuda", "hip") or "emulator" not in executing):
        raise UserError("models, banks, strict and hazards='report' are for the emulator only")
    if not emulated:
        try:
            return _hardware(target)
        except MissingEnvironment:
            if device != "auto" or "emulator" not in executing:
                raise
    with without_collections():
        from lanemap.devices.emulator import EmulatorDevice, Settings

        settings = Settings(hazards, strict, dict(models or {}), tuple(banks))
        return EmulatorDevice(target, settings)


def _check_types(strict: Any, models: Any, banks: Any) -> None:
    """Refuse what is no flag, no mapping of maps or no sequence of rules.

    Raises:
        UserError: one of them is none.
    """
    if not isinstance(strict, bool):
        raise UserError(f"strict is {strict!r}; it must be True or False")
    if models is not None:
        from lanemap.layout import LayoutMap

        if not isinstance(models, Mapping) or not all(
            isinstance(name, str) and isinstance(each, LayoutMap) for name, each in models.items()
        ):
            raise UserError("models must be layout maps by the names of variants")
    if not isinstance(banks, (tuple, list)):
        raise UserError(f"banks is {banks!r}; it must be a sequence of bank rules")


def _hardware(target: str) -> Device:
    """Open the silicon that executes a target."""
    if TARGETS[target].devices[0] == "hip":
        from lanemap.devices.hip import HipDevice

        return HipDevice(target)
    from lanemap.devices.cuda import CudaDevice

    return CudaDevice(target)
