"""Series for gfx950: the same questions as `series`, in AMDGCN assembly, of waves of 64 lanes.

A wave issues in order and clang's assembler moves nothing, so what is written between the two clock
reads is what runs. Two things make a reader wait: hardware, for the results of VALU, SALU and MFMA,
and `s_waitcnt`, for memory. No program can read early what hardware waits for; such a latency is
called interlocked, and its proof is the chain alone. For memory the waits are taken away, as
`series_figures` says of a variable latency.

The clock is s_memtime, which counts cycles of the shader clock (AMD CDNA 4 ISA, SMEM instructions).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lanemap.errors import UserError
from lanemap.timing.launch import WAVE
from lanemap.timing.series import EVERY, Series, SeriesModule, numbered, undeclared
from lanemap.timing.window import Window, code
from lanemap.toolchain import amdgpu
from lanemap.toolchain.amdgcn_kernel import Kernel, file
from lanemap.toolchain.sass import SassInstruction

TARGET = "gfx950"
#: LDS that leaves room for one workgroup on a compute unit, of 160 KiB.
LDS_BYTES = 96 * 1024
#: How a window's text begins and ends.
_BEGIN, _END = "// window", "// end of the window"
_WAIT, _NO_WAIT = "s_waitcnt", "s_nop 0"
_POINTERS = ("inputs", "results", "clocks", "places")
_BODY = """
    s_load_dwordx8 s[4:11], s[0:1], 0x0         // inputs, results, clocks, places
    s_load_dwordx2 s[12:13], s[0:1], 0x20       // rounds, only
    {load_more}
    v_and_b32_e32 v0, 0x3ff, v0                 // thread
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s13, {every:#x}
    s_cbranch_scc1 .L{name}_here
    s_cmp_lg_u32 s13, s2
    s_cbranch_scc1 .L{name}_leave
.L{name}_here:
    s_mul_i32 s16, s2, {threads}
    v_add_u32_e32 v1, s16, v0                   // thread of the grid
    v_lshlrev_b32_e32 v2, 5, v1                 // its inputs
    v_lshlrev_b32_e32 v1, 2, v1                 // its result
    global_load_dwordx4 v[4:7], v2, s[4:5]      // x, k0, k1, k2
    global_load_dwordx2 v[8:9], v2, s[4:5] offset:16    // k3, zero
    v_lshrrev_b32_e32 v3, 6, v0
    s_nop 0
    v_readfirstlane_b32 s17, v3
    s_mul_i32 s18, s2, {waves}
    s_add_u32 s17, s17, s18                     // wave of the grid
    s_lshl_b32 s18, s17, 2
    s_mul_i32 s17, s17, s12
    s_lshl_b32 s17, s17, 4                      // its clocks
    s_getreg_b32 s19, hwreg(HW_REG_XCC_ID)
    s_getreg_b32 s20, hwreg(HW_REG_HW_ID, 8, 8) // CU_ID, SH_ID, SE_ID
    s_lshl_b32 s19, s19, 8
    s_or_b32 s19, s19, s20
    v_mov_b32_e32 v2, s18
    v_mov_b32_e32 v3, s19
    global_store_dword v2, v3, s[10:11]
    s_waitcnt vmcnt(0)
    v_mov_b32_e32 v3, v4
{setup}.L{name}_again:
    v_mov_b32_e32 v4, v3
{begin}    s_waitcnt vmcnt(0) lgkmcnt(0)
    s_barrier
    s_memtime s[24:25]
    s_waitcnt lgkmcnt(0)
    {window}
{body}    {end}
    s_waitcnt vmcnt(0) lgkmcnt(0)
    s_memtime s[26:27]
    s_waitcnt lgkmcnt(0)
{after}    v_mov_b32_e32 v2, s17
    v_mov_b32_e32 v48, s24
    v_mov_b32_e32 v49, s25
    v_mov_b32_e32 v50, s26
    v_mov_b32_e32 v51, s27
    global_store_dwordx4 v2, v[48:51], s[8:9]
    global_store_dword v1, v4, s[6:7]
    s_add_u32 s17, s17, 16
    s_sub_u32 s12, s12, 1
    s_cmp_lg_u32 s12, 0
    s_cbranch_scc1 .L{name}_again
.L{name}_leave:
    s_endpgm
"""
_LOOP = """    s_mov_b32 s28, {trips}
.L{name}_trip:
{body}    s_sub_u32 s28, s28, 1
    s_cmp_lg_u32 s28, 0
    s_cbranch_scc1 .L{name}_trip
"""


@dataclass(frozen=True)
class WaveSeries(Series):
    """A question about gfx950; `warps` counts waves.

    The pieces are lines of assembly. They may use v4 (x, from which a round begins), v5 to v8 (the
    constants k0 to k3), v9 (zero), v0 (the thread), v10 to v47 and v52 on, s30 on, LDS, and
    s[14:15], the pointer that `arguments` gives, if it gives one. {name} in `setup` is the kernel's
    name, for labels. The result is what the last piece leaves in v4.

    Attributes:
        pointer: Whether `arguments` gives a pointer.
        vgprs: Registers of a lane.
    """

    pointer: bool = False
    vgprs: int = 128

    @property
    def threads(self) -> int:
        """Threads of a workgroup."""
        return WAVE * self.warps

    def text(self, links: int, cut: bool = False) -> str:
        """The instructions of the kernel with that many links."""
        name, link = self.entry(links, cut), self.cut if cut else self.link
        body = "".join(_lines(numbered(link, number)) for number in range(links))
        if self.trips > 1:
            body = _LOOP.format(trips=self.trips, name=name, body=body)
        more = "s_load_dwordx2 s[14:15], s[0:1], 0x28" if self.pointer else ""
        return _BODY.format(
            name=name,
            every=EVERY,
            threads=self.threads,
            waves=self.warps,
            load_more=more,
            setup=_lines(self.setup.replace("{name}", name)),
            begin=_lines(self.begin),
            after=_lines(self.after),
            body=_lines(self.first) + body + _lines(self.last),
            window=_BEGIN,
            end=_END,
        )

    def kernel(self, links: int, cut: bool = False) -> Kernel:
        """Its resources."""
        return Kernel(
            self.entry(links, cut),
            _POINTERS,
            ("rounds", "only"),
            LDS_BYTES,
            self.vgprs,
            64,
            self.threads,
            ("more",) * self.pointer,
        )

    def assembled(self, target: str) -> WaveModule:
        """Assemble its kernels and read the windows from their text."""
        if target != TARGET:
            raise UserError(f"the series {self.label!r} is for {TARGET}, not for {target}")
        kernels = [(self.kernel(links), self.text(links)) for links in self.lengths]
        if self.cut:
            kernels += [
                (self.kernel(links, True), self.text(links, True)) for links in self.lengths
            ]
        text = file(kernels)
        objects = amdgpu.assemble(text, target, f"the series {self.label!r}")
        windows = {links: window(self.text(links)) for links in self.lengths}
        cuts = {links: window(self.text(links, True)) for links in self.lengths if self.cut}
        found = code(windows, self.period)
        if found.holds:
            found = replace(found, reason=undeclared(self, found, windows, cuts))
        return WaveModule(self, text, objects, windows, found)


def _lines(text: str) -> str:
    """A line for each statement."""
    statements = (each.strip() for each in re.split(r"[;\n]", text))
    return "".join(f"    {each}\n" for each in statements if each)


@dataclass(frozen=True)
class WaveModule(SeriesModule):
    """The kernels of a question about gfx950: `ptx` is their assembly, `cubin` their object."""

    def without_waits(self) -> bytes | None:
        """The object whose shortest window waits in its first and last two waits alone.

        Until the first wait, the register of an address may hold anything; behind the last ones
        come readers that are not in the window.
        """
        links = min(self.series.lengths)
        assert isinstance(self.series, WaveSeries)
        before, own, behind = _parts(self.series.text(links))
        lines = own.splitlines(keepends=True)
        waits = [number for number, line in enumerate(lines) if line.split()[:1] == [_WAIT]]
        for number in waits[1:-2]:
            lines[number] = f"    {_NO_WAIT}\n"
        if not waits[1:-2]:
            return None
        text = file([(self.series.kernel(links), before + "".join(lines) + behind)])
        return amdgpu.assemble(text, TARGET, f"the series {self.series.label!r} without waits")


def _parts(text: str) -> tuple[str, str, str]:
    """Return the parts of a kernel before, in and after its window."""
    before, begun, rest = text.partition(_BEGIN)
    own, ended, behind = rest.partition(_END)
    assert begun and ended
    return before + begun, own, ended + behind


def inside(text: str) -> str:
    """Return the lines between the clock reads of a kernel's text."""
    return _parts(text)[1]


def window(text: str) -> Window:
    """Return the window between the clock reads of a kernel; for a loop, its body."""
    lines = [line.partition("//")[0].strip() for line in inside(text).splitlines()]
    labels = [number for number, line in enumerate(lines) if line.endswith(":")]
    if labels:
        branch = next(n for n, line in enumerate(lines) if line.startswith("s_cbranch"))
        lines = lines[labels[0] + 1 : branch + 1]
    return WaveWindow((), tuple(_instructions(lines)), ())


def _instructions(lines: Sequence[str]) -> Iterator[SassInstruction]:
    for number, line in enumerate(line for line in lines if line):
        opcode, _, operands = line.partition(" ")
        yield SassInstruction(number, "", opcode.removesuffix("_e32"), operands.strip())


@dataclass(frozen=True)
class WaveWindow(Window):
    """A window of assembly, which has no control words."""

    def lines(self) -> list[str]:
        """The chain as a page prints it."""
        return [f"{each.opcode} {each.operands}".rstrip() for each in self.body]
