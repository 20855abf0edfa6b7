"""Contention: which classes of instructions share a pipe, from the time of each pair.

Sixteen warps issue independent instructions of one class, or of two in turn. `lanemap.timing.pipes`
infers the pipes from these rates.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.timing.series import Series, SeriesProbe

#: Independent strands of a warp.
STRANDS = 8
WARPS = 16


@dataclass(frozen=True)
class Class:
    """A class of instructions.

    Attributes:
        opcode: The opcode in SASS.
        text: PTX; {a} is a strand's register of this class's own, read and written.
        begin: Initial value of a strand; {k} is a constant, and `own` the thread's own word of
            shared memory, which holds its address.
    """

    opcode: str
    text: str
    begin: str = "xor.b32 {a}, x, {k};"


_CLASSES = (
    Class("FFMA", "fma.rn.f32 {a}, {a}, k0, k1;"),
    Class("FADD", "add.rn.f32 {a}, {a}, k0;"),
    Class("FMNMX", "max.f32 {a}, {a}, k{i%4};"),
    Class("IMAD", "mad.lo.u32 {a}, {a}, k0, k1;"),
    Class("LOP3.LUT", "lop3.b32 {a}, {a}, k0, k1, 0x6a;"),
    Class("SHF.L.W.U32.HI", "shf.l.wrap.b32 {a}, {a}, k0, k1;"),
    Class("PRMT", "prmt.b32 {a}, {a}, k0, k1;"),
    Class("IDP.4A.U8.U8", "dp4a.u32.u32 {a}, {a}, k0, k1;"),
    Class("VIADDMNMX", "add.s32 {a}, {a}, k0; max.s32 {a}, {a}, k1;"),
    Class("HADD2.F32", "mov.b32 {h0, h1}, {a}; cvt.f32.f16 {a}, h0;"),
    Class("MUFU.EX2", "ex2.approx.ftz.f32 {a}, {a};"),
    Class("POPC", "popc.b32 {a}, {a};"),
    Class("FLO.U32", "bfind.u32 {a}, {a};"),
    Class("BREV", "brev.b32 {a}, {a};"),
    Class("I2FP.F32.S32", "cvt.rn.f32.s32 {a}, {a};"),
    Class("F2I.NTZ", "cvt.rni.s32.f32 {a}, {a};"),
    Class("F2FP.F16.F32.PACK_AB", "cvt.rn.f16x2.f32 {a}, {a}, k0;"),
    Class("SHFL.BFLY", "shfl.sync.bfly.b32 {a}, {a}, 1, 0x1f, 0xffffffff;"),
    Class("LDS", "ld.shared.b32 {a}, [{a}];", begin="and.b32 {a}, x, zero; add.u32 {a}, {a}, own;"),
    Class("STS", "st.volatile.shared.b32 [own+{i*128}+2048], k0;"),
)  # fmt: skip


def _strand(text: str, letter: str) -> str:
    return text.replace("{a}", letter + "{i%8}")


def _series(first: Class, second: Class | None) -> Series:
    classes = (first,) if second is None else (first, second)
    letters = "ab"[: len(classes)]
    own = [f"{letter}{n}" for letter in letters for n in range(STRANDS)]
    begin = "\n".join(
        each.begin.replace("{a}", f"{letter}{n}").replace("{k}", f"k{n % 4}")
        for each, letter in zip(classes, letters, strict=True)
        for n in range(STRANDS)
    )
    return Series(
        " with ".join(each.opcode for each in classes),
        first.opcode,
        (
            f"issue of {first.opcode}" + (f" and {second.opcode}" if second else ""),
            "issue of the next of each by the same warp"
            if second
            else f"issue of the next independent {first.opcode} by the same warp",
        ),
        "rate",
        link=" ".join(
            _strand(each.text, letter) for each, letter in zip(classes, letters, strict=True)
        ),
        period={each.opcode: 1 for each in classes},
        axes={"warps": WARPS},
        warps=WARPS,
        trips=32,
        lengths=(8, 16, 24, 32, 40),
        registers=f".reg .b32 a<{STRANDS}>, b<{STRANDS}>, own;",
        setup="shl.b32 own, thread, 2; add.u32 own, own, shared;\nst.shared.b32 [own], own;",
        first=begin,
        last="\n".join(f"xor.b32 x, x, {name};" for name in own),
        shared_bytes=16384,
    )


contention = SeriesProbe(
    "contention",
    tuple(_series(each, None) for each in _CLASSES)
    + tuple(
        _series(first, second)
        for number, first in enumerate(_CLASSES)
        for second in _CLASSES[number + 1 :]
    ),
)
