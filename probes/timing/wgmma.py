"""wgmma: how often one completes, and what a round trip through its commit and wait takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from lanemap.probing.wgmma.kernel import BITS, Form
from lanemap.probing.wgmma.layouts import SWIZZLES
from lanemap.timing.elements import drawn, filled
from lanemap.timing.global_memory import ctas
from lanemap.timing.rewriting import Unwaited
from lanemap.timing.series import Axis, Series, SeriesProbe

_F32, _S32 = ("f32", "f16"), ("s32", "s8")
#: By types of D and of A and B: what ptxas makes of wgmma, dense.
_WGMMA = {
    ("f32", "f16"): "HGMMA.64x{n}x{k}.F32", ("f16", "f16"): "HGMMA.64x{n}x{k}.F16",
    ("f32", "bf16"): "HGMMA.64x{n}x{k}.F32.BF16", ("f32", "tf32"): "HGMMA.64x{n}x{k}.F32.TF32",
    ("f32", "e4m3"): "QGMMA.64x{n}x{k}.F32.E4M3.E4M3",
    ("f16", "e4m3"): "QGMMA.64x{n}x{k}.F16.E4M3.E4M3",
    ("f32", "e5m2"): "QGMMA.64x{n}x{k}.F32.E5M2.E5M2",
    ("s32", "s8"): "IGMMA.64x{n}x{k}.S8.S8", ("s32", "u8"): "IGMMA.64x{n}x{k}.U8.U8",
    ("s32", "b1"): "BGMMA.64x{n}x{k}.AND.POPC",
}  # fmt: skip
#: Where B lies in shared memory, after A, and how many bytes are filled.
_B_AT, _FILLED = 8192, 40960
_NEAR = "and.b32 at, shared, 0x3ffff; shr.u32 at, at, 4; cvt.u64.u32 da, at;\n"


@dataclass(frozen=True)
class Group:
    """wgmma of one form by some warpgroups.

    Attributes:
        form: The instruction.
        swizzle: Swizzle of A and B in shared memory, as `SWIZZLES` names them.
        warpgroups: How many run the same.
        accumulators: How many D take turns.
    """

    form: Form
    swizzle: str = "128b"
    warpgroups: int = 1
    accumulators: int = 1

    def sass(self, n: str = "") -> str:
        """The opcode; `n` in place of the number of columns."""
        form = self.form
        name = _WGMMA[form.d, form.a].format(n=n or form.n, k=form.depth)
        return name if form.selector is None else name.replace("GMMA.", "GMMA.SP.", 1)

    @property
    def axes(self) -> dict[str, Axis]:
        """All that its events do not say."""
        form = self.form
        return {
            "N": form.n,
            "A": "registers" if form.registers else "shared memory",
            "swizzle": self.swizzle,
            "major of A": "MN" if form.a_mn else "K",
            "major of B": "MN" if form.b_mn else "K",
            "warpgroups": self.warpgroups,
            "accumulators": self.accumulators,
            "values": "0 and 1, integers random",
        }

    def text(self, number: int = 0) -> str:
        """The instruction, on accumulator `number`."""
        form = self.form
        d = ", ".join(f"v{number * form.d_registers + each}" for each in range(form.d_registers))
        a = "{fa0, fa1, fa2, fa3}" if form.registers else "da"
        sparse = "" if form.selector is None else ", sparsity, 0"
        return f"{form.instruction} {{{d}}}, {a}, db{sparse}, 1{form.immediates};"

    @property
    def size(self) -> int:
        """Registers of all accumulators."""
        return self.accumulators * self.form.d_registers

    @property
    def setup(self) -> str:
        """Shared memory of elements 0 and 1, descriptors, and A in registers."""
        form, kind = self.form, self.form.a
        text = filled(kind, _FILLED, 128 * self.warpgroups) + _NEAR
        text += f"add.u64 db, da, {_B_AT >> 4};\n"
        for name, mn in (("da", form.a_mn), ("db", form.b_mn)):
            swizzle = SWIZZLES[self.swizzle]
            *_, leading, stride = swizzle.dense_tile(mn, BITS[kind])
            high = swizzle.code << 62 | stride >> 4 << 32 | leading >> 4 << 16
            text += f"or.b64 {name}, {name}, {high};\n"
        for number in range(4):
            text += drawn(kind, f"fa{number}", number)
        return text + "add.u32 sparsity, zero, 0x44444444;\n"

    def series(
        self,
        name: str,
        to: str,
        kind: Literal["rate", "event"],
        link: str,
        period: dict[str, int],
        first: str = "",
        last: str = "",
        after: str = "",
        per_link: int = 1,
        lengths: tuple[int, ...] = (2, 4, 6, 8, 12),
        more: dict[str, Axis] | None = None,
        begun: str = "issue of {sass}",
        trips: int = 4,
    ) -> Series:
        """A series of this form."""
        own = self.sass("N")
        return Series(
            f"{own} {name}",
            own,
            (begun.format(sass=own), to.format(sass=own)),
            kind,
            link=link,
            period=period,
            axes=self.axes | (more or {}),
            warps=4 * self.warpgroups,
            per_link=per_link,
            lengths=lengths,
            trips=trips,
            registers=f".reg .b32 v<{self.size}>, fa<4>, at, drawn, sparsity; .reg .b64 da, db;",
            setup=self.setup,
            # Equal accumulators would be merged into one.
            begin="".join(
                f"and.b32 v{each}, zero, k{each // self.form.d_registers};\n"
                for each in range(self.size)
            ),
            first=first,
            last=last,
            after=after
            + "".join(
                f"xor.b32 x, x, v{each}; shf.l.wrap.b32 x, x, x, 5;\n" for each in range(self.size)
            ),
            shared_bytes=_FILLED,
            exact=kind == "event",
            ptx="8.4",
        )


#: Warps begin a window at different times, which long ones hide. In a loop, ptxas would wait for
#: all that is pending.
_LONG = (24, 48, 72, 96, 120)
_FENCE = "wgmma.fence.sync.aligned;\n"
_COMMIT, _WAIT = "wgmma.commit_group.sync.aligned;\n", "wgmma.wait_group.sync.aligned 0;\n"


def _interval(group: Group) -> Series:
    """Many with one commit: how often one completes."""
    turns = range(group.accumulators)
    return group.series(
        "rate",
        "issue of the next {sass} of the warpgroup, with one commit for all",
        "rate",
        "\n".join(map(group.text, turns)),
        {group.sass(): len(turns)},
        first=_FENCE,
        last=_COMMIT + _WAIT + "xor.b32 x, x, v0;",
        per_link=len(turns),
        lengths=tuple(each // len(turns) for each in _LONG),
        trips=1,
    )


def _depth(group: Group, issued: tuple[int, ...]) -> Series:
    """Issues alone: what waits for their results comes after the second clock read.

    Their group stays pending in the window, and an empty group is waited for with it.
    """
    own = group.series(
        "issue",
        "issue of the next {sass} of the warpgroup, while none before is waited for",
        "rate",
        group.text(),
        {group.sass(): 1},
        first=_FENCE,
        last=_COMMIT,
        after=_COMMIT + _WAIT,
        lengths=issued,
        trips=1,
        more={"issued": f"{issued[0]} to {issued[-1]}"},
    )
    # The warps' different beginnings are as long as a few issues.
    return replace(own, rewriting=Unwaited(), launches=64)


def _round_trip(group: Group, count: int = 1) -> Series:
    """Each with its commit, waited for."""
    return group.series(
        f"{count} and wait",
        "wgmma.wait_group 0 passed, which follows the commit of them all",
        "event",
        _FENCE + "\n".join([group.text()] * count) + "\n" + _COMMIT + _WAIT,
        {group.sass(): count, "WARPGROUP.ARRIVE": 1, "WARPGROUP.DEPBAR.LE": 1},
        last="xor.b32 x, x, v0;",
        more={"in a commit": count},
        lengths=(2, 4, 6, 8, 12) if count < 4 else (1, 2, 3, 4, 6),
        begun="issue of WARPGROUP.ARRIVE before {sass}",
    )


def _pipelined(group: Group, pending: int) -> Series:
    """Each with its commit; some groups stay pending."""
    return group.series(
        "and wait for older",
        "issue of the next {sass} after wait_group passed",
        "rate",
        f"{_FENCE}{group.text()}\n{_COMMIT}wgmma.wait_group.sync.aligned {pending};",
        {group.sass(): 1, "WARPGROUP.ARRIVE": 1, "WARPGROUP.DEPBAR.LE": 1},
        last=_WAIT + "xor.b32 x, x, v0;",
        more={"groups that stay pending": pending},
    )


def _alone(
    name: str, instruction: str, events: tuple[str, str], link: str, trips: int = 8
) -> Series:
    """Instructions that belong to wgmma, with none pending."""
    return Series(
        name,
        instruction,
        events,
        "rate",
        link,
        {instruction: 1},
        warps=4,
        axes={"warpgroups": 1},
        lengths=_LONG if trips == 1 else (4, 6, 8, 12, 20),
        trips=trips,
        exact=False,
    )


_SIZES, _FEW = (8, 16, 32, 64, 96, 128, 192, 256), (8, 64, 128, 256)
_SPARSE = (("f32", "f16"), ("f32", "bf16"), ("f32", "tf32"), ("f32", "e4m3"), ("s32", "s8"))
_MAJORS = ((False, False), (False, True), (True, False), (True, True))


def _dense(n: int, registers: bool = False, types: tuple[str, str] = _F32) -> Form:
    return Form(n, types[0], types[1], types[1], registers)


def _wgmma() -> Iterator[Series]:
    for types in _WGMMA:
        for n in _SIZES if types in (_F32, ("f32", "e4m3"), _S32) else _FEW:
            for registers in (False, True):
                form = _dense(n, registers, types)
                yield _interval(Group(form))
                if n in _FEW or types == _F32:
                    yield _round_trip(Group(form))
    for result, kind in _SPARSE:
        for n in (64, 256):
            for registers in (False, True):
                group = Group(Form(n, result, kind, kind, registers, selector=0))
                yield _interval(group)
                yield _round_trip(group)
    for swizzle in SWIZZLES:
        for a_mn, b_mn in _MAJORS:
            if swizzle != "128b" or a_mn or b_mn:
                for n in (64, 256):
                    yield _interval(Group(Form(n, *_F32, "f16", False, a_mn, b_mn), swizzle))
                yield _round_trip(Group(Form(64, *_F32, "f16", False, a_mn, b_mn), swizzle))
            if not a_mn and (swizzle != "128b" or b_mn):
                yield _interval(Group(Form(256, *_F32, "f16", True, False, b_mn), swizzle))
    for n in (64, 128, 256):
        for count in (2, 4, 8):
            yield _round_trip(Group(_dense(n)), count)
        for pending in (1, 3):
            yield _pipelined(Group(_dense(n)), pending)
        yield _interval(Group(_dense(n), warpgroups=2))
    for n in (64, 128):
        for types in (_F32, ("f32", "e4m3"), _S32):
            yield _interval(Group(_dense(n, types=types), warpgroups=4))
            yield _interval(Group(_dense(n, types=types), accumulators=2))
        yield _interval(Group(_dense(n, True), accumulators=2))
        yield _round_trip(Group(_dense(n), warpgroups=4))
        yield _round_trip(Group(_dense(n), warpgroups=2))
    events = "issue of WARPGROUP.ARRIVE", "issue of the next WARPGROUP.ARRIVE, with none pending"
    yield _alone("wgmma.fence", "WARPGROUP.ARRIVE", events, _FENCE)
    events = "issue of WARPGROUP.DEPBAR.LE", "its wait passed, with no group pending"
    yield _alone("wgmma.wait_group", "WARPGROUP.DEPBAR.LE", events, _WAIT)
    # ptxas makes an HGMMA without operands of the commit of an empty group.
    empty = "HGMMA.64x8x16.F16"
    events = f"issue of {empty} that commits an empty group", f"issue of the next such {empty}"
    yield _alone("wgmma.commit_group", empty, events, _COMMIT, trips=1)


wgmma = SeriesProbe("wgmma", series=tuple(_wgmma()), targets=("sm_90a",))

#: Between which numbers of wgmma the cycles of their issues are compared.
_ISSUED = (
    (2, 3, 4, 5, 6), (4, 5, 6, 7, 8), (6, 7, 8, 9, 10), (8, 9, 10, 11, 12),
    (12, 13, 14, 15, 16), (16, 20, 24, 28, 32),
)  # fmt: skip
wgmma_depth = SeriesProbe(
    "wgmma_depth",
    series=tuple(
        _depth(Group(_dense(n, registers)), issued)
        for n in (8, 64, 128, 256)
        for registers in (False, True)
        for issued in _ISSUED
    ),
    targets=("sm_90a",),
)

#: Bytes that accesses of all threads cover, behind the operands of wgmma.
_OWN, _DATA = 16384, 65536


@dataclass(frozen=True)
class Beside:
    """An instruction that a link has beside a wgmma.

    Attributes:
        opcode: In SASS.
        text: PTX; {j} is its number in the link, {a} that modulo 8, {r} four times that modulo 8,
            {at} an offset in shared memory of four warps side by side.
        setup: What comes before the window.
        last: What waits for it.
        period: What else a link has of it.
        mix: What is done besides, where the opcode alone does not say it.
    """

    opcode: str
    text: str
    setup: str = ""
    last: str = ""
    period: Mapping[str, int] = field(default_factory=dict)
    mix: str = ""


_OWN_AT = f"mad.lo.u32 own, thread, 16, shared; add.u32 own, own, {_FILLED};\n"
_QUAD = "{{w{r}, w{r1}, w{r2}, w{r3}}}"
_STS = Beside("STS.128", "st.volatile.shared.v4.b32 [own+{at}], {{k0, k1, k2, k3}};", _OWN_AT)
_LDS = Beside("LDS.128", f"ld.volatile.shared.v4.b32 {_QUAD}, [own+{{at}}];", _OWN_AT)
_LDGSTS = Beside(
    "LDGSTS.E.BYPASS.128",
    "cp.async.cg.shared.global [own+{at}], [data+{at}], 16;",
    _OWN_AT + f"mad.wide.u32 data, cta, {_DATA}, data; mul.wide.u32 d0, thread, 16;"
    "add.u64 data, data, d0;\n",
    last="cp.async.wait_all;\n",
)
_COPY = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"


def _bulk(size: int) -> Beside:
    """A bulk copy of one lane from L2."""
    return Beside(
        "UBLKCP.S.G",
        f"@lead mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], {size};\n"
        f"@lead {_COPY} [own+{{bulk}}], [data], {size}, [bar];",
        f"add.u32 own, shared, {_FILLED}; mad.wide.u32 data, cta, {_DATA}, data;\n"
        f"add.u32 bar, own, {2 * _OWN}; setp.lt.u32 p, thread, 32;"
        "elect.sync _|lead, 0xffffffff; and.pred lead, lead, p;\n"
        "@lead mbarrier.init.shared::cta.b64 [bar], 1; fence.mbarrier_init.release.cluster;\n",
        period={"IMAD.MOV.U32": 1, "SYNCS.ARRIVE.TRANS64": 1, "UIADD3": 2, "VOTEU.ANY": 1},
    )


_ALU = (
    Beside("FFMA", "fma.rn.f32 s{a}, s{a}, k0, k1;"),
    Beside("FADD", "add.rn.f32 s{a}, s{a}, k0;"),
    Beside("FMUL", "mul.rn.f32 s{a}, s{a}, k0;"),
    Beside("FMNMX", "max.f32 s{a}, s{a}, k{four};"),
    Beside("LOP3.LUT", "lop3.b32 s{a}, s{a}, k0, k1, 0x6a;"),
    Beside("IMAD", "mad.lo.u32 s{a}, s{a}, k0, k1;"),
    Beside("F2FP.F16.F32.PACK_AB", "cvt.rn.f16x2.f32 s{a}, s{a}, k0;"),
    Beside("MUFU.EX2", "ex2.approx.ftz.f32 s{a}, s{a};"),
    Beside("SHFL.BFLY", "shfl.sync.bfly.b32 s{a}, s{a}, 1, 0x1f, 0xffffffff;"),
)


def _wide(count: int) -> Beside:
    """A product of 64 bits, as addresses are made of."""
    return Beside(
        "IMAD.WIDE.U32",
        "mul.wide.u32 q{a}, s{a}, k{four}; mov.b64 {{w{a}, s{a}}}, q{a}; xor.b32 s{a}, s{a}, w{a};",
        period={"LOP3.LUT": count},
        mix="LOP3.LUT",
    )


def _softmax(count: int) -> Beside:
    """What attention does of each logit: scaled, its power of two, added."""
    return Beside(
        "MUFU.EX2",
        "fma.rn.f32 w{a}, s{a}, k0, k1; ex2.approx.ftz.f32 w{a}, w{a}; add.f32 s{a}, s{a}, w{a};",
        period={"FFMA": count, "FADD": count},
        mix="FFMA, FADD",
    )


def _lengths(count: int) -> tuple[int, ...]:
    """Links of windows that stay in the cache behind the SM's own."""
    return (16, 24, 32, 40, 48) if count <= 20 else (8, 12, 16, 20, 24)


