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
#: Why series disagree, by group and how they begin.
WHY = (
    ("issue", "straight FFMA", "which lines of a set go where the cache ends is not known"),
    (
        "alu_paths",
        "mul",
        "a product of 64 bits takes longer than its stall count; why is not known",
    ),
    ("alu_paths", "IMAD.HI", "one warp issues it less often than several do"),
    ("contention", "FFMA with", "which of its two pipes FFMA takes is not known"),
    ("contention", "FADD with", "which of its two pipes FADD takes is not known"),
    ("wgmma", "HGMMA", "several warpgroups that wait for each of their products overlap"),
    ("alu_rates", "FADD rate", "how the warps of a short window end"),
    ("alu_rates", "FMUL rate", "how the warps of a short window end"),
    ("alu_rates", "FMUL.RZ, MUFU.SIN", "what MUFU and FMUL take together is not known"),
    ("alu_rates", "F2", "conversions of 64 bits take the pipe a little longer than MUFU"),
    ("alu_rates", "H", "how the turns of a short window follow each other"),
    ("alu_rates", "DSETP", "how the turns of a short window follow each other"),
    ("smem", "STS", "a load behind a store to the same words takes longer; why is not known"),
    ("smem", "LDS and", "loads and stores by turns take longer; why is not known"),
    ("smem", "LDS.128 and", "loads and stores by turns; why is not known"),
    ("smem", "LDSM.16.M88.4 and", "loads and stores by turns; why is not known"),
    ("sync", "fence.", "what a fence takes behind stores is not known"),
    ("sync", "nanosleep", "a timer decides"),
    ("mma", "HMMA.SP", "sparse instructions slow down by a rule that is not known"),
    ("mma", "IMMA.SP", "sparse instructions slow down by a rule that is not known"),
    (
        "memory",
        "ld.relaxed.gpu.global.b64 chase",
        "loads of L2 take different times; the machine has one for all",
    ),
    ("memory", "st.global", "the rate of many stores by all SMs differs between rows"),
    ("memory", "red.global.add.u32", "lanes that reduce one word wait for each other in L2"),
    ("stores", "", "the rate of all SMs differs between patterns"),
    ("memory", "atom", "the machine has one latency for all atomics"),
    ("memory", "batch", "loads take different times on their way; the machine has one for all"),
    ("written", "", "a window does not name its sectors, so that L1 cannot know them again"),
    ("busy", "loads of", "which part of L2 other SMs have read is not known to a window of one"),
    ("busy", "copy of", "which part of L2 other SMs have read is not known to a window of one"),
    ("busy", "cp.async.cg", "lines and sectors besides take turns; those of one SM add up here"),
    ("busy", "cp.async.bulk.tensor", "the trace does not say how far rows of a box lie apart"),
    ("ragged", "cp.async.bulk.tensor", "the trace does not say how far rows of a box lie apart"),
    ("busy", "red.", "how reductions wait for each other is counted for whole launches alone"),
    ("busy", "atom.", "how atomics wait for each other is counted for whole launches alone"),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with LDGSTS", "the same bytes come again and again"),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with UBLKCP", "the same bytes come again and again"),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with STS", _UNBOUNDED),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with SHFL", _UNBOUNDED),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with MUFU", _UNBOUNDED),
    ("wgmma_beside", "HGMMA.64xNx16.F32 with IMAD.WIDE", "products of 64 bits; why is not known"),
    ("wgmma_beside", "HGMMA.64xNx16.F32", "three warpgroups take a little longer than two"),
)
Kernels = Mapping[int, Sequence[SassInstruction]]


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
