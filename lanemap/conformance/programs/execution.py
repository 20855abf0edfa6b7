"""Running a program on a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.conformance.programs.program import ENTRY, Program
from lanemap.devices import Device


def execute(device: Device, program: Program, source: Any = None) -> bytes:
    """Launch a program and return its output array.

    Args:
        device: The device.
        program: The program.
        source: What to load instead of the text, such as its cubin.

    Raises:
        UserError: the device refuses the program, or it does what no program may do.
    """
    module = device.load(program.text if source is None else source)
    inputs = device.array(np.frombuffer(program.inputs, np.uint8))
    output = device.array(np.frombuffer(program.output, np.uint8))
    arguments = (inputs, output, program.parameters)
    module[ENTRY](program.cluster, program.block, arguments, cluster=program.cluster)
    return output.get().tobytes()
