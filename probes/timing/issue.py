"""Issue: control words, branches, divergence, predicates, clock reads, the instruction cache.

Where a question is what a control word does, the instructions of its window get other ones than
ptxas wrote, and the window is read back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lanemap.timing.control_words import Patch
from lanemap.timing.series import Axis, Series, SeriesProbe


def _rate(
    name: str,
    instruction: str,
    to: str,
    link: str,
    period: dict[str, int],
    axes: dict[str, Axis] | None = None,
    per_link: int = 1,
    setup: str = "",
    lengths: tuple[int, ...] = (4, 6, 8, 12, 16),
    issued: str = "",
    last: str = "",
    domain: str = "SM",
) -> Series:
    """A series of one warp."""
    return Series(
        name,
        instruction,
        (f"issue of {issued or instruction}", to),
        "rate",
        link,
        period,
        axes or {},
        per_link=per_link,
        lengths=lengths,
        setup=setup,
        last=last,
        exact=False,
        domain=domain,
        registers=".reg .pred q; .reg .b32 s<4>, bit;",
    )


_SKIPPED = 16
#: Which lanes take a branch, and the predicate that says so; ptxas cannot know.
_TAKEN = {
    "taken by all lanes": "setp.eq.u32 q, zero, 0;",
    "taken by no lane": "setp.ne.u32 q, zero, 0;",
    "taken by every second lane": "and.b32 bit, thread, 1; setp.eq.u32 q, bit, zero;",
}


def _branches() -> Iterator[Series]:
    """Forward over some instructions."""
    skipped = "mad.lo.u32 x, x, k0, k1; " * _SKIPPED
    for lanes, setup in _TAKEN.items():
        yield _rate(
            f"branch {lanes}",
            "BRA",
            f"issue of the next BRA, which follows {_SKIPPED} IMAD of "
            "the lanes that did not take it, BSYNC and BSSY",
            f"@q bra t{{i}}; {skipped} t{{i}}: add.u32 x, x, k2;",
            {"BRA": 1, "IMAD": _SKIPPED, "BSSY": 1, "BSYNC": 1, "IADD3": 1},
            setup=setup,
            issued=f"BRA, {lanes}",
            lengths=(2, 3, 4, 5, 6),
        )


def _predicated() -> Iterator[Series]:
    """An instruction that its predicate turns off."""
    yield _rate(
        "IMAD off",
        "IMAD",
        "issue of the next IMAD that its predicate turns off",
        "@q mad.lo.u32 x, x, k0, k1;",
        {"IMAD": 1},
        setup=_TAKEN["taken by no lane"],
        issued="IMAD that its predicate turns off",
        lengths=(8, 12, 16, 28, 44),
    )


def _special() -> Iterator[Series]:
    """Clocks, and what has no operands."""
    for name, register in (("clock", "SR_CLOCKLO"), ("globaltimer_lo", "SR_GLOBALTIMERLO")):
        yield _rate(
            f"{name} twice",
            "S2UR",
            f"issue of the next S2UR {register}, after CS2R.32 {register} and LOP3 that reads both",
            f"mov.u32 u0, %{name}; mov.u32 u1, %{name}; lop3.b32 x, x, u0, u1, 0x96;",
            {"S2UR": 1, "CS2R.32": 1, "LOP3.LUT": 1},
            issued=f"S2UR {register}",
        )
    yield _rate(
        "warpid twice",
        "S2R",
        "issue of the next S2R SR_VIRTID, with SHF and SGXT of each",
        "mov.u32 u0, %warpid; mov.u32 u1, %warpid; lop3.b32 x, x, u0, u1, 0x96;",
        {"S2R": 2, "SHF.R.U32.HI": 2, "SGXT.U32": 2, "LOP3.LUT": 1},
        per_link=2,
        issued="S2R SR_VIRTID",
    )
    for opcode, text in (
        ("NANOSLEEP", "nanosleep.u32 0;"),
        ("PMTRIG", "pmevent 1;"),
        ("MEMBAR.SC.CTA", "membar.cta;"),
    ):
        yield _rate(
            opcode,
            opcode,
            f"issue of the next {opcode}",
            text,
            {opcode: 1},
            domain="timer" if opcode == "NANOSLEEP" else "SM",
        )


#: What decides the cycles of code that the SM's nearest cache of instructions does not hold.
_CACHES = "instruction caches"
_ALU = (("LOP3.LUT", "lop3.b32 {d}, {d}, k0, k1, 0x6a;"), ("IMAD", "mad.lo.u32 {d}, {d}, k0, k1;"))
_SIZES = ((64, 128), (256, 512), (1024, 1536))


def _straight() -> Iterator[Series]:
    """Code without a branch, which the caches of instructions hold or do not."""
    for opcode, text in _ALU:
        for least, most in _SIZES:
            step = (most - least) // 16
            yield _rate(
                f"straight {opcode}",
                opcode,
                f"issue of the next independent {opcode} in straight code",
                "\n".join(text.format(d=f"s{j}") for j in range(4)),
                {opcode: 4},
                {"instructions": f"{least} to {most}"},
                per_link=4,
                lengths=tuple(least // 4 + step * each for each in range(5)),
                setup="".join(f"xor.b32 s{j}, k{j}, thread;" for j in range(4)),
                last="".join(f"xor.b32 x, x, s{j};" for j in range(4)),
            )


#: Eight strands of FFMA, each of which reads its own result and one constant.
_STRANDS: dict[str, str] = {
    "link": "fma.rn.f32 f{i%8}, f{i%8}, fa, f{i%8};",
    "registers": ".reg .f32 f<8>, fa; .reg .b32 v;",
    "setup": "mov.b32 fa, k0;"
    + "".join(f"xor.b32 v, k{j % 4}, {j // 4}; mov.b32 f{j}, v;" for j in range(8)),
    "last": "".join(f"mov.b32 v, f{j}; xor.b32 x, x, v;" for j in range(8)),
}


def _words(
    name: str, to: str, axes: dict[str, Axis], fields: dict[str, int], waits: int = 0
) -> Series:
    """FFMA of one warp with other control words."""
    return Series(
        name,
        "FFMA",
        ("issue of FFMA", to),
        "rate",
        period={"FFMA": 1},
        axes=axes,
        exact=False,
        lengths=(32, 40, 48, 64, 96),
        patches=(Patch("FFMA", fields, waits),),
        **_STRANDS,
    )


_CHASE: dict[str, str] = {
    "registers": ".reg .b32 a, start, v<4>;",
    "setup": """shl.b32 start, thread, 2; add.u32 start, start, shared;
    add.u32 v0, thread, 5; and.b32 v0, v0, 31; shl.b32 v0, v0, 2; add.u32 v0, v0, shared;
    st.shared.b32 [start], v0;
    st.shared.b32 [start+128], k0; st.shared.b32 [start+256], k1; st.shared.b32 [start+384], k2;
    mov.u32 v1, 0; mov.u32 v2, 0; mov.u32 v3, 0;""",
    "first": "and.b32 low, low, zero; add.u32 a, start, low;",
    "last": "sub.u32 a, a, shared; xor.b32 x, x, a;",
}  # fmt: skip
_OFF: dict[str, dict[str, Any]] = {
    "FFMA": _STRANDS,
    "MUFU.EX2": _STRANDS | {"link": "ex2.approx.ftz.f32 f{i%8}, f{i%8};"},
    "SHFL.BFLY": {"link": "shfl.sync.bfly.b32 x, x, 1, 31, -1;"},
    "LDS": _CHASE | {"link": "ld.shared.b32 a, [a];", "shared_bytes": 8192},
    "STS": {"link": "st.shared.b32 [shared+{i*128}], x;", "shared_bytes": 16384},
}  # fmt: skip


def _off() -> Iterator[Series]:
    """Instructions whose guard is false."""
    for opcode, text in _OFF.items():
        waits = ", and which waits for its barrier" * (opcode in ("SHFL.BFLY", "LDS"))
        yield Series(
            f"{opcode} off",
            opcode,
            (
                f"issue of {opcode} whose guard is @!PT",
                f"issue of the next {opcode} whose guard is @!PT{waits}",
            ),
            "rate",
            period={opcode: 1},
            exact=False,
            lengths=(48, 56, 64, 80, 96),
            patches=(Patch(opcode, {"stall": 1, "yields": 1}, off=True),),
            **text,
        )


def _control_words() -> Iterator[Series]:
    """Effects of the stall count, the yield bit and the wait mask on a single instruction.

    nvdisasm knows no instruction with the bit set and a stall count of more than 11.
    """
    for bit, most in ((0, 15), (1, 11)):
        for stall in range(1, most + 1):
            yield _words(
                "stall count",
                "issue of the next independent FFMA of the warp, by the control word of the first",
                {"stall": stall, "yield_bit": bit},
                {"stall": stall, "yields": bit},
            )
    for waits in (0, *(1 << barrier for barrier in range(6)), 0b000011, 0b111111):
        yield _words(
            "free barriers",
            "issue of the next independent FFMA of the warp, which waits for "
            "barriers that are free",
            {"wait_mask": f"{waits:06b}"},
            {"stall": 1, "yields": 1},
            waits,
        )


def _barriers() -> Iterator[Series]:
    """Each of the six barriers, and one for several instructions."""
    for barrier in range(6):
        yield Series(
            "barrier of a result",
            "LDS",
            (
                "issue of LDS that releases a barrier",
                "issue of LDS that waits for the barrier, with the result as its address",
            ),
            "variable latency",
            "ld.shared.b32 a, [a];",
            {"LDS": 1},
            {"barrier": barrier},
            cut="ld.shared.b32 v0, [start+{i*4}]; xor.b32 x, x, v0;",
            shared_bytes=8192,
            patches=(Patch("LDS", releases=(barrier,)),),
            **_CHASE,
        )
        yield Series(
            "barrier of operands",
            "STS",
            (
                "issue of STS that releases a barrier when its operands are read",
                "issue of STS whose operand is of LOP3.LUT, which waits for the barrier",
            ),
            "event",
            "st.shared.b32 [start+{i*128}], x; lop3.b32 x, x, k0, k1, 0x6a;",
            {"STS": 1, "LOP3.LUT": 1},
            {"barrier": barrier},
            shared_bytes=8192,
            lengths=(8, 12, 16, 28, 44),
            registers=_CHASE["registers"],
            setup=_CHASE["setup"],
            patches=(Patch("STS", {"read_barrier": barrier}), Patch("LOP3.LUT", {}, 1 << barrier)),
        )
    for barriers in (1, 2, 4):
        yield Series(
            "barriers of four results",
            "LDS",
            (
                "issue of the first of four LDS",
                "issue of the first of the next four, whose address needs all results",
            ),
            "event",
            "ld.shared.b32 v0, [a]; ld.shared.b32 v1, [a+128]; ld.shared.b32 v2, [a+256];"
            "ld.shared.b32 v3, [a+384]; lop3.b32 v1, v1, v2, v3, 0x96; and.b32 v1, v1, zero;"
            "add.u32 a, v0, v1;",
            {"LDS": 4, "LOP3.LUT": 2, "IMAD.IADD": 1},
            {"barriers": barriers},
            shared_bytes=8192,
            lengths=(4, 6, 8, 12, 16),
            patches=(Patch("LDS", releases=tuple(range(barriers))),),
            **_CHASE,
        )


def _loops() -> Iterator[Series]:
    """Back edges, by the instructions of the loop's body."""
    for body in (8, 16, 32, 64, 128, 256, 512):
        yield Series(
            "loop",
            "BRA",
            (
                "issue of BRA at the end of a loop, taken",
                "issue of the same BRA a turn later, after independent LOP3.LUT, an addition and a "
                "comparison",
            ),
            "event",
            "lop3.b32 s{i%8}, s{i%8}, k0, k1, 0x6a;",
            {"LOP3.LUT": body, "VIADD": 1, "ISETP.NE.U32.AND": 1, "BRA": 1},
            {"lop3": body},
            turns=body,
            registers=".reg .b32 s<8>;",
            setup="".join(f"xor.b32 s{j}, k{j % 4}, {j};" for j in range(8)),
            last="".join(f"xor.b32 x, x, s{j};" for j in range(8)),
        )