def _series(n: int, registers: bool, beside: Beside, count: int, groups: int = 1, **axes: Any
            ) -> Series:  # fmt: skip
    group = Group(Form(n, *_F32, "f16", registers), warpgroups=groups)
    text = [group.text()]
    for j in range(count):
        four = {f"r{m}" if m else "r": 4 * (j % 8) + m for m in range(4)}
        text.append(beside.text.format(
            j=j, a=j % 8, four=j % 4, at=(j % 4) * 2048 * groups, bulk=(j % 2) * _OWN, **four
        ))  # fmt: skip
    period = {group.sass(): 1, beside.opcode: count, **beside.period}
    made = group.series(
        f"with {beside.opcode}",
        f"issue of the next {{sass}}, with {beside.opcode} behind each",
        "rate",
        "\n".join(text),
        period,
        first=_FENCE,
        last=_COMMIT + _WAIT + beside.last + "xor.b32 x, x, v0;",
        lengths=_lengths(count),
        trips=1,
        more={"others": count, **({"with": beside.mix} if beside.mix else {}), **axes},
        begun="issue of {sass}, one commit for all",
    )
    strands = "".join(
        f"xor.b32 s{each}, x, k{each % 4}; add.u32 s{each}, s{each}, {each};\n" for each in range(8)
    )
    ends = "".join(f"xor.b32 x, x, s{each};\n" for each in range(8))
    return replace(
        made,
        registers=made.registers
        + " .reg .b32 s<8>, w<32>, own, bar; .reg .b64 data, q<8>; .reg .pred lead;",
        parameters=", .param .u64 data_at",
        arguments=lambda device: (device.zeros(ctas(device) * _DATA, np.uint8, name="data"),),
        setup=made.setup + "ld.param.u64 data, [data_at];\n" + beside.setup,
        begin=made.begin + strands,
        after=made.after + ends,
        shared_bytes=_FILLED + 2 * _OWN + 1024,
        exact=False,
        domain="SM" if not beside.last and "UBLK" not in beside.opcode else "L2",
    )


