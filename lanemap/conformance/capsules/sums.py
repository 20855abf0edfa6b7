"""Sums of `mma.sync` on a stranger's GPU: designed dot products, compared with the emulator's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import lanemap
from lanemap.conformance.earlier_targets.plan import text_for
from lanemap.conformance.tensor_cores import designs, kernels, lowering
from lanemap.conformance.tensor_cores.kinds import KINDS, Codes, Kind
from lanemap.conformance.tensor_cores.trial import Runner, certified
from lanemap.targets import TARGETS

#: By target, whether it has products of FP8 (PTX ISA, mma: "e4m3 and e5m2 require sm_89").
TARGETS_ASKED = {"sm_80": False, "sm_89": True, "sm_90a": True, "sm_100a": True, "sm_120a": True}
#: Random dot products of a kind beside the designed ones: their operands do not compress.
_RANDOM = 128


def kinds(target: str) -> list[Kind]:
    """Return the kinds that are asked of a target: those whose dot products were designed."""
    return [
        each
        for each in KINDS.values()
        if each.family == "mma.sync"
        and (certified(each) or (lowering.is_split(each) and TARGETS_ASKED[target]))
    ]


def results(target: str, device: Any) -> Iterator[tuple[Kind, Codes]]:
    """Yield the results of the designed dot products of each kind on a device."""
    for kind in kinds(target):
        runner = Runner(device, kind, text_for(kernels.source(kind), target))
        yield kind, runner.designed(designs.designed(kind, _RANDOM))


def compared(target: str, device: Any) -> tuple[bool, Sequence[str]]:
    """Return whether a device's results are the emulator's bit for bit, and what to say of them."""
    emulator = lanemap.open_device(target, "emulator")
    said, count = [], 0
    seen = list(results(target, device))
    for (kind, theirs), (_, ours) in zip(seen, results(target, emulator), strict=True):
        unequal = int(np.sum(theirs != ours))
        count += len(ours)
        if unequal:
            said.append(f"{kind.name}: {unequal} of {len(ours)} dot products have other bits")
    head = (
        f"{count} dot products of {len(seen)} kinds on {TARGETS[target].tensor_cores} tensor cores"
    )
    return not said, [f"{head}, {len(seen) - len(said)} kinds bit for bit", *said]
