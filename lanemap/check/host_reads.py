"""What the host reads of the emulator's memory: undefined elements are a hazard at its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanemap.check.findings import Findings, Found, Stopped, calling_line
from lanemap.devices.findings import Finding
from lanemap.errors import Disagreement

if TYPE_CHECKING:
    from lanemap.devices.adoption import AdoptedArray
    from lanemap.devices.emulator import EmulatorDevice


def hand_over(device: EmulatorDevice, findings: Findings, array: AdoptedArray, reader: str) -> None:
    """Hand the elements of an adopted array to the host; each undefined one is reported once.

    Args:
        device: The emulator that adopted it.
        findings: Notes the hazard.
        array: The elements.
        reader: Who reads them, as reports call it: "PyTorch".

    Raises:
        Stopped: the hazard was told, unless hazards are reported.
    """

    def note(hazard: Any) -> Found:
        line = calling_line()
        found = Found.of(Finding((hazard,)), reader, lambda *_: [line] if line else [], None)
        findings.add(found)
        return found

    with device.alone():
        before = len(device.hazards)
        try:
            array.check()
        except Disagreement as hazard:
            raise Stopped(str(note(hazard))) from None
        for reported in device.hazards[before:]:
            note(reported)
            array.define()  # one report is enough
