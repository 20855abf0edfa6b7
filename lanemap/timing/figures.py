"""Figures: cycles between two events, each with the certificates that its class asks for.

A figure is explained if every certificate of its class holds. One that is not keeps its cycles and
says which certificate failed.

* A fixed latency needs `code`, `slope`, `dependence`, `two_sided`, `population` and `agreement`.
  Its cycles are the least stall count with which every result is right. The slope of a chain that
  runs at the least stall counts is the sum of its edges.
* A variable latency needs the same. Its cycles are the slope of a chain of one step, less its other
  edges, and `two_sided` says that results are wrong without the wait for its barrier. Chains of two
  steps must add up with it.
* An interval, a ratio over n, needs `code`, `slope` and `population`.

All cycles are those of the SM's own clock (clock64), whatever frequency it runs at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction

from lanemap.timing.chains import Findings, Measured, label
from lanemap.timing.slope import INTEGRAL
from lanemap.timing.stalls import TwoSided
from lanemap.timing.window import Edge

FIXED, VARIABLE, INTERVAL = "fixed latency", "variable latency", "interval"
#: Of AMD's GPUs, where hardware waits and no wait can be taken away.
INTERLOCKED = "interlocked latency"
RATE_KIND, EVENT = "rate", "event"
#: How far the slope of an interval may be from straight, as a share of its cycles.
RATE = Fraction(3, 100)


@dataclass(frozen=True)
class Spread:
    """Cycles of one operation over the SMs: the fastest, the median and the slowest."""

    least: Fraction
    middle: Fraction
    most: Fraction


@dataclass(frozen=True)
class Figure:
    """Cycles between two events.

    Attributes:
        instruction: The opcode of the first event, as SASS has it.
        events: The first event and the second.
        kind: FIXED, VARIABLE, INTERLOCKED, INTERVAL, RATE_KIND or EVENT.
        cycles: Cycles of the SM's clock; None if nothing determines them.
        chain: The chain that it was measured in, as `chains.label`, or the series.
        certificates: By name, why it does not hold; "" if it does.
        axes: Other parameters of the measurement, such as "warps".
        spread: Over the SMs; None where all must agree.
        domain: What decides the cycles besides the SM's clock: "SM" for nothing.
        unit: Unit: "cycles" of the SM's clock, or "ns".
    """

    instruction: str
    events: tuple[str, str]
    kind: str
    cycles: Fraction | None
    chain: str
    certificates: Mapping[str, str]
    axes: Mapping[str, str | int] = field(default_factory=dict)
    spread: Spread | None = None
    domain: str = "SM"
    unit: str = "cycles"

    @property
    def explained(self) -> bool:
        """Whether every certificate of its class holds."""
        return self.cycles is not None and not any(self.certificates.values())

    @property
    def question(self) -> tuple[str, ...]:
        """The question: events and axes. No two figures of a group have the same."""
        return question(self.events, self.axes)


def question(events: tuple[str, str], axes: Mapping[str, str | int]) -> tuple[str, ...]:
    """Two events and the axes, as text, in one order."""
    return *events, *(f"{name}={value}" for name, value in sorted(axes.items()))


def figures(found: Findings) -> list[Figure]:
    """Every figure that the findings hold, one for each pair of events, sorted."""
    trials = _trials(found.chains)
    known = {edge: each for edge, own in trials.items() if (each := _needed(own)) is not None}
    known |= _solved(found.chains, known)
    unsound = {id(chain): _unsound(chain, known) for chain in found.chains}
    clean = {
        what
        for chain in found.chains
        for what in chain.distances
        if isinstance(what, Edge) and what.fixed and not unsound[id(chain)]
    }
    every = [
        *(_latency(edge, own, known.get(edge), unsound, clean) for edge, own in trials.items()),
        *_intervals(found.spreads),
    ]
    return sorted(
        {each.events: each for each in every}.values(), key=lambda each: (each.kind, each.events)
    )


def _trials(chains: Sequence[Measured]) -> dict[Edge, list[tuple[Measured, TwoSided]]]:
    """Every trial of each edge, those in chains of one step first."""
    found: dict[Edge, list[tuple[Measured, TwoSided]]] = {}
    for chain in sorted(chains, key=lambda each: len(each.steps)):
        for trial in chain.edges:
            found.setdefault(trial.edge, []).append((chain, trial))
    return found


def _needed(trials: Sequence[tuple[Measured, TwoSided]]) -> Fraction | None:
    """The stall count that an edge needs, where trials prove one from both sides, and the same."""
    leasts = {trial.least for _, trial in trials if trial.edge.fixed and trial.holds}
    return Fraction(least) if len(leasts) == 1 and (least := leasts.pop()) is not None else None


def _solved(chains: Sequence[Measured], fixed: Mapping[Edge, Fraction]) -> dict[Edge, Fraction]:
    """The cycles of edges of variable latency: the slope of a chain of one step, less the rest."""
    found: dict[Edge, Fraction] = {}
    own = [chain for chain in chains if len(chain.steps) == 1]
    while True:
        before = len(found)
        for chain in own:
            known = {**fixed, **found}
            open_edges = {
                what for what in chain.distances if isinstance(what, Edge) and what not in known
            }
            if len(open_edges) == 1:
                edge = open_edges.pop()
                if not edge.fixed:
                    rest = chain.tight_slope.cycles - _sum(chain, known, without=edge)
                    found[edge] = rest / chain.distances[edge]
        if len(found) == before:
            return found


def _sum(chain: Measured, known: Mapping[Edge, Fraction], without: Edge | None = None) -> Fraction:
    """Return the cycles of one turn of a chain as the sum of its edges' known cycles."""
    total = Fraction()
    for what, count in chain.distances.items():
        if what != without:
            total += count * (known[what] if isinstance(what, Edge) else what)
    return total


