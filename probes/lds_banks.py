"""Banks of gfx950's LDS: which lanes an access serves together, and which words conflict.

A GPU times each access at about three thousand inputs. The emulator counts passes at the same
inputs, by the rules of its model, so there the probe must find these rules again.
"""

from __future__ import annotations

from lanemap.probing.banks.analysis import BankReading, Banks, measure
from lanemap.probing.banks.lds_forms import LDS_ACCESSES, source
from lanemap.probing.probe import State, axis, probe


@axis("access", tuple(LDS_ACCESSES))
@probe("LDS banks", target="gfx950", source=source(), analysis=Banks())
def lds_banks(state: State) -> list[BankReading]:
    """Which lanes of each access are served together, and which of their words conflict?"""
    access = state.choose("access", LDS_ACCESSES)
    return measure(state.device, state.entry(access.entry), access)
