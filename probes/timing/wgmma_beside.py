"""wgmma beside other instructions: what each takes of the other, in one warp and in two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from lanemap import paths
from lanemap.probing.wgmma.kernel import Form
from lanemap.timing.global_memory import ctas
from lanemap.timing.rewriting import Sources
from lanemap.timing.series import Series, SeriesProbe

_shared = paths.import_file(Path(__file__).with_name("_warpgroups.py"), "lanemap_timing")
COMMIT = _shared.COMMIT
F32 = _shared.F32
FENCE = _shared.FENCE
FILLED = _shared.FILLED
WAIT = _shared.WAIT
Group = _shared.Group
dense = _shared.dense
interval = _shared.interval
round_trip = _shared.round_trip

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
        own: Bytes of shared memory that it accesses.
        lengths: Links of a window.
    """

    opcode: str
    text: str
    setup: str = ""
    last: str = ""
    period: Mapping[str, int] = field(default_factory=dict)
    mix: str = ""
    own: int = 2 * _OWN
    lengths: tuple[int, ...] = ()


#: As of which length links are few, so that windows stay in the cache behind the SM's own.
_LONG = 21


def _lengths(count: int) -> tuple[int, ...]:
    """Links of a window, of which each has so many others."""
    return (16, 24, 32, 40, 48) if count < _LONG else (8, 12, 16, 20, 24)


