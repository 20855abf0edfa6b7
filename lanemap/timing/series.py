"""Series: one operation, repeated n times between two clock reads, for several n.

A series asks one question that is not about two adjacent arithmetic instructions (`chains` asks
those): how long until a load's result can be used as an address, how often a warp may issue a
store, what a round trip of a copy takes. Its text is PTX in pieces; its axes are what it is
repeated over, such as the number of warps.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from lanemap.errors import UserError
from lanemap.timing import control_words
from lanemap.timing.control_words import Patch
from lanemap.timing.launch import WARP
from lanemap.timing.rewriting import Rewriting
from lanemap.timing.stalls import without_waits
from lanemap.timing.text import ENDED, TARGETS, entry, header
from lanemap.timing.window import Code, Window, code, reads_of_the_clock
from lanemap.toolchain.patch import patched
from lanemap.toolchain.patch import words as words_of
from lanemap.toolchain.ptxas import assemble
from lanemap.toolchain.sass import SassInstruction, disassemble

Axis = str | int
#: Links of a window.
LENGTHS = (8, 12, 16, 28, 44)
#: How the names of kernels begin.
SERIES = "series_"
#: A value of `only` with which every CTA takes part.
EVERY = 0xFFFFFFFF
#: Instructions with which ptxas pads, and which it adds in places of its own choice.
_PADDING = ("NOP",)


def nothing(_device: Any) -> Sequence[Any]:
    """No arguments besides those of every timing kernel."""
    return ()


@dataclass(frozen=True)
class Series:
    """One question.

    The pieces of text are lines of PTX. They may use the registers and labels of `text`: `x`,
    `k0` to `k3`, `zero`, `low` (of the first clock read), `thread`, `cta`, `warp`, `u0`, `u1`,
    `p`; `shared`, the address of the dynamic shared memory, if there is any; and what `registers`
    declares. In `link`, {i} is the number of the link, {i*128+64} that many times 128 plus 64,
    and {i%8} its remainder by 8.

    Attributes:
        name: What tables call it.
        instruction: The opcode that is timed, as SASS has it.
        events: The first event and the second.
        kind: Which certificates its figure needs, as `series_figures` says.
        link: The text that is repeated.
        period: How often each opcode is in the SASS of a link; nothing else may grow with n.
        axes: What tells this series from others with the same events.
        warps: Warps of each CTA.
        cluster: CTAs of each cluster.
        per_link: How many of the timed operations a link has; its cycles are divided by it.
        trips: How often the window runs its links, in a loop; 32 at most, and 1 is no loop. With
            more, the window stays small, and what the loop itself costs does not depend on n.
        turns: Links of a loop's body; if it is not 0, `lengths` are numbers of turns, and `period`
            is what one turn holds, the loop included.
        lengths: Numbers of links.
        registers: Declarations.
        parameters: Declared after those of every timing kernel: ", .param .u64 memory_at".
        arguments: Their values, from the device.
        setup: Before the first round.
        begin: Before the first clock read of each round.
        first: In the window before the links, so that they cannot begin before the clock is read.
        last: In the window after the links.
        after: After the second clock read of each round.
        end: Before the kernel returns, after `setup`: what gives back what it took.
        shared_bytes: Dynamic shared memory of a CTA.
        alone: Whether one cluster at a time runs; the launch is repeated for each.
        domain: What else than the SM's clock decides the cycles: "SM" for nothing.
        exact: Whether results are the same on every device, so that the emulator is the oracle.
        cut: The link without its dependence on the link before it, as often the timed instruction.
        ptx: The version of the PTX ISA that the text is written in.
        directives: Directives of the kernel, such as .maxnreg.
        declarations: Variables of the module, such as those of constant memory.
        rewriting: Changes to the window that ptxas made.
        launches: How often a window of several warps is launched; the least cycles count.
        two_clocks: Whether it is measured at a second frequency of the SM's clock, too.
        patches: Other control words than those of ptxas, but for links that are cut.
        beside: What the first warps of a CTA execute between the clock reads in place of links.
            Their clocks do not count, and they must take longer than the longest window.
        beside_warps: How many warps that are.
        cold: Whether the first round of a module's first launch counts, before which no SM has
            executed the window.
    """

    name: str
    instruction: str
    events: tuple[str, str]
    kind: Literal["fixed latency", "variable latency", "interlocked latency", "rate", "event"]
    link: str
    period: Mapping[str, int]
    axes: Mapping[str, Axis] = field(default_factory=dict)
    warps: int = 1
    cluster: int = 1
    per_link: int = 1
    trips: int = 1
    turns: int = 0
    lengths: tuple[int, ...] = LENGTHS
    registers: str = ""
    parameters: str = ""
    arguments: Callable[[Any], Sequence[Any]] = nothing
    setup: str = ""
    begin: str = ""
    first: str = ""
    last: str = ""
    after: str = ""
    end: str = ""
    shared_bytes: int = 0
    alone: bool = False
    domain: str = "SM"
    exact: bool = True
    cut: str = ""
    ptx: str = "8.0"
    directives: str = ""
    declarations: str = ""
    rewriting: Rewriting | None = None
    launches: int = 8
    two_clocks: bool = False
    patches: tuple[Patch, ...] = ()
    beside: str = ""
    beside_warps: int = 0
    cold: bool = False

    @property
    def label(self) -> str:
        """Its name with its axes."""
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.axes.items())])

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        return WARP * self.warps

    def entry(self, links: int, cut: bool = False) -> str:
        """The name of the kernel with that many links."""
        words = re.sub(r"\W+", "_", self.label).strip("_")
        return f"{SERIES}{words}_{links}" + "_cut" * cut

    def assembled(self, target: str) -> SeriesModule:
        """Assemble its kernels and read the windows back; see `assembled`."""
        return _from_ptx(self, target)

    def text(self, links: int, cut: bool = False) -> str:
        """The PTX of the kernel with that many links."""
        link = self.cut if cut else self.link
        count = self.turns or links
        body = "\n".join(numbered(link, number) for number in range(count))
        if self.turns:
            body = _TURNS.format(body=body)
        if self.trips > 1:
            # The counter is (low & zero) | started, and is shifted: for additions and moves ptxas
            # takes one pipe or another, depending on n.
            body = (
                "    lop3.b32 trips, low, zero, started, 0xea;\n"
                f'trip:\n    .pragma "nounroll";\n{body}\n'
                "    shr.u32 trips, trips, 1;\n    setp.ne.u32 p, trips, 0;\n    @p bra trip;"
            )
        body = _lines(self.first) + body + "\n" + _lines(self.last)
        if self.beside:
            body = _BESIDE.format(threads=WARP * self.beside_warps, links=body, others=self.beside)
        shared = "    mov.u32 shared, smem;\n" if self.shared_bytes else ""
        started = links if self.turns else 1 << (self.trips - 1)
        return entry(
            self.entry(links, cut),
            body,
            ended="" if self.beside else ENDED,
            parameters=",\n    .param .u32 only_at" + self.parameters,
            directives=_lines(self.directives),
            registers=_lines("    .reg .b32 only, shared, trips, started;\n" + self.registers),
            setup=_ONLY.format(
                cluster=self.cluster,
                every=EVERY,
                started=started,
                away="done" if self.end else "leave",
            )
            + shared
            + _lines(self.setup),
            begin=_lines(self.begin),
            after=_lines(self.after),
            end=_lines(self.end) + "done:\n" if self.end else "",
        )


_SHARED = ".extern .shared .align 1024 .b8 smem[];\n"
_TURNS = """    lop3.b32 trips, low, zero, started, 0xea;               // (low & zero) | started
trip:
    .pragma "nounroll";
{body}
    sub.u32 trips, trips, 1;
    setp.ne.u32 p, trips, 0;
    @p bra trip;"""
_BESIDE = """    setp.lt.u32 p, thread, {threads};
    @p bra.uni beside;
{links}
    setp.ne.u32 p, x, zero;                                 // no branch: it would wait for wgmma
    @p mov.u64 ended, %clock64;
    bra.uni together;
