"""Chains of arithmetic: latency of each edge, and how often an instruction issues.

A probe of this kind is a list of steps. Each step makes a chain of its own, and the steps that are
named as paired make a chain with each other one. The SASS of a chain decides what it measures: its
edges. A step of one opcode is also run as eight independent strands, which gives the interval
between its issues in one warp.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lanemap.errors import UserError
from lanemap.timing.launch import Loaded, Machine, Outcome, Words
from lanemap.timing.slope import Slope, fit
from lanemap.timing.stalls import TwoSided, try_edges, with_least
from lanemap.timing.text import TARGETS, Chain, Step, module
from lanemap.timing.window import Code, Edge, Window, code, window
from lanemap.toolchain.patch import patched
from lanemap.toolchain.ptxas import assemble
from lanemap.toolchain.sass import disassemble

#: Links of a chain, and of eight strands together.
#: They are odd and even multiples of a turn, so that a cost of every 16 instructions shows.
LENGTHS, SPREAD_LENGTHS = (8, 12, 16, 28, 44), (128, 192, 256, 320, 384)
#: The length at which control words are changed.
TRIED = 16
STRANDS = 8


@dataclass(frozen=True)
class Chains:
    """A probe of chains.

    Attributes:
        name: The group of figures.
        steps: Each makes a chain and a spread of its own.
        paired: Names of steps; every two of them make a chain.
        targets: The targets it is written for.
    """

    name: str
    steps: tuple[Step, ...]
    paired: tuple[str, ...] = ()
    targets: tuple[str, ...] = TARGETS

    def __post_init__(self) -> None:
        """Refuse a pair of what is no step.

        Raises:
            UserError: `paired` names no step.
        """
        unknown = set(self.paired) - {step.name for step in self.steps}
        if unknown:
            name = sorted(unknown)[0]
            raise UserError(f"timing probe {self.name} pairs {name!r}, which is not a step")

    def families(self) -> Iterator[tuple[tuple[Step, ...], ...]]:
        """The chains by steps, in groups that are assembled together."""
        yield tuple((step,) for step in self.steps)
        by_name = {step.name: step for step in self.steps}
        for first in self.paired:
            others = [other for other in self.paired if other != first]
            yield tuple((by_name[first], by_name[other]) for other in others)


@dataclass(frozen=True)
class Assembled:
    """A module of kernels: PTX, cubin and the window of each kernel by entry.

    `refused` holds why a kernel has no window.
    """

    chains: tuple[Chain, ...]
    ptx: str
    cubin: bytes
    windows: Mapping[str, Window]
    refused: Mapping[str, str]

    def by_steps(self) -> dict[tuple[Step, ...], dict[int, Chain]]:
        """The chains by their steps and their number of links."""
        found: dict[tuple[Step, ...], dict[int, Chain]] = {}
        for chain in self.chains:
            found.setdefault(chain.steps, {})[chain.links] = chain
        return found


def assembled(chains: Sequence[Chain], target: str) -> Assembled:
    """Assemble a module and read its windows back.

    Raises:
        UserError: ptxas refuses the text.
        MissingEnvironment: ptxas or nvdisasm is not here.
    """
    ptx = module(chains, target)
    cubin = assemble(ptx, target, name="a timing probe")
    functions = disassemble(cubin)
    windows, refused = {}, {}
    for chain in chains:
        try:
            windows[chain.entry] = window(functions[chain.entry])
        except UserError as error:
            refused[chain.entry] = str(error)
    return Assembled(tuple(chains), ptx, cubin, windows, refused)


@dataclass(frozen=True)
class Measured:
    """One chain at every length.

    Attributes:
        steps: What its links are.
        strands: How many independent strands they are in.
        code: Instructions in the windows; a period is `turns` links.
        distances: What lies between the issues of one turn, as `Window.distances`.
        histograms: By number of links, how many SMs took how many cycles as ptxas assembled it.
        tight: The same with the least stall counts; empty for several strands.
        edges: What was tried of each edge; empty for several strands.
        right: Whether the results at the least stall counts are those at ptxas's.
        lines: The window of TRIED links, as text.
        results: Results of TRIED links, uint32[CTA, thread].
    """

    steps: tuple[Step, ...]
    strands: int
    code: Code
    distances: Mapping[Edge | int, int]
    histograms: Mapping[int, Mapping[int, int]]
    tight: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    edges: tuple[TwoSided, ...] = ()
    right: bool = True
    lines: tuple[str, ...] = ()
    results: Words | None = field(default=None, compare=False)

    @property
    def turns(self) -> int:
        """Links of one turn of the steps."""
        return turn(self.strands)

    @cached_property
    def slope(self) -> Slope:
        """Cycles of one turn as ptxas assembled it; each point is what most SMs took."""
        return self._fit(self.histograms)

    @cached_property
    def tight_slope(self) -> Slope:
        """Cycles of one turn with the least stall counts."""
        return self._fit(self.tight)

    def _fit(self, histograms: Mapping[int, Mapping[int, int]]) -> Slope:
        return fit(
            {
                links // self.turns: max(own, key=lambda cycles: (own[cycles], -cycles))
                for links, own in histograms.items()
            }
        )


def turn(strands: int) -> int:
    """Links after which a chain repeats itself: steps, constants (which go round by four), strands.

    Four covers one or two steps, and that ptxas may take two pipes in turn.
    """
    return 4 * strands


@dataclass(frozen=True)
class Findings:
    """The figures and withheld chains of a probe.

    `withheld` says by chain why it gave no figure.
    """

    probe: Chains
    target: str
    chains: tuple[Measured, ...]
    spreads: tuple[Measured, ...]
    withheld: Mapping[str, str]
    modules: tuple[Assembled, ...]


def prepare(probe: Chains, target: str) -> list[Assembled]:
    """Assemble every module of a probe, side by side."""
    groups: list[list[Chain]] = [
        [Chain(steps, links) for steps in family for links in LENGTHS]
        for family in probe.families()
    ]
    groups.append(
        [Chain((step,), links, STRANDS) for step in probe.steps for links in SPREAD_LENGTHS]
    )
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda chains: assembled(chains, target), groups))


def observe(
    probe: Chains,
    machine: Machine,
    target: str,
    given: Words,
    modules: Sequence[Assembled] | None = None,
) -> Findings:
    """Measure every chain of a probe.

    Args:
        probe: what to measure.
        machine: what executes cubins.
        target: what ptxas assembles for.
        given: the inputs of every launch, one warp in each CTA.
        modules: what `prepare` returned, if it ran before.
    """
    chains: list[Measured] = []
    spreads: list[Measured] = []
    withheld: dict[str, str] = {}
    made = list(modules or prepare(probe, target))
    for own in made:
        if own.chains[0].strands > 1:
            spreads += _spreads(own, machine, given, withheld)
        else:
            chains += _chains(own, machine, given, withheld)
    return Findings(probe, target, tuple(chains), tuple(spreads), withheld, tuple(made))


def label(steps: Sequence[Step], strands: int = 1) -> str:
    """A chain in words."""
    words = " then ".join(step.name for step in steps)
    return f"{words}, {strands} strands" if strands > 1 else words


def _codes(own: Assembled, withheld: dict[str, str]) -> dict[tuple[Step, ...], Code]:
    """Return the instructions in the windows of each chain; chains without any are withheld."""
    codes: dict[tuple[Step, ...], Code] = {}
    for steps, lengths in own.by_steps().items():
        strands = own.chains[0].strands
        name, each = label(steps, strands), turn(strands)
        refused = [own.refused[it.entry] for it in lengths.values() if it.entry in own.refused]
        if refused:
            withheld[name] = refused[0]
            continue
        found = code({links // each: own.windows[it.entry] for links, it in lengths.items()})
        if found.holds:
            codes[steps] = found
        else:
            withheld[name] = found.reason
    return codes


def _spreads(
    own: Assembled, machine: Machine, given: Words, withheld: dict[str, str]
) -> Iterator[Measured]:
    """Measure independent strands."""
    loaded = machine.load(own.cubin)
    for steps, found in _codes(own, withheld).items():
        taken = _lengths(loaded, own.by_steps()[steps], given)
        yield Measured(
            steps, own.chains[0].strands, found, _distances(own, steps), _histograms(taken)
        )


def _chains(
    own: Assembled, machine: Machine, given: Words, withheld: dict[str, str]
) -> Iterator[Measured]:
    """Try every edge of the chains of a module, then measure them at the least stall counts."""
    by_steps, codes = own.by_steps(), _codes(own, withheld)
    tried = {steps: by_steps[steps][TRIED].entry for steps in codes}
    windows = {entry: own.windows[entry] for entry in tried.values()}
    trials = try_edges(machine, own.cubin, windows, given)
    words = {
        chain.entry: with_least(own.windows[chain.entry], trials[entry])
        for steps, entry in tried.items()
        for chain in by_steps[steps].values()
    }
    loaded, tight = machine.load(own.cubin), machine.load(patched(own.cubin, words))
    for steps, found in codes.items():
        plain = _lengths(loaded, by_steps[steps], given)
        least = _lengths(tight, by_steps[steps], given)
        right = all(np.array_equal(plain[n].results, least[n].results) for n in plain)
        entry = tried[steps]
        yield Measured(
            steps,
            1,
            found,
            _distances(own, steps),
            _histograms(plain),
            _histograms(least),
            tuple(trials[entry]),
            right,
            tuple(own.windows[entry].lines()),
            plain[TRIED].results,
        )


def _distances(own: Assembled, steps: tuple[Step, ...]) -> dict[Edge | int, int]:
    """Return the cycles that one turn adds between issues, from the two longest windows."""
    (short, first), (long, second) = sorted(own.by_steps()[steps].items())[-2:]
    turns = (long - short) // turn(own.chains[0].strands)
    more = own.windows[second.entry].distances()
    more.subtract(own.windows[first.entry].distances())
    return {what: count // turns for what, count in more.items() if count}


def _lengths(loaded: Loaded, lengths: Mapping[int, Chain], given: Words) -> dict[int, Outcome]:
    return {links: loaded.launch(chain.entry, given) for links, chain in lengths.items()}


def _histograms(outcomes: Mapping[int, Outcome]) -> dict[int, dict[int, int]]:
    return {links: outcome.histogram() for links, outcome in outcomes.items()}
