"""Grids: what is asked of launches, and the kernels that answer.

A question is about n launches of one kernel, or about the first n CTAs that start somewhere in one
launch. Kernels stamp clocks: %clock64 of their SM, and %globaltimer, which all SMs share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lanemap.errors import UserError
from lanemap.timing.launch import WARP
from lanemap.timing.series import Axis
from lanemap.timing.text import TARGETS, header
from lanemap.timing.window import Code
from lanemap.toolchain.ptxas import assemble
from lanemap.toolchain.sass import SassInstruction, disassemble

#: How n launches follow each other. "stream": in one stream. "graph": as nodes of one graph.
#: "graphs": as graphs of one node. "round trips": the host waits for each. "one": a single launch.
Order = Literal["stream", "graph", "graphs", "round trips", "one"]
#: What is taken of what n launches left; see `grid_samples`.
Taken = Literal["frame", "gaps", "host", "starts", "replaced"]
LAUNCHES = (8, 16, 24, 36, 48)
#: 64-bit words that each CTA leaves, and what they are.
STAMPS = 8
SM, BEGUN, BEGUN_NS, MARKED, MARKED_NS, ENDED, ENDED_NS, NUMBER = range(STAMPS)
#: Bits of a CTA in its NUMBER; the launch lies above.
CTA_BITS = 32
#: Reads of the timer with which its step is measured.
READS = 1024


@dataclass(frozen=True)
class Kernel:
    """The kernel of the timed grids.

    Attributes:
        empty: It only exits; the others stamp their clocks, and wait a number of cycles.
        waits: It executes griddepcontrol.wait before its second stamp.
        releases: It executes griddepcontrol.launch_dependents after its second stamp; an empty one
            at once.
    """

    empty: bool = False
    waits: bool = False
    releases: bool = False

    @property
    def entry(self) -> str:
        """The name of the kernel."""
        words = [name for name in ("empty", "waits", "releases") if getattr(self, name)]
        return "_".join(["grid", *words])

    @property
    def declared(self) -> tuple[str, ...]:
        """Clock reads, and what the events name, in the order in which the SASS has them."""
        releases = ("PREEXIT",) * self.releases
        if self.empty:
            return *releases, "EXIT"
        stamp = "SR_GLOBALTIMERLO", "SR_CLOCKLO"
        waits = ("ACQBULK",) * self.waits
        spin = "SR_CLOCKLO", "BRA", "BAR.SYNC.DEFER_BLOCKING"
        stores = ("STG.E.128",) * 4
        return *stamp, *waits, *stamp, *releases, *spin, *stamp, "EXIT", *stores, "EXIT"

    def text(self) -> str:
        """The PTX of the kernel."""
        waits = "    griddepcontrol.wait;\n" * self.waits
        releases = "    griddepcontrol.launch_dependents;\n" * self.releases
        if self.empty:
            return f"\n.visible .entry {self.entry}()\n{{\n{releases}    ret;\n}}\n"
        return _STAMPED.format(entry=self.entry, waits=waits, releases=releases)


_STAMPED = """
.visible .entry {entry}(
    .param .u64 stamps_at, .param .u32 launch_at, .param .u32 cycles_at
)
{{
    .reg .b64 begun, begun_ns, marked, marked_ns, ended, ended_ns, now, until, at, place, own;
    .reg .b32 thread, cta, ctas, launch, cycles, tries, sm;
    .reg .pred p;
    mov.u64 begun_ns, %globaltimer;
    mov.u64 begun, %clock64;
{waits}    mov.u64 marked_ns, %globaltimer;
    mov.u64 marked, %clock64;
{releases}    ld.param.u32 cycles, [cycles_at];
    cvt.u64.u32 until, cycles;
    add.u64 until, until, begun;
    mov.u32 tries, 0;
again:
    mov.u64 now, %clock64;
    add.u32 tries, tries, 1;
    setp.lt.u64 p, now, until;
    setp.lt.and.u32 p, tries, 1000000, p;                   // never forever
    @p bra again;
    bar.sync 0;
    mov.u64 ended_ns, %globaltimer;
    mov.u64 ended, %clock64;
    mov.u32 thread, %tid.x;
    setp.ne.u32 p, thread, 0;
    @p bra leave;
    ld.param.u64 at, [stamps_at];
    ld.param.u32 launch, [launch_at];
    mov.u32 cta, %ctaid.x;
    mov.u32 ctas, %nctaid.x;
    mov.b64 own, {{cta, launch}};
    mad.lo.u32 cta, launch, ctas, cta;
    mad.wide.u32 at, cta, 64, at;                           // [launch][CTA][word]
    mov.u32 sm, %smid;
    cvt.u64.u32 place, sm;
    st.global.v2.b64 [at], {{place, begun}};
    st.global.v2.b64 [at+16], {{begun_ns, marked}};
    st.global.v2.b64 [at+32], {{marked_ns, ended}};
    st.global.v2.b64 [at+48], {{ended_ns, own}};
leave:
    ret;
}}
"""
#: Holds the GPU for a time, so that the host is done before what it enqueues begins.
HOLD = """
.visible .entry hold(.param .u32 nanoseconds_at)
{
    .reg .b64 now, until;
    .reg .b32 nanoseconds, tries;
    .reg .pred p;
    ld.param.u32 nanoseconds, [nanoseconds_at];
    mov.u64 now, %globaltimer;
    cvt.u64.u32 until, nanoseconds;
    add.u64 until, until, now;
    mov.u32 tries, 0;
again:
    mov.u64 now, %globaltimer;
    add.u32 tries, tries, 1;
    setp.lt.u64 p, now, until;
    setp.lt.and.u32 p, tries, 2000000, p;                   // never forever
    @p bra again;
    ret;
}
"""
#: Reads the timer again and again, to find its step.
TICKS = """
.visible .entry ticks(.param .u64 reads_at, .param .u32 reads_count)
{
    .reg .b64 at, now;
    .reg .b32 left;
    .reg .pred p;
    ld.param.u64 at, [reads_at];
    ld.param.u32 left, [reads_count];
again:
    mov.u64 now, %globaltimer;
    st.global.b64 [at], now;
    add.u64 at, at, 8;
    sub.u32 left, left, 1;
    setp.ne.u32 p, left, 0;
    @p bra again;
    ret;
}
"""


@dataclass(frozen=True)
class Grids:
    """One question.

    Attributes:
        name: What tables call it.
        instruction: What begins it: an opcode as SASS has it, or "launch" for what the host begins.
        events: The first event and the second.
        kind: Which certificates its figure needs, as `grid_figures` says.
        taken: The part of the stamps that is used.
        kernel: The kernel of the grids.
        order: How the launches follow each other.
        stamps: For "gaps", the word of the first event, and that of the second event, which the
            next launch writes.
        ctas: CTAs of each grid.
        per_sm: Whether `ctas` is how many each SM gets.
        threads: Threads of each CTA.
        cluster: CTAs of each cluster; 1 is a launch without clusters.
        shared_bytes: Dynamic shared memory of a CTA.
        overlaps: Whether each grid may begin before the one before it ends.
        cycles: How long each CTA waits.
        lengths: Numbers of launches, or of CTAs.
        axes: What tells this question from others with the same events.
    """

    name: str
    instruction: str
    events: tuple[str, str]
    kind: Literal["rate", "event"]
    taken: Taken
    kernel: Kernel
    order: Order = "stream"
    stamps: tuple[int, int] = (ENDED_NS, BEGUN_NS)
    ctas: int = 1
    per_sm: bool = False
    threads: int = WARP
    cluster: int = 1
    shared_bytes: int = 0
    overlaps: bool = False
    cycles: int = 0
    lengths: tuple[int, ...] = LAUNCHES
    axes: Mapping[str, Axis] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its name with its axes."""
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.axes.items())])

    @property
    def local(self) -> bool:
        """Whether its cycles are those of one SM's clock."""
        return self.taken in ("starts", "replaced")

    def wait(self, launch: int) -> int:
        """How many cycles the CTAs of a launch wait.

        Each launch waits a little longer than the last, so that the steps of the timer do not
        always fall in the same place.
        """
        return self.cycles + (7 * launch % 64 if self.taken == "gaps" else 0)

    @property
    def domain(self) -> str:
        """Which clock counts."""
        if self.taken == "host":
            return "host"
        return "CTA scheduler" if self.local else "globaltimer"