def _unsound(chain: Measured, known: Mapping[Edge, Fraction]) -> str:
    """Why the slope of a chain is not the sum of its edges; "" if it is."""
    slope = chain.tight_slope
    if not slope.straight:
        return "cycles do not grow evenly with n"
    if any(isinstance(what, Edge) and what not in known for what in chain.distances):
        return "an edge of the chain is open"
    expected = _sum(chain, known)
    if abs(slope.cycles - expected) > INTEGRAL * len(chain.steps):
        return f"a turn takes {float(slope.cycles):g} cycles, its edges {float(expected):g}"
    return ""


def _latency(
    edge: Edge,
    trials: Sequence[tuple[Measured, TwoSided]],
    cycles: Fraction | None,
    unsound: Mapping[int, str],
    clean: Set[Edge],
) -> Figure:
    """The figure of an edge, from the chain that explains it best.

    `unsound` says by `id` of each chain why it does not add up; `clean` holds the fixed edges of
    those that do.
    """
    candidates = []
    for chain, trial in trials:
        certificates = {
            "code": chain.code.reason,
            "population": _population(chain.tight),
            "dependence": "" if chain.right else "results change with the least stall counts",
            "two_sided": _one_sided(trial),
            "slope": unsound[id(chain)],
        }
        candidates.append((certificates, label(chain.steps)))
    certificates, name = min(
        candidates, key=lambda each: (any(each[0].values()), bool(each[0]["two_sided"]))
    )
    # Chains that hold only edges which other chains explain must agree on this one too.
    others = [
        unsound[id(chain)]
        for chain, _ in trials
        if all(
            what == edge or what in clean or isinstance(what, int) or not what.fixed
            for what in chain.distances
        )
    ]
    certificates["agreement"] = next((why for why in others if why), "")
    kind = FIXED if edge.fixed else VARIABLE
    return Figure(edge.producer, edge.events, kind, cycles, name, certificates)


def _one_sided(trial: TwoSided) -> str:
    if trial.holds:
        return ""
    if trial.edge.fixed:
        return "no smaller stall count spoils a result"
    return "no result is wrong without the wait"


def _population(histograms: Mapping[int, Mapping[int, int]]) -> str:
    """Why not every SM took the same cycles."""
    spread = [links for links, own in histograms.items() if len(own) > 1]
    return f"SMs differ at {spread[0]} links" if spread else ""


def _intervals(spreads: Sequence[Measured]) -> Iterator[Figure]:
    """The cycles for which an instruction keeps the next of its opcode from issuing."""
    for own in spreads:
        if len(own.code.period) != 1:
            continue
        ((opcode, count),) = own.code.period.items()
        slope = own.slope
        cycles = slope.cycles / count
        straight = slope.residual <= RATE * slope.cycles * (slope.lengths[-1] - slope.lengths[0])
        events = (f"issue of {opcode}", f"issue of the next independent {opcode} of the warp")
        certificates = {
            "code": own.code.reason,
            "population": _population(own.histograms),
            "slope": "" if straight else "cycles do not grow evenly with n",
        }
        yield Figure(opcode, events, INTERVAL, cycles, label(own.steps, own.strands), certificates)