_OWN_AT = f"mad.lo.u32 own, thread, 16, shared; add.u32 own, own, {FILLED};\n"
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
    """A bulk copy of one lane from L2; one arrival behind the links ends the phase of all.

    Each has bytes of its own, so that none waits for another one.
    """
    lengths = _lengths(_LONG)
    return Beside(
        "UBLKCP.S.G",
        f"@lead mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], {size};\n"
        f"@lead {_COPY} [own+{{{{i*{size}}}}}], [data], {size}, [bar];",
        f"add.u32 own, shared, {FILLED}; mad.wide.u32 data, cta, {_DATA}, data;\n"
        f"add.u32 bar, own, {lengths[-1] * size}; mov.u32 phase, 0; setp.lt.u32 p, thread, 32;"
        "elect.sync _|lead, 0xffffffff; and.pred lead, lead, p;\n"
        "@lead mbarrier.init.shared::cta.b64 [bar], 1; fence.mbarrier_init.release.cluster;\n",
        last="@lead mbarrier.arrive.shared::cta.b64 _, [bar];\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [bar], phase;\n"
        "@!p bra leave; xor.b32 phase, phase, 1;\n",
        period={
            "IMAD.MOV.U32": 1,
            "SYNCS.ARRIVE.TRANS64.RED.A0TR": 1,
            "UIADD3": 2,
            "VOTEU.ANY": 1,
        },
        own=lengths[-1] * size,
        lengths=lengths,
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


def _series(n: int, registers: bool, beside: Beside, count: int, groups: int = 1, **axes: Any
            ) -> Series:  # fmt: skip
    group = Group(Form(n, *F32, "f16", registers), warpgroups=groups)
    text = [group.text()]
    for j in range(count):
        four = {f"r{m}" if m else "r": 4 * (j % 8) + m for m in range(4)}
        text.append(beside.text.format(
            j=j, a=j % 8, four=j % 4, at=(j % 4) * 2048 * groups, **four
        ))  # fmt: skip
    period = {group.sass(): 1, beside.opcode: count, **beside.period}
    made = group.series(
        f"with {beside.opcode}",
        f"issue of the next {{sass}}, with {beside.opcode} behind each",
        "rate",
        "\n".join(text),
        period,
        first=FENCE,
        last=COMMIT + WAIT + beside.last + "xor.b32 x, x, v0;",
        lengths=beside.lengths or _lengths(count),
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
        + " .reg .b32 s<8>, w<32>, own, bar, phase; .reg .b64 data, q<8>; .reg .pred lead;",
        parameters=", .param .u64 data_at",
        arguments=lambda device: (device.zeros(ctas(device) * _DATA, np.uint8, name="data"),),
        setup=made.setup + "ld.param.u64 data, [data_at];\n" + beside.setup,
        begin=made.begin + strands,
        after=made.after + ends,
        shared_bytes=FILLED + beside.own + 1024,
        exact=False,
        domain="L2" if beside.last else "SM",
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
    for count in (1, 2):
        yield _series(128, False, _wide(count), count)
    for n, registers, warpgroups in ((128, False, 1), (128, True, 2), (64, True, 1), (64, True, 4)):
        for count in (4, 8, 16):
            yield _series(n, registers, _softmax(count), count, warpgroups)
    for groups in (2, 3):
        for n, registers in ((64, True), (128, True), (256, True), (64, False), (128, False)):
            if groups == 3 or registers:
                yield interval(Group(dense(n, registers), warpgroups=groups))
        for n, registers, count in ((128, False, 4), (64, True, 8), (128, True, 8)):
            yield round_trip(Group(dense(n, registers), warpgroups=groups), count)


#: Cycles for which the tensor cores multiply beside a window, more than the longest one takes.
_MULTIPLIED = 3840
#: A read of the clock does not wait for a barrier that its warp has come to, but a branch does:
#: else a window would begin while the other warpgroup still multiplies beside the one before.
_TOGETHER = "bar.sync 0; setp.eq.u32 p, zero, k0; @p bra leave;\n"
#: Links of a window whose instructions are those of one warpgroup alone.
_LINKS = (8, 12, 16, 24, 32)


def _multiplied(group: Group, waited: int) -> str:
    """Products one behind the other, all in one commit, or `waited` of them in each."""
    count = _MULTIPLIED * 2 // group.form.n
    if not waited:
        return FENCE + "\n".join([group.text()] * count) + "\n" + COMMIT + WAIT
    each = FENCE + "\n".join([group.text()] * waited) + "\n" + COMMIT + WAIT
    return each * (count // waited)


def _other(form: Form, beside: Beside, count: int, strands: int = 8, groups: int = 1,
           waited: int = 0, **more: Any) -> Series:  # fmt: skip
    """Instructions of warpgroups beside wgmma of another one."""
    group = Group(form, warpgroups=groups + 1)
    made = _series(group.form.n, group.form.registers, beside, 8, groups + 1)
    text = []
    for j in range(count):
        own = j % strands
        four = {f"r{m}" if m else "r": 4 * own + m for m in range(4)}
        at = f"{{i*16+{(j % 4) * 2048 * (groups + 1)}}}"  # ptxas merges equal loads
        text.append(beside.text.format(j=j, a=own, four=j % 4, at=at, **four))
    axes: dict[str, Any] = {
        "N": form.n,
        "A": "registers" if form.registers else "shared memory",
        "in a commit": waited or "all",
        "others": groups,
        "strands": strands,
        **({"with": beside.mix} if beside.mix else {}),
        **more,
    }
    return replace(
        made,
        name=f"{beside.opcode} of other warpgroups",
        instruction=beside.opcode,
        events=(
            f"issue of {beside.opcode}, beside wgmma of another warpgroup",
            f"issue of the next {beside.opcode} of the warp",
        ),
        link="\n".join(text),
        period={beside.opcode: count, **beside.period},
        axes=axes,
        per_link=count,
        lengths=_LINKS,
        trips=1,
        begin=made.begin + _TOGETHER,
        first="",
        last="".join(f"xor.b32 x, x, s{each};\n" for each in range(8)),
        beside=_multiplied(group, waited),
        beside_warps=4,
    )


def _banked(form: Form, remainders: tuple[int, int, int], reuse: int = 0) -> Series:
    """FFMA whose sources lie in given banks of the register file."""
    named = " ".join(map(str, remainders)) + f", reuse {reuse}" * bool(reuse)
    made = _other(form, _ALU[0], 32, sources=named)
    return replace(made, rewriting=Sources(remainders, reuse))


#: Arithmetic before what controls the flow, and what that is.
_BEFORE = 16
_ADDED = " ".join(f"add.rn.f32 s{n % 8}, s{n % 8}, k0;" for n in range(_BEFORE))
_CONTROL = tuple(
    Beside(opcode, f"{_ADDED} {text}", period={"FADD": _BEFORE, **more}, mix="FADD")
    for opcode, text, more in (
        ("EXIT", "setp.eq.u32 p, s0, 0x7fffff17; @p exit;", {"ISETP.NE.U32.AND": 1}),
        ("BRA", "setp.eq.u32 p, s0, 0x7fffff17; @p bra beside;", {"ISETP.NE.U32.AND": 1}),
        ("BAR.SYNC.DEFER_BLOCKING", "bar.sync 1, 128;", {}),
    )
)  # fmt: skip


def _read(count: int) -> Beside:
    """Loads whose values are read: ptxas removes others where no wgmma is between."""
    text = f"{_LDS.text} xor.b32 s{{a}}, s{{a}}, w{{r}};"
    return replace(_LDS, text=text, period={"LOP3.LUT": count // 2}, mix="LOP3.LUT")


def _others() -> Iterator[Series]:
    shared, registers = dense(128), dense(128, True)
    counts = {"MUFU.EX2": 4, "SHFL.BFLY": 8, "STS.128": 4, "LDS.128": 4, "FMNMX": 16}
    every = (*_ALU, _STS, _read(4))
    for form in (registers, shared):
        for beside in every:
            yield _other(form, beside, counts.get(beside.opcode, 32))
        for beside in (_ALU[0], _ALU[3], _ALU[7], _ALU[8]):
            yield _other(form, beside, max(counts.get(beside.opcode, 8) // 4, 2), strands=1)
        yield _other(form, _softmax(4), 4)
        yield _other(form, _wide(4), 4)
        for beside in (_ALU[0], _ALU[3], _ALU[7]):
            yield _other(form, beside, counts.get(beside.opcode, 32) // 2, groups=2)
        for beside in _CONTROL:
            yield _other(form, beside, 1)
    for form in (registers, shared):
        odd = (1, 3, 1) if form.registers else (3, 1, 3)
        yield _banked(form, (0, 1, 3))
        yield _banked(form, odd)
        yield _banked(form, odd, 7)
        for beside in (_ALU[0], _ALU[7]):
            yield _other(form, beside, counts.get(beside.opcode, 32), waited=2)
    for form in (dense(256, True), dense(64), dense(256), dense(64, True)):
        for beside in (_ALU[0], _ALU[3], _ALU[7], _ALU[8]):
            yield _other(form, beside, counts.get(beside.opcode, 32))


wgmma_others = SeriesProbe("wgmma_others", tuple(_others()), targets=("sm_90a",))
wgmma_beside = SeriesProbe("wgmma_beside", tuple(_all()), targets=("sm_90a",))