@dataclass(frozen=True)
class GridProbe:
    """A group of questions about grids.

    Attributes:
        name: The group.
        questions: No two have the same events and axes.
        targets: The targets it is written for.
    """

    name: str
    questions: tuple[Grids, ...]
    targets: tuple[str, ...] = TARGETS

    def __post_init__(self) -> None:
        """Refuse two questions that cannot be told apart.

        Raises:
            UserError: two have one label, or the same events and axes.
        """
        labels = Counter(each.label for each in self.questions)
        asked = Counter((each.events, tuple(sorted(each.axes.items()))) for each in self.questions)
        for each in self.questions:
            key = each.events, tuple(sorted(each.axes.items()))
            if labels[each.label] > 1 or asked[key] > 1:
                raise UserError(f"timing probe {self.name} asks {each.label!r} twice")


@dataclass(frozen=True)
class GridModule:
    """The assembled kernels of a probe.

    Attributes:
        ptx: Their text.
        cubin: The same, assembled.
        code: By kernel, what one launch executes, or why that is not what is declared.
        lines: By kernel, its SASS.
    """

    ptx: str
    cubin: bytes
    code: Mapping[Kernel, Code]
    lines: Mapping[Kernel, tuple[str, ...]]


def prepare(probe: GridProbe, target: str) -> GridModule:
    """Assemble the kernels of a probe and read them back.

    Raises:
        UserError: ptxas refuses the text.
        MissingEnvironment: ptxas or nvdisasm is not here.
    """
    kernels = sorted({each.kernel for each in probe.questions} | {Kernel()}, key=_entry)
    ptx = header(target) + "".join([*(each.text() for each in kernels), HOLD, TICKS])
    cubin = assemble(ptx, target, name=f"the kernels of {probe.name}")
    functions = disassemble(cubin)
    whole = {each: _executed(functions[each.entry]) for each in kernels}
    return GridModule(
        ptx,
        cubin,
        {each: _code(each, own) for each, own in whole.items()},
        {
            each: tuple(f"{one.control}  {one.guard} {one.opcode} {one.operands}" for one in own)
            for each, own in whole.items()
        },
    )


