"""The readings of a bank probe, in passes: timed on a GPU, counted on the emulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.probing.banks.forms import COPIES, WARP_LANES, Access
from lanemap.probing.banks.inputs import DESCRIPTIONS, INACTIVE, STRIDES, families
from lanemap.probing.banks.proof import certificates
from lanemap.probing.banks.rules import IDLE, BankFit, fit, spans
from lanemap.probing.finding import Finding

Integers = npt.NDArray[np.int64]
# A CTA of 16 warps keeps shared memory busy. Each of several CTAs, on multiprocessors of their own,
# measures all inputs.
WARPS, CTAS, TRIPS = 16, 9, 32
# Of LDS there are fewer, so that an emulator behind libamdhip64 ends within minutes: 512 accesses
# a round, of which ten cycles of noise are two hundredths of a cycle each.
LDS_CTAS, LDS_TRIPS = 3, 4
#: The cycles of an access are a whole number of passes if they are this close to it.
SLACK_CYCLES, SLACK_SHARE = 0.2, 0.01
NO_WHOLE = -1


@dataclass(frozen=True, eq=False)
class BankReading:
    """The passes of one form of access at one family of inputs.

    Attributes:
        access: The form.
        family: The family's name.
        offsets: int64[rows, lanes].
        passes: int64[rows]; NO_WHOLE where a time is no whole number of passes.
        farthest_cycles: How far a time was from a whole number of passes, at most; None if passes
            were counted.
        pass_cycles: Cycles of a pass; None if passes were counted.
    """

    access: Access
    family: str
    offsets: Integers
    passes: Integers
    farthest_cycles: float | None = None
    pass_cycles: float | None = None

    @property
    def variant(self) -> str:
        """The tested form; the question is not where it moves bits, but how banks serve it."""
        return f"{self.access.name}:banks"


def measure(device: Any, entry: Any, access: Access) -> list[BankReading]:
    """Run one form at all of its inputs."""
    inputs = families(access)
    rows = np.concatenate(list(inputs.values()))
    observe = _timed if device.evidence == "silicon" else counted
    passes, farthest, cycles = observe(device, entry, access, rows)
    ends = np.cumsum([len(own) for own in inputs.values()])[:-1]
    return [
        BankReading(access, family, own, part, farthest, cycles)
        for (family, own), part in zip(inputs.items(), np.split(passes, ends), strict=True)
    ]


def _launch(
    device: Any, entry: Any, rows: Integers, ctas: int, warps: int, trips: int, rounds: int
) -> Integers:
    cycles = device.zeros((ctas, len(rows), rounds), np.uint64)
    entry(
        (ctas, 1, 1),
        (warps * rows.shape[1], 1, 1),
        [
            device.array((rows & 0xFFFFFFFF).reshape(-1).astype(np.uint32)),
            cycles,
            np.uint32(len(rows)),
            np.uint32(trips),
            np.uint32(rounds),
            np.uint32(0),
        ],
    )
    found: Integers = cycles.get().astype(np.int64)
    return found


def _timed(
    device: Any, entry: Any, access: Access, rows: Integers
) -> tuple[Integers, float, float]:
    """Passes from clocks: the cycles of 2n repetitions less those of n, the median of all CTAs."""
    ctas, trips = (CTAS, TRIPS) if access.wave == WARP_LANES else (LDS_CTAS, LDS_TRIPS)
    _launch(device, entry, rows[:1], ctas, WARPS, trips, 2)  # loads the code into the caches
    cycles = _launch(device, entry, rows, ctas, WARPS, trips, 2)
    each = np.median(cycles[..., 1] - cycles[..., 0], axis=0) / (trips * COPIES * WARPS)
    return in_passes(access, each)


def in_passes(access: Access, cycles: npt.NDArray[np.float64]) -> tuple[Integers, float, float]:
    """The passes of each input, how far a time was from a whole number, and a pass's cycles.

    Shared memory of an NVIDIA GPU takes a cycle for a pass. What LDS of gfx950 takes is not
    published, so it is read from the first inputs: `base`, and `single`, which have a pass more.
    """
    unit = 1.0
    if access.wave != WARP_LANES:
        unit = float(np.median(cycles[1 : 1 + access.wave]) - cycles[0])
    if unit <= 0:
        return np.full(len(cycles), NO_WHOLE), float("inf"), unit
    whole = np.rint(cycles / unit)
    apart = np.abs(cycles / unit - whole)
    close = apart <= SLACK_CYCLES + SLACK_SHARE * whole
    return np.where(close, whole, NO_WHOLE).astype(np.int64), float(apart.max()), unit


def counted(device: Any, entry: Any, access: Access, rows: Integers) -> tuple[Integers, None, None]:
    """Passes as the emulator counts them: those of the first access of each trip.

    Raises:
        UserError: the emulator answers as HIP, which counts nothing.
    """
    if not hasattr(device, "passes"):
        raise UserError(
            "HIP runs on the emulator here, which counts nothing through it; use --device emulator"
        )
    with device.passes(access.instruction("a0").removesuffix(";")) as found:
        _launch(device, entry, rows, 1, 1, 1, 1)
    passes = np.array([NO_WHOLE if each is None else each for each in found], np.int64)
    if len(passes) != len(rows):  # the kernel did not run as written
        passes = np.full(len(rows), NO_WHOLE)
    return passes, None, None


class Banks:
    """Explains the readings of one form of access."""

    def explain(self, readings: Sequence[BankReading]) -> Finding:
        """The rule that gives all passes, and what the inputs can tell apart."""
        access = readings[0].access
        inputs = {reading.family: reading.offsets for reading in readings}
        passes = {reading.family: reading.passes for reading in readings}
        found = fit(access, inputs, passes)
        proof = (
            ()
            if found.rule is None
            else tuple(certificates(access, found.rule, len(found.ignored), inputs))
        )
        facts = _facts(found, passes)
        if readings[0].farthest_cycles is not None:
            farthest = round(readings[0].farthest_cycles, 3)
            facts["measured"] = {"farthest_from_whole_passes": farthest}
            if access.wave != WARP_LANES:
                facts["measured"]["pass_cycles"] = round(readings[0].pass_cycles or 0, 3)
        return Finding(
            certificates=proof,
            patterns=(),
            passes=sum(len(own) for own in inputs.values()),
            facts=facts,
            lines=tuple(_lines(found)),
            explained=found.explained,
            kind="bank_rules",
        )


def _facts(found: BankFit, passes: Mapping[str, Integers]) -> dict[str, Any]:
    """The finding as plain JSON values."""
    facts: dict[str, Any] = {
        "inputs": {family: len(own) for family, own in passes.items()},
        "inputs_not_explained": {family: n for family, n in found.wrong.items() if n},
        "ignored_lanes": spans(found.ignored),
        "passes_by_stride": dict(zip(map(str, STRIDES), passes["strides"].tolist(), strict=True)),
        "candidates": {part: list(names) for part, names in found.chosen.items()},
    }
    if found.rule is not None:
        rule = found.rule
        facts["rule"] = {
            "phases": [spans(phase) for phase in rule.phases],
            "banks": rule.banks,
            "word_bytes": rule.word_bytes,
            "masks": list(rule.masks),
            "idle": rule.idle,
        }
    return facts


def _lines(found: BankFit) -> list[str]:
    """The finding in sentences."""
    if found.rule is None:
        return ["the inputs contradict each other: no rule was fitted"]
    rule = found.rule
    lines = [
        f"{rule.banks} banks of {rule.word_bytes} bytes; lanes that want one word share it",
        "phases: lanes " + "; ".join(spans(phase) for phase in rule.phases),
    ]
    if rule.masks:
        masks = " or for m = ".join(map(str, rule.masks))
        lines.append(
            "phases are served in pairs if every lane gives the address of lane XOR m, or one of "
            f"the two is inactive, for m = {masks}"
        )
    if rule.idle is not None and len(rule.phases) > 1:
        lines.append(IDLE[rule.idle])
    if found.ignored:
        lines.append(f"lanes {spans(found.ignored)} give addresses that do not count")
    wrong = [(DESCRIPTIONS[family], number) for family, number in found.wrong.items() if number]
    return [*lines, *(f"NOT EXPLAINED: {number} inputs of {said}" for said, number in wrong)]


__all__ = ["INACTIVE", "BankReading", "Banks", "measure"]