def _all() -> Iterator[Series]:
    forms: Sequence[tuple[int, bool, tuple[int, ...]]] = (
        (64, False, (1, 2)),
        (128, False, (1, 2, 4)),
        (256, False, (2, 4)),
        (128, True, (2, 4)),
        (256, True, (4,)),
    )
    for n, registers, counts in forms:
        for beside in (_STS, _LDS, _LDGSTS):
            for count in counts:
                yield _series(n, registers, beside, count)
    for n, registers, size in ((128, False, 1024), (128, False, 4096), (256, False, 4096)):
        yield _series(n, registers, _bulk(size), 1, bytes=size)
    for beside in _ALU:
        slow = beside.opcode.startswith(("MUFU", "SHFL"))
        for count in (2, 4, 8) if slow else (16, 48):
            yield _series(128, False, beside, count)
    for beside, count in (*((each, 40) for each in _ALU[:4]), (_ALU[7], 6), (_STS, 2)):
        yield _series(128, False, beside, count, 2)
    for beside, count in ((_ALU[7], 6), (_STS, 2)):
        yield _series(128, True, beside, count, 2)
    for count in (1, 2, 3):
        yield _series(128, False, _wide(count), count)
    for n, registers, warpgroups in ((128, False, 1), (128, True, 2), (64, True, 1), (64, True, 4)):
        for count in (4, 8, 16):
            yield _series(n, registers, _softmax(count), count, warpgroups)
    for groups in (2, 3):
        for n, registers in ((64, True), (128, True), (256, True), (64, False), (128, False)):
            if groups == 3 or registers:
                yield _interval(Group(_dense(n, registers), warpgroups=groups))
        for n, registers, count in ((128, False, 4), (64, True, 8), (128, True, 8)):
            yield _round_trip(Group(_dense(n, registers), warpgroups=groups), count)


wgmma_beside = SeriesProbe("wgmma_beside", tuple(_all()), targets=("sm_90a",))