def _entry(kernel: Kernel) -> str:
    return kernel.entry


def _executed(instructions: Sequence[SassInstruction]) -> list[SassInstruction]:
    """A function up to its last EXIT."""
    last = max(i for i, each in enumerate(instructions) if each.opcode == "EXIT")
    return list(instructions[: last + 1])


#: Opcodes that say where the events of a kernel lie; a read of a clock is named by the clock.
_LANDMARKS = ("ACQBULK", "PREEXIT", "BRA", "EXIT", "BAR", "STG", "LDG", "LDL", "STL", "MEMBAR")
#: Instructions before the first clock read: the stack's address.
_BEFORE = ("LDC",)


def _code(kernel: Kernel, own: Sequence[SassInstruction]) -> Code:
    """Compare a kernel with what it declares: its landmarks, and nothing before the first."""
    found = []
    for each in own:
        clock = each.operands.rpartition(" ")[2]
        if each.opcode == "CS2R" and clock.startswith("SR_"):
            found.append(clock)
        elif each.opcode.split(".")[0] in _LANDMARKS:
            found.append(each.opcode)
    if tuple(found) != kernel.declared:
        return Code({}, {}, f"the kernel is {', '.join(found)}")
    before = [each.opcode for each in own[:2]]
    if before[0] not in _BEFORE or (len(own) > 2 and before[1] not in ("CS2R", "PREEXIT")):
        return Code({}, {}, f"the kernel begins with {', '.join(before)}")
    return Code(dict(Counter(each.opcode for each in own)), {}, "")