#: Instructions of straight code, in bands; 8192 are 128 KB.
_BANDS = ((64, 96), (256, 320), (512, 640), (1024, 1280), (1536, 1792), (2048, 2432), (3072, 3584),
          (4096, 4608), (6144, 6656), (7168, 7680), (8448, 8704), (10240, 13312))  # fmt: skip


def _fetched() -> Iterator[Series]:
    """Straight code that issues in every cycle, as far as its instructions are there."""
    for least, most in _BANDS:
        step = (most - least) // 4
        yield Series(
            "straight FFMA",
            "FFMA",
            (
                "issue of FFMA",
                "issue of the next independent FFMA of straight code whose stall counts are 1",
            ),
            "rate",
            period={"FFMA": 1},
            axes={"instructions": f"{least} to {most}"},
            exact=False,
            lengths=tuple(least + step * each for each in range(5)),
            domain=_CACHES if least > 1536 else "SM",
            patches=(Patch("FFMA", {"stall": 1, "yields": 1}),),
            **_STRANDS,
        )


issue = SeriesProbe(
    "issue",
    series=(
        *_branches(),
        *_predicated(),
        *_special(),
        *_straight(),
        *_off(),
        *_control_words(),
        *_barriers(),
        *_loops(),
        *_fetched(),
    ),
)
