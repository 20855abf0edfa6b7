"""Measures a timing probe on a GPU."""

from __future__ import annotations

from lanemap.devices import open_device
from lanemap.errors import MissingEnvironment
from lanemap.records.schema import Record
from lanemap.timing.chains import Chains, observe, prepare
from lanemap.timing.launch import DeviceMachine, inputs
from lanemap.timing.row import record

SEED = 1


def measure(probe: Chains, target: str, device: str = "auto") -> Record:
    """Measure every chain of a probe, and return its row.

    Raises:
        MissingEnvironment: there is no GPU of the target, or ptxas or nvdisasm is not here.
    """
    opened = open_device(target, device=device)
    if opened.evidence != "silicon":
        raise MissingEnvironment(
            f"timing needs a GPU of {target}: the emulator executes these kernels and has no clock"
        )
    before = dict(opened.environment())
    ctas = int(before["multiprocessors"])
    modules = prepare(probe, target)
    given = inputs(ctas, seed=SEED)
    found = observe(probe, DeviceMachine(opened), target, given, modules)
    return record(found, opened, ctas, SEED, before)