beside:
{others}
    mov.u64 ended, %clock64;
together:"""
_ONLY = """    ld.param.u32 only, [only_at];
    div.u32 u0, cta, {cluster};
    setp.ne.u32 p, only, u0;
    setp.ne.and.u32 p, only, {every}, p;
    @p bra {away};
    add.u32 started, zero, {started};
"""


def numbered(link: str, number: int) -> str:
    """A link with its number for {i}, so many times 128 for {i*128}, modulo 8 for {i%8}."""

    def value(found: re.Match[str]) -> str:
        sign, other = found[1], int(found[2] or 1)
        return str((number % other if sign == "%" else number * other) + int(found[3] or 0))

    return re.sub(r"\{i(?:([*%])(\d+))?(?:\+(\d+))?\}", value, link)


def _lines(text: str) -> str:
    return text.rstrip("\n") + "\n" if text.strip() else ""


@dataclass(frozen=True)
class SeriesProbe:
    """A group of series.

    Attributes:
        name: The group.
        series: Its questions; no two have the same events and axes.
        targets: The targets it is written for. A series is withheld on a target whose assembler
            changes it.
    """

    name: str
    series: tuple[Series, ...]
    targets: tuple[str, ...] = TARGETS

    def __post_init__(self) -> None:
        """Refuse two questions that cannot be told apart.

        Raises:
            UserError: two series have one label, or the same events and axes.
        """
        labels: set[str] = set()
        asked: set[tuple[Any, ...]] = set()
        for each in self.series:
            key = (each.events, tuple(sorted(each.axes.items())))
            if each.entry(0) in labels or key in asked:
                raise UserError(f"timing probe {self.name} asks {each.label!r} twice")
            labels.add(each.entry(0))
            asked.add(key)


@dataclass(frozen=True)
class SeriesModule:
    """The assembled kernels of a series.

    Attributes:
        series: The series of the module.
        ptx: The text of its kernels.
        cubin: The same, assembled.
        windows: By number of links, the instructions between the clock reads.
        code: What these hold.
        kernels: By number of links, all instructions of the kernel.
    """

    series: Series
    ptx: str
    cubin: bytes
    windows: Mapping[int, Window]
    code: Code
    kernels: Mapping[int, Sequence[SassInstruction]] = field(default_factory=dict)

    def without_waits(self) -> bytes | None:
        """The kernels, of which the shortest does not wait for the barriers of its instruction.

        None if nothing waits for one.
        """
        links = min(self.series.lengths)
        words = without_waits(self.windows[links], self.series.instruction)
        return patched(self.cubin, {self.series.entry(links): words}) if words else None


def assembled(series: Series, target: str) -> SeriesModule:
    """Assemble the kernels of a series and read its windows back.

    Raises:
        UserError: the assembler refuses the text.
        MissingEnvironment: the assembler or nvdisasm is not here.
    """
    return series.assembled(target)


def _from_ptx(series: Series, target: str) -> SeriesModule:
    """Return the kernels that ptxas makes of the PTX."""
    kernels = [series.text(links) for links in series.lengths]
    if series.cut:
        kernels += [series.text(links, cut=True) for links in series.lengths]
    ptx = source(series, target, kernels)
    cubin = assemble(ptx, target, name=f"the series {series.label!r}")
    cubin, functions, missing = _with_patch(series, cubin)
    windows = _windows(series, functions)
    if series.rewriting is not None:
        cubin = patched(
            cubin,
            {
                series.entry(links): series.rewriting.words(own, series.instruction)
                for links, own in windows.items()
            },
        )
        functions = disassemble(cubin)
        windows = _windows(series, functions)
    found = _turn(windows) if series.turns else code(windows, series.period)
    if found.holds and series.rewriting is not None:
        reasons = [series.rewriting.differs(own, series.instruction) for own in windows.values()]
        found = replace(found, reason=next(filter(None, reasons), ""))
    if found.holds and missing:
        found = replace(found, reason=missing)
    if found.holds:
        cuts = {
            links: whole_window(functions[series.entry(links, cut=True)])
            for links in series.lengths
            if series.cut
        }
        found = replace(found, reason=undeclared(series, found, windows, cuts))
    instructions = {links: functions[series.entry(links)] for links in series.lengths}
    return SeriesModule(series, ptx, cubin, windows, found, instructions)


def undeclared(
    series: Series, found: Code, windows: Mapping[int, Window], cuts: Mapping[int, Window]
) -> str:
    """Why windows are not what a series declares, or the cut ones hold another number of it."""
    if _plain(found.period) != _plain(series.period):
        return f"a link is {_counts(found.period)}, declared as {_counts(series.period)}"
    name = series.instruction
    for links, own in sorted(cuts.items(), reverse=True):
        cut, whole = own.opcodes()[name], windows[links].opcodes()[name]
        if cut != whole:
            return f"{links} links cut hold {cut} {name}, not {whole}"
    return ""


def _windows(
    series: Series, functions: Mapping[str, Sequence[SassInstruction]]
) -> dict[int, Window]:
    """By number of links, the window, or the loop in it."""
    own = {links: whole_window(functions[series.entry(links)]) for links in series.lengths}
    looped = series.trips > 1 or series.turns > 0
    return {links: loop(each) for links, each in own.items()} if looped else own


def _with_patch(
    series: Series, cubin: bytes
) -> tuple[bytes, dict[str, list[SassInstruction]], str]:
    """The cubin with the series' control words, read back, and why it has others; "" if not."""
    functions = disassemble(cubin)
    if not series.patches:
        return cubin, functions, ""
    entries = [series.entry(links) for links in series.lengths]
    words = {
        entry: control_words.changed(series.patches, whole_window(functions[entry]))
        for entry in entries
    }
    cubin = patched(cubin, words)
    back = words_of(cubin)
    functions = {
        name: [replace(each, word=back[name][number]) for number, each in enumerate(own)]
        for name, own in functions.items()
    }
    wrong = (
        control_words.missing(series.patches, whole_window(functions[entry])) for entry in entries
    )
    return cubin, functions, next(filter(None, wrong), "")


