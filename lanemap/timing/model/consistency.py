"""Self-consistency: what the windows of timing probes take on the machine, beside their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from lanemap.errors import LanemapError
from lanemap.timing.figures import RATE, Figure
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.simulate import Level, Simulation
from lanemap.timing.model.windows import trace_of
from lanemap.timing.series import Series, SeriesModule, whole_window
from lanemap.timing.slope import fit
from lanemap.timing.stalls import with_total
from lanemap.toolchain.sass import SassInstruction

#: How far a latency may be off, in cycles.
HALF = Fraction(1, 2)
_LEVELS = {"L1": Level.L1, "L2": Level.L2, "memory": Level.MEMORY}
#: wgmma issues without end here, and what lies behind it is no longer beside it.
_UNBOUNDED = "how many wgmma may wait for the tensor cores before the next one issues"
_TURNS = "how the turns of a short window follow each other"
_PIPES = "which of its two pipes FFMA or FADD takes"
_BESIDE = "an access to shared memory, or a shuffle, beside another pipe's instructions"
_STORED = "a load behind a store to the same words"
_BOX = "how far rows of a TMA box lie apart: the emulator does not tell the model"
_COPY = "bulk copies of few bytes, or unaligned ones, beside the line through two sizes"
_ATOMICS = "how atomics of one word, or of many SMs, wait for each other in L2"
_FAR = "loads of L2 and memory take different times; the machine has a mean"
_HALVES = "which part of L2 other SMs have read"
_WAITS = "fences behind stores, and the machine's own order of mbarriers"
#: What the machine leaves out where series disagree, by group and how they begin.
WHY = (
    ("issue", "straight FFMA", "which lines of a set go where the cache ends"),
    ("alu_paths", "mul", "products of 64 bits take longer than their stall counts"),
    ("alu_paths", "IMAD.HI", "one warp issues IMAD.HI less often than several do"),
    ("alu_paths", "SHFL", "a shuffle of one warp waits for its queue a fifth of a cycle less"),
    ("contention", "FFMA with", _PIPES),
    ("contention", "FADD with", _PIPES),
    ("contention", "", _BESIDE),
    ("wgmma", "HGMMA", "several warpgroups that wait for each of their products overlap"),
    ("wgmma", "wgmma.", "stall counts of empty groups and fences of wgmma"),
    ("alu_rates", "FADD rate", _TURNS),
    ("alu_rates", "FMUL rate", _TURNS),
    ("alu_rates", "FMUL.RZ, MUFU.SIN", "what MUFU and FMUL take together"),
    ("alu_rates", "F2", "conversions of 64 bits take the pipe a little longer than MUFU"),
    ("alu_rates", "", _TURNS),
    ("smem", "STS", _STORED),
    ("smem", "LDS", _STORED),
    ("smem", "LDSM.16.M88.4 and", _STORED),
    ("smem", "", "atomics of shared memory, of 64 bits and of many warps"),
    ("sync", "nanosleep", "a timer decides"),
    ("sync", "", _WAITS),
    ("mma", "DMMA", "DMMA of two warps of a scheduler"),
    ("mma", "", "sparse instructions slow down by a rule of their own"),
    ("copies", "cp.async.bulk.tensor load bytes=4096", _BOX),
    ("copies", "", _COPY),
    ("memory", "st.relaxed", _STORED),
    ("memory", "st.global", "the rate of many stores by all SMs differs between rows"),
    ("memory", "red", _ATOMICS),
    ("memory", "atom", _ATOMICS),
    ("memory", "", _FAR),
    ("stores", "", "the rate of all SMs differs between patterns"),
    ("written", "", "a window does not name its sectors, so that L1 cannot know them again"),
    ("busy", "loads of", _HALVES),
    ("busy", "copy of", _HALVES),
    ("busy", "cp.async.cg", "lines and sectors besides take turns; those of one SM add up here"),
    ("busy", "cp.async.bulk.tensor", _BOX),
    ("ragged", "cp.async.bulk.tensor", _BOX),
    ("busy", "", _ATOMICS),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with LDGSTS", "the same bytes come again and again"),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with UBLKCP", "the same bytes come again and again"),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with IMAD.WIDE", "products of 64 bits beside wgmma"),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with", _UNBOUNDED),
    ("wgmma_beside", "HGMMA.64xNx16.F32", "three warpgroups take a little longer than two"),
)
Kernels = Mapping[int, Sequence[SassInstruction]]


def why(group: str, series: str) -> str:
    """What the machine leaves out where a series disagrees; "not known" if nothing is known."""
    return next(
        (reason for own, start, reason in WHY if own == group and series.startswith(start)),
        "not known",
    )


@dataclass(frozen=True)
class Compared:
    """A series, its figure, and what its windows take on the machine.

    Attributes:
        series: Its label.
        kind: The class of its figure.
        row: The cycles of the row.
        model: The cycles of the machine; None where it refuses the window.
        reason: Why it does; "" if it does not.
    """

    series: str
    kind: str
    row: Fraction
    model: Fraction | None
    reason: str

    @property
    def agrees(self) -> bool:
        """Whether both are the same, within half a cycle or 3 % of what is no latency."""
        if self.model is None:
            return False
        off = abs(self.model - self.row)
        return off <= HALF if self.kind.endswith("latency") else off <= RATE * self.row

    @property
    def off(self) -> float | None:
        """By how much of the row's cycles the machine differs."""
        return None if self.model is None else float(self.model / self.row - 1)


def compared(
    group: str, modules: Sequence[SeriesModule], parameters: Parameters
) -> Iterator[Compared]:
    """Every series of a group whose figure is explained, in the probe's order."""
    figures = parameters.rows.group(group)
    for module in modules:
        found = figures.get(module.series.label, [])
        if len(found) == 1 and found[0].explained and module.code.holds:
            yield compare(group, module.series, module.kernels, found[0], parameters)


def compare(
    group: str, series: Series, kernels: Kernels, figure: Figure, parameters: Parameters
) -> Compared:
    """One series: the slope of its windows' cycles over n, as its figure is fitted."""
    assert figure.cycles is not None
    fixed = figure.kind == "fixed latency"
    least = parameters.rows.least(group, series.label) if fixed else None
    try:
        taken = {
            links: Fraction(_cycles(series, links, kernels[links], least, parameters), series.trips)
            for links in series.lengths
        }
        model, reason = fit(taken).cycles / series.per_link, ""
    except LanemapError as error:
        model, reason = None, str(error)
    return Compared(series.label, figure.kind, figure.cycles, model, reason)


def _cycles(
    series: Series,
    links: int,
    kernel: Sequence[SassInstruction],
    least: int | None,
    parameters: Parameters,
) -> int:
    """From the first clock read of a warp to the last one, as the probes count."""
    if least is not None:
        words = with_total(whole_window(kernel), series.instruction, least) or {}
        kernel = [replace(each, word=words.get(each.address, each.word)) for each in kernel]
    behind = _LEVELS.get(
        str(series.axes.get("residency")), Level.L1 if "cp.async.ca" in series.name else Level.L2
    )
    # What one SM alone takes of L2 is another figure than the share of each where stores are.
    sms = 1 if series.alone and series.name.endswith((", many", ", scattered", "of rows")) else None
    trace = trace_of(series, links, kernel)
    together = int(series.axes.get("SMs together", 1))
    warm = not series.cold
    own_sm = Simulation(trace, parameters, behind=behind, sms=sms, together=together, warm=warm)
    warps = own_sm.whole().warps
    own = warps[series.beside_warps :]
    return int(max(each.cycles[-1] for each in own) - min(each.cycles[0] for each in own))
