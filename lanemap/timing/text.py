"""PTX kernels that put a chain of dependent instructions between two clock reads.

Each thread loads x, four constants and a zero from memory, so that ptxas can fold nothing. x is
mixed with the first clock read, times zero: the chain cannot begin before the clock was read. The
second clock read is behind a branch on the chain's last value: it cannot come before the chain
ends. The rounds of a launch repeat the window; all but the first run from the instruction cache.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lanemap.targets import defined_for, timed

#: The targets of probes in PTX that name none; the first is the default.
TARGETS = timed()
#: 32-bit words of a thread's inputs: x, k0 to k3, 0, 1 (by which rounds are counted), unused.
INPUT_WORDS = 8
#: A value of x at which the kernel gives up; no input of a probe leads there.
NEVER = 0x7FFFFF13


@dataclass(frozen=True)
class Step:
    """One link of a chain, as PTX.

    Attributes:
        name: What tables call it: "fma.rn.f32 (addend)".
        text: PTX that writes {d} from {x}, both 32-bit registers; {k} and {m} are two different
            constants. It may use `u0`, `u1` (.b32), `h0`, `h1` (.b16), `d0`, `d1` (.b64) and the
            predicate `p`.
        exact: Whether the ISA fixes every bit of its result, so that every device gives the same.
        mixed: Whether a link of a chain ends with an exclusive or with {k}: after what maps many
            inputs to one, or is its own inverse, the results would not depend on every link.
    """

    name: str
    text: str
    exact: bool = True
    mixed: bool = False

    def link(self, number: int, register: str, mixed: bool) -> str:
        """The PTX of one link; the constants go round, so that two links do not merge into one."""
        first, second = f"k{number % 4}", f"k{(number + 1) % 4}"
        text = self.text + " xor.b32 {d}, {d}, {k};" * mixed
        return text.format(d=register, x=register, k=first, m=second)


@dataclass(frozen=True)
class Chain:
    """A kernel whose window holds `links` links, which take the steps in turn.

    With one strand each link reads what the link before it wrote. With more, the links go round
    that many independent strands, which are folded into x at the end.
    """

    steps: tuple[Step, ...]
    links: int
    strands: int = 1

    @property
    def entry(self) -> str:
        """The name of the kernel."""
        words = "__".join(re.sub(r"\W+", "_", step.name).strip("_") for step in self.steps)
        return f"chain_{words}_{self.links}" + (f"_by_{self.strands}" if self.strands > 1 else "")

    def body(self) -> str:
        """The links, a line each."""
        count, steps = self.strands, self.steps
        if count == 1:
            turns = (steps[i % len(steps)] for i in range(self.links))
            return "\n".join(step.link(i, "x", step.mixed) for i, step in enumerate(turns))
        begin = [f"lop3.b32 y{j}, x, k{j % 4}, k{(j // 4 + 1) % 4}, 0x6a;" for j in range(count)]
        links = [
            steps[i // count % len(steps)].link(i // count, f"y{i % count}", False)
            for i in range(self.links)
        ]
        end = [f"xor.b32 x, x, y{j};" for j in range(count)]
        return "\n".join([*begin, *links, *end])


_HEADER = ".version {version}\n.target {target}\n.address_size 64\n"
_ENTRY = """
.visible .entry {entry}(
    .param .u64 inputs_at,
    .param .u64 results_at,
    .param .u64 clocks_at,
    .param .u64 places_at,
    .param .u32 rounds_at{parameters}
)
{directives}{{
    .reg .b64 inputs, results, clocks, places, began, ended, d<2>;
    .reg .b32 thread, cta, threads, number, warp, zero, one, rounds, low, place, x, k<4>, u<2>;
    .reg .b32 y<{strands}>;
    .reg .b16 h<2>;
    .reg .pred never, more, p;
{registers}    ld.param.u64 inputs, [inputs_at];
    ld.param.u64 results, [results_at];
    ld.param.u64 clocks, [clocks_at];
    ld.param.u64 places, [places_at];
    ld.param.u32 rounds, [rounds_at];
    mov.u32 thread, %tid.x;
    mov.u32 cta, %ctaid.x;
    mov.u32 threads, %ntid.x;
    mad.lo.u32 number, cta, threads, thread;
    mad.wide.u32 inputs, number, {input_bytes}, inputs;     // [CTA][thread][word]
    mad.wide.u32 results, number, 4, results;               // [CTA][thread]
    shr.u32 warp, number, 5;
    mad.wide.u32 places, warp, 4, places;                   // [CTA][warp]
    mul.lo.u32 warp, warp, rounds;
    mad.wide.u32 clocks, warp, 16, clocks;                  // [CTA][warp][round][2]
    mov.u32 place, %smid;
    st.global.b32 [places], place;
    ld.global.b32 k0, [inputs+4];
    ld.global.b32 k1, [inputs+8];
    ld.global.b32 k2, [inputs+12];
    ld.global.b32 k3, [inputs+16];
    ld.global.b32 zero, [inputs+20];
{setup}again:
    ld.volatile.global.b32 x, [inputs];
    setp.eq.u32 never, x, {never};
    @never bra leave;
{begin}    bar.sync 0;
    mov.u64 began, %clock64;
    cvt.u32.u64 low, began;
    lop3.b32 x, x, low, zero, 0x78;                         // x ^ (low & zero)
{body}
    setp.eq.u32 never, x, {never};
    @never bra leave;
{ended}{after}    st.volatile.global.v2.b64 [clocks], {{began, ended}};
    st.volatile.global.b32 [results], x;
    ld.volatile.global.b32 one, [inputs+24];                // after the window, and stays
    mad.wide.u32 clocks, one, 16, clocks;
    sub.u32 rounds, rounds, one;
    setp.ne.u32 more, rounds, 0;
    @more bra again;
leave:
{end}    ret;
}}
"""
#: Where a kernel takes lines of its caller.
_PLACES = ("parameters", "directives", "registers", "setup", "begin", "after", "end")
#: The second clock read.
ENDED = "    mov.u64 ended, %clock64;\n"


def entry(name: str, body: str, strands: int = 1, **texts: str) -> str:
    """The PTX of one kernel.

    Args:
        name: its name.
        body: what lies between the clock reads.
        strands: how many registers y0, y1, .. it has.
        texts: each whole lines or "": `parameters` after the last one, `directives` such as
            .maxnreg, `registers`, `setup` (once, before the first round), `begin` (in each round,
            before its clock is read), `after` (after the second clock read), `end` (before the
            kernel returns, from `leave` too).
    """
    places = dict.fromkeys(_PLACES, "") | {"ended": ENDED} | texts
    return _ENTRY.format(
        entry=name, body=body, never=NEVER, input_bytes=4 * INPUT_WORDS, strands=strands, **places
    )


def header(target: str, version: str = "8.0") -> str:
    """How a module begins; `version` is that of the PTX ISA, or the first that has the target."""
    known = (version, defined_for(target).first_ptx)
    later = max(known, key=lambda each: tuple(map(int, each.split("."))))
    return _HEADER.format(target=target, version=later)


def module(chains: Sequence[Chain], target: str) -> str:
    """The PTX of a module with a kernel for each chain."""
    return header(target) + "".join(
        entry(chain.entry, chain.body(), chain.strands) for chain in chains
    )
