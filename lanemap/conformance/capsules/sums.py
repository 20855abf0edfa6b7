"""Sums of matrix instructions on a stranger's GPU: designed dot products, beside the emulator's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import lanemap
from lanemap.conformance.earlier_targets.plan import text_for
from lanemap.conformance.tensor_cores import designs, kernels, lowering, mfma, tensor_memory
from lanemap.conformance.tensor_cores.kinds import KINDS, Codes, Kind
from lanemap.conformance.tensor_cores.trial import Runner, certified
from lanemap.targets import TARGETS

#: By target, whether it has products of FP8 (PTX ISA, mma: "e4m3 and e5m2 require sm_89").
_MMA_SYNC = {"sm_80": False, "sm_89": True, "sm_90a": True, "sm_100a": True, "sm_120a": True}
_MFMA = ("gfx90a", "gfx942", "gfx950")
_TCGEN05 = ("sm_100a",)
#: Random dot products of a kind beside the designed ones: their operands do not compress.
_RANDOM = 128
Text = tuple[Kind, str]


@dataclass(frozen=True)
class Family:
    """Instructions whose sums are asked of some targets.

    Attributes:
        name: Of the entry.
        instruction: What adds.
        targets: Those that have it.
        texts: The kinds of a target, each with the text that executes it.
    """

    name: str
    instruction: str
    targets: Sequence[str]
    texts: Callable[[str], Iterator[Text]]


def _mma_sync(target: str) -> Iterator[Text]:
    """Those of which a certificate says what designed dot products tell, and FP8."""
    for kind in KINDS.values():
        split = lowering.is_split(kind) and _MMA_SYNC[target]
        if kind.family == "mma.sync" and (certified(kind) or split):
            yield kind, text_for(kernels.source(kind), target)


def _tcgen05(target: str) -> Iterator[Text]:
    for kind in tensor_memory.kinds():
        yield kind, tensor_memory.source(kind, target)


def _mfma(target: str) -> Iterator[Text]:
    for kind, form in mfma.kinds(target):
        yield kind, mfma.source(kind, form, target)


FAMILIES: Mapping[str, Family] = {
    each.name: each
    for each in (
        Family("mma_sync_sums", "mma.sync", tuple(_MMA_SYNC), _mma_sync),
        Family("tcgen05_sums", "tcgen05.mma", _TCGEN05, _tcgen05),
        Family("mfma_sums", "MFMA", _MFMA, _mfma),
    )
}


def results(family: Family, target: str, device: Any) -> Iterator[tuple[Kind, Codes]]:
    """Yield the results of the designed dot products of each kind on a device."""
    for kind, text in family.texts(target):
        runner = Runner(device, kind, text)
        yield kind, runner.designed(designs.designed(kind, _RANDOM))


def compared(family: Family, target: str, device: Any) -> tuple[bool, Sequence[str]]:
    """Return whether a device's results are the emulator's bit for bit, and what to say of them."""
    emulator = lanemap.open_device(target, "emulator")
    said, count = [], 0
    seen = list(results(family, target, device))
    for (kind, theirs), (_, ours) in zip(seen, results(family, target, emulator), strict=True):
        unequal = int(np.sum(theirs != ours))
        count += len(ours)
        if unequal:
            said.append(f"{kind.name}: {unequal} of {len(ours)} dot products have other bits")
    head = (
        f"{count} dot products of {len(seen)} kinds on {TARGETS[target].tensor_cores} tensor cores"
    )
    return not said, [f"{head}, {len(seen) - len(said)} kinds bit for bit", *said]
