"""Banks of shared memory: which lanes an access serves together, and which words conflict.

A GPU times each access at about a thousand inputs. The emulator counts passes at the same inputs,
by the rules of its model, so there the probe must find these rules again.
"""

from __future__ import annotations

from lanemap.probing.banks.analysis import BankReading, Banks, measure
from lanemap.probing.banks.forms import ACCESSES, source
from lanemap.probing.probe import State, axis, probe


@axis("access", tuple(ACCESSES))
@probe("shared memory banks", target="sm_90a", source=source("sm_90a"), analysis=Banks())
def smem_banks(state: State) -> list[BankReading]:
    """Which lanes of each access are served together, and which of their words conflict?"""
    access = state.choose("access", ACCESSES)
    return measure(state.device, state.entry(access.entry), access)