def _turn(windows: Mapping[int, Window]) -> Code:
    """Return the instructions of one turn of a loop, the same for every number of turns."""
    held = [own.opcodes() for own in windows.values()]
    reason = "" if all(each == held[0] for each in held) else "turns differ with their number"
    return Code(dict(held[0]), {}, reason)


def source(series: Series, target: str, kernels: Sequence[str]) -> str:
    """The PTX of a module with some of a series' kernels."""
    shared = _SHARED * (series.shared_bytes > 0)
    return header(target, series.ptx) + shared + _lines(series.declarations) + "".join(kernels)


def _plain(period: Mapping[str, int]) -> dict[str, int]:
    """How often each opcode is in a link; BSSY and BSYNC of sm_100a say what they are for."""
    return {name.removesuffix(".RECONVERGENT"): count for name, count in period.items()}


def _counts(period: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(period.items())) or "nothing"


def whole_window(instructions: Sequence[SassInstruction]) -> Window:
    """Everything between the clock reads.

    Raises:
        UserError: there are not two clock reads.
    """
    first, second = reads_of_the_clock(instructions)
    padded = instructions[first + 1 : second]
    inside = [each for each in padded if each.opcode not in _PADDING]
    return Window((), tuple(inside), (), tuple(_gaps(padded)))


def _gaps(padded: Sequence[SassInstruction]) -> Iterator[tuple[SassInstruction, ...]]:
    """Each instruction with its padding, if the next one is of the same opcode."""
    gap: list[SassInstruction] = []
    for each in padded:
        if each.opcode in _PADDING:
            gap.append(each)
            continue
        if gap and gap[0].opcode == each.opcode:
            yield tuple(gap)
        gap = [each]


def loop(own: Window) -> Window:
    """The instructions that the window's loop repeats; what runs once does not grow with n.

    Raises:
        UserError: there is not one loop.
    """
    at = {each.label: place for place, each in enumerate(own.body) if each.label}
    loops = [
        (at[name], place)
        for place, each in enumerate(own.body)
        if each.opcode == "BRA" and (name := each.operands.strip("`()")) in at and at[name] <= place
    ]
    if len(loops) != 1:
        raise UserError(f"the window has {len(loops)} loops, not one")
    first, last = loops[0]
    return Window((), own.body[first : last + 1], ())


def prepare(probe: SeriesProbe, target: str) -> list[SeriesModule]:
    """Assemble every series of a probe, side by side."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda each: assembled(each, target), probe.series))
